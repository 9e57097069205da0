"""The dynamic program over a player's hands for one up card and one set of cards gone. Compiled.

Arrays over hands follow `graph.py`. Values are expected profits for one unit wagered, *joint* with the dealer not
having blackjack: each is the conditional value times that chance. Joint values of one hand share the factor, so they
can be compared; and the chance of the next card is then simply its share of the unseen cards, the hole card among them.
Where the dealer does not look for blackjack, nothing is known about it: the factor is one, and a hand that stands loses
to it.

Strategies are codes of hands, as `kernels/strategy.py` has them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.dealer import ENDS, DealerMemo, row_of
from croupier.exact.strategy.graph import KEY_BITS, STARTS
from croupier.kernels.blackjack import BlackjackRules, may_double
from croupier.kernels.effects import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from croupier.kernels.strategy import CLASSES, DOUBLE_BIT, SPECIAL_AT, pair_index

Array = NDArray[Any]

ACE, TEN = 0, 9
ACTIONS = 5
IMPOSSIBLE = -1e9
"""Value of an action that is not open."""
MOST_EXTRA = 9

TOTAL, SOFT, SIZE, KEY, HAND, AFTER = range(CLASSES, CLASSES + 6)
"""Columns of a graph's facts after the cards of each class."""

# Columns of a tally: what a starting hand comes to, joint with no dealer's blackjack where the dealer looks for it.
WIN_1, PUSH_1, LOSE_1, WIN_2, PUSH_2, LOSE_2, SPLIT_BLACKJACK, SURRENDERED, SQUARE, BY_END = range(10)
"""Expected hands that win, push and lose with one and with two units; blackjacks on split hands; hands surrendered; the
square of the profit; from BY_END on the profit by the dealer's final total, a blackjack not looked for last."""
END_CHANCE = BY_END + ENDS + 1
"""From here on the chance of each of these ends while the two cards are all the player has drawn."""
COLUMNS = END_CHANCE + ENDS + 1

OPTIMIZE, TALLY, WEIGH, ADVISE = range(4)
"""What `run_position` is asked for."""
SOFT_CELL = 32
CELLS = 64
"""Cells of a total-dependent chart: the total, and SOFT_CELL more if it is soft."""


class Graph(NamedTuple):
    """The hands as the compiled program reads them."""

    facts: Array
    """For each hand: cards of each class, then TOTAL, SOFT, SIZE, KEY and HAND, then from AFTER on the hand that each
    class of card makes of it. One array instead of many: Numba compiles the program in half the time."""
    starts: Array
    versus: Array
    """What a hand of each total wins against each final total of the dealer: 1, 0 or -1."""


class Position(NamedTuple):
    """Cards gone beside the up card and the hand itself, and what that leaves."""

    memo: DealerMemo
    gone: int
    """Key of the cards gone."""
    left: Array
    """Cards of each class left when the hand is still empty."""
    unseen: float
    peek: int
    pays: float
    """What a blackjack pays for one unit."""


def place(memo: DealerMemo, gone: int, peek: int, pays: float) -> Position:
    """The position in which the cards of `gone` have left the shoe."""
    left = np.empty(CLASSES)
    unseen = 0.0
    for card in range(CLASSES):
        left[card] = memo.shoe[card]
        if not memo.endless:
            left[card] -= gone >> KEY_BITS * card & 31
        unseen += left[card]
    return Position(memo, gone, left, unseen, peek, pays)


def after(graph: Graph, hand: int, card: int) -> int:
    """The hand with one more card, or BUST."""
    return int(graph.facts[hand, AFTER + card])


def left_of(at: Position, graph: Graph, hand: int, card: int) -> float:
    """Unseen cards of a class when the player holds this hand."""
    return float(at.left[card] if at.memo.endless else at.left[card] - graph.facts[hand, card])


def unseen_after(at: Position, graph: Graph, hand: int) -> float:
    return float(at.unseen if at.memo.endless else at.unseen - graph.facts[hand, SIZE])


def is_possible(at: Position, graph: Graph, hand: int) -> bool:
    for card in range(CLASSES):
        if at.left[card] < 0 or (not at.memo.endless and at.left[card] < graph.facts[hand, card]):
            return False
    return True


def chance_of_blackjack(at: Position, graph: Graph, hand: int) -> float:
    """Chance that the hole card makes a dealer's blackjack."""
    up = at.memo.up
    if up != ACE and up != TEN:
        return 0.0
    return left_of(at, graph, hand, TEN - up) / unseen_after(at, graph, hand)


