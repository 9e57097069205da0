"""The most that a single wager may be, as a strategy counts it."""

from __future__ import annotations

from datetime import date

from croupier.errors import NotationError, RangeError
from croupier.money import MICROS_PER_DOLLAR, dollars_for_people, parse_dollars
from croupier.rules.choice import Choice
from croupier.rules.loader import find_jurisdiction


def units_of_limit(choice: Choice, wager: str | None, limit: str | None) -> float:
    """How many first wagers a single wager may be; 0 for no limit."""
    if wager is None:
        if limit is not None:
            raise NotationError("A limit needs a wager: how much the first wager is.", code="bad_limit")
        return 0.0
    first = parse_dollars(wager)
    law = find_jurisdiction(choice.game.jurisdiction)
    in_force = law.single_wager_limit(date.today()) if law else None
    if limit is not None:
        most = parse_dollars(limit)
    elif in_force is not None:
        most = in_force.dollars * MICROS_PER_DOLLAR
    else:
        return 0.0
    if first <= 0:
        raise RangeError("A first wager of nothing cannot be made.", code="bad_amount")
    if first > most:
        raise RangeError(
            f"A first wager of {dollars_for_people(first)} cannot be made: {dollars_for_people(most)} at most.",
            code="over_legal_limit",
        )
    return most / first
