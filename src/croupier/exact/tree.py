"""The tree: the real round, run for every deal and every path of answers.

A run begins at the start of the round each time and follows a *path*: the cards and answers chosen so far. Where the
path ends, the first choice there is is added to it; after the run the last choice that has another one is changed. So
all there is to know of a game is its round. Questions are decided from the last to the first, by sums over all deals
that look alike to the seat; or all of them are answered by a plan. Everything is counted in integers.

It proves games whose deals can be counted one by one, and it is the oracle for all others on short decks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from croupier.kernels.effects import BURNED, CHOICE_MASK, TURNED
from croupier.kernels.proceeds import returned_by
from croupier.kernels.sights import QUESTIONS_AT, key_of

IS_CARD, IS_ANSWER = range(2)
MOST_STEPS = 64
"""Cards and answers of one round."""
MOST_ENDED = 32
"""Wagers that one round settles."""
MOST_ANSWERS = 8
# Cells of `flags`.
DEPTH, KEY, ANSWER, ENDED, LEGAL, ASKED, REFUSED = range(7)
FLAGS = 7
# Cells of a row of sums; then come, for each way a wager can end, how often and with how much money.
WEIGHT, PROFIT, SQUARE, STAKED = range(4)
PLAIN_SUMS = 4
WORD = 31
"""A sum is two words, the second with so many bits: weights may take 62 bits, and what they are multiplied by 31."""
LOW_WORD = (1 << WORD) - 1
FULL_WORD = 1 << 55
"""What lies in a second word beyond this goes to the first; sums of all parts of a walk still fit."""
NO_KEY, NOT_ASKED = -1, -2
NONE = -1
"""The level at which no question is decided: a plan answers all of them."""
# Why a run is refused.
TOO_MUCH_SEEN, TOO_MUCH_MONEY, UNLIKE = range(1, 4)
NOTHING_SEEN, LOST_COUNT = 1, -1
MOST_SEEN = 1 << 62 - QUESTIONS_AT
FACE_UP = -1
"""A place that is hidden from nobody."""


class Tree(NamedTuple):
    """What a run reads and writes."""

    cards: Any
    """A card for each class that is told apart."""
    bits: Any
    """The set of that card alone."""
    counts: Any
    """How many of them the deck holds."""
    left: Any
    """How many of them are not on the path."""
    tails: Any
    """By the number of cards that a run took: in how many ways the cards behind them can lie."""
    path: Any
    """At each step the class of a card, or an answer."""
    kinds: Any
    places: Any
    """At each step that is a card: where it went."""
    ways: Any
    """At each step that is a card: how many of them there were."""
    legal: Any
    """At each step that is an answer: those that are legal."""
    flags: Any
    ended: Any
    """For each wager that ended in this run: its cell, and the money on it."""
    pays: Any
    """Profit for each unit, by cell, in the smallest unit."""
    cells: Any
    """Where the cells of each wager begin."""
    stakeless: Any
    """For each wager, 1 if it is paid on another's stake; 2 if it has an account of its own."""
    hidden: Any
    """Places whose cards the seat does not see."""
    symbols: int
    """Cards and answers that a seat can see, told apart."""
    room: int
    """What a seat has seen must be below it, for one symbol more."""
    memory: Any
    stakes: Any
    rules: Any
    """What the round is run with."""
    tables: Any
    """Questions that are decided."""
    side: Any
    """Moment, number and options of a side wager that is counted beside the round's own; no moment where none is."""
    level: int
    """The question that is being decided, by how many came before it; those after it are decided."""


# The effects. `world` is step, cards taken, questions asked, weight, profit, money staked, and what the seat has seen.
# A weight of 0 is a path that cannot be, as the cards have run out; it is left by the shortest way.


def next_card(tree: Tree, below: int) -> int:
    """The highest class below one that has cards left; -1 if there is none."""
    card = below - 1
    while card >= 0 and tree.left[card] == 0:
        card -= 1
    return card


