"""Scenes: the parts of rounds that decide a bet, walked once and kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.walker import make_walker, walk
from croupier.kernels.baccarat import BANKER_SIDE, PLAYER_SIDE, WINNING_SIDE, baccarat_round, own_hand_first
from croupier.kernels.bets import DealerHand, Opening, Scene
from croupier.kernels.dealer import HITS_SOFT_17, STANDS_ON_SOFT_17, dealer_round
from croupier.kernels.hands import COUNTS_AT, TEN
from croupier.kernels.opening import opening_round

Array = NDArray[Any]

SIDES = {"player": PLAYER_SIDE, "banker": BANKER_SIDE, "winner": WINNING_SIDE}
SOFT17 = {"hit": HITS_SOFT_17, "stand": STANDS_ON_SOFT_17}


@dataclass(frozen=True, kw_only=True)
class Ends:
    """Every way a scene can end: distinct pairs of hands, without suits, and the number of orders of each."""

    own: Array
    other: Array
    orders: Array
    class_sizes: tuple[int, ...]
    """How many ranks each of the 13 rank counters stands for: four for the ten where faces are not told apart."""
    fixed_size: bool
    """All ends have the same number of cards in each hand, so hands can be counted without order."""

    def counts(self, hands: Array) -> Array:
        """Cards of each rank, a row for each hand."""
        shifts = COUNTS_AT + 4 * np.arange(13)
        return (hands[:, None] >> shifts) & 15


def _card_classes(faces: bool) -> tuple[list[int], tuple[int, ...]]:
    """A card for each class the walk tells apart, and the number of ranks in each class."""
    if faces:
        return [rank * 4 for rank in range(13)], (1,) * 13
    return [rank * 4 for rank in range(TEN + 1)], (*(1,) * 9, 4, 0, 0, 0)


# What the rounds look like to the walker, which calls `play(position, table, first, second)`.


def _dealer(position: int, table: Any, soft17: int, _unused: int) -> Any:
    return dealer_round(position, table, soft17)


def _baccarat(position: int, table: Any, _unused: int, _unused_too: int) -> Any:
    return baccarat_round(position, table)


@cache
def scene_ends(scene: Scene, *, faces: bool, soft17: str = "hit", side: str = "player") -> Ends:
    """Walks a scene. Small scenes run in plain Python, where compiling would cost more than it saves."""
    classes, sizes = _card_classes(faces)
    if isinstance(scene, Opening):
        walker = make_walker(opening_round, "opening", compiled=False)
        pairs, orders = walk(walker, classes, scene.own_cards, scene.dealer_cards)
    elif isinstance(scene, DealerHand):
        pairs, orders = walk(make_walker(_dealer, "dealer", compiled=True), classes, SOFT17[soft17], 0)
    else:
        pairs, orders = _baccarat_ends(faces)
        orient = np.vectorize(own_hand_first, otypes=[np.int64, np.int64])
        own, other = orient(pairs[:, 0], pairs[:, 1], SIDES[side])
        return Ends(own=own, other=other, orders=orders, class_sizes=sizes, fixed_size=False)
    return Ends(
        own=pairs[:, 0],
        other=pairs[:, 1],
        orders=orders,
        class_sizes=sizes,
        fixed_size=isinstance(scene, Opening),
    )


@cache
def _baccarat_ends(faces: bool) -> tuple[Array, Array]:
    classes, _ = _card_classes(faces)
    return walk(make_walker(_baccarat, "baccarat", compiled=True), classes, 0, 0)
