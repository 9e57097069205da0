"""`croupier jackpot close` and `account`: the end of a jackpot, and the bank account behind all of them."""

from __future__ import annotations

from datetime import date
from typing import Any

from rich.markup import escape

from croupier.cli import jackpot_screen as screen
from croupier.cli.jackpot_call import Call
from croupier.cli.jackpot_session import Session, now
from croupier.cli.screen import console, print_table, simple_table
from croupier.errors import NotationError
from croupier.floor.account import AccountStanding
from croupier.floor.roles import Right
from croupier.money import dollars_for_people, parse_dollars
from croupier.reports.jackpot_deposit import deposit_rule
from croupier.reports.jackpot_money import exact_dollars

AMOUNTS = ("balance", "credit_line", "held", "required", "odds_reserve", "short", "due", "not_yet_due")


def close_jackpot(call: Call, jackpot: str, *, note: str, second: tuple[str, str | None], to: str | None) -> None:
    """Ends a jackpot by two people; what it holds of the players' goes to another."""
    with call.open() as at:
        ask = at.ask("close a jackpot")
        countersigned = at.sign_second(*second)
        assert countersigned is not None
        closed = at.desk.close_jackpot(ask, jackpot, note, countersigned, to=to or "")
        meters = screen.meters_of(at, {to} if to else ())
        if call.json:
            amounts = {"seed": exact_dollars(closed.seed_micros), "moved": exact_dollars(closed.moved_micros)}
            data = {"jackpot": jackpot, "to": to, "second": countersigned.id, **amounts}
            screen.answer(at, data | {"version": at.floor().version.number} | screen.meters_data(meters))
            return
        out = console()
        screen.head(out, at)
        moved = f", {dollars_for_people(closed.moved_micros)} moved to {to}" if to else ""
        out.print(f"{jackpot} is closed: {dollars_for_people(closed.seed_micros)} of seed to the house{moved}")
        screen.print_meters(out, meters)
        screen.foot(out, at, f"countersigned by {countersigned.id}")


def show_account(call: Call) -> None:
    with call.open() as at:
        at.sign_for(Right.SEE_REPORTS, "see the jackpot account")
        _show(at, at.desk.account())


def record_account(call: Call, balance: str, *, note: str, day: str | None, credit_line: str | None) -> None:
    """What the bank says that the account holds."""
    balance_micros, credit_micros = parse_dollars(balance), parse_dollars(credit_line or "0")
    try:
        on = date.fromisoformat(day) if day is not None else None
    except ValueError:
        raise NotationError(f'"{day}" is not a day: write it as 2026-11-16.', code="bad_date") from None
    with call.open() as at:
        ask = at.ask("record the jackpot account")
        standing = at.desk.record_account(
            ask, balance_micros=balance_micros, note=note, day=on, credit_line_micros=credit_micros
        )
        _show(at, standing, was_recorded=True)


def _show(at: Session, account: AccountStanding, *, was_recorded: bool = False) -> None:
    rule = deposit_rule(now().date())
    amounts = {name: getattr(account, f"{name}_micros") for name in AMOUNTS}
    if at.call.json:
        data: dict[str, Any] = {name: exact_dollars(micros) for name, micros in amounts.items()}
        data |= {
            "day": account.day.isoformat() if account.day is not None else None,
            "due_on": account.due_on.isoformat(),
            "rule": rule,
            "may_play": account.may_play,
            "revision": account.version,
            "findings": [one.as_data() for one in account.findings],
        }
        screen.answer(at, data)
        return
    out = console()
    screen.head(out, at)
    recorded = f"{dollars_for_people(account.balance_micros)} on {account.day}" if account.day else "not recorded yet"
    table = simple_table("jackpot account", recorded)
    table.add_row("jackpots hold", dollars_for_people(account.held_micros))
    table.add_row("must be in it now", dollars_for_people(account.required_micros))
    if account.odds_reserve_micros:
        table.add_row("of that for large prizes", dollars_for_people(account.odds_reserve_micros))
    if account.credit_line_micros:
        table.add_row("credit line", dollars_for_people(account.credit_line_micros))
    if account.short_micros:
        table.add_row("short by", dollars_for_people(account.short_micros))
    table.add_row("next deposit", f"{dollars_for_people(account.due_micros)} by {account.due_on}")
    table.add_row("tables may play", "no" if not account.may_play else "yes" if account.is_asked else "yes, play money")
    print_table(out, table)
    out.print(f"[dim]{escape(rule)}[/dim]")
    screen.print_findings(out, account.findings)
    if was_recorded:
        screen.foot(out, at, f"revision {account.version}")
