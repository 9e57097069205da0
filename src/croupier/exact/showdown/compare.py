"""All hands on a board, compared: the compiled part of showdowns with a board.

On a full board every two cards that are left are ranked and put in order once. How many of the dealer's hands are
lower, equal and higher, and how many of them qualify, then follows for each own hand by counting, less those that hold
one of its cards. Arrays are made by the caller.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from croupier.kernels.holdem import ANSWER_BITS, PAIRS, pair_index, read_answer
from croupier.kernels.sets import RANK_COUNT, SUIT, canonical

# How a dealer's hand compares: he does not qualify and is lower, qualifies and is lower, is equal, does not qualify and
# is higher, qualifies and is higher.
LOWER_CLOSED, LOWER_OPEN, EQUAL, HIGHER_CLOSED, HIGHER_OPEN = range(5)
CLASSES = 5
NO_SLOT = -1
DECK_PLACES = 52
COUNT_BITS = 8
"""Of an arrival: how many orders of the board lead to one end; no more than 120."""
COUNT = (1 << COUNT_BITS) - 1


class Strengths(NamedTuple):
    """Every strength there is, numbered from the lowest."""

    keys: Any
    """By open addressing."""
    numbers: Any
    open_from: int
    """The lowest number with which the dealer qualifies."""
    size: int


class Ranked(NamedTuple):
    """The hands on one board, and what is counted of them."""

    cards: Any
    """Cards that are left."""
    first: Any
    second: Any
    """Of each hand the two cards."""
    pair: Any
    """Of each hand its `pair_index`."""
    number: Any
    """Of each hand the number of its strength."""
    order: Any
    """Hands, the lowest first."""
    starts: Any
    """By strength, where its hands begin in `order`."""
    below_of: Any
    closed_of: Any
    group_of: Any
    """By card, how many hands with it are lower, do not qualify, are equal."""
    classes: Any
    """By hand and class, how many dealer's hands there are."""
    worth: Any
    """By item and hand: what it is worth, summed over all dealer's hands."""
    arrivals: Any
    """By hand: how many orders of the board lead to each end, packed."""


class Streets(NamedTuple):
    """Boards of each street, up to exchange of suits, and how hands move with the exchange."""

    keys: Any
    """The boards of all streets, one street after the other, each in rising order."""
    starts: Any
    """Where the boards of each street begin; one more at the end."""
    sizes: Any
    """Cards of each street."""
    moved: Any
    """By exchange of suits (eight bits) and `pair_index`: the pair that it becomes."""


def slot_of(keys: Any, key: int) -> int:
    """Where a strength stands, or is put."""
    size = len(keys)
    at = (key * 0x9E3779B97F4A7C1 >> 20) & (size - 1)
    while keys[at] != key and keys[at] != NO_SLOT:
        at = (at + 1) & (size - 1)
    return int(at)


def strength(cards: int) -> int:
    """How good cards are, put in when linked."""
    raise NotImplementedError("linked with a round's strength before use")


def cards_left(deck: int, board: int, cards: Any) -> int:
    """The places of the cards that are not on the board; returns how many."""
    left = 0
    for place in range(DECK_PLACES):
        if (deck & ~board) >> place & 1:
            cards[left] = place
            left += 1
    return left


def collect_strengths(boards: Any, deck: int, cards: Any, keys: Any) -> int:
    """Puts every strength on these boards into a table; returns how many there are."""
    found = 0
    for board in boards:
        left = cards_left(deck, board, cards)
        for i in range(left):
            for j in range(i):
                key = strength(board | 1 << cards[i] | 1 << cards[j])
                slot = slot_of(keys, key)
                if keys[slot] == NO_SLOT:
                    keys[slot] = key
                    found += 1
    return found


def rank_board(ranked: Ranked, strengths: Strengths, deck: int, board: int) -> int:
    """Ranks every hand on a board and puts them in order; returns how many there are."""
    left = cards_left(deck, board, ranked.cards)
    starts = ranked.starts
    for number in range(strengths.size + 1):
        starts[number] = 0
    hands = 0
    for i in range(left):
        second = ranked.cards[i]
        for j in range(i):
            first = ranked.cards[j]
            number = strengths.numbers[slot_of(strengths.keys, strength(board | 1 << first | 1 << second))]
            ranked.first[hands] = first
            ranked.second[hands] = second
            ranked.pair[hands] = pair_index(first, second)
            ranked.number[hands] = number
            starts[number] += 1
            hands += 1
    before = 0
    for number in range(strengths.size + 1):
        count = starts[number]
        starts[number] = before
        before += count
    for hand in range(hands):
        number = ranked.number[hand]
        ranked.order[starts[number]] = hand
        starts[number] += 1
    return hands


