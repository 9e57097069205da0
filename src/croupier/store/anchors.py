"""Ends of the log noted elsewhere: a file on another disk, or a table of another database.

No chain can tell that its last entries are gone: a cut log is a good one that ends earlier. So where it ended is
written down elsewhere every few seconds and when a server stops, and compared when one starts and by `verify`.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Protocol

from sqlalchemy import BigInteger, Column, MetaData, Table, Text, insert, select
from sqlalchemy.exc import SQLAlchemyError

from croupier.errors import CroupierError, LedgerError, NotationError
from croupier.store import schema
from croupier.store.book import Book
from croupier.store.engine import make_engine, reading
from croupier.store.reading import Reader
from croupier.store.rows import micros_since_epoch

EVERY_S = 5.0
LATEST = 1000
"""Anchors of a place that are compared at a start; `verify` takes all of them."""
LONGEST_LINE = 200
_LINE = re.compile(r"([1-9][0-9]{0,18}):([0-9a-f]{64}) \S+")

Anchor = tuple[int, str]
"""Number and hash of an entry."""

metadata = MetaData()
anchors_table = Table(
    "anchors",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("hash", Text, primary_key=True),
    Column("at_micros", BigInteger, nullable=False),
)

log = logging.getLogger("croupier.store")


class Anchors(Protocol):
    """A place where ends of the log are noted."""

    place: str

    def note(self, seq: int, hash: str, at: datetime) -> None: ...

    def noted(self, latest: int | None = None) -> list[Anchor]:
        """All of them, or about as many of the latest."""
        ...


def open_anchors(place: str) -> Anchors:
    """A file, or the URL of a database."""
    return AnchorTable(place) if "://" in place else AnchorFile(place)


class AnchorFile:
    """Lines `NUMBER:HASH TIME`, which are only ever added to."""

    def __init__(self, place: str) -> None:
        self.place = place
        self._path = Path(place)

    def note(self, seq: int, hash: str, at: datetime) -> None:
        line = f"{seq}:{hash} {at.isoformat()}\n".encode()
        try:
            file = os.open(self._path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600)
            try:
                size = os.fstat(file).st_size
                if size and os.pread(file, 1, size - 1) != b"\n":  # the power went while a line was written
                    line = b"\n" + line
                os.write(file, line)
                os.fsync(file)
            finally:
                os.close(file)
        except OSError as error:
            raise _not_noted(self.place, str(error.strerror)) from error

    def noted(self, latest: int | None = None) -> list[Anchor]:
        """Lines that do not read were cut by a power failure; a file with nothing else is none of ours."""
        try:
            with self._path.open("rb") as file:
                if latest is not None:
                    file.seek(max(0, self._path.stat().st_size - latest * LONGEST_LINE))
                lines = file.read().decode("ascii", "replace").splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise NotationError(
                f'The anchors in "{self.place}" cannot be read: {error.strerror}.', code="unreadable_anchors"
            ) from error
        matches = [match for match in map(_LINE.fullmatch, lines) if match is not None]
        if lines and not matches:
            raise NotationError(
                f'"{self.place}" has no line NUMBER:HASH TIME: it is not a file of anchors.', code="unreadable_anchors"
            )
        return [(int(match[1]), match[2]) for match in matches]


class AnchorTable:
    """The table `anchors` of a second database, made where it is not there."""

    def __init__(self, url: str) -> None:
        self._engine = make_engine(url)
        self.place = self._engine.url.render_as_string(hide_password=True)

    def note(self, seq: int, hash: str, at: datetime) -> None:
        here = (anchors_table.c.seq == seq) & (anchors_table.c.hash == hash)
        try:
            metadata.create_all(self._engine)
            with self._engine.begin() as connection:
                if connection.execute(select(anchors_table.c.seq).where(here)).first() is None:
                    values = {"seq": seq, "hash": hash, "at_micros": micros_since_epoch(at)}
                    connection.execute(insert(anchors_table).values(values))
        except SQLAlchemyError as error:
            raise _not_noted(self.place, str(getattr(error, "orig", error)).strip()) from error
        finally:
            self._engine.dispose()

    def noted(self, latest: int | None = None) -> list[Anchor]:
        query = select(anchors_table.c.seq, anchors_table.c.hash).order_by(anchors_table.c.at_micros.desc())
        try:
            metadata.create_all(self._engine)
            with reading(self._engine).connect() as connection:
                return [(row.seq, row.hash) for row in connection.execute(query.limit(latest))]
        except SQLAlchemyError as error:
            cause = str(getattr(error, "orig", error)).strip()
            raise NotationError(
                f'The anchors in "{self.place}" cannot be read: {cause}.', code="unreadable_anchors"
            ) from error
        finally:
            self._engine.dispose()


def _not_noted(place: str, why: str) -> LedgerError:
    return LedgerError(f'The end of the log could not be noted in "{place}": {why}.', code="not_noted")


def require_anchored(reader: Reader, places: Iterable[Anchors]) -> None:
    """The log has the latest entries that were noted elsewhere; none was cut off or exchanged."""
    for place in places:
        noted = place.noted(LATEST)
        last = max((seq for seq, _ in noted), default=0)
        end = reader.head()[0]
        if last > end:
            raise LedgerError(
                f'The log ends at entry {end}, but "{place.place}" has noted entry {last}: entries are gone. Do not '
                "play on: find the newer store or backup. If an older one was restored on purpose, note these anchors "
                "elsewhere, and begin a new place for them.",
                code="truncated",
            )
        _require_same(reader, place.place, noted)


def _require_same(reader: Reader, place: str, noted: Sequence[Anchor]) -> None:
    table = schema.entries
    with reader.snapshot() as connection:
        query = select(table.c.seq, table.c.hash).where(table.c.seq.in_([seq for seq, _ in noted]))
        hashes = {row.seq: row.hash for row in connection.execute(query)}
    for seq, hash in noted:
        if hashes.get(seq) != hash:
            raise LedgerError(
                f'Entry {seq} is not the one that "{place}" has noted: the log was rewritten, or is that of another '
                "floor. Do not play on: run verify, and restore a backup.",
                code="anchor_mismatch",
            )


class AnchorKeeper:
    """Notes where the log ends, every few seconds while it grows, and when it is stopped."""

    def __init__(self, book: Book, places: Sequence[str], clock: Callable[[], datetime]) -> None:
        self._book = book
        self._places = [open_anchors(place) for place in places]
        self._clock = clock
        self._last: dict[str, Anchor] = {}
        self._guard = Lock()
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="anchors", daemon=True)
        self.problem = ""
        """Why the end of the log could not be noted the last time; empty when it was."""

    def start(self) -> None:
        """Compares first; where nothing can be noted, says so."""
        if self._places:
            require_anchored(self._book, self._places)
            for place in self._places:
                self._note(place)
            self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()
            self.note_all()

    def note_all(self) -> None:
        """Notes the end of the log in every place that does not have it."""
        problem = ""
        for place in self._places:
            try:
                self._note(place)
            except CroupierError as error:
                if str(error) != self.problem:
                    log.error("%s: %s", error.code, error)
                problem = str(error)
        self.problem = problem

    def _note(self, place: Anchors) -> None:
        with self._guard:
            end = self._book.head()
            if end[0] and self._last.get(place.place) != end:
                place.note(*end, self._clock())
                self._last[place.place] = end

    def _run(self) -> None:
        while not self._stopped.wait(EVERY_S):
            self.note_all()
