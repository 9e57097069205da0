"""What all fixed pays of a block of rounds come to: tables to draw that sum from at once, without playing the rounds.

The sum over 2n independent rounds is the convolution of the sum over n with itself, so doubling gives the distribution
for 1, 2, 4, 8 ... rounds; any number of rounds is a few of those. Nothing is approximated but the last digits: tails of
less than `TAIL` are cut off, and a draw has 63 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

TAIL = 1e-15
"""Probability that is cut off at each end of a distribution: below what doubling in floating point can tell."""
MOST_CELLS = 1 << 17
"""Blocks whose sums take more cells than that are put together from smaller ones."""
DRAW_BITS = 63


class BlockTables(NamedTuple):
    """Distributions of the sum of fixed pays, largest block first, laid one after the other."""

    sizes: Any
    """Rounds of each block."""
    tops: Any
    """The largest sum a block can have, in steps."""
    lows: Any
    """The smallest sum, in steps."""
    limits_at: Any
    """Where the block's limits begin in `limits`."""
    guide_at: Any
    """Where the block's guide begins in `guide`."""
    shifts: Any
    """How far a draw is shifted to give its place in the guide."""
    limits: Any
    """Cumulative probabilities, times 2**63: a draw belongs to the first cell whose limit it does not exceed."""
    guide: Any
    """For each part of the range of draws the first cell it can belong to, so that few are looked at."""


class SumDistribution(NamedTuple):
    """Probabilities of the sums `low`, `low + 1`, ..."""

    low: int
    chances: Array


def one_round(steps: Sequence[int], chances: Sequence[Fraction]) -> SumDistribution:
    """The fixed pay of a round that wins no share of the meter: `chances` are already those given that."""
    dense = np.zeros(max(steps, default=0) + 1)
    for step, chance in zip(steps, chances, strict=True):
        dense[step] += float(chance)
    dense[0] += float(1 - sum(chances, Fraction(0)))
    return SumDistribution(0, dense)


def added(first: SumDistribution, second: SumDistribution) -> SumDistribution:
    """The sum of two independent ones, without tails nobody will ever see."""
    cells = len(first.chances) + len(second.chances) - 1
    size = 1 << (cells - 1).bit_length()  # transforms of a power of two are the fastest
    product = np.fft.rfft(first.chances, size) * np.fft.rfft(second.chances, size)
    chances = np.maximum(np.fft.irfft(product, size)[:cells], 0.0)
    likely = np.flatnonzero((np.cumsum(chances) > TAIL) & (np.cumsum(chances[::-1])[::-1] > TAIL))
    begin, end = int(likely[0]), int(likely[-1]) + 1
    chances = chances[begin:end]
    return SumDistribution(first.low + second.low + begin, chances / chances.sum())


def block_tables(single: SumDistribution, *, day: int, longest: int) -> BlockTables:
    """Tables for a whole day's rounds and for every power of two up to `longest`, as far as they stay small."""
    blocks = {1: single}
    size = 1
    while 2 * size <= longest and len(blocks[size].chances) < MOST_CELLS // 2:
        blocks[2 * size] = added(blocks[size], blocks[size])
        size *= 2
    if day < 2 * size:
        blocks[day] = _of_many(blocks, day)
    ordered = sorted(blocks.items(), reverse=True)
    limits, guides, shifts = [], [], []
    for _, block in ordered:
        limit = np.minimum(np.cumsum(block.chances) * 2.0**DRAW_BITS, 2.0**DRAW_BITS - 1024).astype(np.int64)
        limit[-1] = np.iinfo(np.int64).max
        bits = max(len(limit) - 1, 1).bit_length()
        starts = np.arange(1 << bits, dtype=np.int64) << (DRAW_BITS - bits)
        limits.append(limit)
        guides.append(np.searchsorted(limit, starts).astype(np.int32))
        shifts.append(DRAW_BITS - bits)
    return BlockTables(
        sizes=np.array([rounds for rounds, _ in ordered], np.int64),
        tops=np.array([block.low + len(block.chances) - 1 for _, block in ordered], np.int64),
        lows=np.array([block.low for _, block in ordered], np.int64),
        limits_at=_beginnings(limits),
        guide_at=_beginnings(guides),
        shifts=np.array(shifts, np.int64),
        limits=np.concatenate(limits),
        guide=np.concatenate(guides),
    )


def _of_many(blocks: dict[int, SumDistribution], rounds: int) -> SumDistribution:
    """The sum over any number of rounds, from the powers of two in it."""
    parts = [blocks[1 << bit] for bit in range(rounds.bit_length()) if rounds >> bit & 1]
    whole = parts[0]
    for part in parts[1:]:
        whole = added(whole, part)
    return whole


def _beginnings(parts: Sequence[Array]) -> Array:
    return np.cumsum([0, *(len(part) for part in parts[:-1])]).astype(np.int64)