def compare_board(ranked: Ranked, strengths: Strengths, hands: int, dealers: int) -> None:
    """Fills `classes`: for every own hand, how the dealer's hands compare that hold none of its cards."""
    below_of, closed_of, group_of = ranked.below_of, ranked.closed_of, ranked.group_of
    for place in range(DECK_PLACES):
        below_of[place] = 0
        closed_of[place] = 0
    closed = 0
    while closed < hands and ranked.number[ranked.order[closed]] < strengths.open_from:
        hand = ranked.order[closed]
        closed_of[ranked.first[hand]] += 1
        closed_of[ranked.second[hand]] += 1
        closed += 1
    begin = 0
    while begin < hands:
        number = ranked.number[ranked.order[begin]]
        for place in range(DECK_PLACES):
            group_of[place] = 0
        end = begin
        while end < hands and ranked.number[ranked.order[end]] == number:
            hand = ranked.order[end]
            group_of[ranked.first[hand]] += 1
            group_of[ranked.second[hand]] += 1
            end += 1
        is_open = number >= strengths.open_from
        for at in range(begin, end):
            hand = ranked.order[at]
            first, second = ranked.first[hand], ranked.second[hand]
            lower = begin - below_of[first] - below_of[second]
            equal = end - begin - group_of[first] - group_of[second] + 1  # the hand itself holds both
            shut = closed - closed_of[first] - closed_of[second]
            row = ranked.classes[hand]
            if is_open:
                row[LOWER_CLOSED] = shut
                row[LOWER_OPEN] = lower - shut
                row[HIGHER_CLOSED] = 0
            else:
                row[LOWER_CLOSED] = lower
                row[LOWER_OPEN] = 0
                row[HIGHER_CLOSED] = shut + 1 - lower - equal
            row[EQUAL] = equal
            row[HIGHER_OPEN] = dealers - lower - equal - row[HIGHER_CLOSED]
        for place in range(DECK_PLACES):
            below_of[place] += group_of[place]
        begin = end


def show_examples(boards: Any, deck: int, dealers: int, strengths: Strengths, ranked: Ranked, examples: Any) -> None:
    """For each strength and class one showdown: own cards, board, dealer's cards; nothing where there is none."""
    for board in boards:
        hands = rank_board(ranked, strengths, deck, board)
        compare_board(ranked, strengths, hands, dealers)
        for hand in range(hands):
            number = ranked.number[hand]
            for kind in range(CLASSES):
                if ranked.classes[hand, kind] > 0 and examples[number, kind, 0] == 0:
                    examples[number, kind, 0] = 1 << ranked.first[hand] | 1 << ranked.second[hand]
                    examples[number, kind, 1] = board
                    examples[number, kind, 2] = dealer_of_class(ranked, strengths, hands, hand, kind)


def dealer_of_class(ranked: Ranked, strengths: Strengths, hands: int, hand: int, kind: int) -> int:
    """The cards of a dealer's hand that compares so with one of the seat; there is at least one."""
    own = 1 << ranked.first[hand] | 1 << ranked.second[hand]
    mine = ranked.number[hand]
    for other in range(hands):
        cards = 1 << ranked.first[other] | 1 << ranked.second[other]
        theirs = ranked.number[other]
        if cards & own == 0:
            is_open = theirs >= strengths.open_from
            lower = LOWER_OPEN if is_open else LOWER_CLOSED
            higher = HIGHER_OPEN if is_open else HIGHER_CLOSED
            if kind == (lower if theirs < mine else higher if theirs > mine else EQUAL):
                return int(cards)
    return 0


# Sums by board and hand.


class SumPlan(NamedTuple):
    """What is summed: ends of the paths of answers, and questions on the full board, as items."""

    first_end: Any
    """By item, where its ends begin in `ends`, which are in rising order of the money staked; one more at the end."""
    ends: Any
    """Paths of answers."""
    of_street: Any
    """By street, where the items that are summed for it begin in `items`; one more at the end."""
    items: Any
    base: Any
    """By street, where its sums begin."""
    factor: Any
    """By street, how many orders of the cards after it there are."""
    is_wide: Any
    """By street, whether its sums need 64 bits."""


