"""What the dealer ends on, for an up card and any cards that have left the shoe.

The dealer's final hands of an up card are merged into a tree by their cards: each step multiplies the product so far by
the ways to draw so many of one class. One pass over the steps gives the distribution from any shoe.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.keep import kept
from croupier.exact.strategy.graph import KEY_BITS, completing
from croupier.exact.walker import make_walker, walk
from croupier.kernels.dealer import HITS_SOFT_17, dealer_draws, play_dealer_alone
from croupier.kernels.effects import DEALER_DONE, settle
from croupier.kernels.hands import COUNTS_AT, is_blackjack, total_of
from croupier.kernels.strategy import CLASSES

Array = NDArray[Any]

FINAL_TOTALS = tuple(total for total in range(24) if not dealer_draws(total, HITS_SOFT_17))
"""How a dealer's hand can end, as columns of a distribution; 23 stands for every higher bust. A blackjack is none of
them: it has a chance of its own."""
DEALER_ENDS = len(FINAL_TOTALS)
MOST_DRAWN = 16
FEW_ROWS, MANY_ROWS = 1 << 16, 1 << 18
"""Room for the distributions that one hand asks for, and for those of two hands with each other's cards gone."""
_HASH = 0x9E3779B97F4A7C1
"""An odd number; bits of the product from 20 on say where a key is looked for."""


def dealer_by_up_card(world: Any, table: Any, soft17: int, _unused: int) -> Any:
    """The dealer's round with the up card shown beside the final hand."""
    up, hand, world = play_dealer_alone(world, table, soft17)
    return settle(world, table, 0, 0, DEALER_DONE, hand, up)


class DealerSteps(NamedTuple):
    """The tree of final hands of one up card, depth first: a step draws `number` cards of a class."""

    steps: Array
    """For each step its depth; class and number as `class * MOST_DRAWN + number`; the column of the final total and
    the number of cards drawn as `column * MOST_DRAWN + cards`."""
    orders: Array
    """In how many orders the dealer draws the hand that ends with this step; 0 where none does."""


@cache
def dealer_steps(soft17: int) -> tuple[DealerSteps, ...]:
    """For each up card, the hands the dealer can end on."""
    classes = [card_class * 4 for card_class in range(CLASSES)]

    def make() -> tuple[Array, ...]:
        pairs, orders = walk(make_walker(dealer_by_up_card, "dealer-by-up", compiled=True), classes, soft17, 0)
        return tuple(column for up in range(CLASSES) for column in _steps(pairs, orders, up))

    columns = kept(f"dealer-steps-{soft17}", [dealer_by_up_card, walk], make, ships=True)
    return tuple(DealerSteps(*columns[2 * up : 2 * up + 2]) for up in range(CLASSES))


def _steps(pairs: Array, orders: Array, up: int) -> DealerSteps:
    """Final hands of one up card, without blackjack, as a tree."""
    ways: dict[tuple[int, ...], int] = {}
    ends: dict[tuple[int, ...], int] = {}
    for (hand, start), number in zip(pairs.tolist(), orders.tolist(), strict=True):
        if start >> (COUNTS_AT + 4 * up) & 15 == 0 or is_blackjack(hand):
            continue
        counts = [hand >> (COUNTS_AT + 4 * card) & 15 for card in range(CLASSES)]
        counts[up] -= 1
        path = tuple(card * MOST_DRAWN + count for card, count in enumerate(counts) if count)
        ways[path] = number
        ends[path] = FINAL_TOTALS.index(min(total_of(hand), 23)) * MOST_DRAWN + sum(counts)
    nodes = sorted({path[:size] for path in ways for size in range(1, len(path) + 1)})
    return DealerSteps(
        steps=np.array([(len(path), path[-1], ends.get(path, 0)) for path in nodes], np.int64),
        orders=np.array([ways.get(path, 0) for path in nodes], np.float64),
    )


class DealerMemo(NamedTuple):
    """Distributions of one up card from one shoe, each computed when it is first asked for."""

    shoe: Array
    """Cards of each class without the up card."""
    endless: bool
    hole: int
    """The class of hole card that makes a blackjack of the up card, or NO_CLASS."""
    tree: DealerSteps
    slots: Array
    """Keys of the cards gone, scattered, each with its row of `ends`; -1 where there is none. The last slot counts the
    rows in use."""
    ends: Array
    """The chance of each final total, blackjack left out."""


def dealer_memo(shoe: Array, endless: bool, up: int, soft17: int, rows: int) -> DealerMemo:
    """An empty memo with room for so many rows, a power of two; `shoe` still has the up card in it."""
    left = shoe.astype(np.float64)
    if not endless:
        left[up] -= 1
    slots = np.full((2 * rows + 1, 2), -1, np.int64)
    slots[-1] = 0
    return DealerMemo(
        shoe=left,
        endless=endless,
        hole=completing(up),
        tree=dealer_steps(soft17)[up],
        slots=slots,
        ends=np.empty((rows, DEALER_ENDS)),
    )


def fill_distribution(memo: DealerMemo, key: int, out: Any) -> None:
    """The chance of each end, once the up card and the cards of `key` have gone."""
    total = 0.0
    ways = np.empty(CLASSES * MOST_DRAWN)
    for card in range(CLASSES):
        left = memo.shoe[card]
        if not memo.endless:
            left -= key >> KEY_BITS * card & 31
        total += left
        product = 1.0
        for number in range(MOST_DRAWN):
            ways[card * MOST_DRAWN + number] = product
            product *= left if memo.endless else max(left - number, 0.0)
    by_size = np.zeros(DEALER_ENDS * MOST_DRAWN)
    products = np.empty(MOST_DRAWN)
    products[0] = 1.0
    steps, orders = memo.tree
    for step in range(len(orders)):
        depth = steps[step, 0]
        product = products[depth - 1] * ways[steps[step, 1]]
        products[depth] = product
        by_size[steps[step, 2]] += product * orders[step]
    for column in range(DEALER_ENDS):
        out[column] = 0.0
    scale = 1.0
    for drawn in range(MOST_DRAWN):
        for column in range(DEALER_ENDS):
            out[column] += by_size[column * MOST_DRAWN + drawn] * scale
        left = total if memo.endless else total - drawn
        scale = scale / left if left > 0 else 0.0


def row_of(memo: DealerMemo, key: int) -> int:
    """The row of `memo.ends` for the cards gone; computed if it is not there yet. All is forgotten when it is full."""
    if memo.endless:
        key = 0
    slots = memo.slots
    mask = len(slots) - 2
    slot = (key * _HASH >> 20) & mask
    while slots[slot, 0] != key:
        if slots[slot, 0] == -1:
            if slots[mask + 1, 1] == len(memo.ends):
                slots[:-1] = -1
                slots[mask + 1, 1] = 0
                slot = (key * _HASH >> 20) & mask
            slots[slot, 0] = key
            slots[slot, 1] = slots[mask + 1, 1]
            slots[mask + 1, 1] += 1
            fill_distribution(memo, key, memo.ends[slots[slot, 1]])
            break
        slot = (slot + 1) & mask
    return int(slots[slot, 1])
