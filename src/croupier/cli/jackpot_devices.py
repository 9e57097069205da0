"""`croupier jackpot devices`: terminals, signs and other systems, each with a token of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.jackpot_call import SEES, SIGNS, Call, verb

device_verbs = typer.Typer(help="Terminals, signs and other systems that use the HTTP API, and their tokens.")

Id = Annotated[str, typer.Argument(metavar="DEVICE", help="The device's id.")]


@verb(device_verbs, "list", SEES)
def show_devices(call: Call) -> None:
    """Every device with a valid token, and what it is for."""
    from croupier.cli import jackpot_screen as screen
    from croupier.cli.screen import console, print_table, simple_table
    from croupier.floor.devices import Devices
    from croupier.floor.roles import Right

    with call.open() as at:
        at.sign_for(Right.MANAGE_DEVICES, "see devices")
        found = Devices(at.people).devices()
        if call.json:
            devices = [
                {"device": one.id, "kind": one.kind, "tables": list(one.tables), "jackpots": list(one.jackpots)}
                for one in found
            ]
            screen.answer(at, {"devices": devices})
            return
        out = console()
        screen.head(out, at)
        table = simple_table("device", "kind", "tables", "jackpots")
        for one in found:
            table.add_row(one.id, one.kind, " ".join(one.tables), " ".join(one.jackpots))
        if found:
            print_table(out, table)
        else:
            out.print("no device is registered")


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
    import msgspec

    from croupier.cli.jackpot_screen import show_row
    from croupier.errors import unknown
    from croupier.floor.devices import USES, DeviceKind, Devices

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
        show_row(at, data)


@verb(device_verbs, "renew", SIGNS)
def renew(call: Call, device: Id) -> None:
    """Give a device a new token; the old one is worthless. The token is shown this once."""
    from croupier.cli.jackpot_screen import show_row
    from croupier.floor.devices import Devices

    with call.open() as at:
        by = at.sign("renew a device's token")
        show_row(at, {"device": device, "token": Devices(at.people).renew(call.request_id, by.id, device)})


@verb(device_verbs, "withdraw", SIGNS)
def withdraw(call: Call, device: Id) -> None:
    """Revoke a device's token: it is worthless at once and everywhere, until it is renewed."""
    from croupier.cli.jackpot_screen import show_row
    from croupier.floor.devices import Devices

    with call.open() as at:
        by = at.sign("withdraw a device's token")
        Devices(at.people).withdraw(call.request_id, by.id, device)
        show_row(at, {"device": device, "withdrawn": True})
