"""Simulation on a GPU: the same counts as on the CPU, and how many rounds a second.

python -m bench.gpu prepare SPECS      on any machine: solves the games and writes what is to be played
python -m bench.gpu run SPECS COUNTS   on a machine with a GPU; needs numba, numba-cuda and the sources only
python -m bench.gpu report COUNTS      on any machine: results/gpu.md, with every wager beside its exact edge
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
    ("free_bet_blackjack", {}),
    ("super_fun_21", {}),
    ("zappit_blackjack", {}),
    ("blazing_7s_players_cards", {}),
    ("house_money", {}),
    ("bet_the_bust", {}),
    ("bet_the_set_21.blazing_7s.kings_bounty.royal_match_21.trilux", {}),
    ("mini_baccarat", {}),
    ("ez_baccarat", {}),
    ("three_card_baccarat", {}),
    ("casino_war", {}),
    ("three_card_poker", {"wagers": ("ante",)}),
    ("three_card_poker", {}),
    ("let_it_ride", {}),
    ("mississippi_stud", {}),
    ("caribbean_stud", {}),
    ("crazy_4_poker", {}),
    ("four_card_poker", {}),
    ("dj_wild", {}),
    ("i_luv_suits", {}),
    ("texas_holdem_bonus", {}),
    ("ultimate_texas_holdem", {}),
]


def prepare(path: Path) -> None:
    """Writes the specs of all cases; only files made here are ever read back."""
    path.write_bytes(pickle.dumps([simulation.spec for simulation in simulations()]))


def simulations() -> list[Any]:
    """All cases, solved."""
    from croupier.reports.simulation.compare import Wish
    from croupier.reports.simulation.compare import prepare as put_together
    from croupier.rules import find_game

    return [put_together(find_game(game), Wish(settings={}, pay_tables={}, **wish)) for game, wish in CASES]


def name_of(game: str, wish: dict[str, Any]) -> str:
    words = [f"{name} {'+'.join(value) if isinstance(value, tuple) else value}" for name, value in wish.items()]
    return ", ".join([game, *words]) if words else f"{game}, all wagers"


def run(path: Path, kept: Path) -> None:
    from croupier.simulate.gpu import GpuMachine

    machine = GpuMachine()
    import warnings

    warnings.simplefilter("ignore")  # small launches are meant here
    found = []
    for (game, wish), spec in zip(CASES, pickle.loads(path.read_bytes()), strict=True):
        line, counts = _measure(machine, name_of(game, wish), spec)
        print(line, flush=True)
        found.append((line, counts))
        kept.write_bytes(pickle.dumps(found))


def _measure(machine: Any, name: str, spec: Spec) -> tuple[str, Any]:
    start = time.perf_counter()
    machine.warm_up(spec)
    compiled = time.perf_counter() - start
    [(_, here)] = machine.play(spec, 7, [(0, COMPARED_CHUNKS)])
    there = run_chunks(spec, 7, 0, COMPARED_CHUNKS)
    same = "equal" if np.array_equal(here, there) else "DIFFERENT"
    sums, seconds, first = np.zeros_like(there), 0.0, 0
    while seconds < SECONDS:
        chunks = machine.grain * 4
        start = time.perf_counter()
        [(_, counts)] = machine.play(spec, 8, [(first, first + chunks)])
        seconds += time.perf_counter() - start
        sums += counts
        first += chunks
    speed = int(sums[ROUNDS]) / seconds
    return f"| {name} | {compiled:.1f} | {int(there[ROUNDS]):,} rounds {same} | {speed:.3e} |", sums


HEAD = """# Simulation on one NVIDIA H200

Made by `python -m bench.gpu` (numba 0.68.0, numba-cuda 0.30.4, NumPy 2.5.2). Counts are compared with the
CPU's, cell by cell.

| game | compile, s | counts compared | rounds/s |
|---|---|---|---|
"""
AGREEMENT = """
## Every wager of those runs beside its exact edge

Behind a cut card the edge is the one by control variate, and the exact one, of a fresh shoe, is not to be compared.

| run | wager | rounds | edge | standard error | exact | z |
|---|---|---|---|---|---|---|
"""


def report(kept: Path) -> None:
    """Writes the tables; only files made here are read back."""
    found = pickle.loads(kept.read_bytes())
    text = HEAD + "".join(f"{line}\n" for line, _ in found) + AGREEMENT
    for (game, wish), simulation, (_, counts) in zip(CASES, simulations(), found, strict=True):
        for one in simulation.results(counts):
            exact = f"{100 * one.exact:.5f}%" if one.exact is not None else "-"
            z = f"{one.z:+.2f}" if one.z is not None else "-"
            rounds = f"{int(counts[ROUNDS]):.2e}"
            figures = f"{100 * one.best_edge:.5f}% | {100 * one.standard_error:.5f}% | {exact} | {z}"
            text += f"| {name_of(game, wish)} | {one.name} | {rounds} | {figures} |\n"
    (Path(__file__).parent / "results" / "gpu.md").write_text(text)


if __name__ == "__main__":
    task, *files = sys.argv[1:]
    tasks: dict[str, Any] = {"prepare": prepare, "run": run, "report": report}
    tasks[task](*map(Path, files))
