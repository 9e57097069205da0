"""What came in and went out in a shift or a day, by jackpot and by table: the adjustment of a master games report."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Annotated

from msgspec import Meta

from croupier.jackpot.fields import JackpotId, TableId
from croupier.jackpot.sums import Sums
from croupier.reports.books.period import PeriodReport, read_period
from croupier.store.reading import Reader
from croupier.store.sums import sums_between

ALL = ""
"""Stands for every jackpot, or every table, in a line that adds them up."""


@dataclass(frozen=True, kw_only=True)
class AccrualLine:
    """Sums over one jackpot at one table; a blank name stands for all of them."""

    jackpot: JackpotId
    table: TableId
    rounds: Annotated[int, Meta(description="How many rounds.")] = 0
    wagers: Annotated[int, Meta(description="How many.")] = 0
    wagered_micros: Annotated[int, Meta(description="Coin-in.")] = 0
    meter_micros: Annotated[int, Meta(description="Contributions to what is displayed.")] = 0
    reserve_micros: int = 0
    overflow_micros: Annotated[int, Meta(description="Contributions above the maximum.")] = 0
    receipts_micros: Annotated[int, Meta(description="The house's part of the wagers.")] = 0
    rounds_voided: Annotated[int, Meta(description="How many rounds were given back.")] = 0
    voided_micros: Annotated[
        int, Meta(description="Wagers of void rounds given back; they are still counted in what was wagered.")
    ] = 0
    voided_receipts_micros: Annotated[
        int,
        Meta(description="The house's part of them. The rest was put up by the house, and is among the seed advanced."),
    ] = 0
    hits: Annotated[int, Meta(description="How many hits.")] = 0
    hit_micros: int = 0
    awards_paid: Annotated[int, Meta(description="How many awards were paid.")] = 0
    paid_micros: int = 0
    awards_rejected: Annotated[int, Meta(description="How many claims were rejected.")] = 0
    rejected_micros: int = 0
    awards_backed_out: Annotated[int, Meta(description="How many awards were undone after payment.")] = 0
    backed_out_micros: int = 0
    seed_advanced_micros: int = 0
    seed_returned_micros: Annotated[
        int,
        Meta(
            description="What the house got back of its seed, by a returned award, a recovery or the end of a jackpot."
        ),
    ] = 0
    chips_returned_micros: Annotated[
        int,
        Meta(
            description='Wagers that went back to winners with pays "to 1"; they are still counted in what was wagered.'
        ),
    ] = 0
    adjustments: Annotated[int, Meta(description="How many.")] = 0
    adjusted_micros: Annotated[
        int,
        Meta(
            description="Added by hand less taken by hand, or moved between jackpots; seed recovered and "
            "receipts recorded stand apart."
        ),
    ] = 0
    recorded_receipts_micros: int = 0


@dataclass(frozen=True, kw_only=True)
class Accrual(PeriodReport):
    """Lines of the floor, of each jackpot, of each table, and of each jackpot at each table."""

    lines: Annotated[tuple[AccrualLine, ...], Meta(description="The lines of the report.")]

    def line(self, jackpot: str = ALL, table: str = ALL) -> AccrualLine:
        """The sums of a jackpot, a table or both; zeros where nothing happened."""
        for line in self.lines:
            if (line.jackpot, line.table) == (jackpot, table):
                return line
        return AccrualLine(jackpot=jackpot, table=table)


def accrual(book: Reader, start: datetime | None = None, end: datetime | None = None) -> Accrual:
    """The accrual of a shift, or of any other time."""
    with read_period(book, start, end) as reader:
        sums = sums_between(reader, start, end)
        last_entry, last_hash = reader.head()
    return Accrual(start=start, end=end, last_entry=last_entry, last_hash=last_hash, lines=_lines(sums))


_SUMMED = {
    ("wagers", "contributions"): ("wagered_micros", -1),
    ("meter", "contributions"): ("meter_micros", 1),
    ("reserve", "contributions"): ("reserve_micros", 1),
    ("overflow", "contributions"): ("overflow_micros", 1),
    ("receipts", "contributions"): ("receipts_micros", 1),
    ("wagers", "voided"): ("voided_micros", 1),
    ("receipts", "voided"): ("voided_receipts_micros", -1),
    ("chips", "paid"): ("chips_returned_micros", -1),
    ("chips", "returned"): ("chips_returned_micros", -1),
    ("receipts", "receipts"): ("recorded_receipts_micros", 1),
    ("adjustments", "adjustments"): ("adjusted_micros", -1),
    ("adjustments", "closed"): ("adjusted_micros", -1),
}
"""Which field an account's movements of a cause go to, and with which sign."""

_OF_TABLES = {"table_rounds": "rounds", "table_rounds_voided": "rounds_voided"}
"""Counts of a table whatever the jackpot: a round with two jackpots is one round."""
_COUNTED = {field.name for field in fields(AccrualLine)}


def _lines(sums: Sums) -> tuple[AccrualLine, ...]:
    totals: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    of_tables: dict[str, Counter[str]] = defaultdict(Counter)
    for (what, *place), value in sums.items():
        names = [str(name) for name in place]
        if what in _OF_TABLES:
            of_tables[_OF_TABLES[str(what)]][names[0]] += value
        elif what == "moved":
            jackpot, _, account, table, cause = names
            if (account, cause) in _SUMMED:
                name, sign = _SUMMED[account, cause]
                _add(totals, jackpot, table, name, sign * value)
        elif what in _COUNTED:
            _add(totals, names[0], names[1], str(what), value)
    for name, counted in of_tables.items():
        for table, rounds in counted.items():
            totals[ALL, table][name] = rounds
        totals[ALL, ALL][name] = counted.total()
    return tuple(
        AccrualLine(jackpot=jackpot, table=table, **counts) for (jackpot, table), counts in sorted(totals.items())
    )


def _add(totals: dict[tuple[str, str], Counter[str]], jackpot: str, table: str, name: str, value: int) -> None:
    for place in {(jackpot, table), (jackpot, ALL), (ALL, table), (ALL, ALL)}:
        totals[place][name] += value
