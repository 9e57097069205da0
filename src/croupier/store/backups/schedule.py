"""Backups made by themselves: each is restored into a store of its own for trial before older ones are removed."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

from croupier.errors import CroupierError, LedgerError
from croupier.store.backups.key import BackupKey
from croupier.store.backups.process import BUSY, BackupPlan, newest_backup, require_folder
from croupier.store.book import Book

LOOK_S = 30.0
"""How often it looks whether a backup is due."""
AGAIN = timedelta(minutes=15)
"""After one that failed."""
CLOSING_S = 5.0

log = logging.getLogger("croupier.store")


class BackupSchedule:
    """A backup whenever the newest one in the folder is older than it may be, in a process of its own.

    Reading, packing and trying a long log takes a minute: in this process it would hold up those who play.
    """

    def __init__(
        self,
        store_url: str,
        book: Book,
        plan: BackupPlan,
        clock: Callable[[], datetime],
        when_made: Callable[[int], None],
    ) -> None:
        require_folder(plan.folder)
        if plan.key_file is not None:
            BackupKey(plan.key_file)  # one that does not read is told now, not at night
        self._store_url = store_url
        self._book = book
        self._plan = plan
        self._clock = clock
        self._when_made = when_made
        self._stopped = Event()
        self._process: subprocess.Popen[str] | None = None
        self._not_before: datetime | None = None
        self._thread = Thread(target=self._run, name="backups", daemon=True)
        self.problem = ""
        """Why the latest backup was not made; empty when it was."""

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """A backup that is being made is given up."""
        self._stopped.set()
        if (process := self._process) is not None:
            process.terminate()
        if self._thread.is_alive():
            self._thread.join(CLOSING_S)

    def _run(self) -> None:
        self.look()
        while not self._stopped.wait(LOOK_S):
            self.look()

    def look(self) -> None:
        """Makes a backup if one is due."""
        try:
            if self._is_due():
                self._make()
        except CroupierError as error:
            self._failed(error)

    def _is_due(self) -> bool:
        now = self._clock().astimezone(UTC)
        if self._not_before is not None and now < self._not_before:
            return False
        first = self._book.entries(limit=1)
        if not first:
            return False
        newest = newest_backup(Path(self._plan.folder), first[0].hash)
        return newest is None or now - newest.at >= timedelta(hours=self._plan.every_hours)

    def _make(self) -> None:
        request = {"store": self._store_url, "plan": self._plan.as_data(), "at": self._clock().isoformat()}
        answer = self._run_process(json.dumps(request))
        if self._stopped.is_set() or answer.get("code") == BUSY:  # another server makes it
            return
        if "code" in answer:
            raise LedgerError(answer["message"], code=answer["code"])
        self._when_made(answer["entries"])
        self.problem, self._not_before = "", None

    def _run_process(self, request: str) -> dict[str, Any]:
        # The address of the store may have a password, which must not stand among the arguments.
        command = [sys.executable, "-m", "croupier.store.backups.process"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            self._process = process
            out, _ = process.communicate(request)
            self._process = None
        try:
            answer: dict[str, Any] = json.loads(out)
        except ValueError:
            return {"code": "backup_failed", "message": f"The backup's process ended with {process.returncode}."}
        return answer

    def _failed(self, error: CroupierError) -> None:
        log.error("%s: %s", error.code, error)
        self.problem = f"The latest backup was not made: {error.code}. The server's log says why."
        self._not_before = self._clock().astimezone(UTC) + AGAIN
