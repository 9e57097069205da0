"""What the reports on the ledger share: the time they cover, and every posting with its cause.

The net change of a meter at a hit is taken apart here into award, seed and reserve, so that a reconciliation can show
each on its own. Whatever the event, the movements of one cause add up to zero over the accounts of a jackpot.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from croupier.errors import RangeError
from croupier.jackpot import (
    AnyEvent,
    AwardBackedOut,
    AwardPaid,
    AwardRejected,
    FactRecorded,
    JackpotClosed,
    JackpotHit,
    MeterAdjusted,
    RoundVoided,
    WagersLocked,
)
from croupier.jackpot.accounts import Key
from croupier.store.reading import Reader

Cause = Literal[
    "contributions",
    "voided",
    "awards",
    "returned",
    "paid",
    "seed",
    "reserve",
    "overflow",
    "receipts",
    "adjustments",
    "closed",
]
Movement = tuple[Key, Cause, int]

_ADJUSTED: dict[str, Cause] = {"record_receipts": "receipts", "recover_seed": "seed", "release_overflow": "overflow"}
_SIDE: dict[str, Cause] = {"seed": "seed", "reserve": "reserve", "overflow": "overflow"}


@dataclass(frozen=True, kw_only=True)
class Report:
    """A report, and the end of the ledger that it was made from: an anchor for `verify`."""

    last_entry: int
    last_hash: str


@dataclass(frozen=True, kw_only=True)
class PeriodReport(Report):
    """A report on the entries from `start` on and before `end`, by their own clocks; None: without bound."""

    start: datetime | None
    end: datetime | None


@contextmanager
def read_period(book: Reader, start: datetime | None, end: datetime | None) -> Iterator[Reader]:
    """A reader to which the ledger stands still, once the times are seen to make a period."""
    for at in (start, end):
        if at is not None and at.tzinfo is None:
            raise RangeError(f"The time {at} has no zone. Give one, as in 2026-11-16T06:00:00-08:00.", code="bad_date")
    if start is not None and end is not None and end < start:
        raise RangeError(f"The period ends, {end}, before it begins, {start}.", code="bad_date")
    with book.standing_still() as reader:
        yield reader


def movements(event: AnyEvent) -> list[Movement]:
    """Every movement of an event; over each account they add up to its posting."""
    if isinstance(event, JackpotHit):
        return _of_award(event, "awards")
    if isinstance(event, AwardRejected | AwardBackedOut):
        return _of_award(event, "returned")
    cause = _cause(event)
    return [(posting.key, cause, posting.micros) for posting in event.postings]


def _cause(event: AnyEvent) -> Cause:
    match event:
        case WagersLocked():
            return "contributions"
        case RoundVoided():
            return "voided"
        case AwardPaid():
            return "paid"
        case MeterAdjusted():
            return _ADJUSTED.get(event.code, "adjustments")
        case JackpotClosed():
            return "closed"
        case FactRecorded():
            raise AssertionError("a fact moves no money")
        case _:
            return "seed"


def _of_award(event: JackpotHit | AwardRejected | AwardBackedOut, cause: Cause) -> list[Movement]:
    """The meter is one end of whatever seed, reserve and overflow got or gave; what is left of it is the award."""
    found: list[Movement] = []
    meters: dict[Key, dict[Cause, int]] = defaultdict(lambda: defaultdict(int))
    for posting in event.postings:
        meter: Key = (posting.jackpot, posting.level, "meter")
        if posting.account == "meter":
            meters[meter][cause] += posting.micros
            continue
        side = _SIDE.get(posting.account, cause)
        found.append((posting.key, side, posting.micros))
        if side != cause:
            meters[meter][side] -= posting.micros
            meters[meter][cause] += posting.micros
    found += [(key, why, micros) for key, parts in meters.items() for why, micros in parts.items() if micros]
    return found