def factor(at: Position, graph: Graph, hand: int) -> float:
    """What joint values are conditional values times: the chance of no dealer's blackjack where it is known."""
    return 1.0 - chance_of_blackjack(at, graph, hand) if at.peek == 1 else 1.0


def value_of_standing(at: Position, graph: Graph, hand: int) -> float:
    row = row_of(at.memo, graph.facts[hand, KEY] + at.gone)
    value = 0.0
    for end in range(ENDS):
        value += graph.versus[graph.facts[hand, TOTAL], end] * at.memo.ends[row, end]
    return value if at.peek == 1 else value - chance_of_blackjack(at, graph, hand)


def hitting_is_never_worse(graph: Graph, hand: int) -> bool:
    """One more card cannot pass 21, and no total below 17 is worth more than another."""
    return bool(graph.facts[hand, TOTAL] <= (16 if graph.facts[hand, SOFT] else 11))


def fill_hands(at: Position, graph: Graph, wanted: Any, safe: Any, stand: Any) -> None:
    """For the wanted hands the factor of joint values (0 if impossible) and the value of standing.

    Standing is left out where hitting is never worse and the hand is too long to have been doubled to.
    """
    for hand in range(1, len(graph.facts)):
        safe[hand] = 0.0
        stand[hand] = IMPOSSIBLE
        if wanted[hand] and is_possible(at, graph, hand):
            safe[hand] = factor(at, graph, hand)
            if graph.facts[hand, SIZE] <= 3 or not hitting_is_never_worse(graph, hand):
                stand[hand] = value_of_standing(at, graph, hand)


def value_of_next_card(at: Position, graph: Graph, hand: int, safe: Any, after_card: Any) -> float:
    """Value of taking a card; `after_card` holds the values of the hands it may lead to, passing 21 loses the unit."""
    unseen = unseen_after(at, graph, hand)
    value = 0.0
    alive = 0.0
    for card in range(CLASSES):
        following = after(graph, hand, card)
        left = left_of(at, graph, hand, card)
        if following >= 0 and left > 0:
            value += left * after_card[following]
            alive += left * safe[following]
    return float((value + alive) / unseen - safe[hand])


def hit_or_stand(at: Position, graph: Graph, safe: Any, stand: Any, best: Any, codes: Any, margins: Any) -> None:
    """The best of hitting and standing for every possible hand, larger hands first; 21 stands.

    `margins` gets what hitting is worth more than standing, 0 where one of them is not in question.
    """
    for hand in range(len(graph.facts) - 1, 0, -1):
        best[hand] = stand[hand]
        codes[hand] = STAND
        margins[hand] = 0.0
        if safe[hand] > 0 and graph.facts[hand, TOTAL] < 21:
            hit = value_of_next_card(at, graph, hand, safe, best)
            if stand[hand] > IMPOSSIBLE:
                margins[hand] = (hit - stand[hand]) / safe[hand]
            if hit > stand[hand]:
                best[hand] = hit
                codes[hand] = HIT


def value_of_surrender(at: Position, graph: Graph, hand: int) -> float:
    """Half the wager goes, or all of it to a blackjack that the dealer has not looked for yet."""
    if at.peek == 1:
        return -0.5 * factor(at, graph, hand)
    return -0.5 - 0.5 * chance_of_blackjack(at, graph, hand)


def start_actions(
    at: Position, graph: Graph, rules: BlackjackRules, hand: int, safe: Any, stand: Any, best: Any, values: Any
) -> None:
    """Values of the actions open to two cards, splitting apart."""
    values[STAND] = stand[hand]
    if graph.facts[hand, TOTAL] == 21:
        return
    values[HIT] = value_of_next_card(at, graph, hand, safe, best)
    if may_double(graph.facts[hand, HAND], rules.double_from):
        values[DOUBLE] = 2 * value_of_next_card(at, graph, hand, safe, stand)
    if rules.surrender == 1:
        values[SURRENDER] = value_of_surrender(at, graph, hand)


def may_ever_split(rules: BlackjackRules, card: int) -> bool:
    """Pairs the solver splits: where only equal ranks may be split, ten-values are left alone (see `check_tens`)."""
    return rules.max_hands > 1 and not (card == TEN and rules.split_by_rank == 1)


