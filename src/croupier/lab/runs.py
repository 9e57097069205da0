"""A simulation that somebody asks for from a page: what it is as plain data, and how it is played with reports.

Its counts are those of `croupier simulate` with the same words, so what a page shows can be repeated anywhere.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from croupier.errors import RangeError, unknown
from croupier.reports.simulation.compare import (
    KNOWN_STRATEGIES,
    CheckedWish,
    PreparedSimulation,
    Wish,
    check_wish,
    prepare,
)
from croupier.reports.simulation.data import simulation_data
from croupier.reports.simulation.length import Target, goal_of, require_seed, rounds_of_chunk
from croupier.rules import find_game
from croupier.simulate import play
from croupier.simulate.driver import CheckpointError, Goal, LocalMachine, Progress, reached, run_until
from croupier.simulate.run import program_stamp

MOST_ROUNDS = 10**10
MOST_SECONDS = 600.0
"""Of play: others wait for their turn."""
TELL_SECONDS = 0.25
GROWTH = 1.15
"""How far apart points of the convergence are, as a ratio: about 150 of them for the longest run."""

Phase = Literal["solving", "compiling", "playing"]
End = Literal["done", "stopped", "out_of_time"]


@dataclass(frozen=True, kw_only=True)
class Run:
    """Everything that the counts depend on, and when to stop."""

    game: str
    decks: int
    wagers: tuple[str, ...] = ()
    """Those that are played; all if left empty."""
    pay_tables: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    """Switches that are not at their default."""
    seats: int = 1
    shuffle: str = "fresh"
    cut: int | None = None
    strategy: str = "optimal"
    seed: int = 1
    target: Target = field(default_factory=lambda: Target(rounds=10**7))

    @property
    def wish(self) -> Wish:
        return Wish(
            decks=str(self.decks),
            settings=self.settings,
            pay_tables=self.pay_tables,
            seats=self.seats,
            shuffle=self.shuffle,
            cut=self.cut,
            strategy=self.strategy,
            wagers=self.wagers,
        )

    def command(self, rounds: int | None = None) -> str:
        """The command line that plays the same; with `rounds`, as many as were played."""
        words = ["croupier", "simulate", self.game, "--decks", str(self.decks), "--seed", str(self.seed)]
        if rounds is not None or self.target.rounds is not None:
            words += ["--rounds", str(self.target.rounds if rounds is None else rounds)]
        elif self.target.seconds is not None:
            words += ["--seconds", f"{self.target.seconds:g}"]
        else:
            words += ["--until-se", f"{self.target.standard_error:g}"]
        words += ["--seats", str(self.seats)] if self.seats != 1 else []
        words += ["--shuffle", self.shuffle] if self.shuffle != "fresh" else []
        words += ["--cut", str(self.cut)] if self.cut is not None else []
        words += ["--strategy", self.strategy] if self.strategy != "optimal" else []
        words += ["--wagers", ",".join(self.wagers)] if self.wagers else []
        for option, pairs in (("--pay-table", self.pay_tables), ("--set", self.settings)):
            for name, value in sorted(pairs.items()):
                words += [option, f"{name}={value}"]
        return shlex.join(words)


@dataclass(frozen=True, kw_only=True)
class Point:
    """Where the estimates stood after so many rounds: each wager's edge and its standard error."""

    rounds: int
    wagers: dict[str, tuple[float, float]]


@dataclass(frozen=True, kw_only=True)
class RunStanding:
    """How far a run has come: enough to show it, and to take it up again."""

    phase: Phase
    data: dict[str, Any] | None = None
    """As `croupier simulate --json` has it; None before the first round."""
    points: tuple[Point, ...] = ()
    counts: tuple[int, ...] = ()
    same_rounds: int = 0
    """The rounds to ask for, to get these very chunks again."""

    @property
    def rounds(self) -> int:
        return int(self.data["rounds"]) if self.data else 0


def check_run(run: Run) -> CheckedWish:
    """Refuses what `croupier simulate` would refuse, and more than a page may ask for. Nothing is solved for that."""
    request = check_wish(find_game(run.game), run.wish)
    if run.strategy not in KNOWN_STRATEGIES:  # elsewhere that is a file's name, which a page must not open
        raise unknown("strategy", run.strategy, KNOWN_STRATEGIES)
    require_seed(run.seed)
    if run.target.rounds is not None and run.target.rounds > MOST_ROUNDS:
        raise RangeError(
            f"{run.target.rounds:,} rounds are more than a page plays: {MOST_ROUNDS:,} at most. The command line plays "
            "as many as you like.",
            code="bad_rounds",
        )
    if run.target.seconds is not None and run.target.seconds > MOST_SECONDS:
        raise RangeError(f"{run.target.seconds:g} seconds: {MOST_SECONDS:g} at most.", code="bad_goal")
    return request


