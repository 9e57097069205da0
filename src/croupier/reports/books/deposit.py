"""The weekly deposit: what accrued since the last one, and whether the jackpot account covers what is held."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from msgspec import Meta

from croupier.floor import Floor, Standing, deposit_due, funding_gate, odds_based_reserve
from croupier.floor.account import standings_of
from croupier.floor.law import law_on, rows_of
from croupier.jackpot.fields import JackpotId
from croupier.reports.books.period import LedgerReport, read_period
from croupier.store.reading import Reader
from croupier.store.sums import balances_before


@dataclass(frozen=True, kw_only=True)
class DepositLine:
    """What one jackpot holds for the players, and by how much that grew since the last deposit."""

    jackpot: JackpotId
    kind: Annotated[str, Meta(description="Of which kind it is.")]
    display_micros: int
    reserve_micros: int
    overflow_micros: int
    pending_micros: int
    held_micros: Annotated[
        int, Meta(description="What the account must cover; of a house jackpot only what is won and not yet paid.")
    ]
    held_at_deposit_micros: int
    accrued_micros: int


@dataclass(frozen=True, kw_only=True)
class Deposit(LedgerReport):
    """What is to be deposited, until when, and what must be in the account today."""

    last_deposit: Annotated[datetime, Meta(description="When money was last brought to the bank.")]
    day: Annotated[date, Meta(description="The day it is for.")]
    accrued_micros: Annotated[int, Meta(description="Below zero where more was paid than came in.")]
    due_micros: int
    due_on: Annotated[date, Meta(description="When the next deposit is due.")]
    is_overdue: Annotated[bool, Meta(description="Whether the deposit should have been made already.")]
    required_micros: Annotated[
        int,
        Meta(description="What the account must hold today; what accrued need not be in it until the deposit is due."),
    ]
    odds_reserve_micros: Annotated[int, Meta(description="Part of it that is for large odds-based prizes.")]
    account_micros: int
    short_micros: int
    may_play: Annotated[bool, Meta(description="Whether the tables may play by the law on funding.")]
    rule: Annotated[str, Meta(description="When accrued funds are deposited, by law.")]
    findings: Annotated[
        tuple[str, ...], Meta(description="Why the tables stop, or the deposit is late, with the rule.")
    ]
    standings: Annotated[tuple[DepositLine, ...], Meta(description="What is owed for each jackpot.")]


def deposit_rule(day: date) -> str:
    """What the law of a day says about when accrued funds are deposited."""
    rule = law_on("weekly_deposit", day) or rows_of("weekly_deposit")[0]
    return f"{rule.text} ({rule.citation})"


def deposit(
    book: Reader,
    floor: Floor,
    *,
    last_deposit: datetime,
    day: date,
    account_micros: int,
    credit_line_micros: int = 0,
) -> Deposit:
    """The deposit due on a day. `last_deposit` is the moment up to which all that accrued has been deposited."""
    with read_period(book, last_deposit, None) as reader:
        jackpots = reader.jackpots()
        balances, before = reader.balances(), balances_before(reader, last_deposit)
        last_entry, last_hash = reader.head()
    standings = standings_of(jackpots, balances)
    lines = tuple(_line(*pair) for pair in zip(standings, standings_of(jackpots, before), strict=True))
    accrued = sum(line.accrued_micros for line in lines)
    due = deposit_due(accrued, last_deposit.date(), day)
    gate = funding_gate(
        standings,
        account_micros,
        not_yet_due_micros=due.not_yet_due_micros,
        odds_reserve_micros=odds_based_reserve(floor, day),
        credit_line_micros=credit_line_micros,
        day=day,
    )
    return Deposit(
        last_entry=last_entry,
        last_hash=last_hash,
        last_deposit=last_deposit,
        day=day,
        accrued_micros=accrued,
        due_micros=due.amount_micros,
        due_on=due.due_on,
        is_overdue=due.is_overdue,
        required_micros=gate.required_micros,
        odds_reserve_micros=gate.odds_reserve_micros,
        account_micros=account_micros,
        short_micros=gate.short_micros,
        may_play=gate.is_open,
        rule=deposit_rule(day),
        findings=tuple(
            f"{finding.sentence} ({finding.citation})" for finding in (due.finding, gate.finding) if finding
        ),
        standings=lines,
    )


def _line(now: Standing, then: Standing) -> DepositLine:
    return DepositLine(
        jackpot=now.jackpot,
        kind=now.kind,
        display_micros=now.display_micros,
        reserve_micros=now.reserve_micros,
        overflow_micros=now.overflow_micros,
        pending_micros=now.pending_micros,
        held_micros=now.held_micros,
        held_at_deposit_micros=then.held_micros,
        accrued_micros=now.held_micros - then.held_micros,
    )