def solve_position(
    at: Position,
    graph: Graph,
    rules: BlackjackRules,
    patterns: Any,
    wanted: Any,
    values: Any,
    codes: Any,
    margins: Any,
) -> None:
    """Optimal play in a position: the value of every action of every starting hand, and every hand's code."""
    size = len(graph.facts)
    safe, stand, best = np.zeros(size), np.zeros(size), np.zeros(size)
    fill_hands(at, graph, wanted, safe, stand)
    hit_or_stand(at, graph, safe, stand, best, codes, margins)
    values[:] = IMPOSSIBLE
    for start in range(STARTS):
        hand = graph.starts[start]
        if safe[hand] > 0:
            start_actions(at, graph, rules, hand, safe, stand, best, values[start])
            if values[start, DOUBLE] > max(values[start, STAND], values[start, HIT]):
                codes[hand] |= DOUBLE_BIT
    tally = np.empty(COLUMNS)
    for card in range(CLASSES):
        hand = after(graph, after(graph, 0, card), card)
        if safe[hand] > 0 and may_ever_split(rules, card):
            tally_split(at, graph, rules, patterns, card, at.left[card], codes, tally)
            values[pair_index(card, card), SPLIT] = profit(tally, at.pays)
    for start in range(STARTS):
        choose_special(graph.starts[start], values[start], codes)


def choose_special(hand: int, values: Any, codes: Any) -> None:
    """Notes in a hand's code whether splitting or surrendering is better than all else."""
    usual = max(values[STAND], values[HIT], values[DOUBLE])
    if values[SPLIT] > usual and values[SPLIT] >= values[SURRENDER]:
        codes[hand] |= SPLIT << SPECIAL_AT
    elif values[SURRENDER] > usual:
        codes[hand] |= SURRENDER << SPECIAL_AT


def profit(tally: Any, pays: float) -> Any:
    """Expected profit of what a tally counts, or of many tallies side by side."""
    won = tally[WIN_1] + 2 * tally[WIN_2] + pays * tally[SPLIT_BLACKJACK]
    return won - tally[LOSE_1] - 2 * tally[LOSE_2] - 0.5 * tally[SURRENDERED]


def tally_standing(at: Position, graph: Graph, hand: int, reach: float, units: int, tally: Any) -> None:
    """Counts a hand that stands with so many units, having come up with chance `reach`."""
    row = row_of(at.memo, graph.facts[hand, KEY] + at.gone)
    column = WIN_1 if units == 1 else WIN_2
    for end in range(ENDS):
        chance = reach * at.memo.ends[row, end]
        versus = graph.versus[graph.facts[hand, TOTAL], end]
        if versus > 0:
            tally[column] += chance
        elif versus < 0:
            tally[column + 2] += chance
        else:
            tally[column + 1] += chance
        tally[BY_END + end] += units * versus * chance
    if at.peek == 0:
        lost = reach * chance_of_blackjack(at, graph, hand)
        tally[column + 2] += lost
        tally[BY_END + ENDS] -= units * lost


def tally_bust(at: Position, graph: Graph, hand: int, reach: float, units: int, began: Any, tally: Any) -> None:
    """Counts the next cards that take a hand past 21.

    `began` is the dealer's distribution where play began: what was drawn since is left out of it, as it is used for the
    deviation only.
    """
    unseen = unseen_after(at, graph, hand)
    bust = factor(at, graph, hand)
    for card in range(CLASSES):
        following = after(graph, hand, card)
        left = left_of(at, graph, hand, card)
        if following >= 0 and left > 0:
            bust -= left / unseen * factor(at, graph, following)
    if bust <= 0:
        return
    tally[LOSE_1 if units == 1 else LOSE_2] += reach * bust
    share = units * reach * bust / factor(at, graph, hand)
    for end in range(ENDS):
        tally[BY_END + end] -= share * began[end]
    if at.peek == 0:
        tally[BY_END + ENDS] -= share * chance_of_blackjack(at, graph, hand)


