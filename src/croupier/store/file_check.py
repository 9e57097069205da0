"""The check of a store in the background: pages, indexes, ids, postings and purses, long work on a long log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Event, Thread
from typing import Any, Literal

from sqlalchemy import Connection

from croupier.errors import CroupierError
from croupier.store.book import Book
from croupier.store.integrity import check_engine, require_ids_once
from croupier.store.purses import require_right_purses

EVERY_S = 24 * 3600.0
AGAIN_S = 60.0
"""After a check that could not be made."""
CLOSING_S = 10.0

log = logging.getLogger("croupier.store")

State = Literal["running", "good", "bad", "failed"]


@dataclass(frozen=True, kw_only=True)
class FileCheckState:
    """How the latest check stands."""

    state: State = "running"
    """`bad`: the files are damaged, and nothing is booked any more. `failed`: it could not be made."""
    at: datetime | None = None
    """When the latest one ended."""
    problem: str = ""
    notes: tuple[str, ...] = ()
    """What could not be checked, and what is wrong beside the ledger."""


class FileCheck:
    """Checks when it is started and every day from then on. What it finds damaged stops all booking."""

    def __init__(self, book: Book, clock: Callable[[], datetime]) -> None:
        self._book = book
        self._clock = clock
        self._stopped = Event()
        self._driver: Any = None
        self.checked = FileCheckState()
        self._thread = Thread(target=self._run, name="file check", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Cuts a check short that is being made."""
        self._stopped.set()
        if (driver := self._driver) is not None:
            with suppress(Exception):  # it may be over in this moment
                (driver.interrupt if hasattr(driver, "interrupt") else driver.cancel)()
        if self._thread.is_alive():
            self._thread.join(CLOSING_S)

    def _run(self) -> None:
        while not self._stopped.is_set():
            self.checked = replace(self.checked, state="running")
            try:
                notes = self._check()
            except CroupierError as error:
                if self._stopped.is_set():
                    return
                self._take(error)
            else:
                self.checked = FileCheckState(state="good", at=self._clock(), notes=notes)
            self._stopped.wait(AGAIN_S if self.checked.state == "failed" else EVERY_S)

    def _take(self, error: CroupierError) -> None:
        log.error("%s: %s", error.code, error)
        if error.code == "storage_failed":
            self.checked = FileCheckState(state="failed", at=self._clock(), problem=str(error))
            return
        self.checked = FileCheckState(state="bad", at=self._clock(), problem=str(error))
        self._book.stop_booking(str(error))

    def _check(self) -> tuple[str, ...]:
        self._book.check_balances()
        with self._book.snapshot() as connection:
            self._driver = connection.connection.driver_connection
            try:
                require_ids_once(connection)
                return (*check_engine(connection), *_purse_notes(connection))
            finally:
                self._driver = None


def _purse_notes(connection: Connection) -> tuple[str, ...]:
    """A wrong purse of play money does not stop the ledger."""
    try:
        require_right_purses(connection)
    except CroupierError as error:
        return (str(error),)
    return ()
