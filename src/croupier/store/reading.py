"""Looking things up: always what is committed, never waiting for a writer."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from croupier.errors import LedgerError, UnknownNameError
from croupier.house_time import CLOCKS_AGREE
from croupier.jackpot import Award, Jackpot, RecordedFact, Sealed, TableRound, WagersLocked
from croupier.jackpot.accounts import Key
from croupier.jackpot.chain import unseal
from croupier.jackpot.state import Status, no_such_jackpot
from croupier.store import rows, schema

PAGE = 1000
POLL_SECONDS = 0.05
LONGEST_CAUSE = 200


@dataclass(frozen=True)
class SetBack:
    """An entry whose clock is behind that of the entry before it."""

    entry: int
    at: datetime
    before: datetime
    """What the clock said one entry earlier."""

    @property
    def seconds(self) -> int:
        return int((self.before - self.at).total_seconds())


class Reader:
    """The reading half of a book."""

    def __init__(self, engine: Engine) -> None:
        self._reading = engine

    def head(self) -> tuple[int, str]:
        """Number and hash of the last entry; 0 and zeros before the first."""
        records = self._all(select(schema.head))
        return rows.end_of(records[0] if records else None)

    def entry(self, id: str) -> Sealed | None:
        """The entry that was made under an id."""
        records = self._all(select(schema.entries).where(schema.entries.c.id == id))
        return _sealed(records[0]) if records else None

    def entries(self, *, after: int = 0, limit: int = PAGE) -> tuple[Sealed, ...]:
        """Entries in their order, those after a number."""
        table = schema.entries
        return tuple(
            map(_sealed, self._all(select(table).where(table.c.seq > after).order_by(table.c.seq).limit(limit)))
        )

    def entries_between(
        self,
        start: datetime | None,
        end: datetime | None,
        *,
        kinds: Collection[str] = (),
        after: int = 0,
    ) -> Iterator[Sealed]:
        """Entries from `start` on and before `end`, by their own clocks, in the order of the log; of all time for None.

        `kinds` are names of events, all of them for none. Read as they are asked for, so a year needs little memory.
        """
        table = schema.entries
        query = select(table).where(table.c.seq > after, *_between(start, end)).order_by(table.c.seq)
        if kinds:
            query = query.where(table.c.kind.in_(sorted(kinds)))
        with self._connected() as connection:
            records = connection.execute(query, execution_options={"yield_per": PAGE})
            yield from map(_sealed, records)

    def entries_numbered(self, numbers: Sequence[int]) -> Iterator[Sealed]:
        """The entries of these numbers, which are in order."""
        table = schema.entries
        for first in range(0, len(numbers), PAGE):
            query = select(table).where(table.c.seq.in_(numbers[first : first + PAGE])).order_by(table.c.seq)
            yield from map(_sealed, self._all(query))

    def latest_lock(self, void: Sealed) -> Sealed | None:
        """The entry that locked the wagers of a round that was declared void: the table's latest before it."""
        table, entry = schema.entries, void.entry
        query = (
            select(table)
            .where(table.c.seq < entry.seq, table.c.table_id == entry.table, table.c.round == entry.round)
            .where(table.c.kind == WagersLocked.__name__)
            .order_by(table.c.seq.desc())
            .limit(1)
        )
        records = self._all(query)
        return _sealed(records[0]) if records else None

    def set_back(
        self, start: datetime | None = None, end: datetime | None = None, *, after: int = 0
    ) -> tuple[SetBack, ...]:
        """Entries of a time, after a number, whose clock is behind that of the entry before."""
        entry, before = schema.entries, schema.entries.alias("before")
        query = (
            select(entry.c.seq, entry.c.at_micros, before.c.at_micros.label("before_micros"))
            .join(before, before.c.seq == entry.c.seq - 1)
            .where(entry.c.seq > after)
            .where(before.c.at_micros - entry.c.at_micros > CLOCKS_AGREE // timedelta(microseconds=1))
            .where(*_between(start, end))
            .order_by(entry.c.seq)
        )
        return tuple(
            SetBack(row.seq, rows.time_of(row.at_micros), rows.time_of(row.before_micros)) for row in self._all(query)
        )

    @contextmanager
    def standing_still(self) -> Iterator[Reader]:
        """A reader to which the ledger stands still, so that what is read in several questions adds up."""
        with self.snapshot() as connection:
            yield _StillReader(self._reading, connection)

    def jackpot(self, jackpot: str) -> Jackpot:
        """A jackpot's parameters and tallies, open or closed."""
        for row in self._all(select(schema.jackpots).where(schema.jackpots.c.id == jackpot)):
            return rows.jackpot_of(row)
        raise no_such_jackpot(jackpot)

    def jackpots(self) -> tuple[Jackpot, ...]:
        """All jackpots by name, closed ones too."""
        records = self._all(select(schema.jackpots).order_by(schema.jackpots.c.id))
        return tuple(map(rows.jackpot_of, records))

    def balances(self, jackpot: str | None = None) -> dict[Key, int]:
        """Balances by (jackpot, level, account), of one jackpot or of all, at one moment."""
        query = select(schema.balances)
        if jackpot is not None:
            query = query.where(schema.balances.c.jackpot == jackpot)
        return {(row.jackpot, row.level, row.account): rows.micros_of(row) for row in self._all(query)}

    def meter_micros(self, jackpot: str, level: str = "main") -> int:
        """What a sign shows, with its parts of a cent."""
        self.jackpot(jackpot).level(level)
        return self.balances(jackpot).get((jackpot, level, "meter"), 0)

    def round(self, table: str) -> TableRound | None:
        """The latest round locked at a table."""
        records = self._all(select(schema.rounds).where(schema.rounds.c.table_id == table))
        return rows.stored(records[0].body, TableRound, f'the round of table "{table}"') if records else None

    def past_round(self, table: str, number: int) -> TableRound | None:
        """A round of a table, its latest or one before it, as far back as an award may still be entered for it."""
        latest = self.round(table)
        if latest is not None and latest.round == number:
            return latest
        with self._connected() as connection:
            return rows.past_round(connection, table, number)

    def award(self, id: str) -> Award:
        """An award by the id of its hit."""
        for row in self._all(select(schema.awards).where(schema.awards.c.id == id)):
            return _award(row)
        raise UnknownNameError(f'There is no award "{id}".', code="unknown_award")

    def awards(self, *, status: Status | None = None, jackpot: str | None = None, limit: int = 25) -> tuple[Award, ...]:
        """Awards, the latest hit first."""
        table = schema.awards
        query = select(table).order_by(table.c.hit_seq.desc()).limit(limit)
        if status is not None:
            query = query.where(table.c.status == status)
        if jackpot is not None:
            query = query.where(table.c.jackpot == jackpot)
        return tuple(map(_award, self._all(query)))

    def count_awards(self, status: Status) -> int:
        """How many awards have a status."""
        table = schema.awards
        records = self._all(select(func.count().label("awards")).select_from(table).where(table.c.status == status))
        return int(records[0].awards)

    def fact(self, subject: str) -> RecordedFact | None:
        """The newest fact of a subject."""
        records = self._all(select(schema.facts).where(schema.facts.c.subject == subject))
        return rows.fact_of(records[0]) if records else None

    def fact_version(self, subject: str) -> int:
        """The version of the newest fact of a subject, 0 for none: tells whether what one has read is still it."""
        records = self._all(select(schema.facts.c.version).where(schema.facts.c.subject == subject))
        return int(records[0].version) if records else 0

    def facts(self, prefix: str) -> tuple[RecordedFact, ...]:
        """The newest facts of all subjects whose names begin so, by name."""
        table = schema.facts
        query = select(table).where(table.c.subject.startswith(prefix, autoescape=True)).order_by(table.c.subject)
        return tuple(map(rows.fact_of, self._all(query)))

    def watch(self, *, after: int, idle_s: float = 1.0) -> Iterator[tuple[Sealed, ...]]:
        """New entries as they are committed, by any process. Yields nothing (an empty tuple) after each idle time.

        Entries come in order and none is left out: a notice only says when to look, what is new is read from the log.
        A lost link to the database raises `storage_failed`, so a sign can say so; watch again from there.
        """
        with _Bell(self._reading) as bell:
            while True:
                until = time.monotonic() + idle_s
                entries = self.entries(after=after)
                while not entries and (left := until - time.monotonic()) > 0:
                    bell.wait(left)
                    entries = self.entries(after=after)
                if entries:
                    after = entries[-1].entry.seq
                yield entries

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection to which the ledger stands still."""
        is_postgresql = self._reading.dialect.name == "postgresql"
        with self._connected(**{"isolation_level": "REPEATABLE READ"} if is_postgresql else {}) as connection:
            yield connection

    def _all(self, query: Any) -> list[Any]:
        with self._connected() as connection:
            return list(connection.execute(query))

    @contextmanager
    def _connected(self, **options: Any) -> Iterator[Connection]:
        try:
            with self._reading.execution_options(**options).connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise _not_read(error) from error


class _StillReader(Reader):
    """Asks everything of one connection, in one transaction."""

    def __init__(self, engine: Engine, connection: Connection) -> None:
        super().__init__(engine)
        self._connection = connection

    @contextmanager
    def _connected(self, **options: Any) -> Iterator[Connection]:
        yield self._connection


class _Bell:
    """Rings when there may be something new: PostgreSQL tells us, SQLite is asked often."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Any = None
        self._lost: type[Exception] = SQLAlchemyError

    def __enter__(self) -> _Bell:
        if self._engine.dialect.name == "postgresql":
            import psycopg

            address = self._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
            self._lost = psycopg.OperationalError
            try:
                self._connection = psycopg.connect(address, autocommit=True)
                self._connection.execute(f"LISTEN {rows.CHANNEL}")
            except self._lost as error:
                raise _not_read(error) from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.close()

    def wait(self, seconds: float) -> None:
        if self._connection is None:
            time.sleep(min(seconds, POLL_SECONDS))
            return
        try:
            for _ in self._connection.notifies(timeout=seconds, stop_after=1):
                pass
        except self._lost as error:
            raise _not_read(error) from error


def storage_failed(error: Exception, what: str, hint: str) -> LedgerError:
    """The database did not do its part; `what` it could not be, and what to do now."""
    cause = getattr(error, "orig", None) or error
    reason = str(cause).strip().split(" with text")[0][:LONGEST_CAUSE]  # a driver may quote the row that it cannot read
    return LedgerError(
        f"The ledger could not be {what} ({type(cause).__name__}: {reason}). {hint}", code="storage_failed"
    )


def _not_read(error: Exception) -> LedgerError:
    return storage_failed(error, "read", "Check the database and its link, then ask again.")


def _between(start: datetime | None, end: datetime | None) -> Iterator[ColumnElement[bool]]:
    column = schema.entries.c.at_micros
    if start is not None:
        yield column >= rows.micros_since_epoch(start)
    if end is not None:
        yield column < rows.micros_since_epoch(end)


def _award(row: Any) -> Award:
    return rows.stored(row.body, Award, f'award "{row.id}"')


def _sealed(row: Any) -> Sealed:
    return unseal(row.text, row.hash, row.seq)
