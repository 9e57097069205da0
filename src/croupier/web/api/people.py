"""People and devices: who has a card, which machines have a token. Tokens are shown once."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter
from msgspec import Meta, Struct

from croupier.floor.devices import Device
from croupier.floor.roles import Role
from croupier.web.api.bodies import AddPersonBody, DeviceBody, NewPinBody, RoleBody
from croupier.web.api.rights import PREFIX
from croupier.web.guard import GuardedRoute, IdempotencyKey, TheCaller, TheRoom

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["people and devices"])

Id = Annotated[str, Meta(description="The person's or the device's id in the log.")]


class Person(Struct, frozen=True, kw_only=True):
    id: Id
    role: Annotated[Role, Meta(description="What the person may do.")]
    locked_until: Annotated[
        Annotated[datetime, Meta(tz=True)] | None,
        Meta(description="Until when the card is locked after wrong PINs."),
    ]


class People(Struct, frozen=True):
    people: Annotated[tuple[Person, ...], Meta(description="Everybody with a valid card.")]


class RoleChanged(Struct, frozen=True, kw_only=True):
    id: Id
    role: Annotated[Role, Meta(description="What the person may do.")]


class NewPerson(RoleChanged, frozen=True, kw_only=True):
    card: Annotated[str, Meta(description="The card's token, shown this once.")]


class Withdrawn(Struct, frozen=True, kw_only=True):
    id: Id
    is_withdrawn: Annotated[Literal[True], Meta(description="Whether it is no longer valid.")] = True


class NewCard(Struct, frozen=True, kw_only=True):
    id: Id
    card: Annotated[str, Meta(description="The card's token, shown this once.")]


class Unlocked(Struct, frozen=True, kw_only=True):
    id: Id
    locked_until: Annotated[None, Meta(description="Until when the card is locked.")] = None


class SignedOut(Struct, frozen=True, kw_only=True):
    id: Id
    signed_out: Annotated[Literal[True], Meta(description="Whether it is over.")] = True


class Devices(Struct, frozen=True):
    devices: Annotated[tuple[Device, ...], Meta(description="The devices that are registered.")]


class NewToken(Struct, frozen=True, kw_only=True):
    id: Id
    token: Annotated[str, Meta(description="Shown this once.")]


@router.get("/people")
def everyone(room: TheRoom) -> People:
    """All who have a valid card, and until when a card is locked."""
    return People(
        tuple(
            Person(id=person.id, role=person.role, locked_until=room.people.locked_until(person.id))
            for person in room.people.everyone()
        )
    )


@router.post("/people", status_code=201)
def add_person(body: AddPersonBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> NewPerson:
    """Gives somebody new a card. Its token is in this answer and never again."""
    card = room.people.add_person(key, caller.name, body.id, body.role, body.pin)
    return NewPerson(id=body.id, role=body.role, card=card)


@router.post("/people/{person}/role")
def set_role(person: str, body: RoleBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> RoleChanged:
    """Gives somebody another role. Their sessions end."""
    room.people.set_role(key, caller.name, person, body.role)
    return RoleChanged(id=person, role=body.role)


@router.post("/people/{person}/withdraw")
def withdraw_person(person: str, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Withdrawn:
    """Makes a card worthless at once, everywhere."""
    room.people.withdraw(key, caller.name, person)
    return Withdrawn(id=person)


@router.post("/people/{person}/renew")
def renew_card(person: str, body: NewPinBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> NewCard:
    """A new card with a new PIN; the old one is worthless. Its token is in this answer and never again."""
    return NewCard(id=person, card=room.people.renew_card(key, caller.name, person, body.pin))


@router.post("/people/{person}/unlock")
def unlock(person: str, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Unlocked:
    """Ends the lock of somebody else's card before its time."""
    room.people.unlock(key, caller.name, person)
    return Unlocked(id=person)


@router.post("/people/{person}/sign-out")
def end_sessions(person: str, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> SignedOut:
    """Signs somebody out everywhere."""
    room.people.record(person)
    room.sessions.revoke_all(key, caller.name, person)
    return SignedOut(id=person)


@router.get("/devices")
def devices(room: TheRoom) -> Devices:
    """All devices with a valid token."""
    return Devices(room.devices.devices())


@router.post("/devices", status_code=201)
def register(body: DeviceBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> NewToken:
    """Registers a terminal, a sign or another system for its tables and jackpots; its token is shown once."""
    floor = room.desk.floor()
    for table in body.tables:
        floor.table(table)
    for jackpot in body.jackpots:
        floor.jackpot(jackpot)
    token = room.devices.register_device(
        key, caller.name, body.id, body.kind, tables=body.tables, jackpots=body.jackpots
    )
    return NewToken(id=body.id, token=token)


@router.post("/devices/{device}/withdraw")
def withdraw_device(device: str, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Withdrawn:
    """Makes a device's token worthless at once."""
    room.devices.withdraw(key, caller.name, device)
    return Withdrawn(id=device)


@router.post("/devices/{device}/renew")
def renew_device(device: str, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> NewToken:
    """A new token; the old one is worthless."""
    return NewToken(id=device, token=room.devices.renew(key, caller.name, device))
