"""Money behind the jackpots: the account's required level, weekly deposits, and funds for large odds-based prizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from msgspec import structs

from croupier.errors import RangeError
from croupier.floor.checks.findings import Finding, found
from croupier.floor.checks.tables import limit_micros, most_of
from croupier.floor.law import law_on, rows_of
from croupier.floor.setup import Floor, JackpotKind, TableSetup, WagerSetup, pay_table_of
from croupier.money import dollars_for_people
from croupier.pay import Row
from croupier.rules.choice import choose
from croupier.rules.registry import find_game


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What one jackpot holds now, in micros."""

    jackpot: str
    kind: JackpotKind
    display_micros: int
    reserve_micros: int = 0
    overflow_micros: int = 0
    pending_micros: int = 0
    """Won, not yet paid."""

    @property
    def held_micros(self) -> int:
        """What the account must cover: a house jackpot holds no player's money, but a won prize is owed."""
        if self.kind == "house":
            return self.pending_micros
        return self.display_micros + self.reserve_micros + self.overflow_micros + self.pending_micros


@dataclass(frozen=True, kw_only=True)
class FundingGate:
    """Whether the tables may play."""

    required_micros: int
    """What must be in the account now."""
    account_micros: int
    odds_reserve_micros: int
    """Part of `required_micros` that is for large odds-based prizes, what a credit line covers taken off."""
    finding: Finding | None
    """The refusal, when the account is short."""

    @property
    def is_open(self) -> bool:
        return self.finding is None

    @property
    def short_micros(self) -> int:
        return max(0, self.required_micros - self.account_micros)


def funding_gate(
    standings: Iterable[Standing],
    account_micros: int,
    *,
    not_yet_due_micros: int = 0,
    odds_reserve_micros: int = 0,
    credit_line_micros: int = 0,
    day: date,
) -> FundingGate:
    """The tables stop at once when the jackpot account is below its required level.

    `not_yet_due_micros` is what accrued since the last deposit and need not be deposited yet (`deposit_due`): it lies
    in the cage and not in the bank, as the law allows for a week. A credit line is for the odds-based reserve only.
    """
    if min(account_micros, not_yet_due_micros, odds_reserve_micros, credit_line_micros) < 0:
        raise RangeError("Balances and reserves are zero or more.", code="negative_amount")
    held = sum(standing.held_micros for standing in standings)
    odds = max(0, odds_reserve_micros - credit_line_micros)
    required = max(0, held - not_yet_due_micros) + odds
    finding = None
    if account_micros < required:
        row = law_on("separate_account", day) or rows_of("separate_account")[0]
        sentence = (
            f"The jackpot account holds {dollars_for_people(account_micros)} and must hold "
            f"{dollars_for_people(required)}: "
            f"{dollars_for_people(required - account_micros)} are missing. The tables stop until they are deposited."
        )
        effect = {"required_micros": required, "account_micros": account_micros, "odds_reserve_micros": odds}
        finding = found(row, "account_short", "account", sentence, effect=effect)
    return FundingGate(
        required_micros=required, account_micros=account_micros, odds_reserve_micros=odds, finding=finding
    )


@dataclass(frozen=True, kw_only=True)
class DepositDue:
    """The next deposit of accrued funds."""

    amount_micros: int
    due_on: date
    """Last day on which it is in time."""
    finding: Finding | None
    """The refusal, when it is overdue."""

    @property
    def is_overdue(self) -> bool:
        return self.finding is not None

    @property
    def not_yet_due_micros(self) -> int:
        """For `funding_gate`: an overdue deposit is missing from the account."""
        return 0 if self.is_overdue else self.amount_micros


def deposit_due(accrued_micros: int, last_deposit: date, day: date) -> DepositDue:
    """What accrued since the last deposit, net of what was paid out of it, is deposited within a week of that one."""
    if day < last_deposit:
        raise RangeError(f"The last deposit, {last_deposit}, is after {day}.", code="bad_date")
    row = law_on("weekly_deposit", day) or rows_of("weekly_deposit")[0]
    assert row.count is not None
    due_on = last_deposit + timedelta(days=row.count)
    amount = max(0, accrued_micros)
    finding = None
    if amount and day > due_on:
        sentence = (
            f"{dollars_for_people(amount)} accrued since the deposit of {last_deposit} and were due by {due_on}. "
            "Deposit them now."
        )
        finding = found(row, "deposit_overdue", "account", sentence, effect={"due_micros": amount})
    return DepositDue(amount_micros=amount, due_on=due_on, finding=finding)


