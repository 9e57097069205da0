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
from croupier.exact.strategy.program import (
    ACTIONS,
    CELLS,
    GAIN_DOUBLE,
    GAIN_HIT,
    GAIN_HIT_ALIKE,
    GAIN_RESCUE,
    GAIN_SURRENDER,
    GAINS,
    HOUSE_GAIN_HIT,
    SOFT_CELL,
)
from croupier.exact.strategy.view import UpCard
from croupier.kernels.effects import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from croupier.kernels.strategy import CLASSES, DOUBLE_BIT, DOUBLED, HOUSE, OWN, SPECIAL_AT, pair_index

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

    def weights_by_chart(self, values: Array) -> tuple[Array, Array]:
        """The same, where a chart says what is decided: alike for all deals in one cell of it."""
        ...

    def add_to(self, account: StrategyAccount, decision: Array, tallies: Array, chance: float) -> None: ...


@dataclass
class Chart:
    """What to do by total against one up card; cells as in `program.py`."""

    hit: Array = field(default_factory=lambda: np.zeros(CELLS, bool))
    double: Array = field(default_factory=lambda: np.zeros(CELLS, bool))
    surrender: Array = field(default_factory=lambda: np.zeros(CELLS, bool))
    house_hit: Array = field(default_factory=lambda: np.zeros(CELLS, bool))
    house_double: Array = field(default_factory=lambda: np.zeros(CELLS, bool))
    """The same on the house's money."""
    rescue: Array = field(default_factory=lambda: np.zeros(CELLS, bool))
    """Whether a doubled hand is given up."""
    pair: Array = field(default_factory=lambda: np.zeros(CLASSES, np.int8))
    """AS_TOTAL, SPLIT or SURRENDER for each pair."""

    def same(self, other: Chart) -> bool:
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in vars(self))

    def cells(self) -> Array:
        """The chart as one row of numbers: hit, double and surrender by cell, then the pairs."""
        parts = (getattr(self, name) for name in vars(self))
        return np.concatenate([part.astype(np.int8) for part in parts])

    @classmethod
    def from_cells(cls, cells: Array) -> Chart:
        names = list(vars(cls()))
        by_cell = {name: cells[part * CELLS : (part + 1) * CELLS].astype(bool) for part, name in enumerate(names[:-1])}
        return cls(**by_cell | {names[-1]: cells[-CLASSES:]})

    def codes(self, states: int = 1, *, any_cards: bool = False) -> Array:
        """The chart as codes of hands, by what they are played for as far as that is told apart. `any_cards`: more than
        two may be doubled or given up."""
        graph = hand_graph()
        cells = cells_of_hands()
        codes = np.zeros((states, len(cells)), np.int8)
        codes[OWN] = np.where(self.hit[cells], HIT, STAND)
        for start, (first, second) in zip(graph.starts, START_CARDS, strict=True):
            special = self.pair[first] if first == second else SURRENDER * self.surrender[cells[start]]
            codes[OWN, start] |= special << SPECIAL_AT
            if self.double[cells[start]]:
                codes[OWN, start] |= DOUBLE_BIT
        if any_cards:
            longer = graph.size > 2
            codes[OWN, longer] |= (DOUBLE_BIT * self.double | (SURRENDER << SPECIAL_AT) * self.surrender)[cells][longer]
        if states > 1:
            codes[HOUSE] = np.where(self.house_hit[cells], HIT, STAND)
            codes[HOUSE, graph.starts] |= (DOUBLE_BIT * self.house_double)[cells[graph.starts]].astype(np.int8)
            is_split = codes[OWN] >> SPECIAL_AT & 7 == SPLIT
            codes[HOUSE, is_split] |= SPLIT << SPECIAL_AT
            codes[DOUBLED] = (SURRENDER << SPECIAL_AT) * self.rescue[cells]
        codes[:, graph.total == 21] = STAND
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
        played = chart.codes(deals.view.graph.states, any_cards=deals.view.graph.late == 1)
        sums, under = _weigh(deals, [played] * len(deals.positions), weights)
        decisions, weights = deals.weights_by_chart(_values_under(played[OWN], under))
        improved = _chosen(sums)
        if improved.same(chart):
            break
        chart = improved
    return chart, decisions


def _weigh(deals: DealsOfUpCard, codes: Sequence[Array], weights: Array) -> tuple[_Sums, Array]:
    gains = np.zeros((GAINS, CELLS))
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
    gains, house = sums.gains, sums.gains[HOUSE_GAIN_HIT:]
    chart = Chart(
        hit=_hits(gains), house_hit=_hits(house), house_double=house[GAIN_DOUBLE] > 0, rescue=gains[GAIN_RESCUE] > 0
    )
    worth, is_open = sums.by_start, sums.open
    usual = np.where(chart.hit[cells], worth[:, HIT], worth[:, STAND])
    longer = set(np.flatnonzero(gains[GAIN_DOUBLE] + gains[GAIN_SURRENDER]).tolist())
    for cell in set(cells.tolist()) | longer:
        here = (cells == cell) & is_open[:, DOUBLE]
        gain = (worth[here, DOUBLE] - usual[here]).sum() + gains[GAIN_DOUBLE, cell]
        chart.double[cell] = bool((here.any() or cell in longer) and gain > 0)
    usual = np.where(chart.double[cells] & is_open[:, DOUBLE], worth[:, DOUBLE], usual)
    for cell in set(cells.tolist()) | longer:
        here = (cells == cell) & is_open[:, SURRENDER] & ~_is_pair()
        gain = (worth[here, SURRENDER] - usual[here]).sum() + gains[GAIN_SURRENDER, cell]
        chart.surrender[cell] = bool((here.any() or cell in longer) and gain > 0)
    for card in range(CLASSES):
        pair = pair_index(card, card)
        options = {AS_TOTAL: usual[pair]}
        options |= {action: worth[pair, action] for action in (SPLIT, SURRENDER) if is_open[pair, action]}
        chart.pair[card] = max(options, key=lambda action: options[action])
    return chart


def _hits(gains: Array) -> Array:
    """Where hitting gains over standing."""
    return np.asarray(np.where(gains[GAIN_HIT] != 0, gains[GAIN_HIT], gains[GAIN_HIT_ALIKE]) > 0)


def _values_under(codes: Array, values: Array) -> Array:
    """Value of each start in each position when the codes are followed; `values` has the value of each action."""
    starts = codes[hand_graph().starts]
    special = starts >> SPECIAL_AT & 7
    doubles = (starts & DOUBLE_BIT != 0) & (values[:, :, DOUBLE] > IMPOSSIBLE)
    action = np.where(special > 0, special, np.where(doubles, DOUBLE, starts & 3))
    return np.asarray(np.take_along_axis(values, action[:, :, None].astype(np.int64), 2)[:, :, 0])
