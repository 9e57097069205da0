"""Opening + contributions - awards +- adjustments = closing, for every account of every level, from the log."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime

from croupier.errors import unknown
from croupier.jackpot.accounts import Key
from croupier.reports.books.period import PeriodReport, read_period
from croupier.store.reading import Reader
from croupier.store.sums import balances_before, balances_of, sums_between


@dataclass(frozen=True, kw_only=True)
class ReconciliationLine:
    """One account. `opening` and all that follows up to `closed` add up to `closing`."""

    jackpot: str
    level: str
    """Blank for wagers and receipts, which belong to the jackpot as a whole."""
    account: str
    opening_micros: int
    contributions_micros: int = 0
    voided_micros: int = 0
    """Wagers of void rounds given back, and what the house put up in their place."""
    awards_micros: int = 0
    returned_micros: int = 0
    """Awards rejected or backed out."""
    paid_micros: int = 0
    seed_micros: int = 0
    """Advanced by the house, at an opening or after a 100% award, less what it took back."""
    reserve_micros: int = 0
    """From the reserve to the meter after a 100% award, less what went back."""
    overflow_micros: int = 0
    """Between meter and overflow, other than contributions."""
    receipts_micros: int = 0
    """Money not displayed that was recorded as gross receipts by hand."""
    adjustments_micros: int = 0
    closed_micros: int = 0
    """Moved by the end of a jackpot, this one or one whose money came here."""
    closing_micros: int
    balance_micros: int
    """The same from the other side: the account's balance now, less all that moved since the period's end."""
    closes: bool
    """Whether the two agree."""


@dataclass(frozen=True, kw_only=True)
class Reconciliation(PeriodReport):
    """All accounts, and whether they add up."""

    lines: tuple[ReconciliationLine, ...]
    is_good: bool
    """Every account closes and every jackpot adds up to zero."""
    not_closing: tuple[str, ...]
    """Accounts whose closing is not their balance, as `jackpot/level/account`; none when all is well."""
    not_zero: tuple[str, ...]
    """Jackpots whose balances do not add up to zero; none when all is well."""

    def line(self, jackpot: str, account: str, level: str = "main") -> ReconciliationLine:
        for found in self.lines:
            if (found.jackpot, found.level, found.account) == (jackpot, level, account):
                return found
        names = [f"{one.jackpot}/{one.level}/{one.account}" for one in self.lines]
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
