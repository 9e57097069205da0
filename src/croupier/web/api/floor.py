"""The set-up of the floor: read, checked, opened, changed by two people."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from croupier.floor import check_floor, floor_data, floor_from_data, refusals
from croupier.floor.service import FLOOR, Ask
from croupier.web.api import answers
from croupier.web.api.bodies import ChangeBody, CheckBody, SetUpBody, present
from croupier.web.api.rights import PREFIX
from croupier.web.guard import GuardedRoute, IdempotencyKey, TheCaller, TheRoom
from croupier.web.services import Services

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["floor"])


@router.get("/floor", response_model=answers.FloorInForce)
def read_floor(room: TheRoom) -> dict[str, Any]:
    """The set-up in force, and its revision."""
    return _standing(room)


@router.post("/floor/check", response_model=answers.FloorChecked)
def check(body: CheckBody, room: TheRoom) -> dict[str, Any]:
    """What the law and the letters say to a set-up, without putting it into force."""
    findings = check_floor(floor_from_data(body.floor), body.day or room.desk.clock().date())
    return {"is_allowed": not refusals(findings), "findings": [finding.as_data() for finding in findings]}


@router.post("/floor", status_code=201, response_model=answers.FloorOpened)
def set_up(body: SetUpBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Opens the floor: its jackpots stand at their seeds."""
    findings = room.desk.set_up(Ask(id=key, by=caller.signer), floor_from_data(body.floor))
    return _standing(room) | {"findings": [finding.as_data() for finding in findings]}


@router.put("/floor", response_model=answers.FloorInForce)
def change(body: ChangeBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Puts the next version into force, between rounds. Money parameters need the card of a second person.

    The version's number in the body is the revision: it must follow the one in force.
    """
    second = present(room, caller, body.approver, what="approve a change", id=f"{key}/2") if body.approver else None
    room.desk.change(Ask(id=key, by=caller.signer), floor_from_data(body.floor), approved_by=second)
    return _standing(room)


def _standing(room: Services) -> dict[str, Any]:
    fact = room.book.fact(FLOOR)
    return {"floor": floor_data(room.desk.floor()), "revision": fact.version if fact else 0}
