"""Every hand of so many cards, each ranked once: for the census tests and for the speed of the evaluators."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.kernels.link import compile_cpu
from croupier.kernels.poker import class_of
from croupier.kernels.sets import JOKER, RANK_COUNT, SUIT, count_bits, join_suits

Array = NDArray[np.int64]
Evaluator = Callable[[int], int]

MOST_CARDS = 7
CLASSES = 16


def evaluate(hand: int) -> int:
    """Declared here, and replaced by an evaluator when the census is compiled."""
    raise NotImplementedError


def count_hands(suits: Any, numbers: Any, size: int, others: int, counts: Any) -> int:
    """Adds up `counts` by class, and returns the sum of all ranks, which needs every bit of them.

    Hands are taken suit by suit: `suits[n]` are the `numbers[n]` sets of n ranks. The innermost loop changes one suit
    only, so that what an evaluator does with the others is done before it. `others` is in every hand: the joker.
    """
    total = 0
    for n in range(size + 1):
        for i in range(numbers[n]):
            for m in range(size - n + 1):
                for j in range(numbers[m]):
                    for k in range(size - n - m + 1):
                        left = size - n - m - k
                        for o in range(numbers[k]):
                            three = others | join_suits(0, suits[k, o], suits[m, j], suits[n, i])
                            for p in range(numbers[left]):
                                rank = evaluate(three | suits[left, p] & SUIT)
                                counts[class_of(rank)] += 1
                                total += rank
    return total


def sets_of_ranks() -> tuple[Array, Array]:
    """The sets of n ranks of a suit, for all n that a hand may have, and how many there are."""
    numbers = np.array([comb(RANK_COUNT, n) for n in range(MOST_CARDS + 1)], np.int64)
    suits = np.zeros((len(numbers), numbers.max()), np.int64)
    for n, number in enumerate(numbers):
        suits[n, :number] = [ranks for ranks in range(SUIT + 1) if count_bits(ranks) == n]
    return suits, numbers


class Census:
    """All hands through one evaluator, compiled."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._count = compile_cpu(count_hands, f"census-{evaluator.__name__}", {"evaluate": evaluator})
        self._suits, self._numbers = sets_of_ranks()

    def count(self, size: int, *, with_joker: bool = False) -> tuple[list[int], int]:
        """How many hands are of each class, and the sum of all ranks; with a joker, of the hands that have it."""
        counts = np.zeros(CLASSES, np.int64)
        cards, others = (size - 1, JOKER) if with_joker else (size, 0)
        total = self._count(self._suits, self._numbers, cards, others, counts)
        return counts.tolist(), int(total)
