"""What the server does by itself every now and then, in a thread of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread

from croupier.errors import CroupierError

EVERY_SECONDS = 30.0

log = logging.getLogger("croupier.web")


class Chores:
    """Does each chore at the start and then again and again, until it is stopped. A chore that fails is tried again."""

    def __init__(self, *chores: Callable[[], object], every_s: float = EVERY_SECONDS) -> None:
        self._chores = chores
        self._every_s = every_s
        self.failures = 0
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="chores", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            for chore in self._chores:
                try:
                    chore()
                except CroupierError as error:
                    self.failures += 1
                    log.warning("A chore failed: %s", error)
            if self._stopped.wait(self._every_s):
                return
