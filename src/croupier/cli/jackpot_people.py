"""`croupier jackpot people`: who has a card, with which role."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.jackpot_call import SEES, SIGNS, Call, verb

if TYPE_CHECKING:
    from croupier.cli.jackpot_session import Session
    from croupier.floor.roles import Role

people_verbs = typer.Typer(help="Cards, PINs and roles of the people of a floor.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The person's id: no real name.")]
RoleName = Annotated[
    str,
    typer.Argument(metavar="ROLE", help="dealer, supervisor, executive, accounting, technician or auditor."),
]
NewPinFile = Annotated[
    str | None, typer.Option(metavar="FILE", help="The new PIN, if not in $CROUPIER_NEW_PIN and not to be asked for.")
]


@verb(people_verbs, "list", SEES)
def show_people(call: Call) -> None:
    """Everybody with a valid card."""
    from croupier.cli import jackpot_screen as screen
    from croupier.cli.screen import console, print_table, simple_table
    from croupier.floor.roles import Right

    with call.open() as at:
        at.sign_for(Right.SEE_AUDIT, "see people")
        found = [
            {"person": one.id, "role": one.role, "locked_until": until.isoformat() if until else None}
            for one in at.people.everyone()
            for until in [at.people.locked_until(one.id)]
        ]
        if call.json:
            screen.answer(at, {"people": found})
            return
        out = console()
        screen.head(out, at)
        table = simple_table("person", "role", "locked until")
        for one in found:
            table.add_row(str(one["person"]), str(one["role"]), one["locked_until"] or "")
        print_table(out, table)


@verb(people_verbs, "add", SIGNS)
def add(call: Call, name: Name, role: RoleName, new_pin_file: NewPinFile = None) -> None:
    """Give somebody new a card with a PIN. Its token is shown this once."""
    from croupier.cli.jackpot_screen import show_row
    from croupier.cli.jackpot_session import new_pin
    from croupier.floor.people import Person
    from croupier.floor.roles import Role

    wanted = _role(role)
    with call.open() as at:
        at.doing = "add a person"
        if at.people.everyone():
            at.sign(at.doing)
        else:  # the first person of a floor adds themselves
            at.actor = Person(id=name, role=Role.EXECUTIVE)
        assert at.actor is not None
        pin = new_pin(new_pin_file)
        token = at.people.add_person(call.request_id, at.actor.id, name, wanted, pin)
        show_row(at, {"person": name, "role": wanted.value, "card": token})


@verb(people_verbs, "renew", SIGNS)
def renew(call: Call, name: Name, new_pin_file: NewPinFile = None) -> None:
    """Give somebody a new card and PIN; the old card is worthless. Its token is shown this once."""
    from croupier.cli.jackpot_screen import show_row
    from croupier.cli.jackpot_session import new_pin

    with call.open() as at:
        by = at.sign("renew a card")
        token = at.people.renew_card(call.request_id, by.id, name, new_pin(new_pin_file))
        show_row(at, {"person": name, "card": token})


@verb(people_verbs, "withdraw", SIGNS)
def withdraw(call: Call, name: Name) -> None:
    """Make somebody's card worthless, at once and everywhere."""
    _manage(call, "withdraw a card", lambda at, by: at.people.withdraw(call.request_id, by, name), person=name)


@verb(people_verbs, "unlock", SIGNS)
def unlock(call: Call, name: Name) -> None:
    """End the lock of a card after wrong PINs; not of your own."""
    _manage(call, "unlock a card", lambda at, by: at.people.unlock(call.request_id, by, name), person=name)


@verb(people_verbs, "sign-out", SIGNS)
def sign_out(call: Call, name: Name) -> None:
    """Sign somebody out of every page and terminal; the card stays good. Everybody may do it for themselves."""
    from croupier.floor.sessions import Sessions

    def end(at: Session, by: str) -> None:
        Sessions(at.people).revoke_all(call.request_id, by, name)

    _manage(call, "sign somebody out", end, person=name, signed_out=True)


@verb(people_verbs, "role", SIGNS)
def role(call: Call, name: Name, role: RoleName) -> None:
    """Give somebody another role."""
    wanted = _role(role)

    def change(at: Session, by: str) -> None:
        at.people.set_role(call.request_id, by, name, wanted)

    _manage(call, "change a role", change, person=name, role=wanted.value)


@verb(people_verbs, "pin", SIGNS)
def pin(call: Call, new_pin_file: NewPinFile = None) -> None:
    """Choose another PIN for your own card."""
    from croupier.cli.jackpot_screen import show_row
    from croupier.cli.jackpot_session import new_pin

    with call.open() as at:
        at.doing = "change a PIN"
        token, old = at.card_and_pin()
        at.people.change_pin(call.request_id, token, old, new_pin(new_pin_file), where="terminal")
        at.actor = at.people.person_of(token)
        show_row(at, {"person": at.actor.id})


def _role(text: str) -> Role:
    from croupier.errors import unknown
    from croupier.floor.roles import Role

    if text not in list(Role):
        raise unknown("role", text, list(Role))
    return Role(text)


def _manage(call: Call, what: str, do: Callable[[Session, str], None], **data: Any) -> None:
    from croupier.cli.jackpot_screen import show_row

    with call.open() as at:
        do(at, at.sign(what).id)
        show_row(at, data)
