"""Simulation on a GPU: the same counts as on the CPU, and how many rounds a second.

python -m bench.gpu prepare SPECS      on any machine: solves the games and writes what is to be played
python -m bench.gpu run SPECS          on a machine with a GPU; needs numba, numba-cuda and the sources only
"""

from __future__ import annotations

import pickle
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from croupier.simulate.play import ROUNDS
from croupier.simulate.run import Spec, run_chunks

COMPARED_CHUNKS = 256
SECONDS = 3.0
CASES: list[tuple[str, dict[str, Any]]] = [
    ("blackjack", {"wagers": ("main",)}),
    ("blackjack", {"wagers": ("main",), "strategy": "total-dependent"}),
    ("blackjack", {}),
    ("blackjack", {"wagers": ("main",), "shuffle": "cut-card", "cut": 234}),
    ("double_down_madness", {"wagers": ("main",)}),
    ("double_down_madness", {}),
    ("blackjack_switch", {}),
    ("double_barrel", {}),
    ("mini_baccarat", {}),
]


def prepare(path: Path) -> None:
    """Writes the specs of all cases; only files made here are ever read back."""
    from croupier.reports.simulation import Wish
    from croupier.reports.simulation import prepare as put_together
    from croupier.rules import find_game

    specs = []
    for game, wish in CASES:
        simulation = put_together(find_game(game), Wish(settings={}, pay_tables={}, **wish))
        words = [f"{name} {'+'.join(value) if isinstance(value, tuple) else value}" for name, value in wish.items()]
        specs.append((", ".join([game, *words]) if words else f"{game}, all wagers", simulation.spec))
    path.write_bytes(pickle.dumps(specs))


def run(path: Path) -> list[str]:
    from croupier.simulate.gpu import GpuMachine

    machine = GpuMachine()
    import warnings

    warnings.simplefilter("ignore")  # small launches are meant here
    lines = ["| game | compile, s | counts compared | rounds/s |", "|---|---|---|---|"]
    for name, spec in pickle.loads(path.read_bytes()):
        lines.append(_measure(machine, name, spec))
        print(lines[-1], flush=True)
    return lines


def _measure(machine: Any, name: str, spec: Spec) -> str:
    start = time.perf_counter()
    machine.warm_up(spec)
    compiled = time.perf_counter() - start
    [(_, here)] = machine.play(spec, 7, [(0, COMPARED_CHUNKS)])
    there = run_chunks(spec, 7, 0, COMPARED_CHUNKS)
    same = "equal" if np.array_equal(here, there) else "DIFFERENT"
    rounds, seconds, first = 0, 0.0, 0
    while seconds < SECONDS:
        chunks = machine.grain * 4
        start = time.perf_counter()
        [(_, counts)] = machine.play(spec, 8, [(first, first + chunks)])
        seconds += time.perf_counter() - start
        rounds += int(counts[ROUNDS])
        first += chunks
    return f"| {name} | {compiled:.1f} | {int(there[ROUNDS]):,} rounds {same} | {rounds / seconds:.3e} |"


if __name__ == "__main__":
    task, file = sys.argv[1:]
    if task == "prepare":
        prepare(Path(file))
    else:
        run(Path(file))
