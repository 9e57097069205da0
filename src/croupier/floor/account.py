"""The jackpot account as accounting records it, and what follows from it for the tables.

Each record says what the bank held on a day. The weeks of deposits count from the last day on which that covered all
that the jackpots held; what came in since may lie in the cage until the next deposit is due.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from croupier.errors import RangeError
from croupier.floor.checks.findings import Finding
from croupier.floor.funding import Standing, deposit_due, funding_gate, odds_based_reserve
from croupier.floor.setup import Floor
from croupier.floor.stored import as_stored
from croupier.jackpot import Jackpot
from croupier.jackpot.accounts import Key
from croupier.store import Book
from croupier.store.sums import balances_before

ACCOUNT = "account"
"""The subject of the records in the ledger."""


class AccountRecord(Struct, frozen=True, kw_only=True):
    """What was recorded of the account, and what it means for the next deposit."""

    day: date
    """When the bank held the balance."""
    balance_micros: int
    credit_line_micros: int = 0
    """May stand for the reserve of large odds-based prizes, and for nothing else."""
    held_micros: int
    """What the jackpots held at the end of that day, or when it was recorded on the day itself."""
    deposited_on: date
    """The last day on which the balance covered what the jackpots held; before the first, the day of opening."""
    covered_micros: int
    """What was covered since then: the account must not fall below it while the jackpots hold as much."""


class AccountStanding(Struct, frozen=True, kw_only=True):
    """How the account stands today."""

    day: Annotated[date | None, Meta(description="Of the balance; null before the first record.")]
    balance_micros: Annotated[int, Meta(description="Millionths of a dollar.")]
    credit_line_micros: Annotated[int, Meta(description="Millionths of a dollar.")]
    held_micros: Annotated[
        int, Meta(description="What the jackpots hold now: meters, reserves, overflow and awards not yet paid.")
    ]
    required_micros: Annotated[int, Meta(description="What must be in the account now.")]
    odds_reserve_micros: Annotated[
        int, Meta(description="Part of it that is for large odds-based prizes, what a credit line covers taken off.")
    ]
    short_micros: Annotated[int, Meta(description="Millionths of a dollar.")]
    due_micros: Annotated[int, Meta(description="The next deposit: what came in and is not in the account yet.")]
    due_on: Annotated[date, Meta(description="The last day on which it is in time.")]
    not_yet_due_micros: Annotated[int, Meta(description="Millionths of a dollar.")]
    findings: Annotated[
        tuple[Finding, ...],
        Meta(description="Why the tables stop: `account_short`, `deposit_overdue`; none when all is well."),
    ]
    is_asked: Annotated[
        bool, Meta(description="Whether START GAME asks; it does not on a demonstration floor, which has play money.")
    ]
    version: Annotated[int, Meta(description="How many records there are.")]

    @property
    def may_play(self) -> bool:
        return not (self.is_asked and self.findings)


def _before_any(opened_on: date) -> AccountRecord:
    """Before any record. An unknown balance is not taken for an empty account: the first week is there to open it."""
    return AccountRecord(day=opened_on, balance_micros=0, held_micros=0, deposited_on=opened_on, covered_micros=0)


def _after(
    before: AccountRecord, *, day: date, balance_micros: int, credit_line_micros: int, held_micros: int
) -> AccountRecord:
    """A new balance: a deposit of everything, if it covers all that the jackpots held; else the week runs on."""
    is_full = balance_micros >= held_micros
    return AccountRecord(
        day=day,
        balance_micros=balance_micros,
        credit_line_micros=credit_line_micros,
        held_micros=held_micros,
        deposited_on=day if is_full else before.deposited_on,
        covered_micros=held_micros if is_full else max(before.covered_micros, balance_micros),
    )


def _is_surely_open(record: AccountRecord, odds_micros: int, day: date) -> bool:
    """Whether the tables may play whatever the meters show: no more than what was covered can be required today."""
    if day < record.deposited_on:
        return False
    odds = max(0, odds_micros - record.credit_line_micros)
    is_in_time = not deposit_due(1, record.deposited_on, day).is_overdue
    return is_in_time and record.balance_micros >= record.covered_micros + odds


def _standing(
    record: AccountRecord,
    standings: Iterable[Standing],
    *,
    odds_micros: int,
    day: date,
    version: int,
    is_asked: bool,
) -> AccountStanding:
    """The account against what the jackpots hold now. A clock that was set back is taken as of the last deposit."""
    now = tuple(standings)
    held = sum(standing.held_micros for standing in now)
    day = max(day, record.deposited_on)
    due = deposit_due(held - record.covered_micros, record.deposited_on, day)
    gate = funding_gate(
        now,
        record.balance_micros,
        not_yet_due_micros=due.not_yet_due_micros,
        odds_reserve_micros=odds_micros,
        credit_line_micros=record.credit_line_micros,
        day=day,
    )
    # Overdue money is what is missing: one finding says it, with the day on which it was due.
    finding = due.finding or gate.finding
    return AccountStanding(
        day=record.day if version else None,
        balance_micros=record.balance_micros,
        credit_line_micros=record.credit_line_micros,
        held_micros=held,
        required_micros=gate.required_micros,
        odds_reserve_micros=gate.odds_reserve_micros,
        short_micros=gate.short_micros,
        due_micros=due.amount_micros,
        due_on=due.due_on,
        not_yet_due_micros=due.not_yet_due_micros,
        findings=(finding,) if finding is not None else (),
        is_asked=is_asked,
        version=version,
    )


def standings_of(jackpots: Iterable[Jackpot], balances: Mapping[Key, int]) -> tuple[Standing, ...]:
    """What each jackpot holds, all its levels together."""
    sums: dict[tuple[str, str], int] = {}
    for (jackpot, _, account), micros in balances.items():
        sums[jackpot, account] = sums.get((jackpot, account), 0) + micros
    return tuple(
        Standing(
            jackpot=jackpot.id,
            kind=jackpot.parameters.kind,
            display_micros=sums.get((jackpot.id, "meter"), 0),
            reserve_micros=sums.get((jackpot.id, "reserve"), 0),
            overflow_micros=sums.get((jackpot.id, "overflow"), 0),
            pending_micros=sums.get((jackpot.id, "pending"), 0),
        )
        for jackpot in jackpots
    )


class FloorAccount:
    """The account of one floor, read from its ledger. Remembers what it has read until there is a newer record."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._read: tuple[int, AccountRecord] | None = None
        self._odds: tuple[Floor, date, int] | None = None

    def record(self) -> tuple[int, AccountRecord]:
        """The newest record and its version; version 0 before the first."""
        read = self._read
        if read is None or read[0] != self._book.fact_version(ACCOUNT):
            fact = self._book.fact(ACCOUNT)
            if fact is None:
                (opening,) = self._book.entries(limit=1)
                read = (0, _before_any(opening.entry.at.date()))
            else:
                with as_stored("the record of the jackpot account"):
                    read = (fact.version, msgspec.convert(fact.body["account"], AccountRecord))
            self._read = read
        return read

    def next_record(
        self, now: datetime, *, day: date | None, balance_micros: int, credit_line_micros: int
    ) -> tuple[int, AccountRecord]:
        """What to record for a balance of a day, today for None, and the version that it follows."""
        version, before = self.record()
        if min(balance_micros, credit_line_micros) < 0:
            raise RangeError("A balance and a credit line are zero or more.", code="negative_amount")
        today = now.date()
        day = day or today
        if day > today or (version and day < before.day):
            since = f"from the last record, {before.day}, to today" if version else "up to today"
            raise RangeError(f"The balance of {day} cannot be recorded: give a day {since}, {today}.", code="bad_date")
        record = _after(
            before,
            day=day,
            balance_micros=balance_micros,
            credit_line_micros=credit_line_micros,
            held_micros=self._held_on(day, now),
        )
        return version, record

    def _held_on(self, day: date, now: datetime) -> int:
        """What the jackpots held at the end of a day; of today, now."""
        if day == now.date():
            balances = self._book.balances()
        else:
            balances = balances_before(self._book, datetime.combine(day + timedelta(days=1), time.min, now.tzinfo))
        return sum(standing.held_micros for standing in standings_of(self._book.jackpots(), balances))

    def standing(self, floor: Floor, day: date) -> AccountStanding:
        """The account against what the jackpots hold now."""
        version, record = self.record()
        return _standing(
            record,
            standings_of(self._book.jackpots(), self._book.balances()),
            odds_micros=self._odds_reserve(floor, day) if version else 0,
            day=day,
            version=version,
            is_asked=not floor.demo,
        )

    def findings(self, floor: Floor, day: date) -> tuple[Finding, ...]:
        """Why no round may start. In an ordinary week the record alone shows that one may: then START GAME costs one
        look at the record's version, and no sum over the meters."""
        if floor.demo:
            return ()
        version, record = self.record()
        if _is_surely_open(record, self._odds_reserve(floor, day) if version else 0, day):
            return ()
        return self.standing(floor, day).findings

    def _odds_reserve(self, floor: Floor, day: date) -> int:
        """Worked out once for a setup and a day, as it walks every pay table."""
        known = self._odds
        if known is None or known[0] is not floor or known[1] != day:
            known = self._odds = (floor, day, odds_based_reserve(floor, day))
        return known[2]
