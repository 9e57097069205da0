"""The same rounds on GPUs: one thread a chunk, counts in the shared memory of a block.

A fresh shoe lies in order, so a thread needs no room for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from croupier.errors import CroupierError
from croupier.kernels.effects import MOST_SEATS
from croupier.kernels.link import cuda as device_function
from croupier.kernels.link import link, real_gpu_only
from croupier.simulate import play
from croupier.simulate.driver import Array
from croupier.simulate.generator import GOLDEN, U64, chunk_counter, mix, seed_key
from croupier.simulate.play import COUNT_CELLS, NO_NET, ROUNDS, Scratch, Setting, fold_round, known, one_round
from croupier.simulate.run import MOST_CARDS_OF_SEAT, Spec, require_declared
from croupier.simulate.shuffle import DECK_CARDS, DRAWS, draw_of, drawn_again, slot_of

NET_SIZE = 2 * MOST_SEATS
BLOCK = 256
"""Threads of a block; of a shoe that is played down fewer, as their shoes lie in the memory that a block shares, which
is twice as fast as memory of their own."""
SHARED_BYTES = 48 * 1024
LEAST_BLOCK = 32
BLOCKS_OF_PROCESSOR = 16
REGISTERS = 64
"""Of a thread: more threads at a time hide more of the time that memory takes."""
MOST_CHUNKS_OF_THREAD = 256
"""Of one launch: a block's counts are 32 bits wide."""
MOST_OLDER = MOST_SEATS * MOST_CARDS_OF_SEAT
"""Cards of one round that are too old for the trail."""

if hasattr(np, "vstack") and not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda 0.30 looks for it on import


class NoGpuError(CroupierError):
    """No GPU can be used."""

    code = "no_gpu"


def count(counts: Any, cell: int) -> None:
    """One more, in the block's own counts."""
    cuda.atomic.add(counts[0], U64(cell), np.int32(1))


def add_up(counts: Any, cell: int, amount: int) -> None:
    """Rare and large amounts go straight to the totals."""
    cuda.atomic.add(counts[1], cell, np.int64(amount))


# What a thread remembers of its round are the slots that were drawn, as it has no room for a mark on each. Of one deck
# they are the bits of a number; of more the latest twelve lie in two numbers that live in registers, ten bits a slot,
# so that six are compared at once, and older ones in an array.
SLOT_BITS = 10
SLOTS_OF_WORD = 6
TRAIL = 2 * SLOTS_OF_WORD
_FIELDS = range(0, SLOT_BITS * SLOTS_OF_WORD, SLOT_BITS)
ONES = U64(sum(1 << at for at in _FIELDS))
GUARDS = U64(sum(1 << at + SLOT_BITS - 1 for at in _FIELDS))
"""The top bit of each field, which no slot needs."""
NO_SLOTS = U64(sum((1 << SLOT_BITS - 1) - 1 << at for at in _FIELDS))
WHOLE_WORD = U64((1 << SLOT_BITS * SLOTS_OF_WORD) - 1)
ONE_SLOT = U64(SLOT_BITS)
LAST_SLOT = U64(SLOT_BITS * (SLOTS_OF_WORD - 1))
NO_SLOT_OF_DECK = U64(0)
MOST_OF_NUMBER = 64
ONE_DECK = 0
"""Put in as 1 when linked with a shoe whose slots are bits of one number."""
ONE_WORD = 0
"""Put in as 1 when linked with a round of at most six cards: then the first word holds them all."""


def is_in_word(word: Any, slot: Any) -> Any:
    """Not zero if the slot is one of a word's six: a field that is equal loses its guard bit."""
    return ~((word ^ slot * ONES | GUARDS) - ONES) & GUARDS


def was_drawn(slot: Any, position: int, trail: Any, older: Any) -> bool:
    new, old = trail
    if ONE_DECK == 1:
        return bool(new >> slot & U64(1) != U64(0))
    found = is_in_word(new, slot)
    if ONE_WORD == 0:
        found |= is_in_word(old, slot)
        for index in range(position - TRAIL):
            if older[U64(index)] == np.int16(slot):
                return True
    return bool(found != U64(0))


def with_slot(slot: Any, position: int, trail: Any, older: Any) -> Any:
    """The trail after another draw: the oldest of its first word moves to the second, and from there to the array."""
    new, old = trail
    if ONE_DECK == 1:
        return new | U64(1) << slot, old
    if ONE_WORD == 0:
        if position >= TRAIL:
            older[U64(position - TRAIL)] = np.int16(old >> LAST_SLOT)
        old = (old << ONE_SLOT | new >> LAST_SLOT) & WHOLE_WORD
    return (new << ONE_SLOT | slot) & WHOLE_WORD, old


