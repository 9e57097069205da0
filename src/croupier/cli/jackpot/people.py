"""`croupier jackpot people` and `devices`: the first cards and tokens of a floor, and who has one."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from croupier.cli.jackpot.options import SEES, SIGNS, Call, verb
from croupier.cli.jackpot.screen import show
from croupier.cli.jackpot.session import new_pin
from croupier.errors import unknown
from croupier.floor.devices import USES, DeviceKind, Devices
from croupier.floor.people import Person
from croupier.floor.roles import Right, Role

people_verbs = typer.Typer(help="Cards of the people of a floor.")
device_verbs = typer.Typer(help="Terminals, signs and other systems that use the HTTP API, and their tokens.")


@verb(people_verbs, "list", SEES)
def show_people(call: Call) -> None:
    """Everybody with a valid card."""
    with call.open() as at:
        at.sign_for(Right.SEE_AUDIT, "see people")
        people = [
            {"person": person.id, "role": person.role, "locked_until": until.isoformat() if until else None}
            for person in at.people.everyone()
            for until in [at.people.locked_until(person.id)]
        ]
        show(at, {"people": people})


@verb(people_verbs, "add", SIGNS)
def add(
    call: Call,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The person's id: no real name.")],
    role: Annotated[
        str,
        typer.Argument(metavar="ROLE", help="dealer, supervisor, executive, accounting, technician or auditor."),
    ],
    new_pin_file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The new PIN, if not in $CROUPIER_NEW_PIN and not to be asked for."),
    ] = None,
) -> None:
    """Give somebody new a card with a PIN. Its token is shown this once."""
    if role not in list(Role):
        raise unknown("role", role, list(Role))
    with call.open() as at:
        at.doing = "add a person"
        if at.people.everyone():
            by = at.sign(at.doing)
        else:  # the first person of a floor adds themselves
            by = at.actor = Person(id=name, role=Role.EXECUTIVE)
        token = at.people.add_person(call.request_id, by.id, name, Role(role), new_pin(new_pin_file))
        show(at, {"person": name, "role": role, "card": token})


@verb(device_verbs, "list", SEES)
def show_devices(call: Call) -> None:
    """Every device with a valid token, and what it is for."""
    with call.open() as at:
        at.sign_for(Right.MANAGE_DEVICES, "see devices")
        devices = [
            {"device": device.id, "kind": device.kind, "tables": list(device.tables), "jackpots": list(device.jackpots)}
            for device in Devices(at.people).devices()
        ]
        show(at, {"devices": devices})


@verb(device_verbs, "register", SIGNS)
def register(
    call: Call,
    device: Annotated[str, typer.Argument(metavar="DEVICE", help="A new id: small letters, digits, - and _.")],
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="terminal runs its tables, system reads tables and meters, sign reads meters only.",
        ),
    ],
    table: Annotated[
        list[str] | None, typer.Option(metavar="TABLE", help="A table that it is for; may be repeated.")
    ] = None,
    jackpot: Annotated[
        list[str] | None, typer.Option(metavar="JACKPOT", help="A jackpot whose meter it reads; may be repeated.")
    ] = None,
) -> None:
    """Give a new device a token, good for its tables and jackpots only. The token is shown this once."""
    if kind not in USES:
        raise unknown("device kind", kind, USES)
    tables, jackpots = tuple(table or ()), tuple(jackpot or ())
    with call.open() as at:
        by = at.sign("register a device")
        floor = at.floor()
        for name in tables:
            floor.table(name)
        for name in jackpots:
            floor.jackpot(name)
        token = Devices(at.people).register_device(
            call.request_id, by.id, device, msgspec.convert(kind, DeviceKind), tables=tables, jackpots=jackpots
        )
        data = {"device": device, "kind": kind, "tables": list(tables), "jackpots": list(jackpots), "token": token}
        show(at, data)
