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
    TOTAL,
    Graph,
    Position,
    after,
    chance_of_blackjack,
    factor,
    fill_hands,
    left_of,
    may,
    pair_card,
    unseen_after,
    value_of_next_card,
    value_of_standing,
)
from croupier.exact.strategy.tally import COLUMNS, profit, tally_split, tally_starts
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from croupier.kernels.strategy import CLASSES, DOUBLE_BIT, SPECIAL_AT, pair_index

ACTIONS = 5
OPTIMIZE, TALLY, WEIGH, ADVISE = range(4)
"""What `run_position` is asked for."""
SOFT_CELL = 32
CELLS = 64
"""Cells of a total-dependent chart: the total, and SOFT_CELL more if it is soft."""


def hit_or_stand(at: Position, graph: Graph, safe: Any, stand: Any, best: Any, codes: Any, margins: Any) -> None:
    """The best of hitting and standing for every possible hand, larger hands first.

    `margins` gets what hitting is worth more than standing, 0 where one of them is not in question.
    """
    for hand in range(len(graph.facts) - 1, 0, -1):
        best[hand] = stand[hand]
        codes[hand] = STAND
        margins[hand] = 0.0
        if safe[hand] > 0 and may(graph, DEALT, hand, HIT):
            hit = value_of_next_card(at, graph, hand, safe, best)
            if stand[hand] > IMPOSSIBLE:
                margins[hand] = (hit - stand[hand]) / safe[hand]
            if hit > stand[hand]:
                best[hand] = hit
                codes[hand] = HIT


def value_of_surrender(at: Position, graph: Graph, hand: int) -> float:
    """Part of the wager goes, or all of it to a blackjack that the dealer has not looked for yet."""
    if at.peek == 1:
        return at.given_up * factor(at, graph, hand)
    lost = chance_of_blackjack(at, graph, hand)
    return at.given_up * (1.0 - lost) - lost


def start_actions(at: Position, graph: Graph, hand: int, safe: Any, stand: Any, best: Any, values: Any) -> None:
    """Values of the actions open to two cards as dealt, splitting apart."""
    values[STAND] = stand[hand]
    if may(graph, DEALT, hand, HIT):
        values[HIT] = value_of_next_card(at, graph, hand, safe, best)
    if may(graph, DEALT, hand, DOUBLE):
        values[DOUBLE] = 2 * value_of_next_card(at, graph, hand, safe, stand)
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
    fill_hands(at, graph, reachable, safe, stand)
    hit_or_stand(at, graph, safe, stand, best, codes, margins)
    values[:] = IMPOSSIBLE
    for start in range(STARTS):
        hand = graph.starts[start]
        if safe[hand] > 0:
            start_actions(at, graph, hand, safe, stand, best, values[start])
            if values[start, DOUBLE] > max(values[start, STAND], values[start, HIT]):
                codes[hand] |= DOUBLE_BIT
    tally = np.empty(COLUMNS)
    for card in range(CLASSES):
        hand = after(graph, after(graph, 0, card), card)
        if safe[hand] > 0 and may(graph, DEALT, hand, SPLIT):
            tally_split(at, graph, rules, patterns, card, at.left[card], codes, tally)
            values[pair_index(card, card), SPLIT] = profit(tally, at.pays, at.given_up)
    for start in range(STARTS):
        choose_special(graph.starts[start], values[start], codes)


def choose_special(hand: int, values: Any, codes: Any) -> None:
    """Notes in a hand's code whether splitting or surrendering is better than all else."""
    usual = max(values[STAND], values[HIT], values[DOUBLE])
    if values[SPLIT] > usual and values[SPLIT] >= values[SURRENDER]:
        codes[hand] |= SPLIT << SPECIAL_AT
    elif values[SURRENDER] > usual:
        codes[hand] |= SURRENDER << SPECIAL_AT


def follow(at: Position, graph: Graph, codes: Any, safe: Any, stand: Any, value: Any) -> None:
    """Values of all possible hands under a strategy, splitting and surrendering apart, larger hands first."""
    for hand in range(len(graph.facts) - 1, 0, -1):
        value[hand] = stand[hand]
        if safe[hand] > 0 and codes[hand] & 3 == HIT and may(graph, DEALT, hand, HIT):
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
        start_actions(at, graph, hand, safe, stand, value, values[start])
        if may(graph, DEALT, hand, SPLIT):
            card = pair_card(graph, hand)
            tally_split(at, graph, rules, patterns, card, at.left[card], codes, tally)
            values[start, SPLIT] = profit(tally, at.pays, at.given_up)
        if codes[hand] >> 2 == 0:
            reach[hand] = weights[start]
    for hand in range(1, size):
        if safe[hand] <= 0 or graph.facts[hand, SIZE] < 2 or not may(graph, DEALT, hand, HIT):
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
    reachable: Any,
    hand: int,
    of_rank: float,
    codes: Any,
    values: Any,
) -> None:
    """Values of the actions of one hand, conditional on what is known of the dealer; `reachable` are those it leads to.

    A pair is split under the rules given, which say how many hands it may still become.
    """
    size = len(graph.facts)
    safe, stand, best = np.zeros(size), np.zeros(size), np.zeros(size)
    fill_hands(at, graph, reachable, safe, stand)
    hit_or_stand(at, graph, safe, stand, best, codes, np.zeros(size))
    for start in range(STARTS):
        dealt = graph.starts[start]
        doubles = safe[dealt] > 0 and may(graph, DEALT, dealt, DOUBLE)
        if doubles and 2 * value_of_next_card(at, graph, dealt, safe, stand) > best[dealt]:
            codes[dealt] |= DOUBLE_BIT
    values[STAND] = value_of_standing(at, graph, hand)
    values[HIT] = value_of_next_card(at, graph, hand, safe, best)
    if graph.facts[hand, SIZE] == 2:
        start_actions(at, graph, hand, safe, stand, best, values)
    if may(graph, DEALT, hand, SPLIT):
        tally = np.empty(COLUMNS)
        tally_split(at, graph, rules, patterns, pair_card(graph, hand), of_rank, codes, tally)
        values[SPLIT] = profit(tally, at.pays, at.given_up)
    for action in range(ACTIONS):
        values[action] /= safe[hand]


def run_position(
    task: int,
    hand: int,
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

    `gains` takes the margins of OPTIMIZE; `hand` and the first of `weights`, cards of its rank, are for ADVISE.
    """
    if task == OPTIMIZE:
        solve_position(at, graph, rules, patterns, reachable, values, codes, gains[0])
    elif task == TALLY:
        tally_starts(at, graph, rules, patterns, codes, tallies)
    elif task == ADVISE:
        advise_hand(at, graph, rules, patterns, reachable, hand, weights[0], codes, values[0])
    else:
        weigh_cells(at, graph, rules, patterns, codes, weights, values, gains)
