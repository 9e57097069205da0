"""The time of the house."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

CLOCKS_AGREE = timedelta(seconds=5)
"""As well as the clocks of several servers agree. An entry that is earlier than the one before it by more than this was
made by a clock that was set back."""


def house_clock() -> datetime:
    """Now, in the time zone of the machine, which is the house's: by it turn the days of the law and of deposits."""
    return datetime.now(UTC).astimezone()
