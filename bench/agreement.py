"""Exact odds against long simulations of full rounds, for every wager under its default choice."""

from __future__ import annotations

import os
from dataclasses import dataclass

from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules import find_game, game_ids
from croupier.simulate.driver import Goal, LocalMachine, Progress, run_until

SEED = 20250211
SECONDS = 12.0


@dataclass
class Agreement:
    """One wager: estimate and exact edge, and the distance between them in standard errors."""

    wager: str
    rounds: int
    rounds_per_second: float
    edge: float
    exact: float
    z: float


def measure() -> list[Agreement]:
    """Every game for some seconds on all cores, with all its wagers at once."""
    results = []
    machine = LocalMachine("cpu", os.cpu_count() or 1)
    for name in game_ids():
        simulation = prepare(find_game(name), Wish(settings={}, pay_tables={}))
        machine.warm_up(simulation.spec)
        progress = Progress(simulation.spec, SEED)
        run_until(progress, machine, Goal(seconds=SECONDS), error_of=simulation.error_of)
        for one in simulation.results(progress.counts):
            if one.exact is not None and one.z is not None:
                speed = progress.rounds / progress.seconds
                results.append(
                    Agreement(f"{name} {one.name}", progress.rounds, speed, one.estimate.edge, one.exact, one.z)
                )
    return results