def find_board(streets: Streets, street: int, board: int) -> int:
    """The number of a board, up to exchange of suits, among those of its street."""
    low, high = streets.starts[street], streets.starts[street + 1] - 1
    while low < high:
        middle = (low + high) >> 1
        if streets.keys[middle] < board:
            low = middle + 1
        else:
            high = middle
    return int(low - streets.starts[street])


def exchange_of(board: int) -> int:
    """The exchange of suits that makes a board canonical: two bits for each suit, where it goes."""
    exchange = 0
    for suit in range(4):
        mine = board >> RANK_COUNT * suit & SUIT
        place = 0
        for other in range(4):
            theirs = board >> RANK_COUNT * other & SUIT
            if theirs > mine or (theirs == mine and other < suit):
                place += 1
        exchange |= place << 2 * suit
    return exchange


def next_choice(choice: int) -> int:
    """The next number with as many bits."""
    lowest = choice & -choice
    ripple = choice + lowest
    return ripple | (choice ^ ripple) // lowest >> 2


def part_of_board(board: int, choice: int) -> int:
    """Those cards of a board that a choice of its places names, the lowest first."""
    part = 0
    while board:
        lowest = board & -board
        if choice & 1:
            part |= lowest
        choice >>= 1
        board ^= lowest
    return part


def weigh_hands(ranked: Ranked, plan: SumPlan, profit: Any, hands: int, weight: int) -> None:
    """What every item is worth to every hand on the board, times the board's weight."""
    for item in range(len(plan.first_end) - 1):
        for hand in range(hands):
            number = ranked.number[hand]
            best = 0
            for at in range(plan.first_end[item], plan.first_end[item + 1]):
                worth = worth_of(ranked, profit, number, hand, plan.ends[at])
                if at == plan.first_end[item] or worth > best:
                    best = worth
            ranked.worth[item, hand] = best * weight


def worth_of(ranked: Ranked, profit: Any, number: int, hand: int, end: int) -> int:
    """An end, summed over all dealer's hands."""
    worth = 0
    for kind in range(CLASSES):
        worth += ranked.classes[hand, kind] * profit[number, end, kind]
    return worth


def sum_boards(
    boards: Any,
    ways: Any,
    deck: int,
    dealers: int,
    board_size: int,
    strengths: Strengths,
    ranked: Ranked,
    streets: Streets,
    plan: SumPlan,
    profit: Any,
    wide: Any,
    narrow: Any,
) -> None:
    """Adds what every item is worth, on each of these boards, to every street that it begins with."""
    for at in range(len(boards)):
        board = boards[at]
        hands = rank_board(ranked, strengths, deck, board)
        compare_board(ranked, strengths, hands, dealers)
        weigh_hands(ranked, plan, profit, hands, ways[at])
        for street in range(len(streets.sizes)):
            begin, end = plan.of_street[street], plan.of_street[street + 1]
            if begin < end:
                choice = (1 << streets.sizes[street]) - 1
                while choice < 1 << board_size:
                    part = part_of_board(board, choice)
                    moved = streets.moved[exchange_of(part)]
                    row = plan.base[street] + find_board(streets, street, canonical(part)) * PAIRS * (end - begin)
                    for number in range(begin, end):
                        worth = ranked.worth[plan.items[number]]
                        first = row + (number - begin) * PAIRS
                        factor = plan.factor[street]
                        if plan.is_wide[street]:
                            for hand in range(hands):
                                wide[first + moved[ranked.pair[hand]]] += worth[hand] * factor
                        else:
                            for hand in range(hands):
                                narrow[first + moved[ranked.pair[hand]]] += worth[hand] * factor
                    choice = next_choice(choice) if choice else 1 << board_size


# Deciding a street.


def keeps_board(board: int, exchange: int) -> bool:
    """Whether an exchange of suits leaves a board as it is."""
    for suit in range(4):
        to = exchange >> 2 * suit & 3
        if board >> RANK_COUNT * suit & SUIT != board >> RANK_COUNT * to & SUIT:
            return False
    return True


