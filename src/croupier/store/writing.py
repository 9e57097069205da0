"""Writing to the log: a batch of entries with all that is made from them, in one transaction.

Every wager waits for this, so its statements are made once and go to the driver as they are. A batch is written only
where the log still ends at the entry before its first: the row `head` is moved on from that one or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, Table
from sqlalchemy.exc import SQLAlchemyError

from croupier.errors import LedgerError
from croupier.jackpot import JackpotHit, Sealed, State
from croupier.store import schema
from croupier.store.engine import file_identity
from croupier.store.rows import CHANNEL, Row, entry_row, state_rows

Run = Callable[[str, Any], Any]
"""Runs a statement with the values of one row, or of a list of rows."""

APPEND_ONLY = (schema.entries, schema.postings, schema.refusals)
_FIXED = {"hit_seq"}
"""Columns that keep the value of the first time."""


@dataclass
class Batch:
    """Everything that one transaction writes."""

    sealed: list[Sealed] = field(default_factory=list)
    changes: State = field(default_factory=State)
    hit_seq: dict[str, int] = field(default_factory=dict)

    def add(self, sealed: Sealed, changes: State) -> None:
        self.sealed.append(sealed)
        self.changes.update(changes)
        if isinstance(sealed.entry.event, JackpotHit):
            self.hit_seq[sealed.entry.event.award] = sealed.entry.seq

    def write(self, connection: Connection) -> None:
        """Writes it within a transaction that has locked the row `head`."""
        if self.sealed and not self.write_by(connection.exec_driver_sql, connection.dialect.name):
            raise LedgerError(
                f"The log does not end at entry {self.sealed[0].entry.seq - 1}, where it was found to end. Nothing was "
                "written: ask again.",
                code="log_moved_on",
            )

    def write_by(self, run: Run, dialect: str) -> bool:
        """Writes it if the log ends at the entry before its first, within the transaction that `run` works in."""
        first, last = self.sealed[0].entry, self.sealed[-1]
        move = {"seq": last.entry.seq, "hash": last.hash, "old_seq": first.seq - 1, "old_hash": first.previous}
        tables = [(table, rows) for table, rows in self._rows() if rows]
        if dialect == "postgresql":
            rows_as_json = {table.name: msgspec.json.encode(rows).decode() for table, rows in tables}
            moved = run(_all_in_one(tuple(table for table, _ in tables)), {**move, **rows_as_json})
            return bool(moved.rowcount == 1)
        if run(_MOVE_HEAD, move).rowcount != 1:
            return False
        for table, rows in tables:
            run(_insert(table), rows)
        return True

    def _rows(self) -> list[tuple[Table, list[Row]]]:
        posted = [
            {"seq": sealed.entry.seq, **msgspec.structs.asdict(posting)}
            for sealed in self.sealed
            for posting in sealed.entry.event.postings
        ]
        return [
            (schema.entries, [entry_row(sealed) for sealed in self.sealed]),
            (schema.postings, posted),
            *state_rows(self.changes, self.hit_seq),
        ]


class WritingConnection:
    """A connection by the plain driver on which one book writes: opened when needed, kept, given up when it fails.

    One thread may use it at a time.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_sqlite = engine.dialect.name == "sqlite"
        self._driver: Any = None
        self._cursor: Any = None
        self._file: tuple[int, int] | None = None
        """To which it is open."""

    def write(self, batch: Batch) -> bool:
        """Writes a batch as a transaction of its own. False when it is not known to be written.

        That is when the log has gone on, has one of the ids already, or the database failed: look and decide again.
        """
        dbapi = self._engine.dialect.loaded_dbapi
        try:
            if self._driver is not None and self._is_sqlite and self._file != file_identity(self._engine):
                self.close()
            if self._driver is None:
                self._open()
            if self._is_sqlite:
                return self._write_sqlite(batch)
            return batch.write_by(self._cursor.execute, "postgresql")
        except dbapi.IntegrityError:  # an id that is in the log; the connection is good
            self._driver.rollback()
            return False
        except (dbapi.Error, SQLAlchemyError):
            self.close()
            return False
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._driver is not None:
            self._driver.close()
            self._driver = self._cursor = None

    def _open(self) -> None:
        if self._is_sqlite:
            self._file = file_identity(self._engine)
        opened = self._engine.raw_connection()
        self._driver = opened.driver_connection
        self._cursor = self._driver.cursor()
        opened.detach()  # it is ours now, and the pool is as it was
        if self._engine.dialect.name == "postgresql":
            self._driver.autocommit = True  # a batch is one statement: to begin and commit would be two more trips

    def _write_sqlite(self, batch: Batch) -> bool:
        driver = self._driver

        def run(statement: str, values: Any) -> Any:
            return (driver.executemany if isinstance(values, list) else driver.execute)(statement, values)

        driver.execute("BEGIN IMMEDIATE")
        if batch.write_by(run, "sqlite"):
            driver.commit()
            return True
        driver.rollback()
        return False


_MOVE_HEAD = "UPDATE head SET seq = :seq, hash = :hash WHERE seq = :old_seq AND hash = :old_hash"


@cache
def _insert(table: Table) -> str:
    """SQLite's statement for the rows of one table."""
    values = ", ".join(f":{column.name}" for column in table.columns)
    return f"INSERT INTO {table.name} ({_names(table)}) VALUES ({values}){_or_replace(table)}"


@cache
def _all_in_one(tables: Sequence[Table]) -> str:
    """PostgreSQL's statement for the rows of all tables, each table's as JSON: one round trip for everything.

    Where `head` is not moved on, `moved` has no row, and nothing is written or told.
    """
    parts = [
        "moved AS (UPDATE head SET seq = %(seq)s, hash = %(hash)s "
        "WHERE seq = %(old_seq)s AND hash = %(old_hash)s RETURNING seq)"
    ]
    for table in tables:
        names, values = _names(table), ", ".join(f"made.{column.name}" for column in table.columns)
        parts.append(
            f"new_{table.name} AS (INSERT INTO {table.name} ({names}) SELECT {values} FROM moved, "
            f"json_populate_recordset(null::{table.name}, %({table.name})s::json) AS made{_or_replace(table)})"
        )
    return f"WITH {', '.join(parts)} SELECT pg_notify('{CHANNEL}', moved.seq::text) FROM moved"


def _names(table: Table) -> str:
    return ", ".join(column.name for column in table.columns)


def _or_replace(table: Table) -> str:
    if table in APPEND_ONLY:
        return ""
    keys = [column.name for column in table.primary_key]
    new = [column.name for column in table.columns if column.name not in _FIXED and column.name not in keys]
    return f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in new)}"
