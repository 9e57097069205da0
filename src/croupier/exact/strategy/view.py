"""One up card from one shoe: the compiled program with its arrays at hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy import program
from croupier.exact.strategy.dealer import dealer_leaves
from croupier.exact.strategy.graph import RANKS_IN_CLASS, hand_graph
from croupier.kernels.link import compile_cpu

Array = NDArray[Any]


@cache
def compiled(name: str) -> Any:
    return compile_cpu(getattr(program, name), f"program-{name}")


@dataclass
class UpCard:
    """Everything about one up card from one shoe: joint values over the hands of the graph."""

    shoe: Array
    endless: bool
    up: int
    soft17: int
    pushes_22: int
    wanted: Array
    """Hands that can come up."""
    standing: Array
    """Those of them whose value of standing is asked for."""
    no_blackjack: Array = field(init=False)
    stand: Array = field(init=False)
    push: Array = field(init=False)
    """Chance that a hand that stands pushes."""

    def __post_init__(self) -> None:
        size = len(hand_graph().total)
        self.no_blackjack, self.stand, self.push = np.empty(size), np.empty(size), np.empty(size)
        leaves = dealer_leaves(self.soft17)[self.up]
        columns = (leaves.counts, leaves.first_change, leaves.size, leaves.orders, leaves.end)
        compiled("fill_stand")(
            self.shoe,
            self.endless,
            self.up,
            arrays(),
            columns,
            self.pushes_22,
            self.wanted,
            self.standing,
            self.no_blackjack,
            self.stand,
            self.push,
        )

    def chances(self, *cards: int) -> Array:
        """Chance of each class of card next, after these cards and the up card have gone."""
        left = self.shoe.copy()
        if not self.endless:
            for card in (*cards, self.up):
                left[card] -= 1
        return np.asarray(left / left.sum())

    def next_card(self, hand: int, values: Array) -> float:
        """Value of taking one card on a hand."""
        args = (self.shoe, self.endless, self.up, arrays(), hand, self.no_blackjack, values)
        return float(compiled("next_card_value")(*args))

    def hit_or_stand(self) -> tuple[Array, Array]:
        """Best value and action of every hand when only hitting and standing are left."""
        best, action = np.zeros_like(self.stand), np.zeros(len(self.stand), np.int8)
        args = (self.shoe, self.endless, self.up, arrays(), self.no_blackjack, self.stand, best, action)
        compiled("hit_or_stand")(*args)
        return best, action

    def follow(self, action: Array) -> Array:
        """Values of the wanted hands under given actions."""
        value = np.zeros_like(self.stand)
        args = (self.shoe, self.endless, self.up, arrays(), self.no_blackjack, self.stand, self.wanted, action, value)
        compiled("follow_strategy")(*args)
        return value


@cache
def arrays() -> tuple[Array, Array, Array, Array]:
    """The graph as the compiled program reads it."""
    graph = hand_graph()
    return graph.counts.astype(np.float64), graph.total.astype(np.int64), graph.after, graph.hands


def full_shoe(decks: int | None) -> Array:
    return RANKS_IN_CLASS.astype(np.float64) * 4 * (decks or 1)


def chance_of(shoe: Array, endless: bool, up: int, first: int, second: int) -> float:
    """Chance of a starting hand, in either order, once the up card is known."""
    left = shoe.copy()
    if not endless:
        left[up] -= 1
    one = left[first] / left.sum()
    if not endless:
        left[first] -= 1
    two = left[second] / left.sum()
    return float(one * two * (1 if first == second else 2))