def decide_street(
    boards: Any, deck: int, exchanges: Any, moved: Any, sums: Any, children: Any, answers: Any, best: Any, worth: Any
) -> int:
    """The best answer to one question for every board of a street and every hand, and what it is worth; returns at how
    many sights there is another as good.

    `sums` is by board, item and hand; `children` are the items of the answers, in rising order of money. Hands that an
    exchange of suits makes of each other are decided as one.
    """
    ties = 0
    for at in range(len(boards)):
        board = boards[at]
        for second in range(DECK_PLACES):
            for first in range(second):
                cards = 1 << first | 1 << second
                if cards & board == 0 and cards & deck == cards:
                    pair = pair_index(first, second)
                    chosen, most, is_tie, is_first = -1, 0, False, True
                    for number in range(len(children)):
                        total = 0
                        for exchange in exchanges:
                            if keeps_board(board, exchange):
                                other = moved[exchange, pair]
                                total += sums[at, children[number], other]
                                is_first = is_first and other >= pair
                        is_tie = chosen >= 0 and (total == most or (is_tie and total < most))
                        if chosen < 0 or total >= most:
                            chosen, most = number, total
                    best[at, pair] = answers[chosen]
                    worth[at, pair] = sums[at, children[chosen], pair]
                    if is_tie and is_first:
                        ties += 1
    return ties


def fold_street(
    boards: Any, size: int, factor: int, worth: Any, streets: Streets, street: int, item: int, sums: Any
) -> None:
    """Adds what a question is worth on the boards of a later street to those of an earlier one."""
    for at in range(len(boards)):
        choice = (1 << streets.sizes[street]) - 1
        while choice < 1 << size:
            part = part_of_board(boards[at], choice)
            moved = streets.moved[exchange_of(part)]
            row = find_board(streets, street, canonical(part))
            for pair in range(PAIRS):
                sums[row, item, moved[pair]] += worth[at, pair] * factor
            choice = next_choice(choice) if choice else 1 << size


def spread_street(
    boards: Any, size: int, factor: int, reached: Any, streets: Streets, street: int, best: Any, answer: int, to: Any
) -> None:
    """The opposite: how many orders of a later board lead to a question there, by an answer on the earlier one."""
    for at in range(len(boards)):
        choice = (1 << streets.sizes[street]) - 1
        while choice < 1 << size:
            part = part_of_board(boards[at], choice)
            moved = streets.moved[exchange_of(part)]
            row = find_board(streets, street, canonical(part))
            for pair in range(PAIRS):
                if best[row, moved[pair]] == answer:
                    to[at, pair] += reached[row, moved[pair]] * factor
            choice = next_choice(choice) if choice else 1 << size


def best_end(ranked: Ranked, plan: SumPlan, profit: Any, hand: int, item: int) -> tuple[int, bool]:
    """The end of a question that is worth most, and whether another is worth the same."""
    begin, stop = plan.first_end[item], plan.first_end[item + 1]
    number, end = ranked.number[hand], plan.ends[begin]
    most, is_tie = worth_of(ranked, profit, number, hand, end), False
    for other in range(begin + 1, stop):
        worth = worth_of(ranked, profit, number, hand, plan.ends[other])
        is_tie = worth == most or (is_tie and worth < most)
        if worth >= most:
            end, most = plan.ends[other], worth
    return end, is_tie


def end_answered(plan: SumPlan, answers: Any, item: int, answer: int) -> int:
    """The end of a question that an answer leads to."""
    at = plan.first_end[item]
    while answers[plan.ends[at]] != answer:
        at += 1
    return int(plan.ends[at])


