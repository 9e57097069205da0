"""Refused attempts: a chain of hashes of their own beside the ledger, which money need not wait for.

Anybody who can reach a server can be refused, so what they can make it write is bounded: see `floor.security_log`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, Select, func, insert, select, text
from sqlalchemy.exc import DBAPIError

from croupier.errors import LedgerError
from croupier.jackpot import GENESIS
from croupier.store import rows, schema
from croupier.store.engine import reading
from croupier.store.reading import storage_failed

REFUSING = 0x43726F76
"""The advisory lock that servers take in turn to add to the chain."""


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """One refused attempt."""

    seq: int
    id: str
    at: datetime
    who: str
    """Person, device, or `unknown`."""
    what: str
    where: str
    why: str
    address: str = ""
    """Network address, of what came over HTTP."""
    left_out: int = 0
    """Further attempts from there, or by them, since the one before, that were counted and not recorded."""
    previous: str = GENESIS


_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder(Refusal)


@dataclass(frozen=True)
class Refusals:
    """The chain in the ledger's database. Safe to use from many threads and servers."""

    engine: Engine

    def has(self, id: str) -> bool:
        table = schema.refusals
        return bool(self._rows(select(table.c.seq).where(table.c.id == id)))

    def add(self, refusal: Refusal) -> None:
        """Adds one at the end of the chain; an id that is there already is not added again."""
        table = schema.refusals
        try:
            with self.engine.begin() as connection:
                if connection.dialect.name == "postgresql":
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": REFUSING})
                if connection.execute(select(table.c.seq).where(table.c.id == refusal.id)).first() is not None:
                    return
                last = connection.execute(select(table).order_by(table.c.seq.desc()).limit(1)).one_or_none()
                seq, previous = (last.seq + 1, last.hash) if last is not None else (1, GENESIS)
                chained = msgspec.structs.replace(refusal, seq=seq, previous=previous)
                connection.execute(insert(table).values(_row(chained)))
        except DBAPIError as error:
            raise storage_failed(error, "written", "The attempt was refused all the same.") from error

    def between(self, start: datetime | None = None, end: datetime | None = None) -> tuple[Refusal, ...]:
        """Those of a time, in their order."""
        table = schema.refusals
        query = select(table.c.text).order_by(table.c.seq)
        if start is not None:
            query = query.where(table.c.at_micros >= rows.micros_since_epoch(start))
        if end is not None:
            query = query.where(table.c.at_micros < rows.micros_since_epoch(end))
        return tuple(_decoder.decode(row.text) for row in self._rows(query))

    def count(self) -> int:
        """How many there are: the number of the last."""
        records = self._rows(select(func.max(schema.refusals.c.seq).label("last")))
        return int(records[0].last or 0)

    def _rows(self, query: Select[Any]) -> list[Any]:
        try:
            with reading(self.engine).connect() as connection:
                return list(connection.execute(query))
        except DBAPIError as error:
            raise storage_failed(error, "read", "Check the database and its link, then ask again.") from error


def require_whole_chain(connection: Connection) -> None:
    """Refuses a chain of refusals that was edited or cut in the middle."""
    previous = GENESIS
    records = connection.execute(select(schema.refusals).order_by(schema.refusals.c.seq))
    for seq, row in enumerate(records, start=1):
        refusal = _decoder.decode(row.text)
        if (refusal.seq, refusal.previous) != (seq, previous) or _row(refusal) != dict(row._mapping):
            raise LedgerError(f"Refused attempt {seq} is not what was recorded.", code="bad_refusal")
        previous = row.hash


def _row(refusal: Refusal) -> dict[str, object]:
    encoded = _encoder.encode(refusal)
    return {
        "seq": refusal.seq,
        "id": refusal.id,
        "at_micros": rows.micros_since_epoch(refusal.at),
        "text": encoded.decode(),
        "hash": sha256(encoded).hexdigest(),
    }
