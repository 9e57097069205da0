"""Histograms of whole numbers of any size, below zero too: cells of one relative width, which add up exactly.

Numbers up to 127 have a cell each; from there on every doubling has 64 cells, so a quantile is known within a
hundredth of itself before interpolation, and far better after it.
"""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

CELL_BITS = 6
LINEAR = 2 << CELL_BITS
"""Numbers below this have a cell each."""
HALF = 58 << CELL_BITS
"""Cells of numbers from zero on; as many for those below."""


def cell_of(number: int) -> int:
    """The cell of a number. Compiled with the samplers that count."""
    size = number if number >= 0 else -1 - number
    shift = 0
    while size >= LINEAR << 8:
        size >>= 8
        shift += 8
    while size >= LINEAR:
        size >>= 1
        shift += 1
    cell = (shift << CELL_BITS) + size
    return HALF + cell if number >= 0 else HALF - 1 - cell


@cache
def edges() -> Array:
    """Where cells begin and the last one ends. A cell holds the numbers from its edge to just before the next."""
    cells = np.arange(HALF + 1)
    shift = np.maximum((cells >> CELL_BITS) - 1, 0)
    upward = (cells - (shift << CELL_BITS)) * 2.0**shift
    return np.concatenate([-upward[:0:-1], upward])


def quantile(cells: Array, share: float) -> float:
    """The number that this share of all lies below, as if a cell's numbers were spread evenly."""
    below = np.concatenate([[0], np.cumsum(cells)])
    rank = share * below[-1]
    cell = min(int(np.searchsorted(below, rank, side="right")) - 1, int(np.flatnonzero(cells)[-1]))
    low, high = edges()[cell], edges()[cell + 1]
    if high - low <= 1:
        return float(low)
    return float(low + (high - low) * (rank - below[cell]) / max(int(cells[cell]), 1))


def share_below(cells: Array, number: float) -> float:
    """The share of all that lies below a number."""
    below = np.concatenate([[0], np.cumsum(cells)])
    return float(np.interp(number, edges(), below / below[-1]))


def share_error(share: float, seen: int) -> float:
    """Standard error of a share that was found among so many."""
    return sqrt(share * (1 - share) / seen)


def quantile_error(cells: Array, share: float) -> float:
    """Standard error of a quantile: half of what lies between the shares one error off."""
    off = share_error(share, int(cells.sum()))
    return (quantile(cells, min(share + off, 1.0)) - quantile(cells, max(share - off, 0.0))) / 2


def deviation(cells: Array) -> float:
    """Standard deviation, with every number in the middle of its cell."""
    middles = (edges()[:-1] + edges()[1:]) / 2
    weights = cells / cells.sum()
    mean = float((weights * middles).sum())
    return sqrt(float((weights * (middles - mean) ** 2).sum()))


def in_bins(cells: Array, *, per_doubling: int = 8) -> list[tuple[float, float, int]]:
    """The same numbers in wider cells, for reading and drawing: from, to, how many. Empty ends are left off."""
    width = (1 << CELL_BITS) // per_doubling
    wide = cells.reshape(-1, width).sum(axis=1)
    filled = np.flatnonzero(wide)
    begins = edges()[::width]
    return [
        (float(begins[at]), float(begins[at + 1]), int(wide[at])) for at in range(int(filled[0]), int(filled[-1]) + 1)
    ]
