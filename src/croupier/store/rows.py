"""State to rows and back: what a batch writes, and what a decision reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import OperationalError

from croupier.errors import LedgerError
from croupier.jackpot import Award, Fact, Jackpot, JackpotHit, Round, Sealed, State
from croupier.jackpot.evolve import require_invariants
from croupier.store import schema

CHANNEL = "croupier_ledger"
"""PostgreSQL's name for notices that there are new entries."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Row = dict[str, Any]


def micros_since_epoch(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)


def body(value: Jackpot | Round | Award | dict[str, Any]) -> str:
    """The stored text of a value; equal values have equal text."""
    return msgspec.json.encode(value, order="sorted").decode()


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
        """Entries first, then what is made from them, then the new end of the chain."""
        if not self.sealed:
            return
        with pipeline(connection):
            self._write(connection)

    def _write(self, connection: Connection) -> None:
        connection.execute(schema.entries.insert(), [entry_row(sealed) for sealed in self.sealed])
        posted = [
            {"seq": sealed.entry.seq, **msgspec.structs.asdict(posting)}
            for sealed in self.sealed
            for posting in sealed.entry.event.postings
        ]
        if posted:
            connection.execute(schema.postings.insert(), posted)
        write_state(connection, self.changes, self.hit_seq)
        last = self.sealed[-1]
        connection.execute(_MOVE_HEAD, {"seq": last.entry.seq, "hash": last.hash})
        if connection.dialect.name == "postgresql":
            connection.execute(_NOTIFY, {"channel": CHANNEL, "seq": str(last.entry.seq)})


@contextmanager
def pipeline(connection: Connection) -> Iterator[None]:
    """PostgreSQL is sent all statements before it is asked how they went: one wait for the network, not ten."""
    if connection.dialect.name != "postgresql":
        yield
        return
    import psycopg

    driver: Any = connection.connection.driver_connection
    try:
        with driver.pipeline():
            yield
    except psycopg.Error as error:  # raised when the pipeline ends, where SQLAlchemy does not see it
        if driver.closed:
            connection.invalidate()
        raise OperationalError("pipeline", None, error, connection_invalidated=driver.closed) from error


_MOVE_HEAD = update(schema.head)
_NOTIFY = text("SELECT pg_notify(:channel, :seq)")


def entry_row(sealed: Sealed) -> Row:
    entry = sealed.entry
    return {
        "seq": entry.seq,
        "id": entry.id,
        "kind": type(entry.event).__name__,
        "reason": entry.reason,
        "at_micros": micros_since_epoch(entry.at),
        "actor": entry.actor,
        "table_id": entry.table,
        "round": entry.round,
        "text": sealed.text,
        "hash": sealed.hash,
    }


def state_rows(state: State, hit_seq: dict[str, int]) -> list[tuple[Table, list[Row]]]:
    """The rows of every value. An award that is only being settled keeps the number of its hit."""
    return [
        (
            schema.balances,
            [
                {"jackpot": jackpot, "level": level, "account": account, "micros": micros}
                for (jackpot, level, account), micros in state.balances.items()
            ],
        ),
        (
            schema.jackpots,
            [{"id": each.id, "closed": each.closed, "body": body(each)} for each in state.jackpots.values()],
        ),
        (
            schema.rounds,
            [{"table_id": each.table, "round": each.round, "body": body(each)} for each in state.rounds.values()],
        ),
        (
            schema.awards,
            [
                {
                    "id": each.id,
                    "hit_seq": hit_seq.get(each.id, 0),
                    "jackpot": each.jackpot,
                    "table_id": each.table,
                    "status": each.status,
                    "amount_micros": each.amount_micros,
                    "body": body(each),
                }
                for each in state.awards.values()
            ],
        ),
        (
            schema.facts,
            [
                {"subject": each.subject, "version": each.version, "kind": each.kind, "body": body(each.body)}
                for each in state.facts.values()
            ],
        ),
    ]


def write_state(connection: Connection, state: State, hit_seq: dict[str, int]) -> None:
    for table, rows in state_rows(state, hit_seq):
        if rows:
            connection.execute(_upsert(table, connection.dialect.name), rows)


@cache
def _upsert(table: Table, dialect: str) -> Any:
    insert: Any = (sqlite.insert if dialect == "sqlite" else postgresql.insert)(table)
    keys = [column.name for column in table.primary_key]
    fixed = {*keys, "hit_seq"}
    new = {column.name: insert.excluded[column.name] for column in table.columns if column.name not in fixed}
    return insert.on_conflict_do_update(index_elements=keys, set_=new)


def load(
    connection: Connection,
    state: State,
    jackpots: Iterable[str],
    tables: Iterable[str],
    awards: Iterable[str],
    subjects: Iterable[str],
) -> None:
    """Adds to the state what it lacks of these names, and checks it as it comes."""
    missing = [name for name in awards if name not in state.awards]
    for row in _fetch(connection, schema.awards, "id", missing):
        state.awards[row.id] = msgspec.json.decode(row.body, type=Award)
    wanted = {*jackpots, *(state.awards[name].jackpot for name in awards if name in state.awards)}
    # A return looks at the latest round of the award's table too.
    rooms = {*tables, *(state.awards[name].table for name in awards if name in state.awards)}
    for row in _fetch(connection, schema.rounds, "table_id", [name for name in rooms if name not in state.rounds]):
        state.rounds[row.table_id] = msgspec.json.decode(row.body, type=Round)
    for row in _fetch(connection, schema.facts, "subject", [name for name in subjects if name not in state.facts]):
        state.facts[row.subject] = fact_of(row)
    _load_jackpots(connection, state, [name for name in wanted if name not in state.jackpots])


def fact_of(row: Any) -> Fact:
    return Fact(subject=row.subject, version=row.version, kind=row.kind, body=msgspec.json.decode(row.body))


def _load_jackpots(connection: Connection, state: State, names: list[str]) -> None:
    found = {
        row.id: msgspec.json.decode(row.body, type=Jackpot) for row in _fetch(connection, schema.jackpots, "id", names)
    }
    if not found:
        return
    read = State(jackpots=found)
    sums = dict.fromkeys(found, 0)
    for row in _fetch(connection, schema.balances, "jackpot", list(found)):
        read.balances[row.jackpot, row.level, row.account] = row.micros
        sums[row.jackpot] += row.micros
    for name, micros in sums.items():
        if micros:
            raise LedgerError(
                f'The stored balances of jackpot "{name}" add up to {micros} micros and must add up to zero. It stops '
                "here: run verify, and restore a backup.",
                code="balance_mismatch",
            )
    require_invariants(State(), read)
    state.update(read)


def _fetch(connection: Connection, table: Table, column: str, names: list[str]) -> list[Any]:
    if not names:
        return []
    return list(connection.execute(select(table).where(table.c[column].in_(names))))
