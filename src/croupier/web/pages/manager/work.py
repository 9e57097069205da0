"""What the manager's setup pages compute odds for: functions for the other process, of a floor as text."""

from __future__ import annotations

from datetime import date

from croupier.floor import Change, check_floor, floor_from_json, plan_change
from croupier.floor.checks.findings import Finding

Standing = tuple[tuple[str, int], ...]
"""What stands on the meters, by jackpot, in micros."""


def findings_of(floor: str, day: date, standing: Standing) -> list[Finding]:
    """What the law of a day says to a floor."""
    return check_floor(floor_from_json(floor), day, dict(standing))


def planned_change(old: str, new: str, standing: Standing, day: date) -> Change | tuple[Finding, ...]:
    """The change from one version to the next, or the refusals that forbid it."""
    return plan_change(floor_from_json(old), floor_from_json(new), dict(standing), day)
