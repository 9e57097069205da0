"""Simulations as pages run them: the command line's counts, stopped and taken up, in a process, in a queue."""

from __future__ import annotations

import json
import os
import shlex
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.errors import CroupierError
from croupier.lab.run_figures import SHOWN_SHARE, convergence_of
from croupier.lab.run_process import NICENESS, DiedError, Ended, RunProcess
from croupier.lab.runs import MOST_ROUNDS, Run, RunStanding, check_run, next_mark, play_run
from croupier.reports.simulation.length import Target
from croupier.simulate.driver import CheckpointError
from croupier.store import Book, open_store
from croupier.store.engine import make_engine
from croupier.store.simulations import RUNNING, RunBounds, SimulationStore, StoredRun, simulations
from croupier.web.runs import Runs
from tests.conftest import Croupier

pytestmark = pytest.mark.slow

BACCARAT = Run(game="mini_baccarat", decks=8, seed=11, target=Target(rounds=100_000))
TIE = replace(BACCARAT, wagers=("tie",))
"""One quick wager."""
DRAGON = "dragon_bonus_player"
FOR_EVER = Target(seconds=500.0)
PATIENCE_S = 120.0
MOST_NICE = 19
"""More the system does not give, as where the tests themselves give way to others."""
TIMES = ("seconds", "rounds_per_second", "compile_seconds")


def played(run: Run, *, stop_after: int | None = None, earlier: RunStanding | None = None) -> Any:
    """The end and the last standing, in this process; stopped after so many steps."""
    steps = iter(range(10**9))
    return play_run(
        run, lambda standing: None, lambda: stop_after is not None and next(steps) >= stop_after, earlier=earlier
    )


def untimed(data: dict[str, Any] | None) -> dict[str, Any]:
    assert data is not None
    return {name: value for name, value in data.items() if name not in (*TIMES, "interrupted")}


@pytest.mark.parametrize(
    "run",
    [
        BACCARAT,
        replace(TIE, wagers=(DRAGON,), pay_tables={DRAGON: "2"}, decks=6, shuffle="cut-card", cut=200, seed=3),
        replace(TIE, shuffle="continuous", seats=2, seed=2**63 - 1),
    ],
    ids=["fresh", "pay table behind a cut card", "continuous"],
)
def test_a_page_and_the_command_line_find_the_same(run: Run, croupier: Croupier) -> None:
    check_run(run)
    end, standing = played(run)
    assert end == "done" and standing.rounds >= 90_000
    for command in (run.command(), run.command(standing.same_rounds)):
        said = croupier(*shlex.split(command)[1:], "--json")
        assert said.status == 0, said.err
        assert untimed(json.loads(said.out)) == json.loads(json.dumps(untimed(standing.data)))


def test_a_band_that_has_not_seen_the_jackpot_says_so() -> None:
    _, standing = played(BACCARAT)
    plot = convergence_of(BACCARAT, standing, "dragon_bonus_progressive", "Progressive")
    assert plot is not None and "narrower than it should be" in plot.note


def test_what_is_stopped_is_whole_and_can_be_repeated(croupier: Croupier) -> None:
    end, standing = played(replace(TIE, target=FOR_EVER), stop_after=3)
    assert end == "stopped" and 0 < standing.rounds < 10**8
    said = croupier(*shlex.split(TIE.command(standing.same_rounds))[1:], "--json")
    assert untimed(json.loads(said.out)) == json.loads(json.dumps(untimed(standing.data)))
    assert standing.points[-1].rounds == standing.rounds


def test_a_run_taken_up_comes_to_the_same_counts_and_points() -> None:
    _, half = played(TIE, stop_after=4)
    assert 0 < half.rounds < 100_000
    stored = msgspec.json.decode(msgspec.json.encode(half), type=RunStanding)
    assert stored == half
    _, whole = played(TIE)
    _, taken_up = played(TIE, earlier=stored)
    assert taken_up.counts == whole.counts
    assert untimed(taken_up.data) == untimed(whole.data)
    assert {point.rounds for point in whole.points} <= {point.rounds for point in taken_up.points}
    assert [point.rounds for point in whole.points] == sorted({point.rounds for point in whole.points})


