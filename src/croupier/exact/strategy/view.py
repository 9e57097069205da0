"""The compiled program with its arrays at hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.dealer import FEW_ROWS, FINAL_TOTALS, DealerMemo, dealer_memo
from croupier.exact.strategy.graph import KEY_BITS, RANKS_IN_CLASS, STARTS, hand_graph
from croupier.exact.strategy.legal import (
    MONEY,
    PLAIN_MONEY,
    doubles_table,
    ends_table,
    has_house_money,
    is_late,
    legal_table,
    may_rescue,
    others_table,
)
from croupier.exact.strategy.position import IMPOSSIBLE, Graph, Position
from croupier.exact.strategy.program import ACTIONS, ADVISE, OPTIMIZE, TALLY, WEIGH, run_position
from croupier.exact.strategy.tally import COLUMNS
from croupier.kernels.blackjack import BlackjackRules, compare
from croupier.kernels.effects import LOSE, WIN
from croupier.kernels.link import Kernel, compile_cpu, cpu_called
from croupier.kernels.strategy import CLASSES, OWN

Array = NDArray[Any]

NEVER_PAID = 0.0
"""What surrender pays where nobody may surrender."""


@cache
def compile_program(function: Kernel) -> Any:
    """An entry point of the solver, compiled."""
    return compile_cpu(function, f"program-{function.__name__}", jit=cpu_called)


@cache
def graph_facts() -> Array:
    graph = hand_graph()
    columns = [graph.counts, graph.total, graph.soft, graph.size, graph.key, graph.hands, graph.after]
    return np.column_stack(columns).astype(np.int64)


@lru_cache(maxsize=512)
def graph_arrays(rules: BlackjackRules, round_: str = "blackjack") -> Graph:
    """The graph as the compiled program reads it, with the rounds' own comparison of two hands and their legality."""
    profit = {WIN: 1.0, LOSE: -1.0}
    versus = [[profit.get(compare(own, end, rules.pushes_22), 0.0) for end in FINAL_TOTALS] for own in range(22)]
    legal, has_house, rescue = legal_table(rules, round_), has_house_money(round_), may_rescue(rules, round_)
    return Graph(
        facts=graph_facts(),
        starts=hand_graph().starts.astype(np.int64),
        versus=np.array(versus),
        legal=legal,
        money=np.array(MONEY if has_house else MONEY[:PLAIN_MONEY]),
        doubles=doubles_table(round_, rules),
        others=others_table(round_),
        ends=ends_table(round_),
        states=STATES if has_house or rescue else 1,
        late=int(is_late(legal)),
        rescue=int(rescue),
    )


STATES = 3
"""Rows of a strategy that looks at what a hand is played for."""


@cache
def split_patterns() -> Array:
    """Ways a split can go: most hands, cards of the pair drawn and split, hands with none of them, hands with any."""
    patterns: list[tuple[int, int, int, int]] = []

    def go(most: int, hands: int, waiting: int, splits: int, clean: int) -> None:
        if waiting == 0:
            patterns.append((most, splits, clean, 0))
        elif hands == most:
            patterns.append((most, splits, clean, waiting))
        else:
            go(most, hands + 1, waiting + 1, splits + 1, clean)
            go(most, hands, waiting - 1, splits, clean + 1)

    for most in (2, 3, 4):
        go(most, 2, 2, 0, 0)
    return np.array(patterns, np.int64)


@dataclass(frozen=True)
class ClassShoe:
    """The unseen cards by class, the up card still among them."""

    cards: Array
    endless: bool = False

    @property
    def total(self) -> float:
        return float(self.cards.sum())


def full_shoe(decks: int | None) -> ClassShoe:
    return ClassShoe(RANKS_IN_CLASS * 4.0 * (decks or 1), decks is None)


