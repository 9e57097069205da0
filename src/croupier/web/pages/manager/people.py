"""People and devices: cards, roles and tokens; and everybody's own PIN. A token is shown once, in the answer."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from croupier.floor.devices import USES
from croupier.floor.roles import MEANING, RIGHTS, Role
from croupier.web.api import people as api
from croupier.web.api import session
from croupier.web.api.bodies import AddPersonBody, ChangePinBody, DeviceBody, NewPinBody, RoleBody
from croupier.web.guard import TheRoom
from croupier.web.pages.base import CommandId, PageRoute, TheVisit, is_partial
from croupier.web.pages.manager.shared import TheForm, body_of, caller_of, go, show, word
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

LONGEST_PERSON_NAME = 64
PIN_REFUSALS = ("bad_pin", "trivial_pin", "same_pin")
NAME_REFUSALS = ("bad_name", "reserved_name")


def _withdrawn(room: Services, prefix: str) -> list[str]:
    """Names of people or devices whose card or token is worthless, and who may get a new one."""
    facts = room.people.log.facts(prefix)
    return [fact.subject.removeprefix(prefix) for fact in facts if fact.body.get("is_withdrawn")]


def _people(request: Request, room: Services, *, new: api.NewPerson | api.NewCard | None = None) -> Response:
    """All who have a card; with the new one, where one was just made."""
    rights = {role: [MEANING[right] for right, roles in RIGHTS.items() if role in roles] for role in Role}
    return show(
        request,
        "people_body.html" if is_partial(request) and new else "people.html",
        people=api.everyone(room).people,
        withdrawn=_withdrawn(room, "person:"),
        roles=list(Role),
        rights=rights,
        new=new,
        word=word,
    )


@router.get("/manager/people")
def people(request: Request, room: TheRoom) -> Response:
    return _people(request, room)


@router.post("/manager/people")
def add(request: Request, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    body = body_of(
        AddPersonBody,
        id=form.words("person", "Name", most=LONGEST_PERSON_NAME),
        role=form.one_of("role", "Role", Role),
        pin=form.new_pin("pin", "First PIN"),
    )
    with form.at("pin", "First PIN", *PIN_REFUSALS), form.at("person", "Name", *NAME_REFUSALS):
        new = api.add_person(body, id, caller_of(visit), room)
    return _people(request, room, new=new)


@router.post("/manager/people/{person}/renew")
def renew(request: Request, person: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    body = body_of(NewPinBody, pin=form.new_pin("pin", "PIN of the new card"))
    with form.at("pin", "PIN of the new card", *PIN_REFUSALS):
        new = api.renew_card(person, body, id, caller_of(visit), room)
    return _people(request, room, new=new)


@router.post("/manager/people/{person}/role")
def set_role(request: Request, person: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    api.set_role(person, body_of(RoleBody, role=form.one_of("role", "Role", Role)), id, caller_of(visit), room)
    return go(request, "/manager/people?done=role")


@router.post("/manager/people/{person}/withdraw")
def withdraw(request: Request, person: str, id: CommandId, visit: TheVisit, room: TheRoom) -> Response:
    api.withdraw_person(person, id, caller_of(visit), room)
    return go(request, "/manager/people?done=withdrawn")


@router.post("/manager/people/{person}/unlock")
def unlock(request: Request, person: str, id: CommandId, visit: TheVisit, room: TheRoom) -> Response:
    api.unlock(person, id, caller_of(visit), room)
    return go(request, "/manager/people?done=unlocked")


@router.post("/manager/people/{person}/sign-out")
def sign_out(request: Request, person: str, id: CommandId, visit: TheVisit, room: TheRoom) -> Response:
    api.end_sessions(person, id, caller_of(visit), room)
    return go(request, "/manager/people?done=signed_out")


@router.get("/manager/pin")
def own_pin(request: Request) -> Response:
    return show(request, "pin.html")


@router.post("/manager/pin")
def change_pin(request: Request, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    swipe = form.swipe("own", "Your card")
    body = body_of(
        ChangePinBody,
        card=swipe.card,
        pin=swipe.pin,
        new_pin=form.new_pin("new_pin", "New PIN"),
    )
    with form.at("new_pin", "New PIN", *PIN_REFUSALS):
        session.change_pin(body, id, caller_of(visit), room)
    return go(request, "/sign-in?next=/manager")


def _devices(request: Request, room: Services, *, new: api.NewToken | None = None) -> Response:
    floor = room.desk.floor()
    return show(
        request,
        "devices_body.html" if is_partial(request) and new else "devices.html",
        devices=api.devices(room).devices,
        withdrawn=_withdrawn(room, "device:"),
        tables=[table.id for table in floor.tables],
        jackpots=[jackpot.id for jackpot in floor.jackpots],
        new=new,
    )


@router.get("/manager/devices")
def devices(request: Request, room: TheRoom) -> Response:
    return _devices(request, room)


@router.post("/manager/devices")
def register(request: Request, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    body = body_of(
        DeviceBody,
        id=form.words("device", "Name", most=LONGEST_PERSON_NAME),
        kind=form.one_of("kind", "Kind", USES),
        tables=form.many("tables"),
        jackpots=form.many("jackpots"),
    )
    with form.at("device", "Name", *NAME_REFUSALS), form.at("tables", "Tables and jackpots", "bad_device"):
        new = api.register(body, id, caller_of(visit), room)
    return _devices(request, room, new=new)


@router.post("/manager/devices/{device}/renew")
def renew_device(request: Request, device: str, id: CommandId, visit: TheVisit, room: TheRoom) -> Response:
    return _devices(request, room, new=api.renew_device(device, id, caller_of(visit), room))


@router.post("/manager/devices/{device}/withdraw")
def withdraw_device(request: Request, device: str, id: CommandId, visit: TheVisit, room: TheRoom) -> Response:
    api.withdraw_device(device, id, caller_of(visit), room)
    return go(request, "/manager/devices?done=withdrawn")
