"""`croupier jackpot init`, `check` and `change`: a floor's file, and the store it is opened in."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import msgspec

from croupier.cli.jackpot.options import Call
from croupier.cli.jackpot.screen import meters_data, show, show_data
from croupier.cli.jackpot.session import FloorSession, in_one_sentence, is_there, new_pin, now, open_session
from croupier.cli.screen import console
from croupier.errors import IllegalActionError, NotationError
from croupier.floor.checks.findings import refusals
from croupier.floor.checks.floor import check_floor
from croupier.floor.credentials import DEMO_PEOPLE, require_good_pin
from croupier.floor.explicit import explicit_floor
from croupier.floor.files import demo_floor, load_floor
from croupier.floor.people import Person
from croupier.floor.roles import Role
from croupier.floor.service import FLOOR, Ask, FloorRefusedError
from croupier.floor.setup import Floor
from croupier.pay.tables import Id
from croupier.store.play_database import require_no_play

OPENED_BEFORE = (
    "This floor was open already, and nothing was changed. Look at it with croupier jackpot tables, change it with "
    "croupier jackpot change, give cards with croupier jackpot people add. Another floor takes another --store."
)


def open_floor(call: Call, file: str | None, *, demo: bool, executive: str | None, pin_file: str | None) -> None:
    """Opens a floor and gives its first card; whatever of that is done already stays as it is."""
    if demo == (file is not None):
        raise NotationError("Give a floor's file or --demo, not both.", code="which_floor")
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
        data = {
            "floor": floor.id,
            "opened_before": opened_before,
            "tables": [table.id for table in floor.tables],
            "cards": _first_cards(at, first, pin),
            **meters_data(at.desk.figures()),
            "findings": msgspec.to_builtins(findings),
        }
        show(at, data)
        if opened_before and not call.json:
            console().print(OPENED_BEFORE)


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
        raise NotationError("Say who gets the first card, with --executive NAME.", code="executive_missing")
    try:
        msgspec.convert(executive, Id)
    except msgspec.ValidationError:
        raise NotationError(
            f'"{executive}" cannot be a name: use lower-case letters, digits, dots, dashes and underscores.',
            code="bad_name",
        ) from None
    return Person(id=executive, role=Role.EXECUTIVE)


def _first_cards(at: FloorSession, first: Person, pin: str) -> dict[str, str]:
    """Cards by name: the demonstration's, or the one given now."""
    if at.demo:
        at.people.add_demo_people()
        return {person.id: person.card for person in DEMO_PEOPLE}
    if at.people.everyone():
        return {}
    return {first.id: at.people.add_person(f"{at.call.request_id}/card", first.id, first.id, first.role, pin)}


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
    is_refused = bool(refusals(findings))
    data = {"day": on.isoformat(), "allowed": not is_refused, "findings": msgspec.to_builtins(findings)}
    show_data(call, data)
    return 1 if is_refused else 0


def change_floor(call: Call, file: str) -> None:
    """The next version of the floor, in force at once."""
    floor = load_floor(Path(file))
    with call.open() as at:
        ask = at.ask("change the floor")
        approved_by = at.sign_second()
        change = at.desk.change(ask, floor, approved_by=approved_by)
        changed = [
            {"where": field.where, "old": field.old, "new": field.new, "is_money": field.is_money}
            for field in change.fields
        ]
        data = {
            "version": floor.version.number,
            "second": approved_by.id if approved_by is not None else None,
            "changed": changed,
            "findings": msgspec.to_builtins(change.findings),
        }
        show(at, data)
