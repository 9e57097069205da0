"""Hands up to exchange of suits: the card sets of one size, one of each class, with how many there are of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.kernels.link import compile_cpu
from croupier.kernels.sets import JOKER, RANK_COUNT, join_suits

Array = NDArray[np.int64]
SUIT_ORDERS = 24


def alike_orders(a: int, b: int, c: int, d: int) -> int:
    """In how many ways suits in falling order can be exchanged without a change."""
    equal = (a == b) + (b == c) + (c == d)
    if equal == 3:
        return 24
    if equal == 2:
        return 4 if a == b and c == d else 6
    return 1 + equal


def list_classes(ranks: Any, starts: Any, size: int, sets: Any, weights: Any) -> int:
    """All hands of a size whose suits are in falling order; `ranks` are the ranks that a suit can hold, by their number
    and then rising, `starts` where each number begins. Returns how many; nothing is written where `sets` is empty."""
    found = 0
    for of_a in range(size + 1):
        for at_a in range(starts[of_a], starts[of_a + 1]):
            a = ranks[at_a]
            for of_b in range(size - of_a + 1):
                for at_b in range(starts[of_b], starts[of_b + 1]):
                    b = ranks[at_b]
                    if b > a:
                        break
                    for of_c in range(size - of_a - of_b + 1):
                        of_d = size - of_a - of_b - of_c
                        for at_c in range(starts[of_c], starts[of_c + 1]):
                            c = ranks[at_c]
                            if c > b:
                                break
                            for at_d in range(starts[of_d], starts[of_d + 1]):
                                d = ranks[at_d]
                                if d > c:
                                    break
                                if len(sets) > 0:
                                    sets[found] = join_suits(a, b, c, d)
                                    weights[found] = SUIT_ORDERS // alike_orders(a, b, c, d)
                                found += 1
    return found


def ranks_by_number(deck: int) -> tuple[Array, Array]:
    """What one suit of a deck can hold: by the number of cards, then rising; and where each number begins."""
    suit = deck & (1 << RANK_COUNT) - 1
    held = [ranks for ranks in range(1 << RANK_COUNT) if ranks & ~suit == 0]
    held.sort(key=lambda ranks: (ranks.bit_count(), ranks))
    numbers = [ranks.bit_count() for ranks in held]
    starts = [sum(number < of for number in numbers) for of in range(RANK_COUNT + 2)]
    return np.array(held, np.int64), np.array(starts, np.int64)


def hand_classes(deck: int, size: int) -> tuple[Array, Array]:
    """The hands of a size from a deck, which is a set with all four suits alike, and how many there are of each."""
    ranks, starts = ranks_by_number(deck)
    run = compile_cpu(list_classes, "hand-classes")

    def listed(number: int) -> tuple[Array, Array]:
        nothing = np.zeros(0, np.int64)
        count = run(ranks, starts, number, nothing, nothing)
        sets, weights = np.zeros(count, np.int64), np.zeros(count, np.int64)
        run(ranks, starts, number, sets, weights)
        return sets, weights

    sets, weights = listed(size)
    if deck & JOKER and size > 0:
        with_joker, their_weights = listed(size - 1)
        sets, weights = np.concatenate([sets, with_joker | JOKER]), np.concatenate([weights, their_weights])
    return sets, weights
