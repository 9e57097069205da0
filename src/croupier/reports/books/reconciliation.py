"""Opening + contributions - awards +- adjustments = closing, for every account of every level, from the log."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from msgspec import Meta

from croupier.errors import unknown
from croupier.jackpot.accounts import Key
from croupier.jackpot.fields import JackpotId
from croupier.reports.books.period import PeriodReport, read_period
from croupier.store.reading import Reader
from croupier.store.sums import balances_before, balances_of, sums_between


@dataclass(frozen=True, kw_only=True)
class ReconciliationLine:
    """One account. `opening` and all that follows up to `closed` add up to `closing`."""

    jackpot: JackpotId
    level: Annotated[str, Meta(description="Blank for wagers and receipts, which belong to the jackpot as a whole.")]
    account: Annotated[str, Meta(description="Which pot of the ledger.")]
    opening_micros: int
    contributions_micros: int = 0
    voided_micros: Annotated[
        int, Meta(description="Wagers of void rounds given back, and what the house put up in their place.")
    ] = 0
    awards_micros: int = 0
    returned_micros: Annotated[int, Meta(description="Awards rejected or backed out.")] = 0
    paid_micros: int = 0
    seed_micros: Annotated[
        int, Meta(description="Advanced by the house, at an opening or after a 100% award, less what it took back.")
    ] = 0
    reserve_micros: Annotated[
        int, Meta(description="From the reserve to the meter after a 100% award, less what went back.")
    ] = 0
    overflow_micros: Annotated[int, Meta(description="Between meter and overflow, other than contributions.")] = 0
    receipts_micros: Annotated[
        int, Meta(description="Money not displayed that was recorded as gross receipts by hand.")
    ] = 0
    adjustments_micros: int = 0
    closed_micros: Annotated[
        int, Meta(description="Moved by the end of a jackpot, this one or one whose money came here.")
    ] = 0
    closing_micros: int
    balance_micros: Annotated[
        int,
        Meta(
            description="The same from the other side: the account's balance now, less all that moved since the "
            "period's end."
        ),
    ]
    closes: Annotated[bool, Meta(description="Whether the two agree.")]


@dataclass(frozen=True, kw_only=True)
class Reconciliation(PeriodReport):
    """All accounts, and whether they add up."""

    lines: Annotated[tuple[ReconciliationLine, ...], Meta(description="The lines of the report.")]
    is_good: Annotated[bool, Meta(description="Every account closes and every jackpot adds up to zero.")]
    not_closing: Annotated[
        tuple[str, ...],
        Meta(
            description="Accounts whose closing is not their balance, as `jackpot/level/account`; none when all "
            "is well."
        ),
    ]
    not_zero: Annotated[
        tuple[str, ...], Meta(description="Jackpots whose balances do not add up to zero; none when all is well.")
    ]

    def line(self, jackpot: str, account: str, level: str = "main") -> ReconciliationLine:
        for line in self.lines:
            if (line.jackpot, line.level, line.account) == (jackpot, level, account):
                return line
        names = [f"{line.jackpot}/{line.level}/{line.account}" for line in self.lines]
        raise unknown("account", f"{jackpot}/{level}/{account}", names)


def reconciliation(book: Reader, start: datetime | None = None, end: datetime | None = None) -> Reconciliation:
    """The reconciliation of a period; of the ledger's whole life when no times are given."""
    with read_period(book, start, end) as reader:
        opening = {} if start is None else balances_before(reader, start)
        after = {} if end is None else balances_of(sums_between(reader, end, None))
        now = reader.balances()
        balances = {key: now.get(key, 0) - after.get(key, 0) for key in now.keys() | after.keys()}
        moved: dict[Key, Counter[str]] = defaultdict(Counter)
        for (what, *place), micros in sums_between(reader, start, end).items():
            if what == "moved":
                jackpot, level, account, _, cause = map(str, place)
                moved[jackpot, level, account][f"{cause}_micros"] += micros
        last_entry, last_hash = reader.head()
    keys = sorted(opening.keys() | balances.keys() | moved.keys())
    lines = tuple(_line(key, opening.get(key, 0), moved[key], balances.get(key, 0)) for key in keys)
    sums: Counter[str] = Counter()
    for line in lines:
        sums[line.jackpot] += line.closing_micros
    not_closing = tuple(f"{line.jackpot}/{line.level}/{line.account}" for line in lines if not line.closes)
    not_zero = tuple(sorted(jackpot for jackpot, micros in sums.items() if micros))
    return Reconciliation(
        start=start,
        end=end,
        last_entry=last_entry,
        last_hash=last_hash,
        lines=lines,
        is_good=not not_closing and not not_zero,
        not_closing=not_closing,
        not_zero=not_zero,
    )


def _line(key: Key, opening: int, moved: Counter[str], balance: int) -> ReconciliationLine:
    jackpot, level, account = key
    closing = opening + moved.total()
    return ReconciliationLine(
        jackpot=jackpot,
        level=level,
        account=account,
        opening_micros=opening,
        closing_micros=closing,
        balance_micros=balance,
        closes=closing == balance,
        **moved,
    )
