"""A simulation as a report: every wager's estimate beside its exact value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from croupier.reports.formatting import percent, shoe_text
from croupier.reports.json_data import Plain
from croupier.reports.report import Block, Cell, Column, Fact, Facts, Note, Report, Table, columns, rows
from croupier.reports.simulation.compare import PreparedSimulation, SimulatedWager
from croupier.reports.simulation.data import wager_data
from croupier.simulate.driver import Machine, Progress
from croupier.simulate.estimate import final_wagers, net_results

RARE = 0.0005
"""Results of fewer rounds are left to --json."""


def simulation_report(
    simulation: PreparedSimulation,
    progress: Progress,
    machine: Machine,
    compile_seconds: float,
    *,
    interrupted: bool = False,
) -> Report:
    spec = simulation.spec
    shuffle = {
        "fresh": "shuffled every round",
        "cut-card": f"cut card at {spec.cut} cards",
        "continuous": f"continuous shuffler with {spec.cut} cards in the chute",
    }[spec.shuffle]
    seats = "1 seat" if spec.rules.seats == 1 else f"{spec.rules.seats} seats"
    strategy = f", {simulation.strategy} strategy" if simulation.account else ""
    speed = progress.rounds / max(progress.seconds, 1e-9)
    run = Note(
        f"{'stopped after ' if interrupted else ''}{progress.rounds:,} rounds in {progress.seconds:.2f} s, "
        f"{speed / 1e6:.2f} million a second on {machine.name}; compiled in {compile_seconds:.1f} s; seed "
        f"{progress.seed}, {progress.chunks} chunks of run {spec.hash}"
    )
    return Report(
        title=simulation.game.name,
        subtitle=f"{shoe_text(spec.decks)}, {seats}, {shuffle}{strategy}",
        blocks=(run, *_blocks(simulation, progress)),
    )


def _blocks(simulation: PreparedSimulation, progress: Progress) -> Iterator[Block]:
    wagers = simulation.results(progress.counts)
    yield wagers_table({wager.name: wager_data(wager) for wager in wagers})
    for wager in wagers:
        yield from _about(wager)
    if simulation.main is not None:
        results = (
            ("net result", net_results(simulation.spec, progress.counts)),
            ("final wager", {wagers or "not told apart": n for wagers, n in final_wagers(progress.counts).items()}),
        )
        yield Facts(tuple(Fact(label=label, text=_often(result)) for label, result in results))
    if simulation.spec.shuffle != "fresh":
        yield Note("exact is for a fresh shoe, so it is not compared")
    yield from (Note(note, "warn") for note in simulation.notes)


def wagers_table(wagers: Mapping[str, Plain], names: Mapping[str, str] | None = None, address: str = "") -> Table:
    """Of the data of a simulation. `names` are what people call the wagers; `address` is that of a wager's plot."""
    lines: list[tuple[Any, ...]] = []
    for name, one in wagers.items():
        wager = Cell((names or {}).get(name, name), address=f"{address}{name}" if address else "")
        exact, z = ("-" if one[key] is None else one[key] for key in ("exact", "z"))
        spread = one["standard_deviation"], one["hit_frequency"]
        lines.append((wager, one["wagers"], one["edge"], one["standard_error"], exact, z, *spread))
        if one["reduced"]:
            reduced = one["reduced"]["edge"], one["reduced"]["standard_error"]
            lines.append(("by control variate", None, *reduced, None, None, None, None))
    return Table(
        title="Wagers",
        columns=(
            Column("wager"),
            Column("made", "count"),
            *columns("edge", "standard error", "exact edge", kind="percent", digits=4),
            Column("z", "signed", 2),
            Column("deviation", "number", 4),
            Column("hits", "percent", 3),
        ),
        rows=rows(*lines),
        notes=("z: standard errors between estimate and exact value.",),
    )


def _about(wager: SimulatedWager) -> Iterator[Note]:
    reduced = wager.reduced
    if reduced is not None:
        gain = (wager.estimate.standard_error / reduced.standard_error) ** 2
        yield Note(f"{wager.name} by control variate is as good as {gain:.1f} times the rounds")
    if wager.misses_rare_rows:
        yield Note(
            f"{wager.name}: its rarest awards have hardly come, so that its deviation, which is "
            f"{wager.exact_deviation:.4f}, and its standard error come out too small; z is by the exact one",
            "warn",
        )


def _often(counts: Mapping[Fraction, int] | Mapping[int | str, int]) -> str:
    """What a seat's round came to, or what was on the table at its end, in first wagers of one hand."""
    whole = sum(counts.values())
    return ", ".join(
        f"{value if isinstance(value, str) else f'{float(value):g}'}: {percent(Fraction(number, whole), 2)}"
        for value, number in counts.items()
        if number >= RARE * whole
    )
