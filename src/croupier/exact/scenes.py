"""Scenes: the parts of rounds that decide a bet, walked once and kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.keep import kept
from croupier.exact.walker import make_walker, walk
from croupier.kernels.baccarat import as_wagered
from croupier.kernels.hands import COUNTS_AT, TEN
from croupier.kernels.scenes import SIDES, Scene

Array = NDArray[Any]

PLAINLY_WALKED = 4
"""Cards of an opening up to which it is too small to be worth compiling."""


@dataclass(frozen=True, kw_only=True)
class Ends:
    """Every way a scene can end: distinct pairs of hands and the number of orders of each. Suits are to come: hands
    have none that counts, and rows all one."""

    own: Array
    other: Array
    orders: Array
    class_sizes: tuple[int, ...]
    """How many ranks each of the 13 rank counters stands for: four for the ten where faces are not told apart."""

    def counts(self, hands: Array) -> Array:
        """Cards of each rank, a row for each hand."""
        shifts = COUNTS_AT + 4 * np.arange(13)
        return (hands[:, None] >> shifts) & 15


def card_classes(faces: bool) -> tuple[list[int], tuple[int, ...]]:
    """A card for each class the walk tells apart, and the number of ranks in each class."""
    if faces:
        return [rank * 4 for rank in range(13)], (1,) * 13
    return [rank * 4 for rank in range(TEN + 1)], (*(1,) * 9, 4, 0, 0, 0)


@cache
def scene_ends(scene: Scene, *, faces: bool, value: str = "", side: str = "player") -> Ends:
    """Every end of a scene, the hand a wager is on first; `value` is that of the switch it depends on."""
    pairs, orders = _walk(scene, scene.parameters({scene.switch: value} if value else {}), faces)
    if scene.has_sides:
        orient = np.vectorize(as_wagered, otypes=[np.int64, np.int64])
        pairs = np.stack(orient(scene.moment, pairs[:, 0], pairs[:, 1], SIDES[side]), axis=1)
    return Ends(
        own=np.ascontiguousarray(pairs[:, 0]),
        other=np.ascontiguousarray(pairs[:, 1]),
        orders=orders,
        class_sizes=card_classes(faces)[1],
    )


@cache
def _walk(scene: Scene, parameters: tuple[int, int], faces: bool) -> tuple[Array, Array]:
    """Ends of a round and the number of orders of each, walked once and kept on disk."""
    classes, _ = card_classes(faces)
    kind = scene.play.__name__.strip("_")

    def make() -> tuple[Array, Array]:
        is_small = scene.is_opening and scene.own_cards + scene.dealer_cards <= PLAINLY_WALKED
        return walk(make_walker(scene.play, kind, compiled=not is_small), classes, *parameters)

    name = f"ends-{kind}-{len(classes)}-{parameters[0]}-{parameters[1]}"
    pairs, orders = kept(name, [scene.play, walk, card_classes], make)
    return pairs, orders
