"""Hour by hour: what was wagered, what became of it, and where each meter stood."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from croupier.jackpot.sums import Sums
from croupier.reports.books.period import PeriodReport, read_period
from croupier.store.reading import Reader
from croupier.store.sums import balances_before, sums_by_hour

HOUSE = ("receipts", "seed", "tray", "chips")
"""Accounts that are the house's own: its part of the wagers, and what it puts up or gives back."""
PLAYERS = ("meter", "reserve", "overflow")
LEVELS = tuple[str, str]
"""A jackpot and its level."""


@dataclass(frozen=True, kw_only=True)
class Hour:
    """What happened in an hour, or in several of them."""

    start: datetime
    rounds: int = 0
    wagered_micros: int = 0
    contributed_micros: int = 0
    """What wagers added to meters, reserves and overflows."""
    hits: int = 0
    hit_micros: int = 0
    house_micros: int = 0
    """What the house gained: its part of the wagers less seeds, pays from the tray and chips that went back."""


@dataclass(frozen=True, kw_only=True)
class History(PeriodReport):
    """The hours of a time, each that there is, and what meters showed at the end of each."""

    hours: tuple[Hour, ...]
    meters: dict[LEVELS, tuple[int, ...]]

    def since(self, start: datetime) -> Hour:
        """All hours from one on, added up."""
        hours = [hour for hour in self.hours if hour.start >= start]
        names = ("rounds", "wagered_micros", "contributed_micros", "hits", "hit_micros", "house_micros")
        return Hour(start=start, **{name: sum(getattr(hour, name) for hour in hours) for name in names})


def history(book: Reader, start: datetime, now: datetime) -> History:
    """The whole hours from the one that holds `start` to the one that holds `now`."""
    first = start.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    with read_period(book, first, None) as reader:
        by_hour = sums_by_hour(reader, first)
        closing = balances_before(reader, None)
        last_entry, last_hash = reader.head()
    last = max(now, *by_hour, first)  # a clock that was set back leaves entries that are later than now
    starts = [first + timedelta(hours=number) for number in range(int((last - first) / timedelta(hours=1)) + 1)]
    sums = [by_hour.get(at, Sums()) for at in starts]
    return History(
        start=first,
        end=None,
        last_entry=last_entry,
        last_hash=last_hash,
        hours=tuple(map(_hour, starts, sums)),
        meters={
            (jackpot, level): _closings(jackpot, level, micros, sums)
            for (jackpot, level, account), micros in closing.items()
            if account == "meter"
        },
    )


def _hour(start: datetime, sums: Sums) -> Hour:
    moved: dict[tuple[str, str], int] = defaultdict(int)
    counted: dict[str, int] = defaultdict(int)
    for (what, *place), value in sums.items():
        if what == "moved":
            moved[str(place[2]), str(place[4])] += value
        else:
            counted[str(what)] += value
    return Hour(
        start=start,
        rounds=counted["table_rounds"] - counted["table_rounds_voided"],
        wagered_micros=-moved["wagers", "contributions"],
        contributed_micros=sum(moved[account, "contributions"] for account in PLAYERS),
        hits=counted["hits"],
        hit_micros=counted["hit_micros"],
        house_micros=sum(micros for (account, _), micros in moved.items() if account in HOUSE),
    )


def _closings(jackpot: str, level: str, micros: int, sums: list[Sums]) -> tuple[int, ...]:
    """A meter at the end of each hour, reckoned back from now."""
    closings = [micros]
    for hour in reversed(sums[1:]):
        change = sum(value for key, value in hour.items() if key[:4] == ("moved", jackpot, level, "meter"))
        closings.append(closings[-1] - change)
    return tuple(reversed(closings))
