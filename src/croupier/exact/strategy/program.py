"""The dynamic program over a player's hands in one position, and what charts and advice ask of it. Compiled.

Strategies are codes of hands, as `kernels/strategy.py` has them; `position.py` says what values are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from croupier.exact.strategy.graph import STARTS
from croupier.exact.strategy.legal import DEALT
from croupier.exact.strategy.position import (
    IMPOSSIBLE,
    SIZE,
    SOFT,
    STAKED,
    TOTAL,
    Graph,
    Position,
    after,
    fill_doubled,
    fill_hands,
    fill_house,
    first_money,
    left_of,
    may,
    pair_card,
    unseen_after,
    value_at_dealer,
    value_of_next_card,
    value_of_standing,
    value_of_surrender,
)
from croupier.exact.strategy.tally import COLUMNS, tally_split, tally_starts, value_of_free_hands, whole_profit
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from croupier.kernels.strategy import CLASSES, DOUBLE_BIT, DOUBLED, HOUSE, OWN, SPECIAL_AT, pair_index

ACTIONS = 5
OPTIMIZE, TALLY, WEIGH, ADVISE = range(4)
"""What `run_position` is asked for."""
SOFT_CELL = 32
CELLS = 64
"""Cells of a total-dependent chart: the total, and SOFT_CELL more if it is soft."""


def hit_or_stand(
    at: Position,
    graph: Graph,
    state: int,
    safe: Any,
    stand: Any,
    doubled: Any,
    best: Any,
    codes: Any,
    margins: Any,
) -> None:
    """The best of hitting and standing for every possible hand, larger hands first; for more than two cards also that
    of doubling and giving up, where the rules allow it.

    `margins` gets what hitting is worth more than standing, 0 where one of them is not in question.
    """
    lost = graph.money[first_money(state), STAKED]
    for hand in range(len(graph.facts) - 1, 0, -1):
        best[hand] = stand[hand]
        codes[state, hand] = STAND
        margins[hand] = 0.0
        if safe[hand] > 0 and may(graph, DEALT, hand, HIT):
            hit = value_of_next_card(at, graph, hand, safe, best, lost)
            if stand[hand] > IMPOSSIBLE:
                margins[hand] = (hit - stand[hand]) / safe[hand]
            if hit > stand[hand]:
                best[hand] = hit
                codes[state, hand] = HIT
        if graph.late == 1 and safe[hand] > 0 and graph.facts[hand, SIZE] > 2:
            double_or_give_up(at, graph, state, hand, safe, doubled, best, codes)


def double_or_give_up(
    at: Position, graph: Graph, state: int, hand: int, safe: Any, doubled: Any, best: Any, codes: Any
) -> None:
    """Notes where one of them is better than hitting and standing."""
    if may(graph, DEALT, hand, DOUBLE):
        double = value_of_double(at, graph, state, hand, safe, doubled)
        if double > best[hand]:
            best[hand] = double
            codes[state, hand] |= DOUBLE_BIT
    if may(graph, DEALT, hand, SURRENDER):
        given_up = value_of_surrender(at, graph, hand)
        if given_up > best[hand]:
            best[hand] = given_up
            codes[state, hand] |= SURRENDER << SPECIAL_AT


def value_of_double(at: Position, graph: Graph, state: int, hand: int, safe: Any, doubled: Any) -> float:
    """One card more for the money that a double puts on the hand."""
    money = graph.doubles[state, hand]
    return value_of_next_card(at, graph, hand, safe, doubled[money], graph.money[money, STAKED])


def start_actions(
    at: Position, graph: Graph, state: int, hand: int, safe: Any, stand: Any, doubled: Any, best: Any, values: Any
) -> None:
    """Values of the actions open to two cards as dealt, splitting apart."""
    values[STAND] = stand[hand]
    if may(graph, DEALT, hand, HIT):
        lost = graph.money[first_money(state), STAKED]
        values[HIT] = value_of_next_card(at, graph, hand, safe, best, lost)
    if may(graph, DEALT, hand, DOUBLE):
        values[DOUBLE] = value_of_double(at, graph, state, hand, safe, doubled)
    if may(graph, DEALT, hand, SURRENDER):
        values[SURRENDER] = value_of_surrender(at, graph, hand)


def solve_position(
    at: Position,
    graph: Graph,
    rules: BlackjackRules,
    patterns: Any,
    reachable: Any,
    values: Any,
    codes: Any,
    margins: Any,
) -> None:
    """Optimal play in a position: the value of every action of every starting hand, and every hand's code."""
    size = len(graph.facts)
    safe, stand, best = np.zeros(size), np.zeros(size), np.zeros(size)
    doubled = np.zeros((len(graph.money), size))
    fill_hands(at, graph, reachable, safe, stand)
    fill_doubled(at, graph, safe, stand, doubled, codes)
    hit_or_stand(at, graph, OWN, safe, stand, doubled, best, codes, margins)
    values[:] = IMPOSSIBLE
    for start in range(STARTS):
        hand = graph.starts[start]
        if safe[hand] > 0:
            start_actions(at, graph, OWN, hand, safe, stand, doubled, best, values[start])
            if values[start, DOUBLE] > max(values[start, STAND], values[start, HIT]):
                codes[OWN, hand] |= DOUBLE_BIT
    if plays_for_house(graph):
        solve_house(at, graph, safe, stand, doubled, codes)
    tally = np.empty(COLUMNS)
    for start in range(STARTS):  # split hands may be given up too
        choose_special(graph.starts[start], values[start], codes[OWN])
    for card in range(CLASSES):
        hand = after(graph, after(graph, 0, card), card)
        if safe[hand] > 0 and may(graph, DEALT, hand, SPLIT):
            given_up = codes[OWN, hand]
            codes[OWN, hand] &= DOUBLE_BIT | 3  # more of the pair are split, as long as they may be
            tally_split(at, graph, rules, patterns, card, at.left[card], codes, tally)
            codes[OWN, hand] = given_up
            values[pair_index(card, card), SPLIT] = whole_profit(at, graph, tally)
    for start in range(STARTS):
        codes[OWN, graph.starts[start]] &= DOUBLE_BIT | 3
        choose_special(graph.starts[start], values[start], codes[OWN])
    split_house_too(graph, codes)


