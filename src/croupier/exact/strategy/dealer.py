"""What the dealer ends on, for an up card and the cards a player has taken out of the shoe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.keep import kept
from croupier.exact.strategy.graph import CLASSES
from croupier.exact.walker import make_walker, walk
from croupier.kernels.dealer import complete_dealer_hand
from croupier.kernels.effects import DEALER, HOLE, draw, settle
from croupier.kernels.hands import COUNTS_AT, EMPTY, add_card, is_blackjack, total_of

Array = NDArray[Any]

FINAL_TOTALS = (17, 18, 19, 20, 21, 22, 23)
"""How a dealer's hand can end, as columns of a distribution; 23 stands for every higher bust. A blackjack is none of
them: where the dealer looks for it, play goes on only without it."""


def dealer_by_up_card(world: Any, table: Any, soft17: int, _unused: int) -> Any:
    """The dealer's round with the up card shown beside the final hand."""
    up, world = draw(world, table, DEALER)
    hole, world = draw(world, table, HOLE)
    start = add_card(EMPTY, up)
    hand, world = complete_dealer_hand(world, table, add_card(start, hole), soft17)
    return settle(world, table, 0, 0, 0, hand, start)


@dataclass(frozen=True)
class DealerLeaves:
    """Final dealer's hands of one up card, sorted so that neighbours share the product of their first classes."""

    counts: Array
    """Cards of each class beyond the up card."""
    first_change: Array
    """The first class in which a hand differs from the one before."""
    size: Array
    orders: Array
    end: Array


def end_of(total: int) -> int:
    """The column of a final total."""
    return FINAL_TOTALS.index(min(total, 23))


@cache
def dealer_leaves(soft17: int) -> tuple[DealerLeaves, ...]:
    """For each up card, the hands the dealer can end on."""
    classes = [card_class * 4 for card_class in range(CLASSES)]

    def make() -> tuple[Array, Array]:
        return walk(make_walker(dealer_by_up_card, "dealer-by-up", compiled=True), classes, soft17, 0)

    pairs, orders = kept(f"dealer-by-up-{soft17}", [dealer_by_up_card, walk], make)
    return tuple(_leaves(pairs, orders, up) for up in range(CLASSES))


def _leaves(pairs: Array, orders: Array, up: int) -> DealerLeaves:
    chosen = (pairs[:, 1] >> (COUNTS_AT + 4 * up) & 15) == 1
    hands, ways = pairs[chosen, 0], orders[chosen].astype(np.float64)
    natural = np.array([is_blackjack(int(hand)) for hand in hands], bool)
    hands, ways = hands[~natural], ways[~natural]
    counts = hands[:, None] >> (COUNTS_AT + 4 * np.arange(CLASSES)) & 15
    counts[:, up] -= 1
    order = np.lexsort(counts.T[::-1])
    counts = counts[order].astype(np.int64)
    differs = np.ones((len(counts), CLASSES), bool)
    differs[1:] = counts[1:] != counts[:-1]
    return DealerLeaves(
        counts=counts,
        first_change=differs.argmax(1),
        size=counts.sum(1),
        orders=ways[order],
        end=np.array([end_of(total_of(int(hand))) for hand in hands[order]], np.int64),
    )


def add_distribution(shoe: Any, endless: bool, leaves: Any, out: Any) -> None:
    """Adds to `out` the chance of each end, drawn from the counts in `shoe` (which excludes the up card).

    The hands come sorted, so the running product over classes is kept up to the first class that changed.
    """
    counts, first_change, size, orders, end = leaves
    total = 0.0
    for one in shoe:
        total += one
    scale = np.empty(16)
    scale[0] = 1.0
    for drawn in range(15):
        left = total if endless else total - drawn
        scale[drawn + 1] = scale[drawn] / left if left > 0 else 0.0
    draws = np.empty((10, 16))
    for card in range(10):
        draws[card, 0] = 1.0
        for drawn in range(15):
            left = shoe[card] if endless else shoe[card] - drawn
            draws[card, drawn + 1] = draws[card, drawn] * left if left > 0 else 0.0
    product = np.empty(11)
    product[0] = 1.0
    for leaf in range(len(end)):
        for card in range(first_change[leaf], 10):
            product[card + 1] = product[card] * draws[card, counts[leaf, card]]
        out[end[leaf]] += product[10] * orders[leaf] * scale[size[leaf]]
