"""What the reports on the ledger share: the end of the log they were made from, and the time they cover."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from msgspec import Meta

from croupier.errors import RangeError
from croupier.store import Book
from croupier.store.reading import Reader


@dataclass(frozen=True, kw_only=True)
class LedgerReport:
    """A report, and the end of the ledger that it was made from: an anchor for `verify`."""

    last_entry: Annotated[int, Meta(description="The last entry of the log that the report knows.")]
    last_hash: Annotated[str, Meta(description="The hash of that entry.")]


@dataclass(frozen=True, kw_only=True)
class PeriodReport(LedgerReport):
    """A report on the entries from `start` on and before `end`, by their own clocks; None: without bound."""

    start: Annotated[datetime | None, Meta(description="Where the period begins; this time is in it.")]
    end: Annotated[datetime | None, Meta(description="Where the period ends; it is before this time.")]


@contextmanager
def read_period(book: Reader, start: datetime | None, end: datetime | None) -> Iterator[Reader]:
    """A reader to which the ledger stands still, once the times make a period and the sums are up to date."""
    for at in (start, end):
        if at is not None and at.tzinfo is None:
            raise RangeError(f"The time {at} has no zone. Give one, as in 2026-11-16T06:00:00-08:00.", code="bad_date")
    if start is not None and end is not None and end < start:
        raise RangeError(f"The period ends, {end}, before it begins, {start}.", code="bad_date")
    if isinstance(book, Book):
        book.add_up()
    with book.standing_still() as reader:
        yield reader