def tally_play(
    at: Position, graph: Graph, codes: Any, reach: Any, first: int, may_double_now: bool, frozen: bool, tally: Any
) -> None:
    """Plays on from hands that have come up with chance `reach` (used up on the way), by their codes."""
    size = len(graph.facts)
    began = np.empty(ENDS)
    began[:] = at.memo.ends[row_of(at.memo, graph.facts[first, KEY] + at.gone)]
    for hand in range(first, size):
        chance = reach[hand]
        if chance == 0.0:
            continue
        reach[hand] = 0.0
        code = codes[hand]
        doubles = may_double_now and graph.facts[hand, SIZE] == 2 and code & DOUBLE_BIT != 0
        if frozen or graph.facts[hand, TOTAL] == 21 or (code & 3 == STAND and not doubles):
            tally_standing(at, graph, hand, chance, 1, tally)
            continue
        unseen = unseen_after(at, graph, hand)
        for card in range(CLASSES):
            following = after(graph, hand, card)
            left = left_of(at, graph, hand, card)
            if following >= 0 and left > 0:
                if doubles:
                    tally_standing(at, graph, following, chance * left / unseen, 2, tally)
                else:
                    reach[following] += chance * left / unseen
        tally_bust(at, graph, hand, chance, 2 if doubles else 1, began, tally)


def square_of(tally: Any) -> float:
    """Mean square of the profit of hands counted one by one."""
    return float(tally[WIN_1] + tally[LOSE_1] + 4 * (tally[WIN_2] + tally[LOSE_2]) + 0.25 * tally[SURRENDERED])


def chance_all_of_rank(at: Position, of_rank: float, number: int) -> float:
    """Chance that so many given cards are all of one rank, of which `of_rank` are left once the pair is out."""
    chance = 1.0
    unseen = at.unseen if at.memo.endless else at.unseen - 2
    for taken in range(number):
        left = of_rank if at.memo.endless else of_rank - taken
        if left <= 0:
            return 0.0
        chance *= left / (unseen if at.memo.endless else unseen - taken)
    return chance


def ways_to_choose(number: int, among: int) -> float:
    ways = 1.0
    for step in range(number):
        ways = ways * (among - step) / (step + 1)
    return ways


def split_shares(
    at: Position, patterns: Any, most: int, of_rank: float, any_card: Any, no_pair: Any
) -> tuple[float, float]:
    """How many hands of a split are met with `extra` more cards of the pair gone, by inclusion and exclusion.

    `patterns` lists the ways a split can go for each largest number of hands: cards of the pair drawn and split, hands
    whose second card is none of the pair, hands with any. Returns the mean number of hands and of pairs of them.
    """
    hands_mean = 0.0
    pairs_mean = 0.0
    for row in range(len(patterns)):
        if patterns[row, 0] != most:
            continue
        splits, clean, free = patterns[row, 1], patterns[row, 2], patterns[row, 3]
        chance = 0.0
        for also in range(clean + 1):
            sign = ways_to_choose(also, clean) * (-1.0 if also % 2 else 1.0)
            met = chance_all_of_rank(at, of_rank, splits + also)
            chance += sign * met
            any_card[1 + splits + also] += free * sign * met
            if also < clean:
                fewer = ways_to_choose(also, clean - 1) * (-1.0 if also % 2 else 1.0)
                no_pair[1 + splits + also] += clean * fewer * met
        hands = clean + free
        hands_mean += hands * chance
        pairs_mean += hands * (hands - 1) * chance
    return hands_mean, pairs_mean


def tally_split_blackjack(at: Position, graph: Graph, hand: int, reach: float, tally: Any) -> None:
    """Counts A-10 on a split hand where that is a blackjack: paid unless the dealer has one too."""
    lost = chance_of_blackjack(at, graph, hand)
    tally[SPLIT_BLACKJACK] += reach * (1.0 - lost)
    if at.peek == 0:
        tally[PUSH_1] += reach * lost
    row = row_of(at.memo, graph.facts[hand, KEY] + at.gone)
    for end in range(ENDS):
        tally[BY_END + end] += at.pays * reach * at.memo.ends[row, end]