def take_card(tree: Tree, step: int, card: int) -> None:
    """Puts a card on the path."""
    tree.path[step] = card
    tree.kinds[step] = IS_CARD
    tree.ways[step] = tree.left[card]
    tree.left[card] -= 1
    tree.flags[DEPTH] = step + 1


def choose_card(tree: Tree, step: int, below: int, place: int) -> int:
    """The class of the card at this step of the path."""
    if step == tree.flags[DEPTH]:
        card = next_card(tree, below)
        take_card(tree, step, max(card, 0))
        if card < 0:
            tree.ways[step] = 0
    tree.places[step] = place
    return int(tree.path[step])


def draw(world: Any, tree: Tree, place: int) -> tuple[int, Any]:
    """`draw`: one of the cards left. A burned card is seen by nobody, so it may as well stay where it is."""
    if place == BURNED:
        return 0, world
    step, cards_out, questions, weight, profit, staked, seen = world
    if weight == 0:
        return tree.cards[0], world
    card = choose_card(tree, step, len(tree.cards), place)
    weight = weight * tree.ways[step] if cards_out + 1 < len(tree.tails) else 0
    return tree.cards[card], (
        step + 1,
        cards_out + 1,
        questions,
        weight,
        profit,
        staked,
        note_card(tree, seen, place, card),
    )


def deal(world: Any, tree: Tree, place: int, count: int) -> tuple[int, Any]:
    """`deal`: a set of cards, each set once, counted for all orders in which it can come."""
    step, cards_out, questions, weight, profit, staked, seen = world
    if weight == 0:
        return 0, world
    hand = 0
    below = len(tree.cards)
    for number in range(count):
        below = choose_card(tree, step + number, below, place)
        hand |= tree.bits[below]
        weight = weight * tree.ways[step + number] * (number + 1)
        seen = note_card(tree, seen, place, below)
    weight = weight if cards_out + count < len(tree.tails) else 0
    return hand, (step + count, cards_out + count, questions, weight, profit, staked, seen)


def see(tree: Tree, seen: int, symbol: int) -> int:
    """What a seat has seen, one number, with one card or answer more."""
    return seen * tree.symbols + symbol if 0 < seen < tree.room else LOST_COUNT


def see_card(tree: Tree, seen: int, place: int, card: int) -> int:
    """A card at a place, unless that is hidden from the seat."""
    for hidden in tree.hidden:
        if place == hidden:
            return seen
    return see(tree, seen, card)


def see_answer(tree: Tree, seen: int, _place: int, answer: int) -> int:
    """An answer that the seat gave."""
    return see(tree, seen, len(tree.cards) + answer)


def note_nothing(tree: Tree, seen: int, _place: int, _what: int) -> int:
    """`note_card` and `note_answer` where a sight is all that a seat knows."""
    return seen


def note_card(tree: Tree, seen: int, place: int, card: int) -> int:
    """A card on the path, put in when linked."""
    raise NotImplementedError("linked with what a seat knows before use")


def note_answer(tree: Tree, seen: int, place: int, answer: int) -> int:
    """An answer on the path, put in when linked."""
    raise NotImplementedError("linked with what a seat knows before use")


def by_sight(sight: int, seen: int) -> int:
    """`known` where a sight is all that a seat knows."""
    return sight


def by_cards(sight: int, seen: int) -> int:
    """`known` where it is not: all cards that the seat has seen, and its answers, in the order in which they came."""
    return seen


def known(sight: int, seen: int) -> int:
    """What a seat decides by, put in when linked."""
    raise NotImplementedError("linked with what a seat knows before use")


def answer_of(
    tables: Any, memory: Any, stakes: Any, rules: Any, sight: int, seat: int, hand: int, question: int, legal: int
) -> int:
    """What is decided, by the tables that the tree has; put in when linked."""
    raise NotImplementedError("linked with a round's answer before use")


