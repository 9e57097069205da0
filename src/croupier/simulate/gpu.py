"""The same rounds on GPUs: one thread a chunk, counts in the shared memory of a block.

Cards come from the same stream as on a CPU. A thread has no room for a shoe, so a fresh shuffle is followed through the
short list of its swaps instead, which gives the same cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from croupier.errors import CroupierError
from croupier.kernels.blackjack import HANDS_SIZE, MOST_SEATS
from croupier.kernels.effects import DEALER
from croupier.kernels.link import cuda as device_function
from croupier.kernels.link import link
from croupier.simulate import play
from croupier.simulate.driver import Array
from croupier.simulate.generator import GOLDEN, S32, U64, chunk_counter, mix, seed_key
from croupier.simulate.play import COUNTS, DECK, MAIN_AT, Scratch, Setting
from croupier.simulate.run import Spec

NET_SIZE = 2 * MOST_SEATS
BLOCK = 128
"""Threads of a block."""
BLOCKS_OF_PROCESSOR = 16
MOST_CHUNKS_OF_THREAD = 512
"""Of one launch: a block's counts are 32 bits wide."""
MOST_SWAPS = 64
"""Cards of one round from a fresh shoe; a seat alone never draws as many."""

if hasattr(np, "vstack") and not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda 0.30 looks for it on import


class NoGpuError(CroupierError):
    """No GPU can be used."""

    code = "no_gpu"


def count(counts: Any, cell: int, amount: int) -> None:
    """Rare and large amounts go to the totals, the others to the block's own counts."""
    if cell < MAIN_AT:
        cuda.atomic.add(counts[1], cell, np.int64(amount))
    else:
        cuda.atomic.add(counts[0], cell, np.int32(amount))


def card_at(slot: int, drawn: int, shoe: Any, swaps: Any) -> int:
    """The card that lies in a slot of the shoe after so many swaps of an ordered one."""
    for swap in range(drawn - 1, -1, -1):
        if swaps[swap] == slot:
            return int(shoe[swap])
    return slot % DECK


def draw_from_swaps(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """`draw` from a fresh shoe: as `play.draw`, the shoe being a list of swaps."""
    counter = world[0] + GOLDEN
    position, scratch = world[1], table[1]
    left = U64(table[0].cards - position)
    pick = position + np.int64((mix(counter) >> S32) * left >> S32)
    card = card_at(pick, position, scratch.shoe, scratch.swaps)
    scratch.shoe[position] = card_at(position, position, scratch.shoe, scratch.swaps)
    scratch.swaps[position] = pick
    return card, (counter, position + 1, card if place == DEALER else world[2], world[3])


def nothing_to_put_back(scratch: Scratch, drawn: int) -> None:
    """The list of swaps is forgotten with the round."""


def pick_card(counter: Any, position: int, shoe: Any, swaps: Any) -> Any:
    """As `play.pick_card`, without a note of the swap."""
    left = U64(len(shoe) - position)
    pick = position + np.int64((mix(counter) >> S32) * left >> S32)
    card = shoe[pick]
    shoe[pick] = shoe[position]
    shoe[position] = card
    return np.int64(card)


# Put in when the kernel is linked: the module `numba.cuda`, the way of shuffling, and the room for a shoe.
cuda: Any = None
shuffle_style = play.shuffle_style
IS_FRESH = 1
SHOE_CELLS = MOST_SWAPS


def kernel(key: Any, first: int, last: int, size: int, setting: Setting, totals: Any) -> None:
    """Every thread plays whole chunks; a block adds up what its threads count."""
    shared = cuda.shared.array(COUNTS, np.int32)
    for cell in range(cuda.threadIdx.x, COUNTS, cuda.blockDim.x):
        shared[cell] = 0
    cuda.syncthreads()
    hands = cuda.local.array(HANDS_SIZE, np.int64)
    net = cuda.local.array(NET_SIZE, np.int64)
    for cell in range(NET_SIZE):
        net[cell] = 0
    shoe = cuda.local.array(SHOE_CELLS, np.uint8)
    swaps = cuda.local.array(MOST_SWAPS, np.int16)
    scratch = Scratch(shoe, swaps, hands, net, (shared, totals))
    for chunk in range(first + cuda.grid(1), last, cuda.gridsize(1)):
        if IS_FRESH == 0:
            for position in range(SHOE_CELLS):
                shoe[position] = position % DECK
        shuffle_style(chunk_counter(key, chunk), size, setting, scratch)
    cuda.syncthreads()
    for cell in range(cuda.threadIdx.x, COUNTS, cuda.blockDim.x):
        if shared[cell] != 0:
            cuda.atomic.add(totals, cell, np.int64(shared[cell]))


class GpuMachine:
    """All GPUs of this computer."""

    name = "cuda"

    def __init__(self) -> None:
        try:
            from numba import cuda as numba_cuda

            available = numba_cuda.is_available()
        except ImportError:
            available = False
        if not available:
            raise NoGpuError("No GPU can be used here: the cuda backend needs an NVIDIA GPU and numba-cuda.")
        self.cuda: Any = numba_cuda
        self.kernels: dict[str, Any] = {}
        simulated = not hasattr(numba_cuda, "get_current_device")
        processors = 1 if simulated else numba_cuda.get_current_device().MULTIPROCESSOR_COUNT
        self.blocks = BLOCKS_OF_PROCESSOR * processors

    width = 1

    @property
    def grain(self) -> int:
        """Enough chunks for all threads of one launch."""
        return self.blocks * BLOCK

    def _kernel(self, spec: Spec) -> Any:
        name = f"{spec.program}-{spec.decks}"
        if name not in self.kernels:
            fresh = spec.shuffle == "fresh"
            effects = spec.effects() | {
                "cuda": self.cuda,
                "count": count,
                "IS_FRESH": int(fresh),
                "SHOE_CELLS": MOST_SWAPS if fresh else spec.decks * DECK,
            }
            if fresh:
                effects |= {"draw": draw_from_swaps, "put_back": nothing_to_put_back}
            else:
                effects |= {"pick_card": pick_card}
            self.kernels[name] = self.cuda.jit(link(kernel, device_function, effects))
        return self.kernels[name]

    def warm_up(self, spec: Spec) -> None:
        self._launch(spec, 0, 0, 0)

    def _launch(self, spec: Spec, seed: int, first: int, last: int) -> Array:
        totals = self.cuda.to_device(np.zeros(COUNTS, np.int64))
        blocks = max(1, min(self.blocks, -(-(last - first) // BLOCK)))
        with np.errstate(over="ignore"):  # 64-bit numbers wrap on purpose
            key = np.uint64(seed_key(seed))
        self._kernel(spec)[blocks, BLOCK](key, first, last, spec.chunk_size, spec.setting(), totals)
        return np.asarray(totals.copy_to_host())

    def play(self, spec: Spec, seed: int, parts: list[tuple[int, int]]) -> Iterator[tuple[int, Array]]:
        """Launch after launch, each on all threads."""
        most = self.grain * MOST_CHUNKS_OF_THREAD
        for first, last in parts:
            for start in range(first, last, most):
                end = min(start + most, last)
                yield end - start, self._launch(spec, seed, start, end)