def plays_for_house(graph: Graph) -> bool:
    """Whether there are hands on the house's money."""
    return bool(graph.others.max() == HOUSE)


def solve_house(at: Position, graph: Graph, safe: Any, stand: Any, doubled: Any, codes: Any) -> Any:
    """How hands are played on the house's money alone, and what they are worth, splits apart."""
    size = len(graph.facts)
    house, best, values = np.zeros(size), np.zeros(size), np.zeros(5)
    fill_house(at, graph, safe, stand, house)
    hit_or_stand(at, graph, HOUSE, safe, house, doubled, best, codes, np.zeros(size))
    for start in range(STARTS):
        hand = graph.starts[start]
        if safe[hand] > 0:
            values[:] = IMPOSSIBLE
            start_actions(at, graph, HOUSE, hand, safe, house, doubled, best, values)
            if values[DOUBLE] > max(values[STAND], values[HIT]):
                codes[HOUSE, hand] |= DOUBLE_BIT
    return best


def split_house_too(graph: Graph, codes: Any) -> None:
    """A pair that is split at first is split again wherever it comes up, on whoever's money."""
    if graph.states > 1:
        for start in range(STARTS):
            hand = graph.starts[start]
            if codes[OWN, hand] >> SPECIAL_AT & 7 == SPLIT:
                codes[HOUSE, hand] |= SPLIT << SPECIAL_AT


def choose_special(hand: int, values: Any, codes: Any) -> None:
    """Notes in a hand's code whether splitting or surrendering is better than all else."""
    usual = max(values[STAND], values[HIT], values[DOUBLE])
    if values[SPLIT] > usual and values[SPLIT] >= values[SURRENDER]:
        codes[hand] |= SPLIT << SPECIAL_AT
    elif values[SURRENDER] > usual:
        codes[hand] |= SURRENDER << SPECIAL_AT