def test_points_lie_at_fixed_numbers_of_chunks() -> None:
    assert played(TIE)[1].points == played(TIE)[1].points
    marks = [0]
    while marks[-1] < 10**7:
        marks.append(next_mark(marks[-1]))
    assert marks[:5] == [0, 1, 2, 3, 4] and len(marks) < 150
    assert next_mark(marks[-1] - 1) == marks[-1]


def test_another_programs_checkpoint_is_not_taken_up() -> None:
    _, half = played(TIE, stop_after=1)
    with pytest.raises(CheckpointError):
        played(replace(TIE, decks=6), earlier=half)


def test_the_longest_time_ends_a_run_that_has_not_reached_its_target() -> None:
    end, standing = play_run(
        replace(TIE, target=Target(rounds=10**10)), lambda standing: None, lambda: False, most_seconds=0.01
    )
    assert end == "out_of_time" and standing.rounds > 0


def test_the_plot_has_the_end_of_the_run_and_the_exact_line() -> None:
    _, standing = played(TIE)
    plot = convergence_of(TIE, standing, "tie", "Tie")
    assert plot is not None and standing.data is not None
    estimate, exact = plot.lines
    assert estimate.x[-1] == standing.rounds and estimate.x[0] >= SHOWN_SHARE * standing.rounds
    assert estimate.low[-1] < estimate.y[-1] == standing.data["wagers"]["tie"]["edge"] < estimate.high[-1]
    assert set(exact.y) == {standing.data["wagers"]["tie"]["exact"]}
    assert "not simulated" in plot.note and "hardly come" not in plot.note
    behind_a_cut = convergence_of(replace(TIE, shuffle="cut-card"), standing, "tie", "Tie")
    assert behind_a_cut is not None and "fresh shoe" in behind_a_cut.note
    assert convergence_of(TIE, RunStanding(phase="compiling"), "tie", "Tie") is None