def tally_split(
    at: Position, graph: Graph, rules: BlackjackRules, patterns: Any, card: int, of_rank: float, codes: Any, tally: Any
) -> None:
    """What splitting a pair comes to when every hand is played by the codes; `of_rank` counts the pair's own cards."""
    tally[:] = 0.0
    most = 2 if card == ACE and rules.resplit_aces == 0 else rules.max_hands
    any_card, no_pair = np.zeros(MOST_EXTRA), np.zeros(MOST_EXTRA)
    rank_left = of_rank if at.memo.endless else of_rank - 2
    hands, pairs = split_shares(at, patterns, most, rank_left, any_card, no_pair)
    reach = np.zeros(len(graph.facts))
    frozen = card == ACE and rules.play_split_aces == 0
    one = after(graph, 0, card)
    for extra in range(1, MOST_EXTRA):
        if any_card[extra] == 0.0 and no_pair[extra] == 0.0:
            continue
        there = place(at.memo, at.gone + (extra << KEY_BITS * card), at.peek, at.pays)
        unseen = unseen_after(there, graph, one)
        for second in range(CLASSES):
            left = left_of(there, graph, one, second)
            hand = after(graph, one, second)
            if left <= 0:
                continue
            of_pair = 0.0
            if second == card:
                of_pair = of_rank if at.memo.endless else of_rank - 1 - extra
            reach[hand] = (any_card[extra] * left + no_pair[extra] * (left - of_pair)) / unseen
            if rules.split_blackjack == 1 and graph.facts[hand, TOTAL] == 21:
                tally_split_blackjack(there, graph, hand, reach[hand], tally)
                reach[hand] = 0.0
        tally_play(there, graph, codes, reach, one, rules.double_after_split == 1, frozen, tally)
    tally[SQUARE] = square_of(tally) + at.pays**2 * tally[SPLIT_BLACKJACK]
    note_ends(at, graph, after(graph, one, card), tally)
    if hands > 0:
        tally[SQUARE] += pairs / hands**2 * shared_dealer(tally, tally)


def note_ends(at: Position, graph: Graph, hand: int, tally: Any) -> None:
    """Writes down what the dealer ends on."""
    row = row_of(at.memo, graph.facts[hand, KEY] + at.gone)
    for end in range(ENDS):
        tally[END_CHANCE + end] = at.memo.ends[row, end]
    tally[END_CHANCE + ENDS] = chance_of_blackjack(at, graph, hand)


def shared_dealer(one: Any, other: Any) -> float:
    """Mean product of two hands' profits, taken as independent once the dealer's final total is known."""
    product = 0.0
    for end in range(ENDS + 1):
        if one[END_CHANCE + end] > 0:
            product += one[BY_END + end] * other[BY_END + end] / one[END_CHANCE + end]
    return product


def tally_starts(at: Position, graph: Graph, rules: BlackjackRules, patterns: Any, codes: Any, tallies: Any) -> None:
    """What each starting hand comes to under a strategy."""
    reach = np.zeros(len(graph.facts))
    for start in range(STARTS):
        hand = graph.starts[start]
        tally = tallies[start]
        tally[:] = 0.0
        if not is_possible(at, graph, hand):
            continue
        special = codes[hand] >> SPECIAL_AT & 7
        if special == SPLIT:
            card = pair_card(graph, hand)
            tally_split(at, graph, rules, patterns, card, at.left[card], codes, tally)
            continue
        if special == SURRENDER:
            lost = chance_of_blackjack(at, graph, hand) if at.peek == 0 else 0.0
            tally[SURRENDERED] = factor(at, graph, hand) - lost
            tally[LOSE_1] = lost
        else:
            reach[hand] = 1.0
            tally_play(at, graph, codes, reach, hand, True, False, tally)
        tally[SQUARE] = square_of(tally)
        note_ends(at, graph, hand, tally)


def pair_card(graph: Graph, hand: int) -> int:
    for card in range(CLASSES):
        if graph.facts[hand, card] == 2:
            return card
    return -1


def follow(at: Position, graph: Graph, codes: Any, safe: Any, stand: Any, value: Any) -> None:
    """Values of all possible hands under a strategy, splitting and surrendering apart, larger hands first."""
    for hand in range(len(graph.facts) - 1, 0, -1):
        value[hand] = stand[hand]
        if safe[hand] <= 0 or graph.facts[hand, TOTAL] == 21:
            continue
        if codes[hand] & 3 == HIT:
            value[hand] = value_of_next_card(at, graph, hand, safe, value)


def cell_of(graph: Graph, hand: int) -> int:
    """The cell of a total-dependent chart that a hand falls in."""
    return int(graph.facts[hand, TOTAL] + SOFT_CELL * graph.facts[hand, SOFT])


