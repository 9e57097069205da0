"""The hall on a server: its clock, and that tables have changed, here or on another server."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Lock, Thread

from croupier.errors import CroupierError
from croupier.hall.hall import MICROS_PER_SECOND, Hall

TICK_S = 0.5

log = logging.getLogger("croupier.web")


class Halls:
    """Ticks the hall's clocks, hears of changes made by this server at once and of others' within a tick."""

    def __init__(self, hall: Hall, tell: Callable[[str], None]) -> None:
        self._hall = hall
        self._tell = tell
        self._guard = Lock()
        self._stopped = Event()
        self._seen: dict[str, int] = {}
        """What was told of tables that changed lately, so that what is found again is not told again."""
        self._unlisten = hall.listen(self._changed)
        self._thread = Thread(target=self._run, name="hall", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._unlisten()
        self._thread.join()

    def _run(self) -> None:
        since = self._hall.now_micros()
        while not self._stopped.wait(TICK_S):
            try:
                self._hall.tick()
                now = self._hall.now_micros()
                lately = self._hall.store.changed_since(since - MICROS_PER_SECOND)
                for table, revision in lately:
                    self._changed(table, revision)
                with self._guard:  # what changed before is not found again
                    self._seen = {table: self._seen[table] for table, _ in lately}
                since = now
            except CroupierError as error:
                log.warning("The hall's clock could not look: %s", error)

    def _changed(self, table: str, revision: int) -> None:
        with self._guard:
            if self._seen.get(table, -1) >= revision:
                return
            self._seen[table] = revision
        self._tell(f"play:{table}")
