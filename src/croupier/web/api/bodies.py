"""What requests may say. Unknown fields are refused, and so is a number that is text."""

from __future__ import annotations

import json
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, StringConstraints

from croupier.floor.devices import DeviceKind
from croupier.floor.people import Person
from croupier.floor.roles import Role
from croupier.jackpot.commands import Pool, Reason
from croupier.web.guard import Caller
from croupier.web.room import Room

MOST_MICROS = 10**15


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("has characters that cannot be printed")
    return text


def _storable(data: dict[str, Any]) -> dict[str, Any]:
    try:
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        raise ValueError("is not plain JSON in Unicode") from None
    return data


Name = Annotated[str, StringConstraints(min_length=1, max_length=120), AfterValidator(_printable)]
Note = Annotated[str, StringConstraints(min_length=1, max_length=500), AfterValidator(_printable)]
Evidence = Annotated[str, StringConstraints(max_length=500), AfterValidator(_printable)]
Secret = Annotated[SecretStr, Field(min_length=1, max_length=200)]
Revision = Annotated[int, Field(ge=0, le=2**53, description="The table's revision that the command was made for.")]
FloorData = Annotated[
    dict[str, Any],
    AfterValidator(_storable),
    Field(description="A floor as in a floor file; docs/layout.md says where its fields are described."),
]


class Body(BaseModel):
    """A request's body."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Swipe(Body):
    """A card and its PIN."""

    card: Secret
    pin: Secret


class SpotBody(Body):
    """One sensor of one seat."""

    seat: Annotated[int, Field(ge=0, le=99)]
    sensor: Annotated[int, Field(ge=0, le=99)]


class SenseBody(SpotBody):
    lit: Annotated[bool, Field(description="Whether a chip lies there now.")]
    revision: Revision | None = None


class StepBody(Body):
    revision: Revision


class StartBody(StepBody):
    chips: Annotated[int, Field(ge=0, le=999, description="The dealer's count; it must equal the lit sensors.")]
    lit: Annotated[
        list[SpotBody] | None,
        Field(max_length=200, description="Where chips lie, for systems that see them all at once; else sensors say."),
    ] = None


class HandBody(Body):
    """A winning hand."""

    seat: Annotated[int, Field(ge=0, le=99, description="0 is Community Jackpot.")]
    sensor: Annotated[int, Field(ge=0, le=99)]
    row: Annotated[Name, Field(description="The hand's row of the pay table.")]


class PickBody(StepBody, HandBody):
    pass


class HitBody(StepBody):
    picks: Annotated[
        list[HandBody],
        Field(max_length=200, description="Hands that are picked with it, for systems that know who won."),
    ] = []
    evidence: Annotated[Evidence, Field(description="The cards.")] = ""


class KeyBody(StepBody):
    position: Literal["run", "jph"]


class StopBody(StepBody):
    why: Note


class PayBody(StepBody):
    approver: Annotated[Swipe | None, Field(description="Whose card approves; left out, who is signed in.")] = None
    second: Annotated[Swipe | None, Field(description="The second card, where the amount needs two people.")] = None


class RejectBody(StepBody):
    note: Note
    approver: Swipe | None = None


class BackOutBody(Body):
    note: Note
    second: Annotated[Swipe, Field(description="The card of the second person.")]


class AdjustBody(Body):
    reason: Reason
    micros: Annotated[int, Field(ge=-MOST_MICROS, le=MOST_MICROS, description="Millionths of a dollar.")]
    pool: Pool = "meter"
    note: Note
    second: Annotated[Swipe, Field(description="The card of the second person.")]


class CloseBody(Body):
    note: Note
    to: Annotated[Name | Literal[""], Field(description="The progressive that gets the players' money.")] = ""
    second: Annotated[Swipe, Field(description="The card of the second person.")]


class AccountBody(Body):
    balance_micros: Annotated[int, Field(ge=0, le=MOST_MICROS, description="What the bank held on the day.")]
    credit_line_micros: Annotated[int, Field(ge=0, le=MOST_MICROS)] = 0
    day: Annotated[date | None, Field(strict=False, description="Today if left out.")] = None
    note: Note
    revision: Annotated[int, Field(ge=0, le=2**53, description="The account's `version`.")] | None = None


class CheckBody(Body):
    floor: FloorData
    day: Annotated[date | None, Field(strict=False, description="The day whose law holds; today if left out.")] = None


class SetUpBody(Body):
    floor: FloorData


class ChangeBody(Body):
    floor: Annotated[FloorData, Field(description="The whole new set-up, its version one higher.")]
    approver: Annotated[Swipe | None, Field(description="The second person, for money parameters.")] = None


class AddPersonBody(Body):
    id: Name
    role: Annotated[Role, Field(strict=False)]
    pin: Secret


class RoleBody(Body):
    role: Annotated[Role, Field(strict=False)]


class NewPinBody(Body):
    pin: Secret


class ChangePinBody(Swipe):
    new_pin: Secret


class DeviceBody(Body):
    id: Name
    kind: DeviceKind
    tables: Annotated[list[Name], Field(max_length=200)] = []
    jackpots: Annotated[list[Name], Field(max_length=200)] = []


def present(room: Room, caller: Caller, swipe: Swipe, *, what: str, id: str) -> Person:
    """Whose card and PIN these are; a refusal is recorded and counts towards the lock."""
    room.swipes.take(caller.address)
    return room.people.present(
        swipe.card.get_secret_value(), swipe.pin.get_secret_value(), where=caller.where, what=what, request_id=id
    )