class _StoppedError(Exception):
    """Somebody does not want more rounds."""


def threads_to_use() -> int:
    """All cores but one, which is left to those who play."""
    return max(1, (os.cpu_count() or 1) - 1)


def play_run(
    run: Run,
    tell: Callable[[RunStanding], None],
    must_stop: Callable[[], bool],
    *,
    earlier: RunStanding | None = None,
    most_seconds: float = MOST_SECONDS,
) -> tuple[End, RunStanding]:
    """Plays until the target, a stop or the longest time, from where `earlier` stands; the last standing is whole."""
    before = earlier or RunStanding(phase="solving")
    tell(RunStanding(phase="solving", data=before.data, points=before.points, counts=before.counts))
    simulation = prepare(find_game(run.game), run.wish)
    tell(RunStanding(phase="compiling", data=before.data, points=before.points, counts=before.counts))
    machine = LocalMachine("cpu", threads_to_use())
    start = time.perf_counter()
    machine.warm_up(simulation.spec)
    playing = _Playing(run, simulation, machine, time.perf_counter() - start, before)
    goal = goal_of(run.target, simulation.spec)
    end = playing.play_until(goal, tell, must_stop, most_seconds)
    return end, playing.standing()


class _Playing:
    """A run on its way, with the points of its convergence."""

    def __init__(
        self,
        run: Run,
        simulation: PreparedSimulation,
        machine: LocalMachine,
        compile_seconds: float,
        before: RunStanding,
    ) -> None:
        self.simulation = simulation
        self.machine = machine
        self.compile_seconds = compile_seconds
        self.progress = _taken_up(run, simulation, before)
        self.points = list(before.points)
        self._told = 0.0

    def play_until(
        self, goal: Goal, tell: Callable[[RunStanding], None], must_stop: Callable[[], bool], most_seconds: float
    ) -> End:
        def seen(progress: Progress) -> None:
            if must_stop():
                raise _StoppedError
            now = time.perf_counter()
            if now - self._told >= TELL_SECONDS:
                self._told = now
                tell(self.standing())

        progress, error_of = self.progress, self.simulation.error_of
        longest = Goal(seconds=most_seconds)
        end: End = "done"
        try:
            # Points lie at fixed numbers of chunks, not at moments: who repeats the run gets the same ones.
            while not reached(progress, goal, error_of) and not reached(progress, longest, error_of):
                part = Goal(
                    chunks=min(next_mark(progress.chunks), goal.chunks or MOST_ROUNDS),
                    seconds=min(goal.seconds or most_seconds, most_seconds),
                    standard_error=goal.standard_error,
                )
                run_until(progress, self.machine, part, error_of=error_of, seen=seen)
                self._add_point()
            if not reached(progress, goal, error_of):
                end = "out_of_time"
        except _StoppedError:
            self._add_point()
            end = "stopped"
        return end

    def _add_point(self) -> None:
        rounds = self.progress.rounds
        if not self.points or self.points[-1].rounds < rounds:
            results = self.simulation.results(self.progress.counts)
            self.points.append(
                Point(
                    rounds=rounds, wagers={result.name: (result.best_edge, result.standard_error) for result in results}
                )
            )

    def standing(self) -> RunStanding:
        if self.progress.rounds == 0:
            return RunStanding(phase="playing")
        return RunStanding(
            phase="playing",
            data=simulation_data(self.simulation, self.progress, self.machine, self.compile_seconds),
            points=tuple(self.points),
            counts=tuple(int(count) for count in self.progress.counts),
            same_rounds=self.progress.chunks * rounds_of_chunk(self.simulation.spec),
        )


def next_mark(chunks: int) -> int:
    """The next number of chunks at which a point is kept: 1, 2, 3 and so on, then each 15% more than the last."""
    mark = 1
    while mark <= chunks:
        mark = max(mark + 1, int(mark * GROWTH))
    return mark


def _taken_up(run: Run, simulation: PreparedSimulation, before: RunStanding) -> Progress:
    """Where an earlier standing of the same run left off."""
    if before.data is None:
        return Progress(simulation.spec, run.seed)
    is_same_spec = before.data["spec"] == simulation.spec.hash and len(before.counts) == play.COUNT_CELLS
    if not is_same_spec or before.data.get("program") != program_stamp():
        raise CheckpointError("Another version of the program began this run, and played it differently: start again.")
    counts = np.array(before.counts, np.int64)
    return Progress(simulation.spec, run.seed, before.data["chunks"], counts, before.data["seconds"])
