"""Whether the server can book: the answer of `/ready`, which writes to the store."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.errors import CroupierError, LedgerError
from croupier.floor.people import People
from croupier.floor.roles import SOFTWARE
from croupier.house_time import CLOCKS_AGREE
from croupier.store import Book
from croupier.store.anchors import AnchorKeeper
from croupier.store.backups.process import BackupPlan
from croupier.store.backups.schedule import BackupSchedule
from croupier.store.file_check import FileCheck, State
from croupier.store.play import PlayStore
from croupier.store.probe import Probe

KEPT_S = 1.0
"""For so long an answer is given again: whoever asks often must not make the store write as often."""
UNREACHABLE = "The store cannot be written: it does not answer, or somebody else keeps it. The server's log says more."

log = logging.getLogger("croupier.web")


@dataclass(frozen=True, kw_only=True)
class Keeping:
    """What the server does beside serving so that the books are not lost."""

    anchors: tuple[str, ...] = ()
    """Files or URLs in which the end of the log is noted."""
    backups: BackupPlan | None = None


NOTHING_MORE = Keeping()


class Ready(Struct, frozen=True, kw_only=True):
    """That the server can book."""

    status: Annotated[Literal["ready"], Meta(description="Where it stands.")] = "ready"
    files: Annotated[State, Meta(description="How the check of the store's files in the background stands.")]
    files_checked_at: Annotated[Annotated[datetime, Meta(tz=True)] | None, Meta(description="When it last ended.")]
    stopped: Annotated[tuple[str, ...], Meta(description="Jackpots whose figures do not add up.")]
    clock: Annotated[datetime, Meta(tz=True, description="The server's time.")]
    warnings: Annotated[tuple[str, ...], Meta(description="What somebody should look at though it stops nothing.")]


@dataclass
class Readiness:
    """What stands in the way of booking, and what somebody should look at though it does not."""

    book: Book
    probe: Probe
    clock: Callable[[], datetime]
    files: FileCheck
    anchors: AnchorKeeper
    backups: BackupSchedule | None
    play: PlayStore

    def __post_init__(self) -> None:
        self._guard = Lock()
        self._until = 0.0
        self._answer: Ready | tuple[str, str] = ("not_ready", "")

    def start(self) -> None:
        """Refuses a store that cannot be written, or whose log is not what was written; then checks on."""
        self.probe.require_writable(self.clock())
        self.book.check()
        self.anchors.start()
        self.files.start()
        if self.backups is not None:
            self.backups.start()

    def stop(self) -> None:
        if self.backups is not None:
            self.backups.stop()
        self.files.stop()
        self.anchors.stop()
        self.probe.close()

    def answer(self) -> Ready:
        """The standing of a server that can book, or the refusal that says why it cannot."""
        with self._guard:
            if time.monotonic() >= self._until:
                self._answer = self._look()
                self._until = time.monotonic() + KEPT_S
            answer = self._answer
        if isinstance(answer, tuple):
            code, why = answer
            raise LedgerError(why, code=code)
        return answer

    def _look(self) -> Ready | tuple[str, str]:
        now = self.clock()
        checked = self.files.checked
        if checked.state == "bad":
            return "damaged_file", f"Nothing is booked: {checked.problem} Restore a backup."
        try:
            behind = self._write_and_read(now)
        except CroupierError as error:
            if error.code != "storage_failed":
                return error.code, str(error)
            log.error("%s: %s", error.code, error)
            return "not_ready", UNREACHABLE
        stopped = sorted(self.book.stopped())
        return Ready(
            files=checked.state,
            files_checked_at=checked.at,
            stopped=tuple(stopped),
            clock=now,
            warnings=tuple(filter(None, (*self._warnings(), *_stopped_words(stopped), behind))),
        )

    def _write_and_read(self, now: datetime) -> str:
        """What is wrong with the clock. Tried twice, as connections from before a restart of the database fail once."""
        try:
            self.probe.require_writable(now)
            return self._behind(now)
        except CroupierError as error:
            if error.code != "storage_failed":
                raise
        self.probe.require_writable(now)
        return self._behind(now)

    def _warnings(self) -> list[str]:
        checked = self.files.checked
        failed = "The store's files could not be checked; it is tried again." if checked.state == "failed" else ""
        not_noted = "The end of the log could not be noted elsewhere." if self.anchors.problem else ""
        not_backed_up = self.backups.problem if self.backups is not None else ""
        play = self.play.problem()
        if play:
            log.error("%s", play)
        no_play = "Play money is out of reach, and its tables with it; the ledger books all the same." if play else ""
        return [failed, *checked.notes, self.probe.little_room(), not_noted, not_backed_up, no_play]

    def _behind(self, now: datetime) -> str:
        """A clock that is behind the last entry was set back, or that entry's was ahead."""
        last, _ = self.book.head()
        newest = self.book.entries(after=last - 1, limit=1) if last else ()
        if not newest or newest[0].entry.at - now <= CLOCKS_AGREE:
            return ""
        seconds = int((newest[0].entry.at - now).total_seconds())
        return f"The server's clock is {seconds} seconds behind the last entry of the log: set it right."


def make_readiness(
    store_url: str, book: Book, people: People, clock: Callable[[], datetime], keeping: Keeping, play: PlayStore
) -> Readiness:
    def record(entries: int) -> None:
        people.log.backed_up(SOFTWARE, entries)

    plan = keeping.backups
    return Readiness(
        book=book,
        probe=Probe(store_url),
        clock=clock,
        files=FileCheck(book, clock),
        anchors=AnchorKeeper(book, keeping.anchors, clock),
        backups=BackupSchedule(store_url, book, plan, clock, record) if plan is not None else None,
        play=play,
    )


def _stopped_words(stopped: list[str]) -> list[str]:
    return [f'Jackpot "{name}" is stopped: take its tables out of service and run verify.' for name in stopped]
