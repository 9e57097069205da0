"""What a shoe makes of the ends of a scene: in how many ways can each be dealt?

All numbers are integers: 64-bit where the largest of them is sure to fit, Python's unbounded ones elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK_SIZE, MOST_DECKS
from croupier.errors import RangeError

Array = NDArray[Any]

SUIT_COUNT = 4


@dataclass(frozen=True)
class Shoe:
    """A fresh shoe. `decks` is None for an endless one, the limit of a continuous shuffler."""

    decks: int | None

    def __post_init__(self) -> None:
        if self.decks is not None and not 1 <= self.decks <= MOST_DECKS:
            raise RangeError(
                f"A shoe of {self.decks} decks is not offered: 1 to {MOST_DECKS} decks, or inf.", code="bad_decks"
            )

    def sequences(self, cards: int) -> int:
        """Ordered sequences of that many cards; of an endless shoe, as if it were one deck put back each time."""
        return perm(DECK_SIZE * self.decks, cards) if self.decks else DECK_SIZE**cards

    def draws(self, ranks: int, suits: int, count: int, gone: int = 0) -> int:
        """Ordered draws of `count` cards out of so many ranks and suits, after `gone` of them have left the shoe."""
        copies = ranks * suits
        return perm(copies * self.decks - gone, count) if self.decks else copies**count

    def fits_64_bits(self, cards: int) -> bool:
        return self.sequences(cards) < 2**62


@dataclass(frozen=True, kw_only=True)
class ClassCards:
    """The cards of one class (a rank, or all tens) in every end."""

    ranks: int
    """How many ranks the class stands for."""
    kinds: tuple[tuple[int, int], ...]
    """The numbers of cards that occur: (painted, free), those whose suits a bet looks at and the others."""
    kind_of_end: Array
    """For every end, which of these."""


def ways(shoe: Shoe, cards: list[ClassCards], suits: int, *, wide: bool) -> Array:
    """For each end, the ways to deal its cards in one given order, the painted ones out of `suits` named suits only."""
    kind: Any = object if wide else np.int64
    product = np.full(len(cards[0].kind_of_end), 1, kind)
    for of_class in cards:
        values = [
            _or_zero(shoe, of_class.ranks, suits, painted, 0)
            * _or_zero(shoe, of_class.ranks, SUIT_COUNT, free, painted)
            for painted, free in of_class.kinds
        ]
        product *= np.array(values, kind)[of_class.kind_of_end]
    return product


def _or_zero(shoe: Shoe, ranks: int, suits: int, count: int, gone: int) -> int:
    """`draws`, and zero when so many cards cannot have gone."""
    if shoe.decks and gone > ranks * SUIT_COUNT * shoe.decks:
        return 0
    return shoe.draws(ranks, suits, count, gone)


def exactly_these_suits(within: list[Array]) -> list[Array]:
    """From "all cards within a given set of k suits" to "the suits that occur are exactly that set", k = 1..4.

    Sets of one size are alike, so the usual inclusion and exclusion over subsets needs only binomial coefficients.
    """
    one, two, three, four = within
    return [
        one,
        two - 2 * one,
        three - 3 * two + 3 * one,
        four - 4 * three + 6 * two - 4 * one,
    ]