def count_ends(
    boards: Any,
    ways: Any,
    deck: int,
    dealers: int,
    board_size: int,
    strengths: Strengths,
    ranked: Ranked,
    streets: Streets,
    plan: SumPlan,
    profit: Any,
    exchanges: Any,
    leaving: Any,
    answers: Any,
    last_item: int,
    follows: bool,
    counts: Any,
    rows: Any,
) -> int:
    """How often every path ends with each strength and class; `rows` gets the answers on the full board, or, where they
    are followed, has them.

    `leaving` is, by street and board and hand, how many orders lead from there to each item. Returns at how many sights
    on the full board another answer is worth the same.
    """
    ties = 0
    for at in range(len(boards)):
        board = boards[at]
        hands = rank_board(ranked, strengths, deck, board)
        compare_board(ranked, strengths, hands, dealers)
        for hand in range(hands):
            ranked.arrivals[hand] = 0
        for street in range(len(streets.sizes)):
            choice = (1 << streets.sizes[street]) - 1
            while choice < 1 << board_size:
                part = part_of_board(board, choice)
                moved = streets.moved[exchange_of(part)]
                row = leaving[streets.starts[street] + find_board(streets, street, canonical(part))]
                for hand in range(hands):
                    ranked.arrivals[hand] += row[moved[ranked.pair[hand]]]
                choice = next_choice(choice) if choice else 1 << board_size
        for hand in range(hands):
            number, pair = ranked.number[hand], ranked.pair[hand]
            arrivals = ranked.arrivals[hand]
            for item in range(len(plan.first_end) - 1):
                end = plan.ends[plan.first_end[item]]
                if item >= last_item and follows:
                    end = end_answered(plan, answers, item, read_answer(rows[at], item - last_item, pair))
                elif item >= last_item:
                    end, is_tie = best_end(ranked, plan, profit, hand, item)
                    shift = pair * ANSWER_BITS
                    rows[at, item - last_item, shift >> 3] |= answers[end] << (shift & 7)
                    if is_tie and is_first_alike(board, exchanges, streets.moved, pair):
                        ties += 1
                orders = (arrivals >> item * COUNT_BITS & COUNT) * ways[at]
                if orders > 0:
                    for kind in range(CLASSES):
                        counts[number, end, kind] += orders * ranked.classes[hand, kind]
    return ties


def is_first_alike(board: int, exchanges: Any, moved: Any, pair: int) -> bool:
    """Whether a hand is the first of those that exchanges of suits make of it on this board."""
    is_first = True
    for exchange in exchanges:
        is_first = is_first and (moved[exchange, pair] >= pair or not keeps_board(board, exchange))
    return is_first


def collect_boards(deck_cards: Any, size: int, choice: Any, boards: Any) -> None:
    """Every board of so many cards, canonical."""
    total = len(deck_cards)
    for position in range(size):
        choice[position] = position
    for at in range(len(boards)):
        board = 0
        for position in range(size):
            board |= 1 << deck_cards[choice[position]]
        boards[at] = canonical(board)
        changed = size - 1
        while changed >= 0 and choice[changed] == total - size + changed:
            changed -= 1
        if changed >= 0:
            choice[changed] += 1
            for position in range(changed + 1, size):
                choice[position] = choice[position - 1] + 1


# One sight alone.


def weigh_sight(
    own: int,
    board: int,
    missing: int,
    deck: int,
    strengths: Strengths,
    plan: SumPlan,
    profit: Any,
    cards: Any,
    places: Any,
    classes: Any,
    items: Any,
    ends: Any,
) -> None:
    """What every item and every end is worth with these own cards, summed over all that may complete the board, which
    lacks one or two cards or none, and over all dealer's hands."""
    left = cards_left(deck, board | own, cards)
    for first in range(left if missing > 0 else 1):
        for second in range(first if missing > 1 else 1):
            full = board
            full |= 1 << cards[first] if missing > 0 else 0
            full |= 1 << cards[second] if missing > 1 else 0
            mine = strengths.numbers[slot_of(strengths.keys, strength(full | own))]
            count_dealers(mine, full, deck & ~own, strengths, places, classes)
            for item in range(len(plan.first_end) - 1):
                best = 0
                for at in range(plan.first_end[item], plan.first_end[item + 1]):
                    worth = 0
                    for kind in range(CLASSES):
                        worth += classes[kind] * profit[mine, plan.ends[at], kind]
                    ends[plan.ends[at]] += worth
                    if at == plan.first_end[item] or worth > best:
                        best = worth
                items[item] += best


def count_dealers(mine: int, board: int, deck: int, strengths: Strengths, places: Any, classes: Any) -> None:
    """How all hands that the dealer may have compare with one."""
    for kind in range(CLASSES):
        classes[kind] = 0
    left = cards_left(deck, board, places)
    for i in range(left):
        for j in range(i):
            theirs = strengths.numbers[slot_of(strengths.keys, strength(board | 1 << places[i] | 1 << places[j]))]
            is_open = theirs >= strengths.open_from
            if theirs < mine:
                classes[LOWER_OPEN if is_open else LOWER_CLOSED] += 1
            elif theirs > mine:
                classes[HIGHER_OPEN if is_open else HIGHER_CLOSED] += 1
            else:
                classes[EQUAL] += 1
