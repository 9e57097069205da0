"""The hall on a server: its clock, and one place where streams hear of tables that changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread

from croupier.errors import CroupierError
from croupier.hall.hall import MICROS_PER_SECOND, Hall

TICK_S = 0.5
MOST_WAITING = 1000

log = logging.getLogger("croupier.web")


class Ear:
    """One stream's queue of subjects that changed."""

    def __init__(self, wanted: frozenset[str]) -> None:
        self.wanted = wanted
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()

    async def get(self) -> str | None:
        return await self._queue.get()

    def tell(self, subject: str | None) -> None:
        """From any thread."""
        self._loop.call_soon_threadsafe(self._put, subject)

    def _put(self, subject: str | None) -> None:
        self._queue.put_nowait(subject if self._queue.qsize() < MOST_WAITING else None)


class Halls:
    """Ticks the hall's clocks, hears of changes made by this server at once and of others' within a tick."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._ears: set[Ear] = set()
        self._guard = Lock()
        self._stopped = Event()
        self._seen: dict[str, int] = {}
        self._unlisten = hall.listen(self._changed)
        self._thread = Thread(target=self._run, name="hall", daemon=True)
        self._thread.start()

    @contextmanager
    def listen(self, wanted: frozenset[str]) -> Iterator[Ear]:
        ear = Ear(wanted)
        with self._guard:
            self._ears.add(ear)
        try:
            yield ear
        finally:
            with self._guard:
                self._ears.discard(ear)

    def stop(self) -> None:
        self._stopped.set()
        self._unlisten()
        self._thread.join()
        with self._guard:
            for ear in tuple(self._ears):
                self._tell(ear, None)

    def _run(self) -> None:
        since = self._hall.now_micros()
        while not self._stopped.wait(TICK_S):
            try:
                self._hall.tick()
                now = self._hall.now_micros()
                for table, revision in self._hall.store.changed_since(since - MICROS_PER_SECOND):
                    self._changed(table, revision)
                since = now
            except CroupierError as error:
                log.warning("The hall's clock could not look: %s", error)

    def _changed(self, table: str, revision: int) -> None:
        with self._guard:
            if self._seen.get(table, -1) >= revision:
                return
            self._seen[table] = revision
        self.tell(f"play:{table}")

    def tell(self, subject: str) -> None:
        """That a subject changed, to every stream that wants to hear of it."""
        with self._guard:
            for ear in tuple(self._ears):
                if subject in ear.wanted:
                    self._tell(ear, subject)

    def _tell(self, ear: Ear, subject: str | None) -> None:
        try:
            ear.tell(subject)
        except RuntimeError:  # its loop has ended
            self._ears.discard(ear)