@dataclass(frozen=True, kw_only=True)
class OddsBasedPrize:
    """A fixed prize of a table, at the greatest wager allowed."""

    table: str
    wager: str
    row: str
    prize_micros: int


def odds_based_prizes(floor: Floor, day: date) -> list[OddsBasedPrize]:
    """Prizes above the law's amount, highest first. Each table's count: two tables can owe them on one day.

    An aggregate payout limit bounds what one deal can cost, and so the prize.
    """
    row = law_on("odds_based_reserve", day)
    least = limit_micros(row)
    if least is None:
        return []
    prizes = [prize for table in floor.tables for prize in _prizes(floor, table, day) if prize.prize_micros > least]
    return sorted(prizes, key=lambda prize: -prize.prize_micros)


def _prizes(floor: Floor, table: TableSetup, day: date) -> Iterable[OddsBasedPrize]:
    game = find_game(table.game)
    for setup in _offered(table):
        chosen = choose(
            game, setup.wager, pay_table=setup.pay_table, decks=str(table.decks), settings=dict(table.settings)
        )
        most = most_of(_bounded(setup, table), floor, day) or 0
        for row in chosen.rows:
            prize = _prize(row, most)
            if setup.aggregate_limit_micros is not None:
                prize = min(prize, setup.aggregate_limit_micros)
            yield OddsBasedPrize(table=table.id, wager=setup.wager, row=row.row, prize_micros=prize)
    for jackpot in floor.jackpots_at(table):
        for row in pay_table_of(jackpot).rows:
            prize = _prize(row, jackpot.wager_micros)
            yield OddsBasedPrize(table=table.id, wager=jackpot.wager, row=row.row, prize_micros=prize)


def _offered(table: TableSetup) -> Iterable[WagerSetup]:
    """The wagers of a table's setup, and those that its round adds without being named there."""
    yield from table.wagers
    game, named = find_game(table.game), {setup.wager: setup.pay_table for setup in table.wagers}
    for wager in game.wagers:
        of_round = game.settled_by_round(wager)
        if wager.id in named or of_round is None or of_round.is_placed or of_round.pays_on:
            continue
        paying = game.paying(wager)
        yield WagerSetup(wager=wager.id, pay_table=named.get(paying.id, paying.pay_tables[0].id))


def _bounded(setup: WagerSetup, table: TableSetup) -> WagerSetup:
    """The same; one without a limit of its own that the round puts beside another has that one's."""
    game = find_game(table.game)
    of_round = game.settled_by_round(game.wager(setup.wager))
    if setup.most_micros is not None or of_round is None or not of_round.equals:
        return setup
    beside = game.wager_of_round(of_round.equals)
    limits = (one.most_micros for one in table.wagers if beside is not None and one.wager == beside.id)
    return structs.replace(setup, most_micros=next(limits, None))


def _prize(row: Row, wager_micros: int) -> int:
    """What is won on top of the wager; a share of a meter is no odds-based prize."""
    return 0 if row.pays.is_share else int(row.pays.net * wager_micros)


def odds_based_reserve(floor: Floor, day: date) -> int:
    """The amount to be kept for them, in micros: the second highest, where there is more than one."""
    prizes = odds_based_prizes(floor, day)
    return prizes[1].prize_micros if len(prizes) > 1 else 0


def odds_reserve_note(floor: Floor, day: date) -> Iterable[Finding]:
    """Tells a floor that it must keep funds for large odds-based prizes."""
    prizes = odds_based_prizes(floor, day)
    row = law_on("odds_based_reserve", day)
    if row is not None and len(prizes) > 1:
        second = prizes[1]
        sentence = (
            f"{len(prizes)} odds-based prizes are over {dollars_for_people(limit_micros(row) or 0)}. Keep "
            f"{dollars_for_people(second.prize_micros)} for them, in the bank or as a credit line: the second highest, "
            f'"{second.row}" of {second.wager} at table "{second.table}".'
        )
        effect = {"reserve_micros": second.prize_micros, "prizes": len(prizes)}
        yield found(row, "odds_reserve_needed", "account", sentence, severity="warning", effect=effect)
