"""Pay tables that stand in no game file: a draft's, or one that a program makes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from msgspec import structs

from croupier.errors import NotationError, RangeError, SpecError, unknown
from croupier.kernels.bets import find_bet
from croupier.pay import MOST_ODDS, Pay, PayTable, Row, parse_pay
from croupier.rules.choice import Choice
from croupier.rules.loader import require_sound_wager
from croupier.rules.spec import Game

OWN = "own"
"""Id of a pay table that a program gives as a value."""
LOSE = "lose"
"""What odds say of a row that is not paid, and call all such rows together; here it is as if it were left out."""
PayValue = str | int | float | Fraction | Decimal
"""A pay: in a letter's words ("3 to 2", "push", "10%"), or a number, which is paid to 1."""
PAY_DIGITS = 1_000_000


def base_rows(choice: Choice) -> tuple[Row, ...]:
    """Every row of a pay table, in force or not; those of a product are made for the switches."""
    table = choice.pay_table
    return table.product.rows(choice.switches[table.product.switch]) if table.product else table.rows


def with_table_first(game: Game, wager: str, table: PayTable) -> Game:
    """The game with this pay table in front of the others of a wager, in place of one of the same id."""
    wagers = []
    for each_wager in game.wagers:
        if each_wager.id == wager:
            others = tuple(old for old in each_wager.pay_tables if old.id != table.id)
            each_wager = structs.replace(each_wager, pay_tables=(table, *others))
        # Each wager has its tables written out: what was shared before differs now.
        wagers.append(structs.replace(each_wager, pay_tables_of=""))
    return structs.replace(game, wagers=tuple(wagers))


def with_own_table(game: Game, start: Choice, pays: Mapping[str, PayValue]) -> Game:
    """The game with a pay table of these pays, by rows, in front of the others; it is called `own`.

    `start` is the wager with the table that rows are known from. A row that is left out is not paid; so the rows of a
    wager that is played must all be there, as every hand ends on one of them.
    """
    wager = start.wager
    known = _known_rows(start)
    for name, value in pays.items():
        if not isinstance(name, str):
            raise NotationError(f'The row {name!r} is not text: write "{name}".', code="bad_pay_table")
        if name not in known and (name, value) != (LOSE, LOSE):
            raise unknown("row", name, known, f" of {wager.id}")
    pays = {name: value for name, value in pays.items() if not (isinstance(value, str) and value.strip() == LOSE)}
    missing = [row.row for row in start.rows if row.row not in pays]
    if game.is_first(wager) and missing:
        raise SpecError(
            f"Every hand of {game.id} ends on a row of {wager.id}, so that all must be paid. Missing: "
            f"{', '.join(missing)}.",
            code="bad_pay_table",
        )
    if not pays:
        raise SpecError(f"A pay table needs a row at least. Accepted: {', '.join(known)}.", code="bad_pay_table")
    has_meter = start.pay_table.jackpot is not None
    rows = tuple(_paid(known[name], pay_of(value, has_meter=has_meter)) for name, value in pays.items())
    table = structs.replace(start.pay_table, id=OWN, label="", rows=rows, product=None)
    changed = with_table_first(game, wager.id, table)
    require_sound_wager(changed, changed.wager(wager.id), f"the pay table of {wager.id}")
    return changed


def pay_of(value: PayValue, *, has_meter: bool = True) -> Pay:
    """A pay, as it may be given in a program.

    >>> pay_of(100).text, pay_of(1.5).text, pay_of("50 for 1").text
    ('100 to 1', '3 to 2', '50 for 1')
    """
    if isinstance(value, str):
        pay = parse_pay(value, has_meter=has_meter)
        if pay.is_share and not has_meter:
            raise RangeError(f'"{value}" is a share of a meter, and this pay table has none.', code="bad_pay")
        return pay
    try:
        odds = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise NotationError(f'{value!r} is not a pay. Write a number, to 1, or "3 to 2".', code="bad_pay") from None
    if isinstance(value, bool):
        raise NotationError(f'{value!r} is not a pay. Write a number, to 1, or "3 to 2".', code="bad_pay")
    if not 0 <= odds <= MOST_ODDS:
        raise RangeError(
            f"{value!r} cannot be paid: odds run from 0 to {MOST_ODDS:,}. Leave a row out, and it loses.",
            code="bad_pay",
        )
    if odds.denominator > PAY_DIGITS:
        raise NotationError(f'{value!r} has too many digits for a pay: write a fraction, as "4 to 3".', code="bad_pay")
    return parse_pay(f"{odds.numerator} to {odds.denominator}")


def _known_rows(start: Choice) -> dict[str, Row]:
    """Rows that may be paid: those of the wager's pay tables of the same classifier, and outcomes that none pays."""
    rows = {row.row: row for row in (*base_rows(start), *start.rows)}
    for table in start.wager.pay_tables:
        if (table.classifier or start.wager.classifier) == start.bet_name:
            rows = {row.row: row for row in table.rows} | rows
    unpaid = _unpaid(start, rows)
    return rows | {outcome: Row(row=outcome, label=_label_of(outcome), pays=Pay("push")) for outcome in unpaid}


def _unpaid(start: Choice, rows: Mapping[str, Row]) -> list[str]:
    bet = find_bet(start.bet_name) if start.bet_name else None
    paid = {outcome for row in rows.values() for outcome in row.paid_outcomes}
    return [outcome for outcome in (bet.outcomes if bet is not None else ()) if outcome not in paid]


def _paid(row: Row, pays: Pay) -> Row:
    funded = row.funded
    if pays.is_share != row.pays.is_share:
        funded = "meter" if pays.is_share else "tray"
    return structs.replace(row, pays=pays, funded=funded, min_decks=1, when={})  # it stands there, so it is paid


def _label_of(outcome: str) -> str:
    return outcome.replace("_", " ").capitalize()