# `world` is counter, position, random number, trail, and the only seat's net result.


def draw_fresh(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """`draw` from the whole shoe, as `play.draw_fresh`."""
    counter, position, number, new, old, net = world
    setting, scratch = table
    trail = (new, old)
    if position % DRAWS == 0:
        counter = counter + GOLDEN
        number = mix(counter)
    slot = slot_of(draw_of(number, position), setting.cards)
    if slot < 0 or was_drawn(U64(slot), position, trail, scratch.drawn):
        slot = slot_drawn_again(number, position, trail, setting, scratch)
    new, old = with_slot(U64(slot), position, trail, scratch.drawn)
    card: Any = np.int64(np.int32(slot) % np.int32(DECK_CARDS))
    return card, (counter, position + 1, number, new, old, net)


def slot_drawn_again(number: Any, position: int, trail: Any, setting: Setting, scratch: Scratch) -> int:
    """Draws until a slot comes that was not drawn before."""
    slot = -1
    while slot < 0 or was_drawn(U64(slot), position, trail, scratch.drawn):
        number = drawn_again(number)
        slot = slot_of(draw_of(number, position), setting.cards)
    return slot


def meet() -> None:
    """Threads that have gone different ways through a round wait here, else they would never run in step again."""
    cuda.syncwarp()


def pass_by() -> None:
    """The simulator of GPUs runs thread after thread."""


def play_fresh(counter: Any, rounds: int, setting: Setting, scratch: Scratch) -> None:
    """As `play.play_fresh`."""
    for _ in range(rounds):
        start = NO_SLOT_OF_DECK if ONE_DECK == 1 else NO_SLOTS
        world = one_round((counter, 0, U64(0), start, NO_SLOTS, NO_NET), setting, scratch)
        counter = world[0]
        meet()
        fold_round(setting, scratch, world)
    add_up(scratch.counts, ROUNDS, rounds)


# Put in when the kernel is linked: the module `numba.cuda`, the way of shuffling, and the room for a shoe.
cuda: Any = None
shuffle_style = play.shuffle_style
IS_FRESH = 1
SHOE_CELLS = 1
CELLS_OF_SHOES = 1
MEMORY = 1
PAST_CELLS = 1


def kernel(key: Any, first: int, last: int, size: int, setting: Setting, totals: Any) -> None:
    """Every thread plays whole chunks; a block adds up what its threads count."""
    shared = cuda.shared.array(COUNT_CELLS, np.int32)
    for cell in range(cuda.threadIdx.x, COUNT_CELLS, cuda.blockDim.x):
        shared[cell] = 0
    cuda.syncthreads()
    memory = cuda.local.array(MEMORY, np.int64)
    net = cuda.local.array(NET_SIZE, np.int64)
    for cell in range(NET_SIZE):
        net[cell] = 0
    shoes = cuda.shared.array(CELLS_OF_SHOES, np.uint8)  # a size is one name: a product is none to the compiler
    mine = cuda.threadIdx.x * SHOE_CELLS if IS_FRESH == 0 else 0
    shoe = shoes[mine : mine + SHOE_CELLS]
    older = cuda.local.array(MOST_OLDER, np.int16)
    counts = (shared, totals[:COUNT_CELLS])
    past = (cuda.shared.array(PAST_CELLS, np.int32), totals[COUNT_CELLS:])
    scratch = Scratch(shoe, shoe, shoe, shoe, shoe, older, memory, net, counts, past)
    for chunk in range(first + cuda.grid(1), last, cuda.gridsize(1)):
        if IS_FRESH == 0:
            for position in range(SHOE_CELLS):
                shoe[position] = position % DECK_CARDS
        shuffle_style(chunk_counter(key, chunk), size, known(setting), scratch)
    cuda.syncthreads()
    for cell in range(cuda.threadIdx.x, COUNT_CELLS, cuda.blockDim.x):
        if shared[cell] != 0:
            cuda.atomic.add(totals, cell, np.int64(shared[cell]))


@contextmanager
def indices_from_the_front() -> Iterator[None]:
    """Compiles without the test whether an index counts from the end, which no kernel does: a third of the speed."""
    try:
        from numba.cuda.np import arrayobj

        usual = arrayobj.fix_integer_index
    except (ImportError, AttributeError):  # another version of numba-cuda, or its simulator: slower, not wrong
        yield
        return
    from numba import types

    def as_it_is(context: Any, builder: Any, kind: Any, index: Any, _size: Any) -> Any:
        return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)

    arrayobj.fix_integer_index = as_it_is
    try:
        yield
    finally:
        arrayobj.fix_integer_index = usual


