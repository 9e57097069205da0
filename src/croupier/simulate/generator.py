"""Random numbers: a counter-based generator as plain functions of 64-bit integers.

The generator is SplitMix64: number n of a stream is a fixed mix of `key + n * GOLDEN`, so any stream can be started
anywhere, on any machine, and gives the same numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

U64 = np.uint64
GOLDEN = U64(0x9E3779B97F4A7C15)
MIX_1 = U64(0xBF58476D1CE4E5B9)
MIX_2 = U64(0x94D049BB133111EB)
S27, S30, S31, S32 = U64(27), U64(30), U64(31), U64(32)


def mix(counter: Any) -> Any:
    """SplitMix64's output function."""
    z = (counter ^ (counter >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


def chunk_counter(key: Any, chunk: int) -> Any:
    """Where the stream of a chunk starts, from the key of a run (`seed_key`)."""
    return mix(key + U64(chunk) * GOLDEN)


def seed_key(seed: int) -> Any:
    """The key of a run."""
    return mix(U64(seed))