def follow(at: Position, graph: Graph, codes: Any, state: int, safe: Any, stand: Any, doubled: Any, value: Any) -> None:
    """Values of all possible hands under a strategy, splitting and surrendering apart, larger hands first."""
    lost = graph.money[first_money(state), STAKED]
    for hand in range(len(graph.facts) - 1, 0, -1):
        value[hand] = stand[hand]
        code = codes[state, hand]
        if safe[hand] > 0 and code & 3 == HIT and may(graph, DEALT, hand, HIT):
            value[hand] = value_of_next_card(at, graph, hand, safe, value, lost)
        if graph.late == 0 or safe[hand] <= 0 or graph.facts[hand, SIZE] <= 2:
            continue
        if code >> SPECIAL_AT & 7 == SURRENDER and may(graph, DEALT, hand, SURRENDER):
            value[hand] = value_of_surrender(at, graph, hand)
        elif code & DOUBLE_BIT != 0 and may(graph, DEALT, hand, DOUBLE):
            value[hand] = value_of_double(at, graph, state, hand, safe, doubled)


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
    """Under a strategy: the value of every action of each start, and what other answers gain in each cell.

    `weights` are those of the starting hands; for rows of `gains` see GAIN_HIT.
    """
    size = len(graph.facts)
    safe, stand, value = np.zeros(size), np.zeros(size), np.zeros(size)
    doubled = np.zeros((len(graph.money), size))
    fill_hands(at, graph, np.ones(size, np.bool_), safe, stand)
    fill_doubled(at, graph, safe, stand, doubled, codes.copy())
    follow(at, graph, codes, OWN, safe, stand, doubled, value)
    values[:] = IMPOSSIBLE
    reach, house = np.zeros(size), np.zeros(size)
    tally = np.empty(COLUMNS)
    for start in range(STARTS):
        hand = graph.starts[start]
        if safe[hand] <= 0:
            continue
        start_actions(at, graph, OWN, hand, safe, stand, doubled, value, values[start])
        if may(graph, DEALT, hand, SPLIT):
            card = pair_card(graph, hand)
            tally_split(at, graph, rules, patterns, card, at.left[card], codes, tally)
            values[start, SPLIT] = whole_profit(at, graph, tally)
            if codes[OWN, hand] >> SPECIAL_AT & 7 == SPLIT and graph.others[card] == HOUSE:
                reach_after_split(at, graph, card, weights[start], house)
        if codes[OWN, hand] >> 2 == 0:
            reach[hand] = weights[start]
        elif graph.rescue == 1 and codes[OWN, hand] >> SPECIAL_AT == 0:
            weigh_rescue(at, graph, hand, weights[start], gains)
    weigh_reached(at, graph, codes, OWN, safe, stand, doubled, value, reach, gains[GAIN_HIT:])
    if plays_for_house(graph):
        stand_for_house = np.zeros(size)
        fill_house(at, graph, safe, stand, stand_for_house)
        follow(at, graph, codes, HOUSE, safe, stand_for_house, doubled, value)
        weigh_reached(at, graph, codes, HOUSE, safe, stand_for_house, doubled, value, house, gains[HOUSE_GAIN_HIT:])


GAIN_HIT, GAIN_HIT_ALIKE, GAIN_DOUBLE, GAIN_SURRENDER = range(4)
"""Rows of gains in each cell: what hitting gains over standing, hands weighed by their chance to come up, and all
weighed alike for cells that never come up; of hands that are not as dealt, what doubling gains over the better of
these, and what giving up gains over all. Then the same on the house's money."""
HOUSE_GAIN_HIT = 4
GAIN_RESCUE = 8
"""What giving up a doubled hand gains."""
GAINS = 9


def reach_after_split(at: Position, graph: Graph, card: int, chance: float, house: Any) -> None:
    """Hands on the house's money that come of a pair which is split once."""
    single = after(graph, 0, card)
    unseen = unseen_after(at, graph, single)
    for second in range(CLASSES):
        left = left_of(at, graph, single, second)
        if left > 0:
            house[after(graph, single, second)] += chance * left / unseen


def weigh_rescue(at: Position, graph: Graph, hand: int, chance: float, gains: Any) -> None:
    """What giving up gains over standing, for the hands that a double comes to."""
    unseen = unseen_after(at, graph, hand)
    for card in range(CLASSES):
        following = after(graph, hand, card)
        left = left_of(at, graph, hand, card)
        if following >= 0 and left > 0:
            gain = value_of_surrender(at, graph, following) - value_of_standing(at, graph, following)
            gains[GAIN_RESCUE, cell_of(graph, following)] += 2 * chance * left / unseen * gain


def weigh_reached(
    at: Position,
    graph: Graph,
    codes: Any,
    state: int,
    safe: Any,
    stand: Any,
    doubled: Any,
    value: Any,
    reach: Any,
    gains: Any,
) -> None:
    """Adds what other answers gain for hands that come up with these chances and that they are played on to."""
    lost = graph.money[first_money(state), STAKED]
    for hand in range(1, len(graph.facts)):
        if safe[hand] <= 0 or graph.facts[hand, SIZE] < 2 or not may(graph, DEALT, hand, HIT):
            continue
        cell, code = cell_of(graph, hand), codes[state, hand]
        if stand[hand] > IMPOSSIBLE:
            hit = value_of_next_card(at, graph, hand, safe, value, lost)
            gain = hit - stand[hand]
            gains[GAIN_HIT, cell] += reach[hand] * gain
            gains[GAIN_HIT_ALIKE, cell] += gain
            usual = hit if code & 3 == HIT else stand[hand]
            if graph.facts[hand, SIZE] > 2 or state == HOUSE:
                weigh_late(at, graph, state, hand, safe, doubled, usual, reach[hand], code, gains)
        else:
            gains[GAIN_HIT_ALIKE, cell] += 1.0
        if reach[hand] > 0 and code >> 2 != 0 and graph.rescue == 1 and code >> SPECIAL_AT == 0:
            weigh_rescue(at, graph, hand, reach[hand], gains)
        if reach[hand] > 0 and code >> 2 == 0 and code & 3 == HIT:
            unseen = unseen_after(at, graph, hand)
            for card in range(CLASSES):
                following = after(graph, hand, card)
                left = left_of(at, graph, hand, card)
                if following >= 0 and left > 0:
                    reach[following] += reach[hand] * left / unseen


