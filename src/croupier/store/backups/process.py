"""One backup in a folder: written under a name of its own, restored for trial, and only then older ones removed."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import signal
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

from croupier.errors import CroupierError, LedgerError, NotationError, RangeError
from croupier.store import open_store
from croupier.store.backups.backup import backup, restore
from croupier.store.backups.key import BackupKey
from croupier.store.book import Book
from croupier.store.verify import verify

BUSY = "backup_busy"
LOCK = ".croupier-backup.lock"
UNNAMED = ".croupier-new"
TRIAL = "croupier-trial-"
TRIAL_LEFT_S = 24 * 3600.0
LEDGER_DIGITS = 12
"""Of the hash of a log's first entry, by which backups of several ledgers in one folder are told apart."""
_TIME = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"croupier-([0-9a-f]{12})-([0-9]{8}T[0-9]{6}Z)-([0-9]+)\.gz(\.age)?")
NICE = 10


@dataclass(frozen=True, kw_only=True)
class BackupPlan:
    """Where backups go, how often, and how many are kept."""

    folder: str
    every_hours: float = 24.0
    keep: int = 14
    key_file: str | None = None
    """A file with a key of age's; without one backups are not encrypted."""

    def __post_init__(self) -> None:
        if not 0 < self.every_hours <= 24 * 366:
            raise RangeError("The hours between backups must be more than 0 and at most a year.", code="bad_hours")
        if self.keep < 1:
            raise RangeError("At least one backup is kept.", code="bad_keep")

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, order=True)
class KeptBackup:
    """A backup in a folder, by its name."""

    at: datetime
    entries: int
    path: Path


def backups_in(folder: Path, first_hash: str) -> list[KeptBackup]:
    """The backups of one ledger, the oldest first."""
    backups = []
    for path in folder.iterdir():
        match = _NAME.fullmatch(path.name)
        if match is not None and match[1] == first_hash[:LEDGER_DIGITS]:
            backups.append(KeptBackup(datetime.strptime(match[2], _TIME).replace(tzinfo=UTC), int(match[3]), path))
    return sorted(backups)


def newest_backup(folder: Path, first_hash: str) -> KeptBackup | None:
    try:
        return next(reversed(backups_in(folder, first_hash)), None)
    except OSError as error:
        raise _bad_folder(str(folder), error.strerror) from error


def require_folder(folder: str) -> None:
    if not Path(folder).is_dir():
        raise _bad_folder(folder, "it is not a folder")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise _bad_folder(folder, "it cannot be written")


def _bad_folder(folder: str, why: str | None) -> NotationError:
    return NotationError(f'Backups cannot be kept in "{folder}": {why}. Make the folder first.', code="bad_folder")


def back_up_into(book: Book, plan: BackupPlan, at: datetime) -> KeptBackup:
    """Makes a backup in the folder, tries it, and removes the oldest of those that are too many."""
    require_folder(plan.folder)
    folder, key = Path(plan.folder), BackupKey(plan.key_file) if plan.key_file is not None else None
    first = book.entries(limit=1)
    if not first:
        raise LedgerError("The ledger is empty: there is nothing to back up.", code="empty_ledger")
    backup = None
    try:
        with (folder / LOCK).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise LedgerError("Another backup is being made in this folder.", code=BUSY) from None
            backup = _backed_up(book, folder, key, first[0].hash, at)
            try_backup(book, backup, key)
            _remove_old(folder, first[0].hash, plan.keep)
            return backup
    except (CroupierError, OSError) as error:
        if backup is not None:
            backup.path.unlink(missing_ok=True)  # what does not restore is no backup; the older ones are all there
        if isinstance(error, OSError):
            raise _bad_folder(plan.folder, error.strerror) from error
        raise


def _backed_up(book: Book, folder: Path, key: BackupKey | None, first_hash: str, at: datetime) -> KeptBackup:
    at = at.astimezone(UTC).replace(microsecond=0)
    ending = "gz" if key is None else "gz.age"
    # How many entries it has is known when it is written; until then it has a name that nobody looks for.
    unnamed = folder / UNNAMED
    unnamed.unlink(missing_ok=True)  # of one that was killed, as the folder is ours alone now
    try:
        entries = backup(book, unnamed, key)
        path = folder / f"croupier-{first_hash[:LEDGER_DIGITS]}-{at.strftime(_TIME)}-{entries}.{ending}"
        unnamed.rename(path)
    finally:
        unnamed.unlink(missing_ok=True)
    return KeptBackup(at, entries, path)


def try_backup(book: Book, taken: KeptBackup, key: BackupKey | None) -> None:
    """Restores a backup into a store that is thrown away, and verifies that.

    What was encrypted with a public key cannot be opened here: then the same log is written once more without.
    """
    _remove_old_trials()
    with TemporaryDirectory(prefix=TRIAL) as folder:
        path = taken.path
        if key is not None and not key.can_open:
            path, key = Path(folder) / "plain.gz", None
            backup(book, path)
        trial = open_store(str(Path(folder) / "trial.db"))
        try:
            entries = restore(trial, path, key)
            verdict = verify(trial)
        finally:
            trial.close()
    if not verdict.is_good or entries < taken.entries:
        raise LedgerError(
            f"The backup was written but does not restore: {verdict.problem or 'entries are missing'}. Older ones were "
            "kept.",
            code="bad_backup",
        )


def _remove_old_trials() -> None:
    """Stores of trials that were killed: nobody else would take them away."""
    for left in Path(gettempdir()).glob(f"{TRIAL}*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > TRIAL_LEFT_S and left.stat().st_uid == os.getuid():
                shutil.rmtree(left)


def _remove_old(folder: Path, first_hash: str, keep: int) -> None:
    """The oldest go, but none with more entries than the newest has: that one would be of a log that was cut."""
    backups = backups_in(folder, first_hash)
    newest = backups[-1]
    for old in backups[:-keep]:
        if old.entries <= newest.entries:
            old.path.unlink(missing_ok=True)


def main() -> None:
    """Reads what to do from standard input, as JSON, and answers so."""
    os.nice(NICE)  # those who play go first
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what is temporary is removed
    request = json.loads(sys.stdin.read())
    try:
        book = open_store(request["store"])
        try:
            backup = back_up_into(book, BackupPlan(**request["plan"]), datetime.fromisoformat(request["at"]))
        finally:
            book.close()
        answer: dict[str, Any] = {"file": backup.path.name, "entries": backup.entries}
    except CroupierError as error:
        answer = {"code": error.code, "message": str(error)}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
