"""From a row to money. Winnings that do not divide into cents are floored to the cent; the wager comes back whole."""

from __future__ import annotations

from fractions import Fraction

from croupier.money import MICROS_PER_CENT
from croupier.pay import Row


def floor_to_cents(amount: Fraction) -> int:
    """Micros of an exact amount of micros, floored to whole cents."""
    return int(amount // MICROS_PER_CENT) * MICROS_PER_CENT


def returned_for(row: Row | None, staked: int) -> int:
    """All that comes back for a wager that ended on a row with odds; nothing for a lost one."""
    if row is None:
        return 0
    if row.pays.kind in ("to", "push"):
        return staked + floor_to_cents(row.pays.net * staked)
    return floor_to_cents(row.pays.returned * staked)


def share_of_meter(row: Row, meter: int, participants: int) -> int:
    """What one participant gets of a share of the meter: shared evenly, floored to the cent, the rest stays in it."""
    award = row.pays.share * meter
    return floor_to_cents(award / participants if row.paid == "shared" else award)
