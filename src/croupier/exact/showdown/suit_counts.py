"""How many hands of a dealer avoid a seat's cards, where a hand is as strong as its strongest suit.

A hand is below a bound if each of its suits is. So the hands below it are counted suit by suit: by the ranks that the
seat holds of a suit, how many sets of each size are left and below; four such rows multiplied give the hands.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.showdown.hand_classes import ranks_by_number
from croupier.exact.showdown.subset_counts import BELOW, COLUMNS, UNQUALIFIED, UP_TO
from croupier.kernels.link import Kernel
from croupier.kernels.sets import RANK_COUNT, count_bits, split_suits

Array = NDArray[np.int64]


class SuitCounts(NamedTuple):
    """What is counted so far."""

    suits: Any
    """All that a suit can hold, the weakest first."""
    strengths: Any
    left: Any
    """By column, the ranks that a seat holds, and size: what may lie beside them in a suit and was added."""
    reached: Any
    """By column: how many of `suits` were added."""
    ranks: int
    """All ranks of a suit of the deck."""
    size: int
    """Cards of the dealer."""
    two: Any
    """Room for two suits multiplied, and for two more."""


def add_below(counts: SuitCounts, column: int, bound: int) -> None:
    """Counts all that a suit can hold whose strength is below a bound."""
    at = counts.reached[column]
    while at < len(counts.suits) and counts.strengths[at] < bound:
        suit = counts.suits[at]
        size = count_bits(suit)
        if size <= counts.size:
            others = counts.ranks & ~suit
            held = others
            while held != 0:
                counts.left[column, held, size] += 1
                held = (held - 1) & others
            counts.left[column, 0, size] += 1
        at += 1
    counts.reached[column] = at


def multiply(counts: SuitCounts, column: int, one: int, other: int, into: int) -> None:
    """Two suits with these ranks gone, by size together."""
    size = counts.size
    for total in range(size + 1):
        counts.two[into, total] = 0
    for number in range(size + 1):
        times = counts.left[column, one, number]
        if times != 0:
            for more in range(size - number + 1):
                counts.two[into, number + more] += times * counts.left[column, other, more]


def count_column(counts: SuitCounts, column: int, own: int) -> int:
    """The hands that avoid the own cards, in one column."""
    a, b, c, d = split_suits(own)
    multiply(counts, column, a, b, 0)
    multiply(counts, column, c, d, 1)
    total = 0
    for number in range(counts.size + 1):
        total += counts.two[0, number] * counts.two[1, counts.size - number]
    return total


def count_below(counts: SuitCounts, own: int, up: int, bound: int) -> tuple[int, int, int]:
    """As `subset_counts.count_below`, without an up card."""
    return (
        count_column(counts, BELOW, own),
        count_column(counts, UP_TO, own),
        count_column(counts, UNQUALIFIED, own),
    )


def new_counts(deck: int, strength: Kernel, size: int) -> SuitCounts:
    """Nothing counted yet."""
    suits, _ = ranks_by_number(deck)
    strengths = np.array([strength(int(suit)) for suit in suits], np.int64)
    order = np.argsort(strengths, kind="stable")
    return SuitCounts(
        suits=suits[order],
        strengths=strengths[order],
        left=np.zeros((COLUMNS, 1 << RANK_COUNT, size + 1), np.int64),
        reached=np.zeros(COLUMNS, np.int64),
        ranks=int(suits.max()),
        size=size,
        two=np.zeros((2, size + 1), np.int64),
    )


def another(counts: SuitCounts) -> SuitCounts:
    """The same with nothing counted, for another thread."""
    return counts._replace(**{name: np.zeros_like(getattr(counts, name)) for name in ("left", "reached", "two")})