def ask(world: Any, tree: Tree, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, Any]:
    """`ask`: as decided, or every answer in turn."""
    step, cards_out, questions, weight, profit, staked, seen = world
    if weight == 0:
        return lowest(legal), world
    knows = known(sight, seen)
    if knows == LOST_COUNT:
        tree.flags[REFUSED] = TOO_MUCH_SEEN
        return lowest(legal), world
    if questions > tree.level:
        answer = answer_of(tree.tables, tree.memory, tree.stakes, tree.rules, knows, seat, hand, question, legal)
        return answer, (
            step,
            cards_out,
            questions + 1,
            weight,
            profit,
            staked,
            note_answer(tree, seen, FACE_UP, answer),
        )
    if step == tree.flags[DEPTH]:
        tree.path[step] = lowest(legal)
        tree.kinds[step] = IS_ANSWER
        tree.legal[step] = legal
        tree.flags[DEPTH] = step + 1
    answer = int(tree.path[step])
    if questions == tree.level:
        tree.flags[KEY] = key_of(knows, question)
        tree.flags[ANSWER] = answer
        tree.flags[LEGAL] = legal
    return answer, (
        step + 1,
        cards_out,
        questions + 1,
        weight,
        profit,
        staked,
        note_answer(tree, seen, FACE_UP, answer),
    )


def lowest(legal: int) -> int:
    """The first answer of a set."""
    answer = 0
    while legal >> answer & 1 == 0:
        answer += 1
    return answer


def stake(world: Any, tree: Tree, seat: int, hand: int, wager: int, amount: int) -> Any:
    """`stake`: counted when the wager ends."""
    return world


