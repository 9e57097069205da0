"""Boards in parts, on all cores, so that a bar can move."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from croupier.exact.showdown import compare
from croupier.kernels.holdem import PAIRS

Array = NDArray[Any]
Progress = Callable[[float], None]
Made = TypeVar("Made")
PARTS = 48
"""Parts that the boards are looked at in."""
MOST_MEMORY = 1 << 30
"""Bytes that all threads' sums may take together."""


def unheard(share: float) -> None:
    """Progress that nobody asked for."""


def part_of(progress: Progress, begin: float, end: float) -> Progress:
    """A piece of a bar as a bar of its own."""
    return lambda share: progress(begin + (end - begin) * share)


def workers(bytes_each: int = 0) -> int:
    """Threads that there is memory for."""
    most = MOST_MEMORY // bytes_each if bytes_each else PARTS
    return max(1, min(cpu_count() or 1, most))


def in_parts(do: Callable[[Array], Made], boards: Array, progress: Progress, threads: int = 0) -> list[Made]:
    """Does something for the boards of each part, which are the numbers of `boards` or the boards themselves."""
    results = []
    with ThreadPoolExecutor(threads or workers()) as pool:
        jobs = [pool.submit(do, boards[part::PARTS]) for part in range(PARTS)]
        for number, job in enumerate(jobs, 1):
            results.append(job.result())
            progress(number / len(jobs))
    return results


def new_ranked(strengths: int, items: int = 1) -> compare.Ranked:
    """What one thread writes to while it looks at boards."""

    def zeros(*shape: int) -> Array:
        return np.zeros(shape, np.int64)

    return compare.Ranked(
        cards=zeros(compare.DECK_PLACES),
        first=zeros(PAIRS),
        second=zeros(PAIRS),
        pair=zeros(PAIRS),
        number=zeros(PAIRS),
        order=zeros(PAIRS),
        starts=zeros(strengths + 1),
        below_of=zeros(compare.DECK_PLACES),
        closed_of=zeros(compare.DECK_PLACES),
        group_of=zeros(compare.DECK_PLACES),
        classes=zeros(PAIRS, compare.CLASSES),
        worth=zeros(items, PAIRS),
        arrivals=zeros(PAIRS),
    )
