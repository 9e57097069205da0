"""The end of the log in memory: who did the last step at each table, and whether a clock was set back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from weakref import WeakKeyDictionary

from croupier.floor.service import TABLE
from croupier.house_time import CLOCKS_AGREE
from croupier.jackpot import FactRecorded
from croupier.store import Book
from croupier.store.reading import SetBack

LOOKED_BACK = 2000
"""Entries at the end of the log that are read at first."""


@dataclass(frozen=True)
class LastStep:
    """Who did the last step at a table, and when."""

    who: str
    at: datetime
    step: str
    """Its name in the log."""


@dataclass(frozen=True)
class Recent:
    """The end of the log, as far as it was read."""

    read_to: int
    last_at: datetime | None = None
    """Time of the last entry."""
    seen: dict[str, LastStep] = field(default_factory=dict)
    """Who was last at each table."""
    set_back: SetBack | None = None
    """Where a clock was last set back."""


_RECENT: WeakKeyDictionary[Book, Recent] = WeakKeyDictionary()


def recent(book: Book) -> Recent:
    """Reads only what is new in the log since it was last asked."""
    known = _RECENT.setdefault(book, Recent(max(0, book.head()[0] - LOOKED_BACK)))
    read_to, last_at, seen, set_back = known.read_to, known.last_at, dict(known.seen), known.set_back
    while entries := book.entries(after=read_to, limit=1000):
        for sealed in entries:
            entry, event = sealed.entry, sealed.entry.event
            if last_at is not None and last_at - entry.at > CLOCKS_AGREE:
                set_back = SetBack(entry.seq, entry.at, last_at)
            last_at = entry.at
            if isinstance(event, FactRecorded) and event.subject.startswith(TABLE):
                seen[event.subject.removeprefix(TABLE)] = LastStep(entry.actor, entry.at, event.kind)
        read_to = entries[-1].entry.seq
    _RECENT[book] = Recent(read_to, last_at, seen, set_back)
    return _RECENT[book]


def last_seen(book: Book) -> dict[str, LastStep]:
    """Who was last at each table."""
    return recent(book).seen
