"""The time of the house."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

CLOCKS_AGREE = timedelta(seconds=5)
"""As well as the clocks of several servers agree. An entry that is earlier than the one before it by more than this was
made by a clock that was set back."""


def house_clock() -> datetime:
    """Now, in the time zone of the machine, which is the house's: by it turn the days of the law and of deposits."""
    return datetime.now(UTC).astimezone()


def date_text(day: date) -> str:
    """`Nov 18, 2026`, as Americans write a date."""
    return f"{day:%b} {day.day}, {day.year}"


def time_text(at: datetime) -> str:
    """A time by the clock of the house, with its zone, as paper travels."""
    return f"{clock_text(at)} {at.astimezone():%Z}"


def clock_text(at: datetime) -> str:
    """The same where its zone is said elsewhere: `Nov 18, 2026 14:05:09`."""
    here = at.astimezone()
    return f"{date_text(here)} {here:%H:%M:%S}"
