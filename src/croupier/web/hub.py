"""One reader of the log for all streams: a thread that watches the ledger and hands new entries to whoever listens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread

from croupier.errors import LedgerError
from croupier.jackpot import Sealed
from croupier.store import Book

IDLE_SECONDS = 0.5
MOST_WAITING = 1000

log = logging.getLogger("croupier.web")


class Listener:
    """One stream's queue of batches of entries; None says that entries may be missing: connect again."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.queue: asyncio.Queue[tuple[Sealed, ...] | None] = asyncio.Queue()

    def hand(self, batch: tuple[Sealed, ...] | None) -> None:
        """From the watching thread."""
        self._loop.call_soon_threadsafe(self._put, batch)

    def _put(self, batch: tuple[Sealed, ...] | None) -> None:
        self.queue.put_nowait(batch if self.queue.qsize() < MOST_WAITING else None)


class Hub:
    """Starts watching with the first listener."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._listeners: set[Listener] = set()
        self._guard = Lock()
        self._stopped = Event()
        self._thread: Thread | None = None

    @contextmanager
    def listen(self) -> Iterator[Listener]:
        """Entries committed from now on."""
        listener = Listener()
        with self._guard:
            self._listeners.add(listener)
            if self._thread is None:
                after = self._book.head()[0]
                self._thread = Thread(target=self._watch, args=(after,), name="meters", daemon=True)
                self._thread.start()
        try:
            yield listener
        finally:
            with self._guard:
                self._listeners.discard(listener)

    def stop(self) -> None:
        """Ends the streams and the thread."""
        self._stopped.set()
        self._tell(None)
        if self._thread is not None:
            self._thread.join()

    def _watch(self, after: int) -> None:
        while not self._stopped.is_set():
            try:
                for batch in self._book.watch(after=after, idle_s=IDLE_SECONDS):
                    if self._stopped.is_set():
                        return
                    if batch:
                        after = batch[-1].entry.seq
                        self._tell(batch)
            except LedgerError as error:
                log.warning("The ledger cannot be watched: %s", error)
                self._tell(None)
                self._stopped.wait(1.0)

    def _tell(self, batch: tuple[Sealed, ...] | None) -> None:
        with self._guard:
            for listener in tuple(self._listeners):
                try:
                    listener.hand(batch)
                except RuntimeError:  # its loop has ended
                    self._listeners.discard(listener)
