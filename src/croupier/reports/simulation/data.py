"""The results of a simulation as plain data, for `croupier simulate --json` and for pages."""

from __future__ import annotations

from typing import Any

from croupier.reports.simulation.compare import PreparedSimulation, SimulatedWager
from croupier.simulate.driver import Machine, Progress
from croupier.simulate.estimate import final_wagers, net_results
from croupier.simulate.run import program_stamp


def simulation_data(
    simulation: PreparedSimulation, progress: Progress, machine: Machine, compile_seconds: float
) -> dict[str, Any]:
    """Results as plain data. The keys are part of the stable interface."""
    spec = simulation.spec
    hands = {}
    if simulation.main is not None:
        hands = {
            "net_results": {f"{float(profit):g}": n for profit, n in net_results(spec, progress.counts).items()},
            "final_wagers": {str(wagers): n for wagers, n in final_wagers(progress.counts).items()},
        }
    return {
        "game": simulation.game.id,
        "decks": spec.decks,
        "seats": spec.rules.seats,
        "shuffle": spec.shuffle,
        "cut": spec.cut if spec.shuffle != "fresh" else None,
        "strategy": simulation.strategy if simulation.account else None,
        "rounds": progress.rounds,
        "seconds": progress.seconds,
        "rounds_per_second": progress.rounds / max(progress.seconds, 1e-9),
        "compile_seconds": compile_seconds,
        "backend": machine.name,
        "seed": progress.seed,
        "chunks": progress.chunks,
        "spec": spec.hash,
        "program": program_stamp(),
        "wagers": {wager.name: wager_data(wager) for wager in simulation.results(progress.counts)},
        **hands,
        "notes": list(simulation.notes),
    }


def wager_data(wager: SimulatedWager) -> dict[str, Any]:
    estimate = wager.estimate
    low, high = estimate.interval
    return {
        "wagers": estimate.wagers,
        "edge": estimate.edge,
        "standard_error": estimate.standard_error,
        "confidence_95": [low, high],
        "standard_deviation": estimate.standard_deviation,
        "hit_frequency": estimate.hit_frequency,
        "rows": estimate.rows,
        "exact": wager.exact,
        "z": wager.z,
        "reduced": {"edge": wager.reduced.edge, "standard_error": wager.reduced.standard_error}
        if wager.reduced
        else None,
    }
