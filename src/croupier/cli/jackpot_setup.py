"""`croupier jackpot init`, `check`, `change` and `adjust`: what is set up, and money moved by hand."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any, get_args

import msgspec

from croupier.cli import jackpot_screen as screen
from croupier.cli.jackpot_call import Call
from croupier.cli.jackpot_session import Session, is_there, new_pin, now, open_session
from croupier.cli.jackpot_words import in_one_sentence
from croupier.cli.screen import console, print_json, print_table, simple_table
from croupier.errors import IllegalActionError, NotationError, unknown
from croupier.floor.change import Change
from croupier.floor.check import check_floor
from croupier.floor.credentials import DEMO_PEOPLE, require_good_pin
from croupier.floor.desk import FLOOR, Ask, FloorRefusedError
from croupier.floor.explicit import explicit_floor
from croupier.floor.files import demo_floor, load_floor
from croupier.floor.findings import Finding, refusals
from croupier.floor.people import Person
from croupier.floor.roles import Role
from croupier.floor.setup import Floor
from croupier.jackpot import Reason
from croupier.jackpot.commands import Pool
from croupier.pay.tables import Id
from croupier.reports.jackpot_money import exact_dollars, micros_of
from croupier.store.play_database import require_no_play


def open_floor(call: Call, file: str | None, *, demo: bool, executive: str | None, pin_file: str | None) -> None:
    """Opens a floor and gives its first card; whatever of that is done already stays as it is."""
    if demo == (file is not None):
        raise NotationError("Name a floor's file, or say --demo: one of the two.", code="which_floor")
    floor = load_floor(Path(file)) if file is not None else demo_floor()
    findings = check_floor(floor, now().date())
    first = _first_person(floor, executive)
    if refusals(findings):
        raise in_one_sentence(FloorRefusedError(refusals(findings)))
    opened_before = _is_complete(call, floor)
    pin = "" if floor.demo or opened_before else new_pin(pin_file)
    if pin:  # before anything is made
        require_good_pin(pin, demo=False)
    with open_session(call, make=True, demo=floor.demo) as at:
        at.actor = first
        if at.book.fact(FLOOR) is None:
            at.desk.set_up(Ask(id=call.request_id, by=first), floor)
        cards = _first_cards(at, first, pin)
        _show_opened(at, floor, findings, cards, opened_before=opened_before)


def _is_complete(call: Call, floor: Floor) -> bool:
    """Whether this floor is open in the store and has people; refuses a store with another one."""
    if not is_there(call.address):
        return False
    with open_session(call, make=True, demo=floor.demo) as at:
        if at.book.fact(FLOOR) is None:
            if not floor.demo:
                require_no_play(call.address)
            return False
        there = at.floor()
        if there != explicit_floor(floor):
            raise IllegalActionError(
                f'The store "{call.address}" has a floor already: "{there.id}", version {there.version.number}, with '
                f"{len(there.tables)} tables and {len(there.jackpots)} jackpots. Put another version of it into force "
                "with croupier jackpot change, or name a new store: --store.",
                code="floor_exists",
            )
        return bool(at.people.everyone())


def _first_person(floor: Floor, executive: str | None) -> Person:
    if floor.demo:
        if executive is not None:
            raise NotationError(
                "A demonstration floor has its own people: leave --executive out.", code="executive_not_taken"
            )
        return Person(id=DEMO_PEOPLE[0].id, role=Role.EXECUTIVE)
    if executive is None:
        raise NotationError("Say who gets the first card: --executive NAME.", code="executive_missing")
    try:
        msgspec.convert(executive, Id)
    except msgspec.ValidationError:
        raise NotationError(
            f'"{executive}" is no name for a person: small letters, digits, dots, dashes and underscores.',
            code="bad_name",
        ) from None
    return Person(id=executive, role=Role.EXECUTIVE)


def _first_cards(at: Session, first: Person, pin: str) -> dict[str, str]:
    """Cards by name: the demonstration's, or the one given now."""
    if at.demo:
        at.people.add_demo_people()
        return {person.id: person.card for person in DEMO_PEOPLE}
    if at.people.everyone():
        return {}
    return {first.id: at.people.add_person(f"{at.call.request_id}/card", first.id, first.id, first.role, pin)}


