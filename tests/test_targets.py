"""One source of rules, three targets: plain Python, compiled for the CPU, and CUDA give the same outcomes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numba
import numpy as np
import pytest

from croupier.kernels.link import cpu, link, plain
from tests.helpers import ROOT
from tests.same_cards import NOT_SETTLED, Array, Case, all_cases, all_rounds, card_sequences, cases_of, names

pytestmark = pytest.mark.slow

SEED = 20240611
SEQUENCES = 3000
SIMULATED = 40
"""The CUDA simulator runs a Python thread for each round, so few are played there."""


def outcomes(case: Case, run: Any, cards: Array) -> list[int]:
    out = np.full(len(cards), NOT_SETTLED, np.int64)
    run(cards, out, *case.parameters)
    return [int(outcome) for outcome in out]


@pytest.mark.parametrize("name", names())
def test_compiled_rounds_agree_with_plain_python(name: str) -> None:
    cards = card_sequences(SEQUENCES, SEED)
    cases = cases_of(name)
    compiled = numba.njit(link(all_rounds, cpu, cases[0].replace))
    seen = set()
    for case in cases:
        expected = outcomes(case, link(all_rounds, plain, case.replace), cards)
        assert outcomes(case, compiled, cards) == expected
        seen |= set(expected)
    assert NOT_SETTLED not in seen
    assert len(seen) >= 2


def test_cuda_kernels_agree_with_plain_python() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "tests.cuda_simulator", str(SIMULATED), str(SEED)],
        cwd=ROOT,
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    cards = card_sequences(SIMULATED, SEED)
    expected = [outcomes(case, link(all_rounds, plain, case.replace), cards) for case in all_cases()]
    assert json.loads(made.stdout) == expected