def weigh_late(
    at: Position,
    graph: Graph,
    state: int,
    hand: int,
    safe: Any,
    doubled: Any,
    usual: float,
    chance: float,
    code: int,
    gains: Any,
) -> None:
    """What doubling and giving up gain for a hand that is not as dealt."""
    cell = cell_of(graph, hand)
    if may(graph, DEALT, hand, DOUBLE):
        double = value_of_double(at, graph, state, hand, safe, doubled)
        gains[GAIN_DOUBLE, cell] += chance * (double - usual)
        if code & DOUBLE_BIT != 0:
            usual = double
    if may(graph, DEALT, hand, SURRENDER):
        gains[GAIN_SURRENDER, cell] += chance * (value_of_surrender(at, graph, hand) - usual)


def advise_hand(
    at: Position,
    graph: Graph,
    rules: BlackjackRules,
    patterns: Any,
    reachable: Any,
    hand: int,
    of_rank: float,
    state: int,
    codes: Any,
    values: Any,
) -> None:
    """Values of the actions of one hand, conditional on what is known of the dealer; `reachable` are those it leads to.

    A pair is split under the rules given, which say how many hands it may still become.
    """
    size = len(graph.facts)
    safe, stand, best = np.zeros(size), np.zeros(size), np.zeros(size)
    doubled = np.zeros((len(graph.money), size))
    fill_hands(at, graph, reachable, safe, stand)
    fill_doubled(at, graph, safe, stand, doubled, codes)
    hit_or_stand(at, graph, OWN, safe, stand, doubled, best, codes, np.zeros(size))
    for start in range(STARTS):
        dealt = graph.starts[start]
        doubles = safe[dealt] > 0 and may(graph, DEALT, dealt, DOUBLE)
        if doubles and value_of_double(at, graph, OWN, dealt, safe, doubled) > best[dealt]:
            codes[OWN, dealt] |= DOUBLE_BIT
    if plays_for_house(graph):
        best_for_house = solve_house(at, graph, safe, stand, doubled, codes)
        if state == HOUSE:
            best = best_for_house
            house = np.zeros(size)
            fill_house(at, graph, safe, stand, house)
            stand = house
    lost = graph.money[first_money(state), STAKED]
    values[STAND] = value_at_dealer(at, graph, hand, 1.0, lost)
    if state == DOUBLED:
        values[SURRENDER] = value_of_surrender(at, graph, hand)
    else:
        values[HIT] = value_of_next_card(at, graph, hand, safe, best, lost)
        if graph.facts[hand, SIZE] == 2 or graph.late == 1:
            start_actions(at, graph, state, hand, safe, stand, doubled, best, values)
        if may(graph, DEALT, hand, SPLIT):
            advise_split(at, graph, rules, patterns, hand, of_rank, state, codes, values)
    for action in range(ACTIONS):
        values[action] /= safe[hand]


def advise_split(
    at: Position,
    graph: Graph,
    rules: BlackjackRules,
    patterns: Any,
    hand: int,
    of_rank: float,
    state: int,
    codes: Any,
    values: Any,
) -> None:
    """What splitting a pair is worth; on the house's money the hand that stays is on it too."""
    tally, card = np.empty(COLUMNS), pair_card(graph, hand)
    codes[OWN, hand] |= SPLIT << SPECIAL_AT
    split_house_too(graph, codes)
    tally_split(at, graph, rules, patterns, card, of_rank, codes, tally)
    values[SPLIT] = whole_profit(at, graph, tally)
    if state == HOUSE:
        values[SPLIT] = value_of_free_hands(at, graph, rules, patterns, card, of_rank, codes)


def run_position(
    task: int,
    hand: int,
    state: int,
    at: Position,
    graph: Graph,
    rules: BlackjackRules,
    patterns: Any,
    reachable: Any,
    weights: Any,
    codes: Any,
    values: Any,
    tallies: Any,
    gains: Any,
) -> None:
    """The one way in, so that the program is compiled once.

    `gains` takes the margins of OPTIMIZE; `hand`, what it is played for and the first of `weights`, cards of its rank,
    are for ADVISE.
    """
    if task == OPTIMIZE:
        solve_position(at, graph, rules, patterns, reachable, values, codes, gains[0])
    elif task == TALLY:
        tally_starts(at, graph, rules, patterns, codes, tallies)
    elif task == ADVISE:
        advise_hand(at, graph, rules, patterns, reachable, hand, weights[0], state, codes, values[0])
    else:
        weigh_cells(at, graph, rules, patterns, codes, weights, values, gains)