@pytest.mark.parametrize(
    ("run", "code"),
    [
        (replace(BACCARAT, game="mini_bacarat"), "unknown_game"),
        (replace(BACCARAT, wagers=("tye",)), "unknown_wager"),
        (replace(BACCARAT, pay_tables={"dragon_bonus_player": "9"}), "unknown_pay_table"),
        (replace(BACCARAT, settings={"soft17": "hit"}), "unknown_switch"),
        (replace(BACCARAT, decks=9), "bad_decks"),
        (replace(BACCARAT, seats=0), "bad_seats"),
        (replace(BACCARAT, shuffle="riffle"), "unknown_shuffle"),
        (replace(BACCARAT, cut=100), "bad_cut"),
        (replace(BACCARAT, shuffle="cut-card", cut=5000), "bad_cut"),
        (replace(BACCARAT, seed=-1), "bad_seed"),
        (replace(BACCARAT, seed=2**63), "bad_seed"),
        (replace(BACCARAT, target=Target(rounds=MOST_ROUNDS + 1)), "bad_rounds"),
        (replace(BACCARAT, target=Target(seconds=601.0)), "bad_goal"),
        (replace(BACCARAT, strategy="/etc/passwd"), "unknown_strategy"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_computed(run: Run, code: str) -> None:
    with pytest.raises(CroupierError) as refused:
        check_run(run)
    assert refused.value.code == code


# In a process of its own.


def heard(process: RunProcess, wanted: Callable[[Any], bool]) -> Any:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        said = process.hear(1.0)
        if said is not None and wanted(said):
            return said
    raise AssertionError("the process did not say it")


def test_a_process_gives_way_to_others_and_stops_when_asked_or_killed() -> None:
    process = RunProcess(replace(TIE, target=FOR_EVER))
    heard(process, lambda said: isinstance(said, RunStanding) and said.rounds > 0)
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(MOST_NICE, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
    process.ask_to_stop()
    ended = heard(process, lambda said: isinstance(said, Ended))
    assert ended.end == "stopped" and ended.standing.rounds > 0
    with pytest.raises(DiedError):
        process.hear(PATIENCE_S)
    process.close()


# In a queue.


@contextmanager
def queue_on(store_url: str, bounds: RunBounds | None = None) -> Iterator[tuple[Runs, list[str]]]:
    told: list[str] = []
    runs = Runs(SimulationStore(store_url), tell=told.append, now_micros=lambda: int(time.time() * 1e6), bounds=bounds)
    try:
        yield runs, told
    finally:
        runs.close()


def when(runs: Runs, id: str, wanted: Callable[[Any], bool]) -> Any:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        seen = runs.seen(id)
        if wanted(seen):
            return seen
        time.sleep(0.02)
    raise AssertionError(f"{id} stands at {runs.seen(id).row.state}")


def rows(store_url: str, **values: Any) -> None:
    """Edits every row, as another server would."""
    engine = make_engine(store_url)
    with engine.begin() as connection:
        connection.execute(simulations.update().values(**values))
    engine.dispose()


@pytest.fixture
def one_store(tmp_path: Path) -> Iterator[str]:
    """Where the kind of database makes no difference."""
    url = str(tmp_path / "floor.db")
    open_store(url).close()
    yield url


def test_a_killed_process_is_told_and_the_queue_goes_on(one_store: str) -> None:
    with queue_on(one_store) as (runs, told):
        runs.ask("first", "somebody", replace(TIE, target=FOR_EVER))
        runs.ask("second", "somebody", TIE)
        when(runs, "first", lambda seen: seen.row.state == RUNNING and seen.standing and seen.standing.rounds > 0)
        assert runs.seen("second").place == 1
        turn = runs._turn
        assert turn is not None
        os.kill(turn.process.pid, signal.SIGKILL)
        first = when(runs, "first", lambda seen: seen.is_over)
        assert first.row.state == "failed" and "ended from outside" in first.row.note
        assert first.data is not None and first.row.rounds == first.data["rounds"] > 0
        second = when(runs, "second", lambda seen: seen.is_over)
        assert second.row.state == "done" and second.row.rounds >= 100_000
        assert {"run:first", "run:second", "runs"} <= set(told)


def test_a_server_that_stops_leaves_its_run_to_the_next_one(book: Book, store_url: str) -> None:
    whole = replace(TIE, target=Target(rounds=80_000_000))
    with queue_on(store_url) as (runs, _):
        runs.ask("long", "somebody", whole)
        when(runs, "long", lambda seen: seen.standing and seen.standing.rounds > 0)
    store = SimulationStore(store_url)
    left = store.simulation("long")
    store.close()
    assert left is not None and left.state == "waiting" and 0 < left.rounds < 80_000_000
    with queue_on(store_url) as (runs, _):
        done = when(runs, "long", lambda seen: seen.is_over)
    assert done.row.state == "done"
    assert done.standing.counts == played(whole)[1].counts
    assert book.head()[0] == 0  # the ledger is not touched


def test_a_server_that_was_killed_loses_its_lease(one_store: str) -> None:
    with queue_on(one_store) as (runs, _):
        held(one_store)
        runs.ask("next", "somebody", TIE)
        store = SimulationStore(one_store)
        assert not store.claim("elsewhere", now_micros=2**61, lease_micros=2**62)
        store.close()
        assert runs.seen("elsewhere").is_elsewhere and runs.seen("next").row.state == "waiting"
        rows(one_store, lease_micros=0)
        when(runs, "elsewhere", lambda seen: seen.row.state == "done")


def held(store_url: str) -> None:
    """A run of another server, which has its lease for ever: nothing is played here."""
    store = SimulationStore(store_url)
    store.add("elsewhere", owner="nobody", run=msgspec.json.encode(TIE).decode(), at_micros=0, bounds=RunBounds())
    store.close()
    rows(store_url, state=RUNNING, lease_micros=2**62)


def ids(found: list[StoredRun]) -> list[str]:
    return [one.id for one in found]


def test_queue_and_shelf_have_bounds(book: Book, store_url: str) -> None:
    held(store_url)
    bounds = RunBounds(waiting_each=2, waiting=4, recent=2, kept_each=1, kept=10)
    with queue_on(store_url, bounds) as (runs, _):
        for number in (1, 2, 2):  # the same id again does nothing
            runs.ask(f"mine-{number}", "me", TIE)
        refuse(lambda: runs.ask("mine-3", "me", TIE), "queue_full")
        runs.ask("yours", "you", TIE)
        refuse(lambda: runs.ask("theirs", "them", TIE), "queue_full")
        refuse(lambda: runs.ask("bad", "him", replace(TIE, seats=99)), "bad_seats")
        assert ids(runs.queue()) == ["elsewhere", "mine-1", "yours", "mine-2"]
        assert [runs.seen(id).place for id in ("mine-1", "yours", "mine-2")] == [1, 2, 3]
        for id in ("mine-1", "mine-2", "yours"):
            runs.stop(id)
            assert runs.seen(id).row.state == "stopped" and "before its turn" in runs.seen(id).row.note
        runs.keep("mine-1", "me", "A name")
        refuse(lambda: runs.keep("mine-2", "me", "Another"), "shelf_full")
        runs.keep("mine-1", "me", "Another name")
        for number in (4, 5):
            runs.ask(f"mine-{number}", "me", TIE)
            runs.stop(f"mine-{number}")
        runs.ask("last", "me", TIE)  # makes room: only the latest without a name stay
        assert ids(runs.finished(kept=False)) == ["mine-5", "mine-4"]
        assert [(one.id, one.name) for one in runs.finished(kept=True)] == [("mine-1", "Another name")]
        runs.remove("last")  # it is not over
        runs.remove("mine-4")
        assert ids(runs.finished(kept=False)) == ["mine-5"] and ids(runs.queue()) == ["elsewhere", "last"]
        refuse(lambda: runs.seen("mine-4"), "unknown_simulation")


def test_visitors_take_turns_however_many_names_and_runs_they_have(one_store: str) -> None:
    held(one_store)
    with queue_on(one_store) as (runs, _):
        for number in range(5):  # a new player each time, from one address
            runs.ask(f"crowd-{number}", f"player:{number}", TIE, visitor="address:1")
        runs.ask("one-1", "player:x", TIE, visitor="address:2")
        runs.ask("one-2", "player:x", TIE, visitor="address:2")
        waiting = ["crowd-0", "one-1", "crowd-1", "one-2", "crowd-2", "crowd-3", "crowd-4"]
        assert ids(runs.queue()) == ["elsewhere", *waiting]
        rows(one_store, lease_micros=0)
        when(runs, "crowd-4", lambda seen: seen.is_over)
        assert ids(runs.finished(kept=False)[::-1]) == ["elsewhere", *waiting]


def test_a_visitor_with_many_names_has_a_bound(one_store: str) -> None:
    held(one_store)
    bounds = RunBounds(waiting_visitor=2)
    with queue_on(one_store, bounds) as (runs, _):
        for number in (1, 2, 2):
            runs.ask(f"mine-{number}", f"player:{number}", TIE, visitor="address:1")
        refuse(lambda: runs.ask("mine-3", "player:3", TIE, visitor="address:1"), "queue_full")
        runs.ask("yours", "player:4", TIE, visitor="address:2")
        runs.stop("mine-1")
        runs.ask("mine-3", "player:3", TIE, visitor="address:1")


def test_a_run_of_another_version_is_told_and_not_played(one_store: str) -> None:
    held(one_store)
    with queue_on(one_store) as (runs, _):
        runs.ask("old", "me", TIE)
        rows(one_store, run='{"game": 7}', lease_micros=0)
        until = time.monotonic() + PATIENCE_S
        while runs.queue() and time.monotonic() < until:
            time.sleep(0.02)
        assert {(one.state, "another version" in one.note) for one in runs.finished(kept=False)} == {("failed", True)}


def refuse(action: Callable[[], Any], code: str) -> None:
    with pytest.raises(CroupierError) as refused:
        action()
    assert refused.value.code == code
