"""The interpreter that walks every way a round can go.

A round is run again and again along a path of card classes. `draw` follows the path and lengthens it by the first class
when it ends; after the round the last step of the path that can be moved on is moved on, like an odometer. So the round
stays the straight procedure it is, and each of its ends is met exactly once.

The walk knows nothing of shoes: it lists which hands can come and in how many orders. What a shoe of six decks, or an
endless one, makes of that is arithmetic (`shoe.py`), done for each shoe without walking again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.kernels.link import Kernel, compile_cpu, link, plain

Hands = NDArray[np.int64]

LONGEST_PATH = 32
"""Bound on the cards of one round; the longest dealer's hand has 13."""
_FIRST_CAPACITY = 1 << 16


def follow_path(position: int, table: Any, place: int) -> tuple[int, int]:
    """`draw`: the card at this position of the path; a new position starts with the first class."""
    path, depth, classes = table[0], table[1], table[2]
    if position == depth[0]:
        path[position] = 0
        depth[0] = position + 1
    return classes[path[position]], position + 1


def note_end(position: int, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> int:
    """`settle`: writes down the hands this path ended on."""
    ends, filled = table[3], table[4]
    ends[filled[0], 0] = own
    ends[filled[0], 1] = other
    filled[0] += 1
    return position


def play(position: int, table: Any, first: int, second: int) -> int:
    """The round to walk, replaced when the walker is linked; `first` and `second` are its parameters."""
    raise NotImplementedError("linked with a round before use")


def walk_until_full(table: Any, first: int, second: int) -> bool:
    """Walks on from the path in `table` until all is seen (True) or the list of ends is full (False)."""
    path, depth, classes, ends, filled = table
    while filled[0] < len(ends):
        play(0, table, first, second)
        last = depth[0] - 1
        while last >= 0 and path[last] == len(classes) - 1:
            last -= 1
        if last < 0:
            return True
        path[last] += 1
        depth[0] = last + 1
    return False


def make_walker(round_: Callable[..., Any], name: str, *, compiled: bool) -> Callable[..., bool]:
    """The walker for one round, in plain Python or compiled (and kept on disk under `name`)."""
    replace: dict[str, Kernel] = {"play": round_, "draw": follow_path, "settle": note_end}
    if compiled:
        return compile_cpu(walk_until_full, f"walk-{name}", replace)  # type: ignore[no-any-return]
    return link(walk_until_full, plain, replace)  # type: ignore[no-any-return]


def walk(walker: Callable[..., bool], classes: list[int], first: int, second: int) -> tuple[Hands, Hands]:
    """All ends of a round over card classes: the distinct `(own, other)` pairs, and the number of orders of each."""
    path = np.zeros(LONGEST_PATH, np.int64)
    depth, filled = np.zeros(1, np.int64), np.zeros(1, np.int64)
    ends = np.zeros((_FIRST_CAPACITY, 2), np.int64)
    cards = np.array(classes, np.int64)
    parts: list[Hands] = []
    done = False
    while not done:
        filled[0] = 0
        done = walker((path, depth, cards, ends, filled), first, second)
        parts.append(ends[: filled[0]].copy())
    return _merge(np.concatenate(parts))


def _merge(ends: Hands) -> tuple[Hands, Hands]:
    """Distinct rows and how often each came."""
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    ordered = ends[order]
    fresh = np.ones(len(ordered), bool)
    fresh[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.flatnonzero(fresh)
    orders = np.diff(np.append(starts, len(ordered)))
    return ordered[starts], orders.astype(np.int64)
