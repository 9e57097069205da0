"""Random cards: a counter-based generator and a fresh shoe, as plain functions of 64-bit integers.

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


def stream_key(seed: int, chunk: int) -> Any:
    """Where the stream of a chunk starts: seed and chunk mixed, so that neighbours share nothing."""
    return mix(mix(U64(seed)) + U64(chunk) * GOLDEN)


def chunk_counter(key: Any, chunk: int) -> Any:
    """Where the stream of a chunk starts, from the key of a run (`seed_key`)."""
    return mix(key + U64(chunk) * GOLDEN)


def seed_key(seed: int) -> Any:
    """The key of a run."""
    return mix(U64(seed))


def draw_from_shoe(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """`draw`: the next card of a Fisher-Yates shuffle made as far as it is needed.

    `world` is (counter, position). Each swap is noted so that the shoe can be put back after the round. The high 32
    bits pick among the cards left by multiplication; the bias is below 416 / 2**32, a ten-millionth.
    """
    counter, position = world[0] + GOLDEN, world[1]
    shoe, swaps = table[0], table[1]
    left = U64(len(shoe) - position)
    pick = position + np.int64((mix(counter) >> S32) * left >> S32)
    card = shoe[pick]
    shoe[pick] = shoe[position]
    shoe[position] = card
    swaps[position] = pick
    return card, (counter, position + 1)


def put_back(table: Any, drawn: int) -> None:
    """Undoes the swaps of a round: the shoe is as it was before it."""
    shoe, swaps = table[0], table[1]
    for position in range(drawn - 1, -1, -1):
        pick = swaps[position]
        card = shoe[position]
        shoe[position] = shoe[pick]
        shoe[pick] = card
