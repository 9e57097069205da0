"""The ledger in a database: SQLite by default, PostgreSQL by URL.

book = open_store("floor.db")                # or "postgresql://host/name"
book.post(Request(id=..., actor=..., at=..., command=...))
"""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

from croupier.errors import LedgerError
from croupier.store.backups.backup import backup, restore
from croupier.store.book import Book
from croupier.store.engine import make_engine, require_durable
from croupier.store.migrate import migrate
from croupier.store.probe import not_writable
from croupier.store.verify import Verification, verify

__all__ = ["Book", "Verification", "backup", "open_store", "restore", "verify"]


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
        refusal = not_writable(error, engine.url)
        if refusal.code != "storage_failed":
            raise refusal from error
        raise LedgerError(
            f"The ledger cannot be opened: {str(error.orig).strip()}. Check the address, or restore a backup.",
            code="cannot_open",
        ) from error
    return Book(engine)
