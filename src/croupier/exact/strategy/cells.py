"""What every action is worth in each cell of a chart, from a fresh shoe, the dealer having no blackjack.

A cell of a total is the mean of its hands, by how often they come up. Of games with two hands it is the mean over the
other hand, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.charts import (
    CARD_NAMES,
    UP_CARDS,
    average_values,
    chances_met,
    exchange_part,
    exchange_rows,
    exchange_values,
    hand_name,
    met_weights,
    weights_of,
)
from croupier.exact.strategy.graph import NATURAL_START, START_CARDS, completing, hand_graph
from croupier.exact.strategy.madness import MadnessGame
from croupier.exact.strategy.position import IMPOSSIBLE
from croupier.exact.strategy.result import ChartValues
from croupier.exact.strategy.solve import Solution
from croupier.kernels.blackjack import EXCHANGE
from croupier.kernels.effects import ACTION, KEEP
from croupier.kernels.rounds import find_round
from croupier.kernels.strategy import CLASSES

Array = NDArray[Any]


def cell_values(solution: Solution, round_: str) -> ChartValues:
    """For every cell that can come up."""
    declared = find_round(round_)
    assert declared is not None
    actions, shown = declared.questions[ACTION].words, [up for up in UP_CARDS if solution.game.shoe.cards[up] > 0]
    parts: ChartValues = {}
    for up in shown:
        lines = _madness_lines if isinstance(solution.game, MadnessGame) else _start_lines
        for part, row, worth in (*_exchange_lines(solution, up), *lines(solution, up)):
            words = declared.question(part).words if part == exchange_part(solution.game) else actions
            known = {words[answer]: float(value) for answer, value in enumerate(worth) if np.isfinite(value)}
            if known:
                parts.setdefault(part, {})[row, CARD_NAMES[up]] = known
    return parts


Line = tuple[str, str, Array]


def _exchange_lines(solution: Solution, up: int) -> Iterable[Line]:
    """Hands that may be thrown away: keeping and throwing away."""
    values, chances = exchange_values(solution, up), weights_of(solution, up)[0].sum(0)
    for row, starts in exchange_rows(solution.game).items():
        possible = [start for start in starts if start in values]
        if possible:
            worth = np.array([[values[start][answer] for answer in (KEEP, EXCHANGE)] for start in possible])
            yield exchange_part(solution.game), row, np.average(worth, axis=0, weights=chances[possible])


def _start_lines(solution: Solution, up: int) -> Iterable[Line]:
    graph = hand_graph()
    values = np.where((worth := average_values(solution, up)) > IMPOSSIBLE / 2, worth, np.nan)
    chances = met_weights(solution, up)[0].sum(0)
    alike: dict[tuple[str, str], list[int]] = {}
    for start, (first, second) in enumerate(START_CARDS):
        if chances[start] <= 0 or start == NATURAL_START:
            continue
        if first == second:
            yield "pair", hand_name((first, second)), values[start]
        else:
            hand = graph.starts[start]
            part = "soft" if graph.soft[hand] else "hard"
            alike.setdefault((part, str(int(graph.total[hand]))), []).append(start)
    for (part, row), starts in alike.items():
        yield part, row, np.average(values[starts], axis=0, weights=chances[starts])


def _madness_lines(solution: Solution, up: int) -> Iterable[Line]:
    """Hands as they come up under best play; the values of the first wager."""
    graph, shoe = hand_graph(), solution.game.shoe
    left = shoe.cards.astype(float)
    if not shoe.endless:
        left[up] -= 1
    chances = chances_met(solution, up, solution.best.codes[up, 0])
    hole = completing(up)
    gone = graph.counts[:, hole] if hole >= 0 and not shoe.endless else 0
    size = 0 if shoe.endless else graph.size
    lost = np.maximum(left[hole] - gone, 0) / (left.sum() - size) if hole >= 0 else np.zeros(len(chances))
    worth = solution.values[up] / (1 - lost)[:, None]
    for card in range(CLASSES):
        yield "first_card", CARD_NAMES[card], worth[graph.of(card)]
    asked = (chances > 0) & (graph.size > 1) & solution.values[up].any(1)
    for soft, part in ((False, "hard"), (True, "soft")):
        for total in range(4, 22):
            hands = np.flatnonzero(asked & (graph.soft == soft) & (graph.total == total))
            if len(hands):
                yield part, str(total), np.average(worth[hands], axis=0, weights=chances[hands])
