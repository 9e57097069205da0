"""Run in a process of its own with NUMBA_ENABLE_CUDASIM=1: outcomes of every case from a CUDA kernel, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from numba import cuda as numba_cuda

from croupier.kernels.link import cuda, link
from tests.same_cards import NOT_SETTLED, Array, Case, all_cases, card_sequences, one_round

THREADS = 16


def outcomes(case: Case, cards: Array) -> list[int]:
    """The case's outcomes, one thread a round."""
    device_round = cuda(link(one_round, cuda, case.replace))

    def kernel(cards: Any, out: Any, options: int, side: int, first: int, second: int) -> None:
        row = numba_cuda.grid(1)
        if row < len(out):
            device_round(cards, out, row, options, side, first, second)

    out = np.full(len(cards), NOT_SETTLED, np.int64)
    blocks = -(-len(cards) // THREADS)
    numba_cuda.jit(kernel)[blocks, THREADS](cards, out, *case.parameters)
    return [int(outcome) for outcome in out]


def main() -> None:
    cards = card_sequences(int(sys.argv[1]), int(sys.argv[2]))
    sys.stdout.write(json.dumps([outcomes(case, cards) for case in all_cases()]))


if __name__ == "__main__":
    main()
