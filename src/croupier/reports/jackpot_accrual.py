"""What came in and went out in a shift or a day, by jackpot and by table: the adjustment of a master games report."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from croupier.jackpot import (
    AwardBackedOut,
    AwardPaid,
    AwardRejected,
    Entry,
    FactRecorded,
    JackpotHit,
    MeterAdjusted,
    RoundVoided,
    WagersLocked,
)
from croupier.reports.jackpot_movements import PeriodReport, movements, read_period
from croupier.store.reading import Reader

ALL = ""
"""Stands for every jackpot, or every table, in a line that adds them up."""


@dataclass(frozen=True, kw_only=True)
class AccrualLine:
    """Sums over one jackpot at one table; a blank name stands for all of them."""

    jackpot: str
    table: str
    rounds: int = 0
    wagers: int = 0
    """How many."""
    wagered_micros: int = 0
    """Coin-in."""
    meter_micros: int = 0
    """Contributions to what is displayed."""
    reserve_micros: int = 0
    overflow_micros: int = 0
    """Contributions above the maximum."""
    receipts_micros: int = 0
    """The house's part of the wagers."""
    rounds_voided: int = 0
    voided_micros: int = 0
    """Wagers of void rounds given back; they are still counted in what was wagered."""
    voided_receipts_micros: int = 0
    """The house's part of them. The rest was put up by the house, and is among the seed advanced."""
    hits: int = 0
    hit_micros: int = 0
    awards_paid: int = 0
    paid_micros: int = 0
    awards_rejected: int = 0
    rejected_micros: int = 0
    awards_backed_out: int = 0
    backed_out_micros: int = 0
    seed_advanced_micros: int = 0
    seed_returned_micros: int = 0
    """What the house got back of its seed, by a returned award, a recovery or the end of a jackpot."""
    adjustments: int = 0
    """How many."""
    adjusted_micros: int = 0
    """Added by hand less taken by hand, or moved between jackpots; seed recovered and receipts recorded stand apart."""
    recorded_receipts_micros: int = 0


@dataclass(frozen=True, kw_only=True)
class Accrual(PeriodReport):
    """Lines of the floor, of each jackpot, of each table, and of each jackpot at each table."""

    lines: tuple[AccrualLine, ...]

    def line(self, jackpot: str = ALL, table: str = ALL) -> AccrualLine:
        """The sums of a jackpot, a table or both; zeros where nothing happened."""
        for found in self.lines:
            if (found.jackpot, found.table) == (jackpot, table):
                return found
        return AccrualLine(jackpot=jackpot, table=table)


def accrual(book: Reader, start: datetime | None = None, end: datetime | None = None) -> Accrual:
    """The accrual of a shift, or of any other time."""
    with read_period(book, start, end) as reader:
        sums = _Sums()
        for sealed in reader.entries_between(start, end):
            sums.add(sealed.entry)
        last_entry, last_hash = reader.head()
    return Accrual(start=start, end=end, last_entry=last_entry, last_hash=last_hash, lines=sums.lines())


def day_accrual(book: Reader, day: date, zone: tzinfo, *, begins: time = time.min) -> Accrual:
    """The accrual of a gaming day, which begins at that hour of the floor's clock."""
    return accrual(book, datetime.combine(day, begins, zone), datetime.combine(day + timedelta(days=1), begins, zone))


_SUMMED = {
    ("wagers", "contributions"): ("wagered_micros", -1),
    ("meter", "contributions"): ("meter_micros", 1),
    ("reserve", "contributions"): ("reserve_micros", 1),
    ("overflow", "contributions"): ("overflow_micros", 1),
    ("receipts", "contributions"): ("receipts_micros", 1),
    ("wagers", "voided"): ("voided_micros", 1),
    ("receipts", "voided"): ("voided_receipts_micros", -1),
    ("receipts", "receipts"): ("recorded_receipts_micros", 1),
    ("adjustments", "adjustments"): ("adjusted_micros", -1),
    ("adjustments", "closed"): ("adjusted_micros", -1),
}
"""Which field an account's movements of a cause go to, and with which sign."""

_AWARDS: dict[type, str] = {
    JackpotHit: "hit",
    AwardPaid: "paid",
    AwardRejected: "rejected",
    AwardBackedOut: "backed_out",
}


class _Sums:
    def __init__(self) -> None:
        self._by_place: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._rounds: Counter[str] = Counter()
        self._voided: Counter[str] = Counter()

    def add(self, entry: Entry) -> None:
        event = entry.event
        if isinstance(event, WagersLocked):
            self._add_round(event)
            return
        if isinstance(event, FactRecorded):
            return
        if isinstance(event, RoundVoided):
            self._voided[event.table] += 1
            for name in {bet.jackpot for bet in event.bets}:
                self._by_place[name, event.table]["rounds_voided"] += 1
        elif isinstance(event, MeterAdjusted):
            self._by_place[event.jackpot, ALL]["adjustments"] += 1
        elif isinstance(event, JackpotHit | AwardPaid | AwardRejected | AwardBackedOut):
            name = _AWARDS[type(event)]
            sums = self._by_place[event.postings[0].jackpot, entry.table]
            sums["hits" if name == "hit" else f"awards_{name}"] += 1
            sums[f"{name}_micros"] += event.amount_micros
        for (jackpot, _, account), cause, micros in movements(event):
            sums = self._by_place[jackpot, entry.table]
            if account == "seed":
                sums["seed_advanced_micros" if micros < 0 else "seed_returned_micros"] += abs(micros)
            elif (account, cause) in _SUMMED:
                field, sign = _SUMMED[account, cause]
                sums[field] += sign * micros

    def _add_round(self, event: WagersLocked) -> None:
        # Nearly all entries are of this kind, so it has no detour by `movements`.
        seen = set()
        for bet in event.bets:
            sums = self._by_place[bet.jackpot, event.table]
            sums["wagers"] += 1
            if bet.jackpot not in seen:
                seen.add(bet.jackpot)
                sums["rounds"] += 1
        if seen:
            self._rounds[event.table] += 1
        for posting in event.postings:
            field, sign = _SUMMED[posting.account, "contributions"]
            self._by_place[posting.jackpot, event.table][field] += sign * posting.micros

    def lines(self) -> tuple[AccrualLine, ...]:
        totals: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for (jackpot, table), sums in self._by_place.items():
            for place in {(jackpot, table), (jackpot, ALL), (ALL, table), (ALL, ALL)}:
                totals[place].update(sums)
        for name, counted in (("rounds", self._rounds), ("rounds_voided", self._voided)):
            for table, rounds in counted.items():  # a round with two jackpots is one round of its table
                totals[ALL, table][name] = rounds
            if totals:
                totals[ALL, ALL][name] = counted.total()
        return tuple(
            AccrualLine(jackpot=jackpot, table=table, **sums) for (jackpot, table), sums in sorted(totals.items())
        )
