"""The queue of simulations: one is played at a time, in a process of its own; the server only hears how far it is."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Any, TypeVar

import msgspec

from croupier import __version__
from croupier.errors import CroupierError, IllegalActionError, UnknownNameError
from croupier.lab.run_process import DiedError, Ended, RunFailed, RunProcess
from croupier.lab.runs import MOST_SECONDS, Run, RunStanding, check_run
from croupier.simulate.driver import CheckpointError
from croupier.store.simulations import (
    DONE,
    FAILED,
    RUNNING,
    STOPPED,
    WAITING,
    RunBounds,
    SavedProgress,
    SimulationStore,
    StoredRun,
)

HEAR_S = 0.25
SAVE_S = 5.0
LEASE_S = 20.0
"""A server that is gone for so long has lost its run to whoever comes next, be it the same one started again."""
IDLE_S = 2.0
STOP_S = 5.0
SILENT_S = 600.0
"""A process that says nothing for so long will not say anything any more."""
TURNS_REMEMBERED = 1000
MICROS = 1_000_000

log = logging.getLogger("croupier.web")
Kind = TypeVar("Kind", Run, RunStanding)


@dataclass(frozen=True, kw_only=True)
class SeenRun:
    """A run as pages show it: the row, and what this server knows that is newer."""

    row: StoredRun
    run: Run
    standing: RunStanding | None
    place: int
    """In the queue, 1 for the next one; 0 for a run that does not wait."""
    is_elsewhere: bool = False
    """Another server has it, or had it when it was killed: what is known here may be some seconds old."""

    @property
    def is_over(self) -> bool:
        return self.row.state not in (WAITING, RUNNING)

    @property
    def data(self) -> dict[str, Any] | None:
        return self.standing.data if self.standing is not None else None


class Runs:
    """Plays what is asked for. Visitors take turns; of one visitor, in the order in which it was asked for."""

    def __init__(
        self,
        store: SimulationStore,
        *,
        tell: Callable[[str], None],
        now_micros: Callable[[], int],
        bounds: RunBounds | None = None,
    ) -> None:
        self.bounds = bounds or RunBounds()
        self._store = store
        self._tell = tell
        self._now_micros = now_micros
        self._guard = Lock()
        self._wake = Event()
        self._closing = Event()
        self._thread: Thread | None = None
        self._turn: _Turn | None = None
        self._visitors: dict[str, str] = {}
        """Who asked for the runs that are not over, by id, as far as this server knows: others by their owners."""
        self._last_turns: dict[str, int] = {}
        """When visitors had their last turn, in turns."""
        if store.unfinished():
            self._start()

    # What pages ask for.

    def ask(self, id: str, owner: str, run: Run, *, visitor: str = "") -> None:
        """Puts a run into the queue, if it can be played; the same id again does nothing. A visitor may have several
        names, as anybody can be a new player."""
        check_run(run)
        text = msgspec.json.encode(run).decode()
        with self._guard:
            self._require_room(id, visitor or owner)
            self._store.add(id, owner=owner, run=text, at_micros=self._now_micros(), bounds=self.bounds)
            self._visitors[id] = visitor or owner
        self._tell("runs")
        self._start()
        self._wake.set()

    def seen(self, id: str) -> SeenRun:
        row = self._store.simulation(id)
        if row is None:
            raise UnknownNameError("There is no such simulation, or nobody has kept it.", code="unknown_simulation")
        place = 0
        if row.state == WAITING:
            queue = [run.id for run in self.queue() if run.state == WAITING]
            place = queue.index(id) + 1 if id in queue else 1
        turn = self._turn
        if row.state == RUNNING and turn is not None and turn.row.id == id:
            return SeenRun(row=row, run=read_run(row), standing=turn.standing, place=place)
        standing = read_standing(row.standing)
        return SeenRun(row=row, run=read_run(row), standing=standing, place=place, is_elsewhere=row.state == RUNNING)

    def queue(self) -> list[StoredRun]:
        """What is not over, as it will be played: what is played now, then the first run of whoever has waited longest
        for a turn, and so on."""
        rows = self._store.unfinished()
        places: dict[str, tuple[bool, int, int, int]] = {}
        counts: dict[str, int] = {}
        for row in rows:
            visitor = self._visitors.get(row.id, row.owner)
            count = counts[visitor] = counts.get(visitor, -1) + 1
            places[row.id] = row.state != RUNNING, count, self._last_turns.get(visitor, 0), row.asked_micros
        return sorted(rows, key=lambda row: places[row.id])

    def _require_room(self, id: str, visitor: str) -> None:
        unfinished = {row.id for row in self._store.unfinished()}
        self._visitors = {name: who for name, who in self._visitors.items() if name in unfinished}
        others = sum(who == visitor for name, who in self._visitors.items() if name != id)
        if others >= self.bounds.waiting_visitor:
            raise IllegalActionError(
                f"{others} simulations from your address are still running: wait for one to finish, or stop it.",
                code="queue_full",
            )

    def finished(self, *, kept: bool) -> list[StoredRun]:
        return self._store.finished(kept=kept, limit=self.bounds.kept if kept else self.bounds.recent)

    def stop(self, id: str) -> None:
        """A run that waits leaves the queue; one that is played ends after its step, with what it has."""
        self._store.ask_to_stop(id, at_micros=self._now_micros(), note="Stopped before its turn came.")
        turn = self._turn
        if turn is not None and turn.row.id == id:
            turn.stop_asked.set()
        self._say(id)

    def keep(self, id: str, owner: str, name: str) -> None:
        self._store.keep(id, owner=owner, name=name, bounds=self.bounds)
        self._say(id)

    def remove(self, id: str) -> None:
        self._store.remove(id)
        self._tell("runs")

    def close(self) -> None:
        """What is played goes back into the queue with what it has, and is taken up by the next server."""
        self._closing.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
        self._store.close()

    # The thread that watches the run.

    def _start(self) -> None:
        with self._guard:
            if self._thread is None and not self._closing.is_set():
                self._thread = Thread(target=self._serve, name="simulations", daemon=True)
                self._thread.start()

    def _serve(self) -> None:
        while not self._closing.is_set():
            self._wake.clear()
            try:
                queue = self.queue()
                if self._play_next(queue):
                    continue
                patience = IDLE_S if queue else None  # another server may lose its lease
            except (CroupierError, OSError) as error:  # the database is away, or no process can be started
                log.warning("The queue of simulations could not go on: %s", error)
                patience = IDLE_S
            self._wake.wait(patience)

    def _play_next(self, queue: list[StoredRun]) -> bool:
        """Plays the first run that nobody plays; False if there is none, or another server is at one."""
        now = _real_micros()
        if not queue or any(run.state == RUNNING and run.lease_micros >= now for run in queue):
            return False
        first = queue[0]
        if not self._store.claim(first.id, now_micros=now, lease_micros=_lease()):
            return False
        self._count_turn(first)
        row = self._store.simulation(first.id)
        assert row is not None
        try:
            turn = _Turn(row, self._store, self._now_micros)
        except CheckpointError as error:
            self._store.finish(row.id, _unchanged(row), state=FAILED, note=str(error))
            return True
        self._turn = turn
        self._say(row.id)
        try:
            while not turn.is_over:
                if turn.listen(is_closing=self._closing.is_set()):
                    self._tell(f"run:{row.id}")
        finally:
            turn.process.kill()
            self._turn = None
            self._say(row.id)
        return True

    def _count_turn(self, row: StoredRun) -> None:
        last = max(self._last_turns.values(), default=0)
        turns = self._last_turns | {self._visitors.get(row.id, row.owner): last + 1}
        self._last_turns = dict(sorted(turns.items(), key=lambda turn: turn[1])[-TURNS_REMEMBERED:])

    def _say(self, id: str) -> None:
        self._tell(f"run:{id}")
        self._tell("runs")


class _Turn:
    """The run that is played now."""

    def __init__(self, row: StoredRun, store: SimulationStore, now_micros: Callable[[], int]) -> None:
        self.row = row
        self.standing = read_standing(row.standing)
        self.process = RunProcess(read_run(row), earlier=self.standing)
        self.is_over = False
        self.stop_asked = Event()
        if row.stop_asked:
            self.stop_asked.set()
        self._is_playing = False
        self._store = store
        self._now_micros = now_micros
        self._saved_at = self._heard_at = time.monotonic()
        self._stop_by: float | None = None

    def listen(self, *, is_closing: bool) -> bool:
        """Hears once; returns whether there is something new to show."""
        try:
            said = self.process.hear(HEAR_S)
        except DiedError:
            self._finish(FAILED, "The process that played it was ended from outside.")
            return True
        if isinstance(said, RunFailed):
            self._finish(FAILED, said.message)
        elif isinstance(said, Ended):
            self.standing = said.standing
            self._end(said, is_closing=is_closing)
        elif said is not None:
            self._heard_at = time.monotonic()
            self._is_playing = said.phase == "playing"
            self.standing = said
        if not self.is_over:
            self._look_after(is_closing=is_closing)
        return said is not None

    def _end(self, ended: Ended, *, is_closing: bool) -> None:
        if ended.end == "done":
            self._finish(DONE, "")
        elif ended.end == "out_of_time":
            self._finish(STOPPED, f"It had played for {MOST_SECONDS:g} seconds, the longest that a page plays.")
        elif is_closing and not self.stop_asked.is_set():
            self._give_back()
        else:
            self._finish(STOPPED, "")

    def _look_after(self, *, is_closing: bool) -> None:
        now = time.monotonic()
        if (is_closing or self.stop_asked.is_set()) and self._stop_by is None:
            self._stop_by = now + (STOP_S if self._is_playing else 0.0)  # no use to wait for a compiler
            self.process.ask_to_stop()
        if self._stop_by is not None and now >= self._stop_by:
            if self.stop_asked.is_set():
                self._finish(STOPPED, "")
            else:
                self._give_back()
        elif now - self._heard_at > SILENT_S:
            self._finish(FAILED, f"The process that played it said nothing for {SILENT_S:g} seconds.")
        elif now - self._saved_at > SAVE_S:
            self._saved_at = now
            if self._store.save(self.row.id, self._saved(), lease_micros=_lease()):
                self.stop_asked.set()

    def _finish(self, state: str, note: str) -> None:
        self.is_over = True
        self._store.finish(self.row.id, self._saved(), state=state, note=note)

    def _give_back(self) -> None:
        self.is_over = True
        self._store.give_back(self.row.id, self._saved())

    def _saved(self) -> SavedProgress:
        standing = self.standing
        has_played = standing is not None and standing.data is not None
        return SavedProgress(
            rounds=standing.rounds if standing is not None else 0,
            summary=msgspec.json.encode(summary_of(standing)).decode() if has_played else "",
            standing=msgspec.json.encode(standing).decode() if has_played else "",
            program=__version__,
            changed_micros=self._now_micros(),
        )


def _unchanged(row: StoredRun) -> SavedProgress:
    return SavedProgress(**{name: getattr(row, name) for name in SavedProgress.__dataclass_fields__})


def read_run(row: StoredRun) -> Run:
    return _read(row.run, Run)


def read_standing(text: str) -> RunStanding | None:
    return _read(text, RunStanding) if text else None


def _read(text: str, kind: type[Kind]) -> Kind:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError:
        raise CheckpointError("This simulation was stored by another version of the program: start it again.") from None


def summary_of(standing: RunStanding | None) -> dict[str, Any]:
    """What a list shows of a run: its first wager."""
    assert standing is not None and standing.data is not None
    name, wager = next(iter(standing.data["wagers"].items()))
    best = wager["reduced"] or wager
    figures = {"edge": best["edge"], "standard_error": best["standard_error"]}
    return {"wager": name, **figures, "exact": wager["exact"], "z": wager["z"]}


def _real_micros() -> int:
    """Leases go by the machine's clock, whatever clock the house has."""
    return int(time.time() * MICROS)


def _lease() -> int:
    return _real_micros() + int(LEASE_S * MICROS)
