"""On a machine with a GPU: the rules, compiled for CUDA, do what they do in plain Python and on the CPU.

    PYTHONPATH=src python -m bench.gpu_agreement

Needs numba, numba-cuda and the package's sources; it is not part of `make bench`, which runs without a GPU.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda 0.30 asks for a name that NumPy 2.5 no longer has

from numba import cuda as numba_cuda
from numba import int64
from tests import round_agreement
from tests.cuda_simulator import outcomes
from tests.same_cards import NOT_SETTLED, all_cases, all_rounds, card_sequences

from croupier.kernels.effects import MOST_SEATS
from croupier.kernels.link import compile_cpu, cuda, link, plain
from croupier.kernels.rounds import find_round, round_names

SEQUENCES = 2000
THREADS, BLOCKS, ROUNDS_EACH = 64, 64, 200
STAKE = 20


def bets() -> int:
    """Every bet under every choice of its switches, on the same cards; returns how many cases agree."""
    cards = card_sequences(SEQUENCES, 1)
    agreeing = 0
    for case in all_cases():
        expected = np.full(len(cards), NOT_SETTLED, np.int64)
        link(all_rounds, plain, case.replace)(cards, expected, *case.parameters)
        assert outcomes(case, cards) == expected.tolist(), case
        agreeing += 1
    return agreeing


def rounds(name: str) -> tuple[int, float]:
    """Full rounds with random switches and answers: digests of GPU and CPU; returns rounds compared and seconds."""
    declared = find_round(name)
    assert declared is not None
    memory, replace = declared.memory, round_agreement.effects_of(name)
    device_run = cuda(link(round_agreement.run, cuda, replace))

    def kernel(out: Any) -> None:
        thread = numba_cuda.grid(1)
        digest = numba_cuda.local.array(1, int64)
        cells = numba_cuda.local.array(memory, int64)
        stakes = numba_cuda.local.array(MOST_SEATS, int64)
        digest[0] = 0
        for field in range(memory):
            cells[field] = 0
        for seat in range(MOST_SEATS):
            stakes[seat] = STAKE
        out[thread] = device_run(ROUNDS_EACH, thread, digest, cells, stakes)

    out = np.zeros(THREADS * BLOCKS, np.int64)
    start = time.perf_counter()
    numba_cuda.jit(kernel)[BLOCKS, THREADS](out)
    elapsed = time.perf_counter() - start
    on_cpu = compile_cpu(round_agreement.run, f"agreement-{name}", replace)
    for thread in range(0, len(out), 16):
        expected = on_cpu(
            ROUNDS_EACH,
            thread,
            np.zeros(1, np.int64),
            np.zeros(memory, np.int64),
            np.full(MOST_SEATS, STAKE, np.int64),
        )
        assert out[thread] == expected, (name, thread)
    return ROUNDS_EACH * len(out) // 16, elapsed


def main() -> None:
    print(f"bets: {bets()} cases agree on {SEQUENCES} rounds each")
    for name in round_names():
        if name != "mini_baccarat":
            compared, elapsed = rounds(name)
            print(f"{name}: {compared} full rounds agree with the CPU ({elapsed:.1f} s with compilation)")


if __name__ == "__main__":
    main()
