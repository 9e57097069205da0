"""A whole floor in one process, with faults drawn from a seed: `python -m tests.ledger_simulator SEEDS [FIRST]`.

Tables send requests over a network that loses, repeats, delays and reorders them, to a server whose clock jumps and
that dies at any statement, before a commit or after it, with or without the power, which may tear what was not synced,
or runs out of disk. Tables ask again until they have an answer. The code under test is the real one; only chance is
ours, so a seed that fails fails again.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import Engine, event, text

from croupier.errors import CroupierError
from croupier.jackpot import (
    AdjustMeter,
    AnyCommand,
    BackOutAward,
    JackpotHit,
    PayAward,
    RejectAward,
    Request,
    RoundVoided,
    Sealed,
    WagersLocked,
)
from croupier.jackpot.chain import digest
from croupier.jackpot.events import AwardBackedOut, AwardRejected, MeterAdjusted
from croupier.store import open_store, verify
from croupier.store.book import Book, _Job
from croupier.store.engine import make_engine
from tests.ledger import NOON, community, fixed, locked, opened, usd, voided

STEPS = 120
TABLES = 4


class KilledError(BaseException):
    """The process is gone: nothing in it may catch this and go on."""


def mortal_engine(path: str, maybe_die: Callable[[], None]) -> Engine:
    """An engine of SQLite whose process may die at any statement, and before or after any commit."""

    class Mortal(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            maybe_die()
            return super().execute(*arguments)

        def executemany(self, *arguments: Any) -> sqlite3.Cursor:
            maybe_die()
            return super().executemany(*arguments)

        def commit(self) -> None:
            maybe_die()
            super().commit()
            maybe_die()

    engine = make_engine(path)

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Any, record: Any, arguments: Any, options: dict[str, Any]) -> None:
        options["factory"] = Mortal

    @event.listens_for(engine, "before_cursor_execute")
    def execute(*_: Any) -> None:
        maybe_die()

    return engine


@contextmanager
def full_disk(book: Book) -> Iterator[None]:
    """SQLite gets no page more than it has, on whichever connection."""
    with book._engine.connect() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()

    def limit(driver: sqlite3.Connection, *_: Any) -> None:
        sqlite3.Connection.execute(driver, f"PRAGMA max_page_count = {pages}")

    book._line.close()
    event.listen(book._engine, "checkout", limit)
    yield
    event.remove(book._engine, "checkout", limit)
    book._line.close()
    book._engine.dispose()


@dataclass
class Table:
    """A terminal: does one thing after another, and asks again until it is answered."""

    name: str
    chance: Random
    round: int = 0
    seats: tuple[int, ...] = ()
    award: str = ""
    paid: str = ""
    """An award that may be backed out."""
    asked: int = 0
    request: Request | None = None

    def next_command(self) -> AnyCommand:
        if self.award:
            award, self.award = self.award, ""
            choice = self.chance.random()
            if choice < 0.5:
                return PayAward(award=award, approved_by=("executive",))
            if choice < 0.8:
                return RejectAward(award=award, note="void")
            return BackOutAward(award=award, note="was never paid, so this is refused", second="executive")
        if self.paid and self.chance.random() < 0.3:
            award, self.paid = self.paid, ""
            return BackOutAward(award=award, note="to the wrong seat", second="executive")
        if self.chance.random() < 0.05:
            micros = self.chance.choice([-10_000, 1, 10_000])
            return AdjustMeter(
                jackpot="push", reason="correct_display", micros=micros, note="shown wrong", second="executive"
            )
        if self.seats and self.chance.random() < 0.4:
            self.award = f"{self.name}-{self.asked + 1}"
            if self.chance.random() < 0.5:
                return community(self.round, self.chance.choice([1_000_000, 100_000]), table=self.name)
            return fixed(self.round, "50", self.chance.choice([*self.seats, 9]), table=self.name)
        if self.seats and self.chance.random() < 0.15:
            return voided(self.round, table=self.name)
        self.round += 1
        self.seats = tuple(sorted(self.chance.sample(range(1, 8), self.chance.randint(0, 7))))
        return locked(self.round, *self.seats, table=self.name, wager=self.chance.choice(["1", "5", "0.37"]))

    def answered(self, answer: Sealed | CroupierError) -> None:
        asked, self.request = self.request, None
        if asked is not None and isinstance(asked.command, PayAward) and isinstance(answer, Sealed):
            self.paid = asked.command.award
        if isinstance(answer, CroupierError) and self.award:
            self.award = ""  # the hit was refused: there is nothing to pay


@dataclass
class Count:
    """What happened in a run."""

    posts: int = 0
    kills: int = 0
    power_cuts: int = 0
    full_disks: int = 0
    """Batches that were not written for want of room."""
    backed_out: int = 0
    adjusted: int = 0
    lost: int = 0
    repeated: int = 0


@dataclass
class World:
    """The floor, the network, the server and its disk."""

    seed: int
    folder: Path
    count: Count = field(default_factory=Count)
    acknowledged: dict[str, str] = field(default_factory=dict)
    wire: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.deadly = False
        self.clock = NOON
        self.disks = 0
        self.path = self.folder / "disk-0.db"
        open_store(str(self.path)).close()
        self.book = self.power_on()
        start = Request(id="open", actor="manager", at=NOON, command=opened(seed="1000", reserve_ppm=12_345))
        self.acknowledged["open"] = self.book.post(start).hash
        self.tables = [Table(f"table-{number}", Random(self.chance.random())) for number in range(TABLES)]

    def power_on(self) -> Book:
        def maybe_die() -> None:
            if self.deadly and self.chance.random() < 0.02:
                raise KilledError

        return Book(mortal_engine(str(self.path), maybe_die))

    def step(self) -> None:
        table = self.chance.choice(self.tables)
        if table.request is None:
            command = table.next_command()
            table.asked += 1
            self.clock += timedelta(seconds=self.chance.choice([1, 30, -3600, 86_400]))
            actor = "manager" if isinstance(command, BackOutAward | AdjustMeter) else "dealer"
            table.request = Request(id=f"{table.name}-{table.asked}", actor=actor, at=self.clock, command=command)
        self.wire.append(table.request)  # the first time, or again because no answer came
        if self.chance.random() < 0.5:
            return  # delayed
        self.chance.shuffle(self.wire)
        delivered = [self.wire.pop() for _ in range(self.chance.randint(1, len(self.wire)))]
        if self.chance.random() < 0.1:
            self.count.lost += 1
            delivered.pop()
        if delivered and self.chance.random() < 0.2:
            self.count.repeated += 1
            self.wire.append(delivered[0])
        if delivered:
            self.serve(delivered)

    def serve(self, requests: list[Request]) -> None:
        jobs = [_Job((request,), (digest(request),)) for request in requests]
        self.count.posts += len(jobs)
        synced = self.log_size()
        full = self.chance.random() < 0.03
        self.deadly = True
        try:
            with full_disk(self.book) if full else nullcontext():
                self.book._book(jobs)
        except KilledError:
            self.deadly = False
            self.count.kills += 1
            self.restart(None)
            return
        finally:
            self.deadly = False
        self.count.full_disks += any(getattr(job.error, "code", "") == "storage_failed" for job in jobs)
        if self.chance.random() < 0.05:  # it was committed, or not, and nobody is told
            self.restart(synced)
            return
        for request, job in zip(requests, jobs, strict=True):
            answer = job.error or (job.answers or ())[0]
            if isinstance(answer, CroupierError) and answer.code == "storage_failed":
                continue  # not known: the table asks again
            self.reply(request, answer)  # type: ignore[arg-type]

    def reply(self, request: Request, answer: Sealed | CroupierError) -> None:
        if isinstance(answer, Sealed):
            before = self.acknowledged.setdefault(request.id, answer.hash)
            assert before == answer.hash, f"{request.id} was answered in two ways"
        if self.chance.random() < 0.1:
            self.count.lost += 1
            return
        for table in self.tables:
            if table.request is not None and table.request.id == request.id:
                table.answered(answer)

    def log_size(self) -> int:
        log = self.path.with_name(self.path.name + "-wal")
        return log.stat().st_size if log.exists() else 0

    def restart(self, synced: int | None) -> None:
        """The process is gone. With `synced`, the power too: the log may be torn anywhere after that many bytes."""
        old = self.path
        self.disks += 1
        self.path = self.folder / f"disk-{self.disks}.db"
        shutil.copy(old, self.path)  # what a new process finds; its shared memory does not outlive a machine
        log = old.with_name(old.name + "-wal")
        if log.exists():
            content = log.read_bytes()
            if synced is not None and synced <= len(content):
                self.count.power_cuts += 1
                kept = self.chance.randint(synced, len(content))
                garbage = self.chance.randbytes(self.chance.choice([0, 0, 100]))
                content = content[:kept] + garbage
            self.path.with_name(self.path.name + "-wal").write_bytes(content)
        self.book.close()
        for name in (old, log, old.with_name(old.name + "-shm")):
            name.unlink(missing_ok=True)
        self.book = self.power_on()
        self.check()

    def check(self) -> None:
        """Nothing acknowledged is lost or changed, nothing is there twice, and the money adds up."""
        found = verify(self.book)
        assert found.is_good, found.problem
        log = self.book.entries(limit=100_000)
        by_id = {sealed.entry.id: sealed for sealed in log}
        assert len(by_id) == len(log), "an id is in the log twice"
        for id, hash in self.acknowledged.items():
            assert id in by_id, f"{id} was acknowledged and is gone"
            assert by_id[id].hash == hash, f"{id} was acknowledged with another content"
        balances = self.book.balances()
        assert balances.get(("push", "main", "meter"), 0) == meter_by_hand(log)
        assert balances.get(("push", "", "wagers"), 0) == -wagered_by_hand(log)

    def finish(self) -> None:
        """Everybody gets an answer in the end."""
        for _ in range(50):
            waiting = [table for table in self.tables if table.request is not None]
            if not waiting:
                break
            for table in waiting:
                assert table.request is not None
                try:
                    answer: Sealed | CroupierError = self.book.post(table.request)
                except CroupierError as error:
                    answer = error
                self.reply(table.request, answer)
        self.check()
        events = [sealed.entry.event for sealed in self.book.entries(limit=100_000)]
        self.count.backed_out = sum(isinstance(one, AwardBackedOut) for one in events)
        self.count.adjusted = sum(isinstance(one, MeterAdjusted) for one in events)
        self.book.close()


def meter_by_hand(log: tuple[Sealed, ...]) -> int:
    """Seed + contributions - awards + what came back +- adjustments, from what events say and not from postings."""
    exact = usd("1000") * 1_000_000
    hits: dict[str, JackpotHit] = {}
    for sealed in log:
        happened = sealed.entry.event
        if isinstance(happened, WagersLocked):
            exact += sum(bet.amount_micros for bet in happened.bets) * 200_000
        elif isinstance(happened, JackpotHit):
            hits[happened.award] = happened
            if happened.funding == "meter":
                exact += (happened.seed_micros + happened.reserve_micros - happened.amount_micros) * 1_000_000
        elif isinstance(happened, AwardRejected | AwardBackedOut) and hits[happened.award].funding == "meter":
            exact += (happened.amount_micros - happened.seed_micros - happened.reserve_micros) * 1_000_000
        elif isinstance(happened, MeterAdjusted):
            exact += happened.micros * 1_000_000
    return exact // 1_000_000


def wagered_by_hand(log: tuple[Sealed, ...]) -> int:
    """What players staked and did not get back from a void round."""
    bets: dict[tuple[str, int], int] = {}
    for sealed in log:
        happened = sealed.entry.event
        if isinstance(happened, WagersLocked):
            bets[happened.table, happened.round] = sum(bet.amount_micros for bet in happened.bets)
        elif isinstance(happened, RoundVoided):
            assert bets.pop((happened.table, happened.round)), "a round is void once"
    return sum(bets.values())


def simulate(seed: int, folder: Path) -> Count:
    """One floor's evening. Raises with the seed in the message when anything is wrong."""
    world = World(seed, folder)
    try:
        for _ in range(STEPS):
            world.step()
        world.finish()
    except AssertionError as error:
        raise AssertionError(f"seed {seed}: {error}") from error
    return world.count


def simulate_many(seeds: range) -> Count:
    """One evening for each seed, and the sum of what happened."""
    total = Count()
    # Nothing here tests the disk itself: memory will do where the system offers it as a folder.
    memory = Path("/dev/shm")
    for seed in seeds:
        with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
            count = simulate(seed, Path(folder))
        for name in vars(total):
            setattr(total, name, getattr(total, name) + getattr(count, name))
    return total


if __name__ == "__main__":
    many, first = (int(argument) for argument in [*sys.argv[1:], "0"][:2])
    sys.stdout.write(f"{many} seeds from {first}: {simulate_many(range(first, first + many))}\n")
