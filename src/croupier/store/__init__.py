"""The ledger in a database: SQLite by default, PostgreSQL by URL.

book = open_store("floor.db")                # or "postgresql://host/name"
book.post(Request(id=..., actor=..., at=..., command=...))
"""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

from croupier.errors import LedgerError
from croupier.store.backup import backup, restore
from croupier.store.book import Book
from croupier.store.engine import make_engine, require_durable
from croupier.store.migrate import migrate
from croupier.store.verify import Verification, verify

__all__ = ["Book", "Verification", "backup", "open_store", "restore", "verify"]

POSTGRESQL_DISK_FULL = "53100"


def open_store(url: str) -> Book:
    """Opens the ledger at a file name or URL, making or updating its tables where needed."""
    engine = make_engine(url)
    try:
        with engine.connect() as connection:
            require_durable(connection)
        migrate(engine)
    except LedgerError:
        engine.dispose()
        raise
    except DBAPIError as error:
        engine.dispose()
        if _is_disk_full(error):
            raise LedgerError(
                "The disk that holds the ledger is full, so it cannot be opened. What was booked is safe: make room on "
                "that disk, then open it again.",
                code="disk_full",
            ) from error
        raise LedgerError(
            f"The ledger cannot be opened: {str(error.orig).strip()}. Check the address, or restore a backup.",
            code="cannot_open",
        ) from error
    return Book(engine)


def _is_disk_full(error: DBAPIError) -> bool:
    """By the codes of the drivers, as their words differ."""
    sqlite_code = getattr(error.orig, "sqlite_errorcode", None)
    is_full = sqlite_code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
    return is_full or getattr(error.orig, "sqlstate", None) == POSTGRESQL_DISK_FULL
