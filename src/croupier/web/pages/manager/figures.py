"""The figures of the day, and how meters and wagers went hour by hour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from croupier.house_time import date_text
from croupier.money import MICROS_PER_DOLLAR
from croupier.reports.books.history import History, Hour, history
from croupier.reports.plots.model import Line, Plot
from croupier.web.services import Services

A_DAY = timedelta(hours=24)
SPANS = {"day": ("24 hours", A_DAY), "week": ("7 days", 7 * A_DAY), "month": ("30 days", 30 * A_DAY)}
"""How far back the curve of a meter goes, by the word in its address."""
CURVE_HEIGHT = 28.0


@dataclass(frozen=True, kw_only=True)
class Curve:
    """A meter over the last 24 hours as a small line, 100 wide."""

    points: str
    words: str


@dataclass(frozen=True, kw_only=True)
class Today:
    """What the overview shows of the day."""

    total: Hour
    curves: dict[str, Curve]
    """By jackpot."""
    handle: Plot | None
    """None where nobody wagered in all that time."""


def today(room: Services, now: datetime) -> Today:
    """The day so far, by the clock of the house, and the last 24 hours."""
    midnight = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    hours = history(room.book, min(midnight, now - A_DAY + timedelta(hours=1)), now)
    return Today(
        total=hours.since(midnight),
        curves={jackpot: _curve(values) for (jackpot, _), values in hours.meters.items()},
        handle=_handle(hours),
    )


def _curve(values: Sequence[int]) -> Curve:
    low, high = min(values), max(values)
    step, span = 100 / max(1, len(values) - 1), (high - low) or 1
    points = " ".join(
        f"{number * step:.1f},{CURVE_HEIGHT - 2 - (value - low) * (CURVE_HEIGHT - 4) / span:.1f}"
        for number, value in enumerate(values)
    )
    change = (values[-1] - values[0]) / MICROS_PER_DOLLAR
    return Curve(points=points, words=f"{'+' if change >= 0 else '−'}${abs(change):,.2f} in 24 hours")


def _names(hours: History) -> tuple[str, ...]:
    """Each hour by the clock of the house, with its date where one begins and where there are several."""
    starts = [hour.start.astimezone() for hour in hours.hours]
    is_long = len(starts) > 2 * 24
    return tuple(
        f"{date_text(at).partition(',')[0]}{f' {at:%H}:00' if is_long else ''}"
        if is_long or (at.hour == 0 and len(starts) > 24)
        else f"{at:%H}:00"
        for at in starts
    )


def _handle(hours: History) -> Plot | None:
    dollars = tuple(hour.wagered_micros / MICROS_PER_DOLLAR for hour in hours.hours)
    if not any(dollars):
        return None
    return Plot(
        id="handle",
        title="Jackpot wagers by hour",
        x_label="hour",
        y_label="wagered",
        y_form="dollars",
        x_names=_names(hours),
        lines=(Line("wagered", tuple(map(float, range(len(dollars)))), dollars, kind="bars"),),
    )


def meter_plot(room: Services, jackpot: str, level: str, name: str, span: str, now: datetime) -> Plot | None:
    """Where a meter stood at the end of each hour; None for one that was never opened."""
    words, length = SPANS[span]
    hours = history(room.book, now - length + timedelta(hours=1), now)
    values = hours.meters.get((jackpot, level))
    if values is None:
        return None
    dollars = tuple(value / MICROS_PER_DOLLAR for value in values)
    return Plot(
        id="meter",
        title=f"{name}: the last {words}",
        x_label="at the end of the hour",
        y_label="on display",
        y_form="dollars",
        x_names=_names(hours),
        lines=(Line("display", tuple(map(float, range(len(dollars)))), dollars, kind="steps"),),
        note="From the ledger: what the meter showed at the end of each hour, and now.",
    )