@dataclass(frozen=True)
class OptimalPlay:
    """A position solved."""

    values: Array
    """Of every action of every starting hand, joint with no dealer's blackjack."""
    codes: Array
    """Of every hand, by what it is played for."""
    margins: Array
    """What hitting is worth more than standing, for every hand."""


@dataclass(frozen=True)
class UpCard:
    """One up card from one shoe under one set of rules."""

    shoe: ClassShoe
    up: int
    rules: BlackjackRules
    blackjack_pays: float
    surrender_pays: float = NEVER_PAID
    rows: int = FEW_ROWS
    """Room for the dealer's distributions."""
    round_: str = "blackjack"
    """The round whose rules the hands are played by, where these are not the family's."""
    by_cards: tuple[float, ...] = ()
    """What hands pay that are settled by the number of their cards."""

    @cached_property
    def memo(self) -> DealerMemo:
        return dealer_memo(self.shoe.cards, self.shoe.endless, self.up, self.rules.soft17, self.rows)

    @cached_property
    def graph(self) -> Graph:
        return graph_arrays(self.rules, self.round_)

    def position(self, gone: int = 0) -> Position:
        """The position with the cards of a key gone."""
        left = self.memo.shoe.copy()
        if not self.shoe.endless:
            left -= [gone >> KEY_BITS * card & 31 for card in range(CLASSES)]
        return Position(
            self.memo,
            gone,
            left,
            float(left.sum()),
            self.rules.peek,
            self.blackjack_pays,
            self.surrender_pays,
            np.array((0.0, *self.by_cards)),
        )

    def solve(self, at: Position, wanted: Array | None = None) -> OptimalPlay:
        """Optimal play; of the wanted hands alone if they are given."""
        codes = np.zeros((self.graph.states, len(self.graph.facts)), np.int8)
        values, margins = np.empty((STARTS, ACTIONS)), np.zeros((1, codes.shape[1]))
        self._run(OPTIMIZE, at, codes, wanted=wanted, values=values, gains=margins)
        return OptimalPlay(values, codes, margins[0])

    def tally(self, at: Position, codes: Array) -> Array:
        """What each starting hand comes to under a strategy."""
        tallies = np.zeros((STARTS, COLUMNS))
        self._run(TALLY, at, codes, tallies=tallies)
        return tallies

    def weigh(self, at: Position, codes: Array, weights: Array, gains: Array) -> Array:
        """Values of every action of each start under a strategy; adds to `gains` what hitting gains in each cell."""
        values = np.empty((STARTS, ACTIONS))
        self._run(WEIGH, at, codes, weights=weights, values=values, gains=gains)
        return values

    def advise(self, at: Position, hand: int, wanted: Array, of_rank: float, state: int = OWN) -> Array:
        """Values of every action of one hand; `of_rank` counts the cards that a pair could be split with again."""
        values = np.full((1, ACTIONS), IMPOSSIBLE)
        codes = np.zeros((self.graph.states, len(self.graph.facts)), np.int8)
        weights = np.full(1, of_rank)
        self._run(ADVISE, at, codes, hand, state, wanted=wanted, weights=weights, values=values)
        return np.asarray(values[0])

    def _run(
        self, task: int, at: Position, codes: Array, hand: int = 0, state: int = OWN, **arrays: Array | None
    ) -> None:
        compile_program(run_position)(
            task,
            hand,
            state,
            at,
            self.graph,
            self.rules,
            split_patterns(),
            _given(arrays.get("wanted"), np.ones(codes.shape[1], bool)),
            _given(arrays.get("weights"), _NO_WEIGHTS),
            codes,
            _given(arrays.get("values"), _NOTHING),
            _given(arrays.get("tallies"), _NOTHING),
            _given(arrays.get("gains"), _NOTHING),
        )


_NOTHING = np.zeros((1, 1))
_NO_WEIGHTS = np.zeros(STARTS)


def _given(array: Array | None, otherwise: Array) -> Array:
    return otherwise if array is None else array