def weigh_cells(
    at: Position,
    graph: Graph,
    rules: BlackjackRules,
    patterns: Any,
    codes: Any,
    weights: Any,
    values: Any,
    gains: Any,
) -> None:
    """Under a strategy: the value of every action of each start, and what hitting gains over standing in each cell.

    `gains[0]` weighs each hand by its chance to come up (`weights` are those of the starting hands); `gains[1]` weighs
    all hands alike, for cells that never come up.
    """
    size = len(graph.facts)
    safe, stand, value = np.zeros(size), np.zeros(size), np.zeros(size)
    fill_hands(at, graph, np.ones(size, np.bool_), safe, stand)
    follow(at, graph, codes, safe, stand, value)
    values[:] = IMPOSSIBLE
    reach = np.zeros(size)
    tally = np.empty(COLUMNS)
    for start in range(STARTS):
        hand = graph.starts[start]
        if safe[hand] <= 0:
            continue
        start_actions(at, graph, rules, hand, safe, stand, value, values[start])
        card = pair_card(graph, hand)
        if card >= 0 and may_ever_split(rules, card):
            tally_split(at, graph, rules, patterns, card, at.left[card], codes, tally)
            values[start, SPLIT] = profit(tally, at.pays)
        if codes[hand] >> 2 == 0:
            reach[hand] = weights[start]
    for hand in range(1, size):
        if safe[hand] <= 0 or graph.facts[hand, TOTAL] == 21 or graph.facts[hand, SIZE] < 2:
            continue
        if stand[hand] > IMPOSSIBLE:
            gain = value_of_next_card(at, graph, hand, safe, value) - stand[hand]
            gains[0, cell_of(graph, hand)] += reach[hand] * gain
            gains[1, cell_of(graph, hand)] += gain
        else:
            gains[1, cell_of(graph, hand)] += 1.0
        if reach[hand] > 0 and codes[hand] & 3 == HIT:
            unseen = unseen_after(at, graph, hand)
            for card in range(CLASSES):
                following = after(graph, hand, card)
                left = left_of(at, graph, hand, card)
                if following >= 0 and left > 0:
                    reach[following] += reach[hand] * left / unseen


def advise_hand(
    at: Position,
    graph: Graph,
    rules: BlackjackRules,
    patterns: Any,
    wanted: Any,
    hand: int,
    of_rank: float,
    codes: Any,
    values: Any,
) -> None:
    """Values of the actions of one hand, conditional on what is known of the dealer; `wanted` are those it leads to.

    A pair is split under the rules given, which say how many hands it may still become.
    """
    size = len(graph.facts)
    safe, stand, best = np.zeros(size), np.zeros(size), np.zeros(size)
    fill_hands(at, graph, wanted, safe, stand)
    hit_or_stand(at, graph, safe, stand, best, codes, np.zeros(size))
    for start in range(STARTS):
        other = graph.starts[start]
        if safe[other] > 0 and may_double(graph.facts[other, HAND], rules.double_from):
            doubled = 2 * value_of_next_card(at, graph, other, safe, stand)
            if graph.facts[other, TOTAL] < 21 and doubled > best[other]:
                codes[other] |= DOUBLE_BIT
    values[STAND] = value_of_standing(at, graph, hand)
    values[HIT] = value_of_next_card(at, graph, hand, safe, best)
    if graph.facts[hand, SIZE] == 2:
        values[DOUBLE] = 2 * value_of_next_card(at, graph, hand, safe, stand)
        values[SURRENDER] = value_of_surrender(at, graph, hand)
        card = pair_card(graph, hand)
        if card >= 0:
            tally = np.empty(COLUMNS)
            tally_split(at, graph, rules, patterns, card, of_rank, codes, tally)
            values[SPLIT] = profit(tally, at.pays)
    for action in range(ACTIONS):
        values[action] /= safe[hand]


def run_position(
    task: int,
    hand: int,
    at: Position,
    graph: Graph,
    rules: BlackjackRules,
    patterns: Any,
    wanted: Any,
    weights: Any,
    codes: Any,
    values: Any,
    tallies: Any,
    gains: Any,
) -> None:
    """The one way in, so that the program is compiled once.

    `gains` takes the margins of OPTIMIZE; `hand` and the first of `weights`, cards of its rank, are for ADVISE.
    """
    if task == OPTIMIZE:
        solve_position(at, graph, rules, patterns, wanted, values, codes, gains[0])
    elif task == TALLY:
        tally_starts(at, graph, rules, patterns, codes, tallies)
    elif task == ADVISE:
        advise_hand(at, graph, rules, patterns, wanted, hand, weights[0], codes, values[0])
    else:
        weigh_cells(at, graph, rules, patterns, codes, weights, values, gains)
