"""Rounds at random, as a result: here, on a GPU, or on a Dask cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, sqrt
from pathlib import Path
from typing import Any

from croupier.errors import NotationError, RangeError
from croupier.library.frame import Frame
from croupier.library.html import intervals_svg, notes_html, table_html, title_html
from croupier.library.result import Result, shown_percent
from croupier.library.values import Decks, Number, decks_text, require_whole, words_of
from croupier.reports.formatting import shoe_text
from croupier.reports.simulation.compare import PreparedSimulation, SimulatedWager, Wish, prepare
from croupier.reports.simulation.data import simulation_data
from croupier.reports.simulation.length import MOST_ROUNDS, Effort, goal_of, parse_count, read_effort, require_seed
from croupier.rules.spec import Game
from croupier.simulate.driver import (
    Goal,
    LocalMachine,
    Machine,
    Progress,
    load_checkpoint,
    reached,
    run_until,
    save_checkpoint,
)
from croupier.simulate.machines import find_machine

CHECKPOINT_SECONDS = 5.0
PLANNED_CORES = (1, 16, 256, 4096)


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A simulated wager beside its exact value.

    >>> import croupier
    >>> run = croupier.game("mini_baccarat").simulate(rounds=1e6, seed=1, wagers=["tie"])
    >>> tie = run.wagers["tie"]
    >>> abs(tie.edge - tie.exact) < 4 * tie.standard_error
    True
    """

    edge: float
    standard_error: float
    low: float
    """Of the interval of 95% confidence."""
    high: float
    standard_deviation: float
    hit_frequency: float
    wagers: int
    """How many were made."""
    rows: Mapping[str, int]
    """How often each outcome came, losing first."""
    exact: float | None
    """From a fresh shoe; None where nobody has computed it."""
    z: float | None
    """Standard errors between the two, where both speak of the same shoe."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Simulation(Result):
    """What was played: `croupier simulate`. The same seed gives the same counts on every machine.

    >>> import croupier
    >>> run = croupier.game("mini_baccarat").simulate(rounds=1e6, seed=1, wagers=["banker"])
    >>> run.rounds, run.wagers["banker"].wagers
    (1003520, 1003520)
    """

    prepared: PreparedSimulation = field(compare=False)
    """What was played, as the engine has it. It is not part of the stable interface, and so are the next three."""
    progress: Progress = field(compare=False)
    machine: Machine = field(compare=False)
    goal: Goal = field(compare=False)
    compile_seconds: float
    """Time that went into compiling."""
    interrupted: bool = False
    """Whether somebody stopped it, as Ctrl-C does, before its end."""

    @property
    def game(self) -> str:
        return self.prepared.game.id

    @property
    def rounds(self) -> int:
        """Rounds played: whole chunks, so that it may be a few more than were asked for."""
        return self.progress.rounds

    @property
    def seed(self) -> int:
        return self.progress.seed

    @property
    def seconds(self) -> float:
        """Time spent playing, compilation not counted."""
        return self.progress.seconds

    @property
    def rounds_per_second(self) -> float:
        return self.rounds / max(self.seconds, 1e-9)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.prepared.notes

    @property
    def share_done(self) -> float:
        """How far a run that is on its way has come; without an end in chunks or seconds, 0."""
        if self.goal.chunks:
            return min(1.0, self.progress.chunks / self.goal.chunks)
        return min(1.0, self.progress.seconds / self.goal.seconds) if self.goal.seconds else 0.0

    @cached_property
    def results(self) -> tuple[SimulatedWager, ...]:
        """Every wager as the engine has it. It is not part of the stable interface."""
        return tuple(self.prepared.results(self.progress.counts))

    @cached_property
    def wagers(self) -> Mapping[str, Estimate]:
        """Every wager that was made, by its id."""
        return {result.name: _estimate(result) for result in self.results}

    def to_dict(self) -> dict[str, Any]:
        """What `croupier simulate --json` prints."""
        data = simulation_data(self.prepared, self.progress, self.machine, self.compile_seconds)
        return data | {"interrupted": self.interrupted}

    @property
    def frame(self) -> Frame:
        """A row for each wager."""
        return Frame.of_rows({"wager": name} | _columns(estimate) for name, estimate in self.wagers.items())

    @property
    def line(self) -> dict[str, Any]:
        """The first wager alone."""
        name, first = next(iter(self.wagers.items()))
        return {"game": self.game, "wager": name, "rounds": self.rounds, "seed": self.seed} | _columns(first)

    def __repr__(self) -> str:
        name, first = next(iter(self.wagers.items()))
        edge = f"{shown_percent(first.edge)} +- {shown_percent(1.96 * first.standard_error)}"
        return f"<Simulation: {self.game}, {self.rounds:,} rounds, seed {self.seed}: {name} {edge}>"

    def _repr_html_(self) -> str:
        spec = self.prepared.spec
        below = (
            f"{self.rounds:,} rounds, {shoe_text(spec.decks)}, {spec.shuffle}, seed {self.seed}; "
            f"{self.rounds_per_second / 1e6:.2f} million a second on {self.machine.name}"
        )
        rows = [
            [
                name,
                shown_percent(estimate.edge),
                f"{196 * estimate.standard_error:.4f}%",
                shown_percent(estimate.exact) if estimate.exact is not None else "",
                f"{estimate.z:+.2f}" if estimate.z is not None else "",
            ]
            for name, estimate in self.wagers.items()
        ]
        compared = [
            (name, estimate.edge, estimate.standard_error, estimate.exact)
            for name, estimate in self.wagers.items()
            if estimate.z is not None
        ]
        chart = intervals_svg("simulated edges around the exact ones, in standard errors", compared) if compared else ""
        return (
            title_html(f"{self.prepared.game.name}: simulation", below)
            + table_html(["wager", "edge", "± 95%", "exact", "z"], rows)
            + chart
            + notes_html(self.notes)
        )


Watcher = Callable[[Simulation], None]


def wish_of(
    decks: Decks,
    settings: Mapping[str, str],
    pay_tables: Mapping[str, str],
    seats: int,
    shuffle: str,
    cut: int | None,
    strategy: str | Path,
    wagers: str | Sequence[str],
) -> Wish:
    """What is to be played, as text."""
    return Wish(
        decks=decks_text(decks),
        settings=settings,
        pay_tables=pay_tables,
        seats=seats,
        shuffle=shuffle,
        cut=cut,
        strategy=str(strategy),
        wagers=words_of(wagers, "wagers"),
    )


def _estimate(wager: SimulatedWager) -> Estimate:
    estimate = wager.estimate
    low, high = estimate.interval
    return Estimate(
        edge=estimate.edge,
        standard_error=estimate.standard_error,
        low=low,
        high=high,
        standard_deviation=estimate.standard_deviation,
        hit_frequency=estimate.hit_frequency,
        wagers=estimate.wagers,
        rows=estimate.rows,
        exact=wager.exact,
        z=wager.z,
    )


def _columns(estimate: Estimate) -> dict[str, Any]:
    return {
        "edge": estimate.edge,
        "standard_error": estimate.standard_error,
        "low": estimate.low,
        "high": estimate.high,
        "standard_deviation": estimate.standard_deviation,
        "hit_frequency": estimate.hit_frequency,
        "exact": estimate.exact,
        "z": estimate.z,
    }


def simulate(
    game: Game,
    wish: Wish,
    effort: Effort,
    *,
    seed: int,
    backend: str,
    threads: int | None,
    cluster: Any,
    checkpoint: str | Path | None,
    watcher: Watcher | None,
) -> Simulation:
    """Plays until the end that was asked for, or until somebody interrupts it."""
    target = read_effort(effort)
    require_seed(seed)
    machine = find_machine(backend, threads=threads, cluster=cluster)
    try:
        prepared = prepare(game, wish)
        path = Path(checkpoint) if checkpoint is not None else None
        progress = load_checkpoint(prepared.spec, seed, path) if path else Progress(prepared.spec, seed)
        start = time.perf_counter()
        machine.warm_up(prepared.spec)
        run = Simulation(
            prepared=prepared,
            progress=progress,
            machine=machine,
            goal=goal_of(target, prepared.spec),
            compile_seconds=time.perf_counter() - start,
        )
        return _play(run, path, watcher)
    finally:
        machine.close()


def _play(run: Simulation, path: Path | None, watcher: Watcher | None) -> Simulation:
    saved = time.perf_counter()

    def seen(now: Progress) -> None:
        nonlocal saved
        if watcher is not None:
            watcher(replace(run, progress=replace(now)))
        if path and time.perf_counter() - saved > CHECKPOINT_SECONDS:
            save_checkpoint(now, path)
            saved = time.perf_counter()

    interrupted = False
    try:
        run_until(run.progress, run.machine, run.goal, error_of=run.prepared.error_of, seen=seen)
    except KeyboardInterrupt:
        interrupted = not reached(run.progress, run.goal, run.prepared.error_of)
    if path:
        save_checkpoint(run.progress, path)
    if run.rounds == 0:
        raise NotationError("Stopped before a single round was played.", code="nothing_played")
    return replace(run, interrupted=interrupted)


@dataclass(frozen=True, kw_only=True, repr=False)
class Plan(Result):
    """A simulation that is not played yet: how long it takes, from the speed of one core measured here.

    >>> import croupier
    >>> plan = croupier.game("mini_baccarat").plan(rounds=1e12, wagers=["tie"], seconds=0.2)
    >>> plan.rounds, plan.hours(cores=100) < plan.hours(cores=10)
    (1000000000000, True)
    """

    game: str
    rounds: int
    rounds_per_core_second: float
    """Measured, on one core of this computer."""
    standard_errors: Mapping[str, float]
    """What each wager's edge will be known to; 95% is 1.96 of them to either side."""

    @property
    def core_hours(self) -> float:
        return self.rounds / self.rounds_per_core_second / 3600

    def hours(self, *, cores: int) -> float:
        """Hours on so many cores as fast as this one; no time is counted for starting and compiling."""
        require_whole(cores=cores)
        if cores < 1:
            raise RangeError(f"{cores} cores: a whole number from 1 on.", code="bad_cores")
        return self.core_hours / cores

    def cost(self, *, per_core_hour: float) -> float:
        """What it costs at a price for an hour of a core."""
        if isinstance(per_core_hour, bool) or not isinstance(per_core_hour, Number) or not 0 <= per_core_hour < inf:
            raise RangeError(f"{per_core_hour!r} is not a price: a number from 0 on.", code="bad_price")
        return self.core_hours * float(per_core_hour)

    def to_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "rounds": self.rounds,
            "rounds_per_core_second": self.rounds_per_core_second,
            "core_hours": self.core_hours,
            "standard_errors": dict(self.standard_errors),
        }

    @property
    def frame(self) -> Frame:
        """Hours by cores."""
        return Frame.of_rows({"cores": cores, "hours": self.hours(cores=cores)} for cores in PLANNED_CORES)

    @property
    def line(self) -> dict[str, Any]:
        return {name: value for name, value in self.to_dict().items() if name != "standard_errors"}

    def __repr__(self) -> str:
        speed = f"{self.rounds_per_core_second / 1e6:.2f} million a second on one core"
        return f"<Plan: {self.game}, {self.rounds:,} rounds, {speed}: {self.core_hours:,.1f} core hours>"

    def _repr_html_(self) -> str:
        errors = [[name, f"{100 * error:.7f}%"] for name, error in self.standard_errors.items()]
        return (
            title_html(repr(self)[1:-1])
            + self.frame._repr_html_()
            + table_html(["wager", "standard error of its edge"], errors)
        )


def plan(game: Game, wish: Wish, rounds: str, *, seconds: str) -> Plan:
    """Measures one core for so many seconds."""
    count = parse_count(rounds, "rounds", most=MOST_ROUNDS)
    target = read_effort(Effort(seconds=seconds))
    prepared = prepare(game, wish)
    machine = LocalMachine("cpu", 1)
    machine.warm_up(prepared.spec)
    progress = Progress(prepared.spec, 1)
    run_until(progress, machine, Goal(seconds=target.seconds), error_of=prepared.error_of)
    share = sqrt(progress.rounds / count)
    errors = {}
    for wager in prepared.results(progress.counts):
        seen = wager.estimate.standard_deviation
        scale = wager.exact_deviation / seen if wager.exact_deviation is not None and seen else 1.0
        errors[wager.name] = wager.estimate.standard_error * scale * share
    return Plan(
        game=game.id,
        rounds=count,
        rounds_per_core_second=progress.rounds / max(progress.seconds, 1e-9),
        standard_errors=errors,
    )