def block_of(spec: Spec) -> int:
    """How many threads make a block: half as many until the shoes that they play down find room beside the counts."""
    threads = BLOCK
    counts = 2 * COUNT_CELLS * np.dtype(np.int32).itemsize
    while spec.shuffle != "fresh" and threads > LEAST_BLOCK and spec.cards * threads + counts > SHARED_BYTES:
        threads //= 2
    return threads


class GpuMachine:
    """All GPUs of this computer."""

    name = "cuda"
    step_seconds = 0.4

    def __init__(self) -> None:
        try:
            from numba import cuda as numba_cuda

            available = numba_cuda.is_available()
        except ImportError:
            available = False
        if not available:
            raise NoGpuError(
                "No GPU can be used here: the cuda backend needs an NVIDIA GPU and pip install 'croupier[gpu]'."
            )
        self.cuda: Any = numba_cuda
        self.kernels: dict[str, Any] = {}
        simulated = not hasattr(numba_cuda, "get_current_device")
        processors = 1 if simulated else numba_cuda.get_current_device().MULTIPROCESSOR_COUNT
        self.blocks = BLOCKS_OF_PROCESSOR * processors

    width = 1

    def close(self) -> None:
        """Nothing: memory of GPUs goes with the process."""

    @property
    def grain(self) -> int:
        """Enough chunks for all threads of one launch."""
        return self.blocks * BLOCK

    def _kernel(self, spec: Spec) -> Any:
        name = f"{spec.program}-{spec.constants()}-{spec.decks}-{spec.control > 0}"
        if name not in self.kernels:
            fresh = spec.shuffle == "fresh"
            effects = (
                spec.effects()
                | spec.constants()
                | {
                    "cuda": self.cuda,
                    "count": count,
                    "add_up": add_up,
                    "IS_FRESH": int(fresh),
                    "ONE_DECK": int(spec.cards <= MOST_OF_NUMBER),
                    "ONE_WORD": int(spec.rules.seats == 1 and 0 < spec.declared.most_cards <= SLOTS_OF_WORD),
                    "MEMORY": spec.declared.memory,
                    "SHOE_CELLS": 1 if fresh else spec.cards,
                    "CELLS_OF_SHOES": 1 if fresh else spec.cards * block_of(spec),
                    "PAST_CELLS": COUNT_CELLS if spec.control > 0 else 1,
                }
            )
            if fresh:
                effects |= {"shuffle_style": play_fresh, "draw": draw_fresh}
            if not hasattr(self.cuda, "syncwarp"):
                effects |= {"meet": pass_by}
            self.kernels[name] = self.cuda.jit(**real_gpu_only(max_registers=REGISTERS))(
                link(kernel, device_function, effects)
            )
            with indices_from_the_front():
                self._launch(spec, 0, 0, 0)
        return self.kernels[name]

    def warm_up(self, spec: Spec) -> None:
        self._kernel(spec)

    def _launch(self, spec: Spec, seed: int, first: int, last: int) -> Array:
        """The threads of a warp must have the same number of chunks, for they wait for each other."""
        totals = self.cuda.to_device(np.zeros(2 * COUNT_CELLS, np.int64))
        threads = min(last - first, block_of(spec))
        blocks = max(1, min(self.blocks, (last - first) // max(threads, 1)))
        with np.errstate(over="ignore"):  # 64-bit numbers wrap on purpose
            key = np.uint64(seed_key(seed))
        self._kernel(spec)[blocks, max(threads, 1)](key, first, last, spec.chunk_size, spec.setting(), totals)
        counts = np.asarray(totals.copy_to_host()[:COUNT_CELLS])
        require_declared(spec, seed, first, last, counts)
        return counts

    def play(self, spec: Spec, seed: int, parts: list[tuple[int, int]]) -> Iterator[tuple[int, Array]]:
        """Launch after launch, each on all threads."""
        most = self.grain * MOST_CHUNKS_OF_THREAD
        for first, last in parts:
            for start in range(first, last, most):
                end = min(start + most, last)
                whole = start + (end - start) // BLOCK * BLOCK
                for begin, stop in ((start, whole), (whole, end)):
                    if stop > begin:
                        yield stop - begin, self._launch(spec, seed, begin, stop)