def pay(world: Any, tree: Tree, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    """`pay`: the wager's profit, and a note of how it ended."""
    step, cards_out, questions, weight, profit, put, seen = world
    cell = tree.cells[wager] + outcome + 1
    at = tree.flags[ENDED]
    tree.ended[at, 0] = cell
    tree.ended[at, 1] = staked
    tree.flags[ENDED] = at + 1
    if tree.stakeless[wager] == 2:
        return world
    more = 0 if tree.stakeless[wager] == 1 else staked
    return (step, cards_out, questions, weight, profit + tree.pays[cell] * staked, put + more, seen)


def returned(world: Any, tree: Tree, wager: int, outcome: int, staked: int) -> int:
    """`returned`: by the pays of the wager's cells."""
    cell = tree.cells[wager]
    return returned_by(tree.pays[cell + outcome + 1], tree.pays[cell], staked)


def settle(world: Any, tree: Tree, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    """`settle`: side wagers are counted elsewhere."""
    return world


def settle_side(world: Any, tree: Tree, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    """`settle` where a side wager is counted too, which adds nothing to what the round comes to."""
    if moment != tree.side[0]:
        return world
    return pay(world, tree, seat, hand, tree.side[1], classify(own, other, tree.side[2]), tree.stakes[seat])


def classify(own: int, other: int, options: int) -> int:
    """The side wager's classifier, put in when linked."""
    raise NotImplementedError("linked with a bet before use")


def tell(world: Any, tree: Tree, what: int, place: int, to: int) -> Any:
    """`tell`: cards that are turned are seen."""
    if what != TURNED:
        return world
    step, cards_out, questions, weight, profit, staked, seen = world
    for earlier in range(step):
        if tree.kinds[earlier] == IS_CARD and tree.places[earlier] == place:
            seen = note_card(tree, seen, FACE_UP, tree.path[earlier])
    return (step, cards_out, questions, weight, profit, staked, seen)


def play(world: Any, tree: Tree, memory: Any, stakes: Any, rules: Any) -> Any:
    """The round, put in when linked."""
    raise NotImplementedError("linked with a round before use")


# The walk over all paths.


def next_answer(legal: int, answer: int) -> int:
    """The next legal answer after one; -1 if it was the last."""
    answer += 1
    while answer <= CHOICE_MASK:
        if legal >> answer & 1:
            return answer
        answer += 1
    return -1


def advance(tree: Tree, fixed: int) -> bool:
    """Changes the last choice behind the first `fixed` ones that has another; False when all were seen."""
    step = tree.flags[DEPTH] - 1
    while step >= fixed:
        before = tree.path[step]
        if tree.kinds[step] == IS_CARD:
            tree.left[before] += 1
            following = next_card(tree, before)
            if following >= 0:
                take_card(tree, step, following)
                return True
        else:
            following = next_answer(tree.legal[step], before)
            if following >= 0:
                tree.path[step] = following
                tree.flags[DEPTH] = step + 1
                return True
        step -= 1
    return False


def slot_of(keys: Any, key: int) -> int:
    """Where a key stands, or is put, in a table by open addressing; -1 if the table is full."""
    size = len(keys)
    at = (key * 0x9E3779B97F4A7C1 >> 20) & (size - 1)
    for _ in range(size):
        if keys[at] == key or keys[at] == NO_KEY:
            return int(at)
        at = (at + 1) & (size - 1)
    return -1


def add_to(row: Any, cell: int, weight: int, times: int) -> None:
    """Adds `weight * times` to a sum of two words. Most weights are small, and the second word holds many of them."""
    if weight > LOW_WORD:
        row[cell, 0] += (weight >> WORD) * times
        weight &= LOW_WORD
    low = row[cell, 1] + weight * times
    if low > FULL_WORD or low < -FULL_WORD:
        row[cell, 0] += low >> WORD
        low &= LOW_WORD
    row[cell, 1] = low


def add_leaf(tree: Tree, world: Any, row: Any) -> None:
    """Counts a run that came to its end."""
    _step, cards_out, questions, weight, profit, staked, _seen = world
    weight = weight * tree.tails[cards_out]
    if max(abs(profit), staked) >> WORD // 2 > 0:
        tree.flags[REFUSED] = TOO_MUCH_MONEY
    tree.flags[ASKED] = max(tree.flags[ASKED], questions)
    add_to(row, WEIGHT, weight, 1)
    add_to(row, PROFIT, weight, profit)
    add_to(row, SQUARE, weight, profit * profit)
    add_to(row, STAKED, weight, staked)
    for number in range(tree.flags[ENDED]):
        at = PLAIN_SUMS + 2 * tree.ended[number, 0]
        add_to(row, at, weight, 1)
        add_to(row, at + 1, weight, tree.ended[number, 1])


def find_slot(tree: Tree, keys: Any, legals: Any) -> int:
    """Where the sums of what is being decided stand; -1 if `keys` is full."""
    slot = slot_of(keys, tree.flags[KEY])
    if slot >= 0 and keys[slot] == NO_KEY:
        keys[slot] = tree.flags[KEY]
        legals[slot] = tree.flags[LEGAL]
    elif slot >= 0 and legals[slot] != tree.flags[LEGAL]:
        tree.flags[REFUSED] = UNLIKE
    return slot


def explore(tree: Tree, starts: Any, weights: Any, keys: Any, legals: Any, sums: Any) -> bool:
    """All paths behind each of the starts, which are the classes of the first cards; False if `keys` is full."""
    fixed = starts.shape[1]
    for start in range(len(starts)):
        for card in range(len(tree.left)):
            tree.left[card] = tree.counts[card]
        for step in range(fixed):
            take_card(tree, step, starts[start, step])
        going = True
        last_key, last_slot = NO_KEY, -1
        while going:
            tree.flags[ENDED] = 0
            tree.flags[KEY] = NOT_ASKED
            tree.flags[ANSWER] = 0
            tree.flags[LEGAL] = 1
            world = play((0, 0, 0, weights[start], 0, 0, NOTHING_SEEN), tree, tree.memory, tree.stakes, tree.rules)
            if world[3] != 0:
                if tree.flags[KEY] != last_key:
                    last_key = tree.flags[KEY]
                    last_slot = find_slot(tree, keys, legals)
                    if last_slot < 0:
                        return False
                add_leaf(tree, world, sums[last_slot, tree.flags[ANSWER]])
            going = advance(tree, fixed)
    return True
