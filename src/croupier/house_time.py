"""The time of the house."""

from __future__ import annotations

from datetime import UTC, datetime


def house_clock() -> datetime:
    """Now, in the time zone of the machine, which is the house's: by it turn the days of the law and of deposits."""
    return datetime.now(UTC).astimezone()
