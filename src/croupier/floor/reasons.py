"""The only lawful reasons to reduce a progressive, as a closed list for adjustments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from croupier.floor.checks.findings import Finding, found
from croupier.floor.law import LawRow, all_on, rows_of

REDUCTION = "reduction"
HOW = {
    "correct_display": "correct_display with an amount below zero",
    "recover_seed": "recover_seed with an amount above zero",
    "record_receipts": "record_receipts with an amount above zero, out of reserve or overflow",
}
"""How an adjustment for each lawful reason is asked for; all but the first reduce with an amount above zero."""
REDUCES_ANYHOW = frozenset(HOW) - {"correct_display"}
NOT_BY_HAND = frozenset({"won", "over_maximum"})
"""Lawful, and the ledger's own work: an award lowers the meter, and what would pass the maximum never gets there."""


@dataclass(frozen=True, kw_only=True)
class Reason:
    """A reason code with its source."""

    code: str
    text: str
    citation: str
    address: str


def reduction_reasons(day: date) -> tuple[Reason, ...]:
    """The reasons for which a meter may be reduced on that day.

    Before the first text that was seen they are taken to be the same: a shorter list would be no safer, and none at all
    would stop every award.
    """
    return tuple(_reason(row) for row in _rows(day))


def check_reduction(reason: str, micros: int, day: date, where: str) -> Finding | None:
    """A refusal of an adjustment that takes from a progressive for a reason that is not on the list of the day."""
    rows = [row for row in _rows(day) if row.item not in NOT_BY_HAND]
    is_reduction = micros < 0 or reason in REDUCES_ANYHOW
    if not is_reduction or reason in [row.item for row in rows]:
        return None
    accepted = "; ".join(HOW[row.item] for row in rows)
    sentence = f'A progressive is not reduced by hand for the reason "{reason}". Accepted: {accepted}.'
    return found(rows[0], "unlawful_reduction", where, sentence)


def _rows(day: date) -> tuple[LawRow, ...]:
    return all_on(REDUCTION, day) or rows_of(REDUCTION)


def _reason(row: LawRow) -> Reason:
    return Reason(code=row.item, text=row.text, citation=row.citation, address=row.address)
