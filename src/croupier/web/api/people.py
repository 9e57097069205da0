"""People and devices: who has a card, which machines have a token. Tokens are shown once."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter

from croupier.web.api import answers
from croupier.web.api.bodies import AddPersonBody, DeviceBody, NewPinBody, RoleBody
from croupier.web.api.rights import PREFIX
from croupier.web.guard import GuardedRoute, IdempotencyKey, TheCaller, TheRoom

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["people and devices"])


@router.get("/people", response_model=answers.People)
def everyone(room: TheRoom) -> dict[str, Any]:
    """All who have a valid card, and until when a card is locked."""
    return {
        "people": [
            {"id": person.id, "role": person.role, "locked_until": room.people.locked_until(person.id)}
            for person in room.people.everyone()
        ]
    }


@router.post("/people", status_code=201, response_model=answers.NewPerson)
def add_person(body: AddPersonBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Gives somebody new a card. Its token is in this answer and never again."""
    card = room.people.add_person(key, caller.name, body.id, body.role, body.pin.get_secret_value())
    return {"id": body.id, "role": body.role, "card": card}


@router.post("/people/{person}/role", response_model=answers.RoleChanged)
def set_role(person: str, body: RoleBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Gives somebody another role. Their sessions end."""
    room.people.set_role(key, caller.name, person, body.role)
    return {"id": person, "role": body.role}


@router.post("/people/{person}/withdraw", response_model=answers.Withdrawn)
def withdraw_person(person: str, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Makes a card worthless at once, everywhere."""
    room.people.withdraw(key, caller.name, person)
    return {"id": person, "is_withdrawn": True}


@router.post("/people/{person}/renew", response_model=answers.NewCard)
def renew_card(person: str, body: NewPinBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """A new card with a new PIN; the old one is worthless. Its token is in this answer and never again."""
    return {"id": person, "card": room.people.renew_card(key, caller.name, person, body.pin.get_secret_value())}


@router.post("/people/{person}/unlock", response_model=answers.Unlocked)
def unlock(person: str, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Ends the lock of somebody else's card before its time."""
    room.people.unlock(key, caller.name, person)
    return {"id": person, "locked_until": None}


@router.post("/people/{person}/sign-out", response_model=answers.SignedOut)
def end_sessions(person: str, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Signs somebody out everywhere."""
    room.people.record(person)
    room.sessions.revoke_all(key, caller.name, person)
    return {"id": person, "signed_out": True}


@router.get("/devices", response_model=answers.Devices)
def devices(room: TheRoom) -> dict[str, Any]:
    """All devices with a valid token."""
    return {"devices": [msgspec.to_builtins(device) for device in room.devices.devices()]}


@router.post("/devices", status_code=201, response_model=answers.NewToken)
def register(body: DeviceBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Registers a terminal, a sign or another system for its tables and jackpots; its token is shown once."""
    floor = room.desk.floor()
    for table in body.tables:
        floor.table(table)
    for jackpot in body.jackpots:
        floor.jackpot(jackpot)
    token = room.devices.register_device(
        key, caller.name, body.id, body.kind, tables=tuple(body.tables), jackpots=tuple(body.jackpots)
    )
    return {"id": body.id, "token": token}


@router.post("/devices/{device}/withdraw", response_model=answers.Withdrawn)
def withdraw_device(device: str, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Makes a device's token worthless at once."""
    room.devices.withdraw(key, caller.name, device)
    return {"id": device, "is_withdrawn": True}


@router.post("/devices/{device}/renew", response_model=answers.NewToken)
def renew_device(device: str, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """A new token; the old one is worthless."""
    return {"id": device, "token": room.devices.renew(key, caller.name, device)}
