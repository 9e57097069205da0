"""Who did the last step at each table, by the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from weakref import WeakKeyDictionary

from croupier.floor.desk import TABLE
from croupier.jackpot import FactRecorded
from croupier.store import Book

LOOKED_BACK = 2000
"""Entries at the end of the log in which a table's last step is looked for."""


@dataclass(frozen=True)
class Seen:
    """Who did the last step at a table, and when."""

    who: str
    at: datetime
    step: str
    """Its name in the log."""


@dataclass
class _Log:
    """The last steps as far as the log was read."""

    read_to: int
    seen: dict[str, Seen] = field(default_factory=dict)


_LOGS: WeakKeyDictionary[Book, _Log] = WeakKeyDictionary()


def last_seen(book: Book) -> dict[str, Seen]:
    """Who was last at each table; reads only what is new in the log since it was last asked."""
    log = _LOGS.setdefault(book, _Log(max(0, book.head()[0] - LOOKED_BACK)))
    seen, read_to = dict(log.seen), log.read_to
    while found := book.entries(after=read_to, limit=1000):
        for sealed in found:
            event = sealed.entry.event
            if isinstance(event, FactRecorded) and event.subject.startswith(TABLE):
                seen[event.subject.removeprefix(TABLE)] = Seen(sealed.entry.actor, sealed.entry.at, event.kind)
        read_to = found[-1].entry.seq
    _LOGS[book] = _Log(read_to, seen)
    return seen
