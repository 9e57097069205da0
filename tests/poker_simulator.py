"""Run in a process of its own with NUMBA_ENABLE_CUDASIM=1: ranks of hands from CUDA kernels, as JSON by evaluator."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from numba import cuda as numba_cuda

from croupier.kernels.link import Kernel, cuda, link
from tests.poker_hands import EVALUATORS, random_hands, set_of

THREADS = 16


def ranks(evaluator: Kernel, hands: list[int]) -> list[int]:
    """The ranks of the hands, one thread a hand."""
    device_evaluator = cuda(link(evaluator, cuda))

    def kernel(hands: Any, out: Any) -> None:
        row = numba_cuda.grid(1)
        if row < len(out):
            out[row] = device_evaluator(hands[row])

    out = np.zeros(len(hands), np.int64)
    numba_cuda.jit(kernel)[-(-len(hands) // THREADS), THREADS](np.array(hands, np.int64), out)
    return [int(rank) for rank in out]


def main() -> None:
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    found = {}
    for name, (evaluator, size, joker) in EVALUATORS.items():
        hands = [set_of(cards) for cards in random_hands(size, count, seed, joker=joker)]
        found[name] = ranks(evaluator, hands)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
