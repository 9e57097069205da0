"""Whether the store can be written: by writing to it, a row of its own that stands outside the chain."""

from __future__ import annotations

import os
import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import BigInteger, Column, Integer, MetaData, Table, event, text, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from croupier.errors import LedgerError
from croupier.store.base import StoreBeside
from croupier.store.rows import micros_since_epoch

metadata = MetaData()

probe = Table(
    "probe",
    metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("at_micros", BigInteger, nullable=False),
)

PATIENCE_S = 2
"""How long an attempt waits for another writer: an answer that comes too late helps nobody."""
LITTLE_ROOM = 256 * 1024 * 1024
"""Bytes on the disk of a SQLite store below which somebody should know."""
SQLITE_FULL = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE})
SQLITE_LOW_BYTE = 0xFF
"""Of an error code of SQLite: what it is, without the details."""
POSTGRESQL_DISK_FULL = "53100"
POSTGRESQL_READ_ONLY = "25006"


class Probe(StoreBeside):
    """Tries to write to a store that `open_store` has opened before."""

    holds = "The probe"

    def __init__(self, url: str) -> None:
        super().__init__(url)
        if self._waits_in_line:
            event.listen(self._engine, "connect", _be_impatient)

    def require_writable(self, at: datetime) -> None:
        """Writes and commits; raises in a sentence why that cannot be."""
        try:
            with self._engine.begin() as connection:
                if connection.dialect.name == "postgresql":
                    connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE_S}s'"))
                written = connection.execute(update(probe).values(at_micros=micros_since_epoch(at))).rowcount
        except DBAPIError as error:
            raise not_writable(error, self._engine.url) from error
        if written != 1:
            raise LedgerError("The store's row for trying to write is gone: it was edited.", code="bad_store")

    def little_room(self) -> str:
        """Of a SQLite store whose disk is nearly full: a sentence; otherwise nothing."""
        free = self.free_bytes()
        if free is None or free >= LITTLE_ROOM:
            return ""
        return f"The disk of the ledger has {free // 2**20} MiB left: make room."


def not_writable(error: DBAPIError, url: URL) -> LedgerError:
    """Why nothing can be written, by the codes of the drivers, as their words differ."""
    sqlite_code = getattr(error.orig, "sqlite_errorcode", None)
    sqlstate = getattr(error.orig, "sqlstate", None)
    if sqlite_code in SQLITE_FULL or sqlstate == POSTGRESQL_DISK_FULL:
        return LedgerError(
            "The disk that holds the ledger is full, so nothing can be booked. What was booked is safe: make room on "
            "that disk, then try again.",
            code="disk_full",
        )
    if sqlstate == POSTGRESQL_READ_ONLY or _is_read_only(sqlite_code, url):
        return LedgerError(
            "The store can only be read, so nothing can be booked. Check the rights of its file and folder and how its "
            "disk is mounted; a standby of PostgreSQL must be promoted first.",
            code="read_only",
        )
    return LedgerError(
        f"The store cannot be written: {str(error.orig).strip()}. Check the database and its link.",
        code="storage_failed",
    )


def _is_read_only(sqlite_code: int | None, url: URL) -> bool:
    if sqlite_code is None:
        return False
    kind = sqlite_code & SQLITE_LOW_BYTE
    if kind == sqlite3.SQLITE_CANTOPEN:  # what a folder says in which no file can be made
        file = Path(str(url.database))
        return file.exists() and not (os.access(file, os.W_OK) and os.access(file.resolve().parent, os.W_OK))
    return kind == sqlite3.SQLITE_READONLY


def _be_impatient(connection: Any, record: Any) -> None:
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE_S * 1000}")
