"""What stores beside the ledger share: reads that wait for nobody, one writer at a time, failures in words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import ClassVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from croupier.errors import LedgerError
from croupier.store.direct import Direct, Run
from croupier.store.engine import make_engine, reading

PLAY_FAILED = "play_failed"
"""The code of failures of `StoreOfPlay`."""


class StoreBeside:
    """Tables of our own in a database that `open_store` has brought to its schema."""

    holds: ClassVar[str]
    """What it keeps, as a refusal begins."""

    _turn = Lock()
    """Whose turn it is to write: SQLite itself would have the others look again after ever longer sleeps."""

    def __init__(self, url: str) -> None:
        self._engine = make_engine(url)
        self._reading = reading(self._engine)
        self._direct = Direct(self._engine)
        self._waits_in_line = self._engine.dialect.name == "sqlite"

    def close(self) -> None:
        self._engine.dispose()

    def free_bytes(self) -> int | None:
        """What is left on the disk of a SQLite store; not known of a database server's."""
        if not self._waits_in_line:
            return None
        folder = os.statvfs(Path(str(self._engine.url.database)).resolve().parent)
        return folder.f_bavail * folder.f_frsize

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        with self._told(), self._reading.connect() as connection:
            yield connection

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        with self._turn if self._waits_in_line else nullcontext(), self._told(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _asking(self) -> Iterator[Run]:
        """As `_read`, for what every press asks: each statement by itself."""
        with self._told(), self._direct.each_alone() as run:
            yield run

    @contextmanager
    def _doing(self, *, is_one: bool) -> Iterator[Run]:
        """As `_write`, for what every press does; one statement needs no transaction around it."""
        work = self._direct.each_alone if is_one else self._direct.together
        with self._turn if self._waits_in_line else nullcontext(), self._told(), work() as run:
            yield run

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Failures of the database in our words. What a failed write did is not known."""
        try:
            yield
        except DBAPIError as error:
            raise self._failed(str(error.orig).strip()) from error

    def _failed(self, why: str) -> LedgerError:
        return LedgerError(f"{self.holds} could not be stored or read: {why}.", code="storage_failed")


class StoreOfPlay(StoreBeside):
    """Play money and what guests ask for: it may be in another database than the ledger, and its failures say so."""

    def _failed(self, why: str) -> LedgerError:
        return LedgerError(f"{self.holds} could not be stored or read: {why}.", code="play_failed")