def _show_opened(
    at: Session, floor: Floor, findings: list[Finding], cards: dict[str, str], *, opened_before: bool
) -> None:
    meters = at.desk.figures()
    if at.call.json:
        data = {
            "floor": floor.id,
            "opened_before": opened_before,
            "tables": [table.id for table in floor.tables],
            "cards": cards,
        }
        found = {"findings": [one.as_data() for one in findings]}
        screen.answer(at, data | screen.meters_data(meters) | found)
        return
    out = console()
    screen.head(out, at)
    out.print(f"{floor.name or floor.id}: {len(floor.tables)} tables, {len(floor.jackpots)} jackpots")
    screen.print_meters(out, meters)
    table = simple_table("card of", "token, for play money" if at.demo else "token, shown this once", "PIN")
    well_known = {person.card: person.pin for person in DEMO_PEOPLE}
    for name, token in cards.items():
        table.add_row(name, token, well_known.get(token, "as chosen"))
    if cards:
        print_table(out, table)
    screen.print_findings(out, findings)
    if opened_before:
        out.print(
            "This floor was open already, and nothing was changed. Look at it with croupier jackpot tables, change it "
            "with croupier jackpot change, give cards with croupier jackpot people add. Another floor takes another "
            "--store."
        )
    else:
        screen.foot(out, at)


def show_check(call: Call, file: str | None, day: str | None) -> int:
    """Prints every finding; returns 1 if one is a refusal."""
    try:
        on = date.fromisoformat(day) if day is not None else now().date()
    except ValueError:
        raise NotationError(f'"{day}" is not a day: write it as 2026-11-16.', code="bad_date") from None
    if file is not None:
        floor = load_floor(Path(file))
    else:
        with call.open() as at:
            floor = at.floor()
    findings = check_floor(floor, on)
    refused = len(refusals(findings))
    if call.json:
        print_json({"day": on.isoformat(), "allowed": not refused, "findings": [one.as_data() for one in findings]})
    else:
        out = console()
        screen.print_findings(out, findings)
        out.print(f"by the law of {on}: {'refused' if refused else 'allowed'}")
    return 1 if refused else 0


def change_floor(call: Call, file: str, second: str | None, second_pin_file: str | None) -> None:
    """The next version of the floor, in force at once."""
    new = load_floor(Path(file))
    with call.open() as at:
        ask = at.ask("change the floor")
        approved_by = at.sign_second(second, second_pin_file)
        _show_change(at, new, at.desk.change(ask, new, approved_by=approved_by), approved_by)


def _show_change(at: Session, new: Floor, change: Change, approved_by: Person | None) -> None:
    if at.call.json:
        changed: list[dict[str, Any]] = [
            {"where": one.where, "old": one.old, "new": one.new, "is_money": one.is_money} for one in change.fields
        ]
        findings = [one.as_data() for one in change.findings]
        second = approved_by.id if approved_by is not None else None
        data = {"version": new.version.number, "second": second, "changed": changed, "findings": findings}
        screen.answer(at, data)
        return
    out = console()
    screen.head(out, at)
    table = simple_table("where", "old", "new", "money")
    for one in change.fields:
        table.add_row(one.where, one.old or "-", one.new or "-", "yes" if one.is_money else "no")
    out.print(f"version {new.version.number} is in force")
    if change.fields:
        print_table(out, table)
    screen.foot(out, at, *([f"countersigned by {approved_by.id}"] if approved_by is not None else []))


def adjust_meter(
    call: Call, jackpot: str, amount: str, *, reason: str, note: str, second: tuple[str, str | None], pool: Pool
) -> None:
    """A manual adjustment by two people."""
    known = get_args(Reason)
    if reason not in known:
        raise unknown("reason", reason, known)
    micros = micros_of(amount.strip())
    with call.open() as at:
        ask = at.ask("adjust a meter")
        countersigned = at.sign_second(*second)
        assert countersigned is not None
        at.desk.adjust(
            ask,
            jackpot,
            reason=msgspec.convert(reason, Reason),
            micros=micros,
            note=note,
            second=countersigned,
            pool=pool,
        )
        meters = screen.meters_of(at, {jackpot})
        if call.json:
            data = {"jackpot": jackpot, "amount": exact_dollars(micros), "reason": reason, "second": countersigned.id}
            screen.answer(at, data | screen.meters_data(meters))
            return
        out = console()
        screen.head(out, at)
        screen.print_meters(out, meters)
        screen.foot(out, at, f"countersigned by {countersigned.id}")
