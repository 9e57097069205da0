"""The best chart that looks only at the total of a hand, for each up card: no single cell of it can be improved.

A cell of the chart is a hard or soft total; pairs have a row of their own. Each cell takes the action that is best over
all hands that fall in it, weighed by how often they come up under the chart itself; this is repeated until no cell
changes. After a split the chart is played on, as it was chosen for hands that are not split.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.account import StrategyAccount
from croupier.exact.strategy.graph import START_CARDS, hand_graph
from croupier.exact.strategy.position import IMPOSSIBLE, Position
from croupier.exact.strategy.program import ACTIONS, CELLS, SOFT_CELL
from croupier.exact.strategy.view import UpCard
from croupier.kernels.effects import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from croupier.kernels.strategy import CLASSES, DOUBLE_BIT, SPECIAL_AT, pair_index

Array = NDArray[Any]

_MOST_ROUNDS = 30
AS_TOTAL = 0


class DealsOfUpCard(Protocol):
    """All deals of a game against one up card."""

    @property
    def view(self) -> UpCard: ...
    @property
    def positions(self) -> list[Position]: ...
    def weights(self, values: Array) -> tuple[Array, Array]:
        """The decision for each deal by the values of played hands, and how often each hand is then played."""
        ...

    def add_to(self, account: StrategyAccount, decision: Array, tallies: Array, chance: float) -> None: ...


@dataclass
class Chart:
    """What to do by total against one up card; cells as in `program.py`."""

    hit: Array = field(default_factory=lambda: np.zeros(CELLS, bool))
    double: Array = field(default_factory=lambda: np.zeros(CELLS, bool))
    surrender: Array = field(default_factory=lambda: np.zeros(CELLS, bool))
    pair: Array = field(default_factory=lambda: np.zeros(CLASSES, np.int8))
    """AS_TOTAL, SPLIT or SURRENDER for each pair."""

    def same(self, other: Chart) -> bool:
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in vars(self))

    def cells(self) -> Array:
        """The chart as one row of numbers: hit, double and surrender by cell, then the pairs."""
        parts = (self.hit, self.double, self.surrender, self.pair)
        return np.concatenate([part.astype(np.int8) for part in parts])

    @classmethod
    def from_cells(cls, cells: Array) -> Chart:
        hit, double, surrender = (cells[part * CELLS : (part + 1) * CELLS].astype(bool) for part in range(3))
        return cls(hit, double, surrender, cells[3 * CELLS :])

    def codes(self) -> Array:
        """The chart as codes of hands."""
        graph = hand_graph()
        cells = cells_of_hands()
        codes = np.where(self.hit[cells], HIT, STAND).astype(np.int8)
        for start, (first, second) in zip(graph.starts, START_CARDS, strict=True):
            special = self.pair[first] if first == second else SURRENDER * self.surrender[cells[start]]
            codes[start] |= special << SPECIAL_AT
            if self.double[cells[start]]:
                codes[start] |= DOUBLE_BIT
        codes[graph.total == 21] = STAND
        return codes


@cache
def cells_of_hands() -> Array:
    graph = hand_graph()
    return np.asarray(graph.total + SOFT_CELL * graph.soft)


def _is_pair() -> Array:
    return np.array([first == second for first, second in START_CARDS])


@dataclass(frozen=True)
class _Sums:
    """What each action is worth over all positions, summed with weights."""

    gains: Array
    by_start: Array
    """Value of each action of each starting hand, weighted; the usual choice of hitting or standing first."""
    open: Array
    """Whether an action is open to a starting hand."""


def best_chart(deals: DealsOfUpCard, codes: Sequence[Array], values: Array) -> tuple[Chart, Array]:
    """The chart for one up card and the decisions that go with it, starting from optimal play."""
    decisions, weights = deals.weights(values.max(2))
    chart = _chosen(_weigh(deals, codes, weights)[0])
    for _ in range(_MOST_ROUNDS):
        played = chart.codes()
        sums, under = _weigh(deals, [played] * len(deals.positions), weights)
        decisions, weights = deals.weights(_values_under(played, under))
        improved = _chosen(sums)
        if improved.same(chart):
            break
        chart = improved
    return chart, decisions


def _weigh(deals: DealsOfUpCard, codes: Sequence[Array], weights: Array) -> tuple[_Sums, Array]:
    gains = np.zeros((2, CELLS))
    by_start = np.zeros((len(START_CARDS), ACTIONS))
    is_open = np.zeros(by_start.shape, bool)
    every = []
    for position, played, weight in zip(deals.positions, codes, weights, strict=True):
        values = deals.view.weigh(position, played, weight, gains)
        every.append(values)
        by_start += np.where(values > IMPOSSIBLE, values, 0) * weight[:, None]
        is_open |= values > IMPOSSIBLE
    return _Sums(gains, by_start, is_open), np.array(every)


def _chosen(sums: _Sums) -> Chart:
    """The best action of each cell by these sums."""
    cells = cells_of_hands()[hand_graph().starts]
    chart = Chart(hit=np.where(sums.gains[0] != 0, sums.gains[0], sums.gains[1]) > 0)
    worth, is_open = sums.by_start, sums.open
    usual = np.where(chart.hit[cells], worth[:, HIT], worth[:, STAND])
    for cell in set(cells.tolist()):
        here = (cells == cell) & is_open[:, DOUBLE]
        chart.double[cell] = bool(here.any() and (worth[here, DOUBLE] - usual[here]).sum() > 0)
    usual = np.where(chart.double[cells] & is_open[:, DOUBLE], worth[:, DOUBLE], usual)
    for cell in set(cells.tolist()):
        here = (cells == cell) & is_open[:, SURRENDER] & ~_is_pair()
        chart.surrender[cell] = bool(here.any() and (worth[here, SURRENDER] - usual[here]).sum() > 0)
    for card in range(CLASSES):
        pair = pair_index(card, card)
        options = {AS_TOTAL: usual[pair]}
        options |= {action: worth[pair, action] for action in (SPLIT, SURRENDER) if is_open[pair, action]}
        chart.pair[card] = max(options, key=lambda action: options[action])
    return chart


def _values_under(codes: Array, values: Array) -> Array:
    """Value of each start in each position when the codes are followed; `values` has the value of each action."""
    starts = codes[hand_graph().starts]
    special = starts >> SPECIAL_AT & 7
    doubles = (starts & DOUBLE_BIT != 0) & (values[:, :, DOUBLE] > IMPOSSIBLE)
    action = np.where(special > 0, special, np.where(doubles, DOUBLE, starts & 3))
    return np.asarray(np.take_along_axis(values, action[:, :, None].astype(np.int64), 2)[:, :, 0])
