"""The setup of the floor: read, checked, opened, changed by two people."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from msgspec import Meta, Struct, structs

from croupier.floor import check_floor, floor_data, floor_from_data, refusals
from croupier.floor.checks.findings import Finding
from croupier.floor.service import FLOOR, Ask
from croupier.web.api.bodies import ChangeBody, CheckBody, SetUpBody, present
from croupier.web.api.rights import PREFIX
from croupier.web.guard import GuardedRoute, IdempotencyKey, TheCaller, TheRoom
from croupier.web.services import Services

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["floor"])

Findings = Annotated[tuple[Finding, ...], Meta(description="What the law and the letters have to say.")]


class FloorInForce(Struct, frozen=True, kw_only=True):
    floor: Annotated[dict[str, Any], Meta(description="As in a floor file.")]
    revision: Annotated[int, Meta(description="What the next command must be made for.")]


class FloorOpened(FloorInForce, frozen=True, kw_only=True):
    findings: Findings


class FloorChecked(Struct, frozen=True, kw_only=True):
    is_allowed: Annotated[bool, Meta(description="Whether nothing is refused.")]
    findings: Findings


@router.get("/floor")
def read_floor(room: TheRoom) -> FloorInForce:
    """The setup in force, and its revision."""
    return _standing(room)


@router.post("/floor/check")
def check(body: CheckBody, room: TheRoom) -> FloorChecked:
    """What the law and the letters say to a setup, without putting it into force."""
    findings = check_floor(floor_from_data(body.floor), body.day or room.desk.clock().date())
    return FloorChecked(is_allowed=not refusals(findings), findings=tuple(findings))


@router.post("/floor", status_code=201)
def set_up(body: SetUpBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> FloorOpened:
    """Opens the floor: its jackpots stand at their seeds."""
    findings = room.desk.set_up(Ask(id=key, by=caller.signer), floor_from_data(body.floor))
    return FloorOpened(**structs.asdict(_standing(room)), findings=tuple(findings))


@router.put("/floor")
def change(body: ChangeBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> FloorInForce:
    """Puts the next version into force, between rounds. Money parameters need the card of a second person.

    The version's number in the body is the revision: it must follow the one in force.
    """
    second = present(room, caller, body.approver, what="approve a change", id=f"{key}/2") if body.approver else None
    room.desk.change(Ask(id=key, by=caller.signer), floor_from_data(body.floor), approved_by=second)
    return _standing(room)


def _standing(room: Services) -> FloorInForce:
    fact = room.book.fact(FLOOR)
    return FloorInForce(floor=floor_data(room.desk.floor()), revision=fact.version if fact else 0)
