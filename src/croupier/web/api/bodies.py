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
from croupier.web.services import Services

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
Token = Annotated[Secret, Field(description="The card's token, as it was handed out.")]
Pin = Annotated[Secret, Field(description="The card's PIN.")]
Why = Annotated[Note, Field(description="Why; it stays on record.")]
SeatNumber = Annotated[int, Field(ge=0, le=99, description="The seat, from 1.")]
SensorNumber = Annotated[int, Field(ge=0, le=99, description="Which of the seat's sensors, from 1.")]
NewRole = Annotated[Role, Field(strict=False, description="What the person may do; docs/law.md has the table.")]
CardsText = Annotated[
    Evidence,
    Field(
        description="The cards: the dealer's hand, or player and banker with a comma between. They must give the row; "
        "for a share of the meter they are needed."
    ),
]
WinnersSide = Annotated[
    Literal["", "player", "banker"],
    Field(description="Baccarat: the side that a winner wagered on, where the wager follows it."),
]
Revision = Annotated[int, Field(ge=0, le=2**53, description="The table's revision that the command was made for.")]
FloorData = Annotated[
    dict[str, Any],
    AfterValidator(_storable),
    Field(description="A floor as in a floor file; docs/settings.md has its fields."),
]


class Body(BaseModel):
    """A request's body."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Swipe(Body):
    """A card and its PIN."""

    card: Token
    pin: Pin


class SpotBody(Body):
    """One sensor of one seat."""

    seat: SeatNumber
    sensor: SensorNumber


class SenseBody(SpotBody):
    lit: Annotated[bool, Field(description="Whether a chip lies there now.")]
    revision: Annotated[Revision | None, Field(description="The table's revision; a sensor may leave it out.")] = None


class StepBody(Body):
    revision: Revision


class StartBody(StepBody):
    chips: Annotated[int, Field(ge=0, le=999, description="The dealer's count; it must equal the lit sensors.")]
    lit: Annotated[
        list[SpotBody] | None,
        Field(max_length=200, description="Where chips lie, for systems that see them all at once; else sensors say."),
    ] = None
    playing: Annotated[
        int | None,
        Field(ge=0, le=99, description="How many seats play; needed where the jackpot wager is mandatory."),
    ] = None


class HandBody(Body):
    """A winning hand."""

    seat: Annotated[int, Field(ge=0, le=99, description="0 is Community Jackpot.")]
    sensor: SensorNumber
    row: Annotated[Name, Field(description="The hand's row of the pay table.")]


class PickBody(StepBody, HandBody):
    pass


class HitBody(StepBody):
    picks: Annotated[
        list[HandBody],
        Field(max_length=200, description="Hands that are picked with it, for systems that know who won."),
    ] = []
    evidence: CardsText = ""
    side: WinnersSide = ""


class ByHandBody(StepBody):
    """The right award of a round, by two people."""

    round: Annotated[int, Field(ge=1, le=2**53, description="The round it was won in, at this table.")]
    picks: Annotated[list[HandBody], Field(min_length=1, max_length=200, description="The winning hands.")]
    evidence: CardsText = ""
    side: WinnersSide = ""
    note: Why
    second: Annotated[Swipe, Field(description="The card of the second person.")]


class KeyBody(StepBody):
    position: Annotated[Literal["run", "jph"], Field(description="Where the supervisor's key is turned.")]


class StopBody(StepBody):
    why: Why


class ClearBody(StopBody):
    second: Annotated[Swipe, Field(description="The card of the second person, who may void rounds too.")]


class PayBody(StepBody):
    approver: Annotated[Swipe | None, Field(description="Whose card approves; left out, who is signed in.")] = None
    second: Annotated[Swipe | None, Field(description="The second card, where the amount needs two people.")] = None


class RejectBody(StepBody):
    note: Why
    approver: Annotated[Swipe | None, Field(description="Whose card rejects; left out, who is signed in.")] = None


class BackOutBody(Body):
    note: Why
    second: Annotated[Swipe, Field(description="The card of the second person.")]


class AdjustBody(Body):
    reason: Annotated[Reason, Field(description="The lawful reason; docs/jackpot.md says what each moves.")]
    micros: Annotated[int, Field(ge=-MOST_MICROS, le=MOST_MICROS, description="Millionths of a dollar.")]
    pool: Annotated[Pool, Field(description="Which of the jackpot's pots is touched.")] = "meter"
    note: Why
    second: Annotated[Swipe, Field(description="The card of the second person.")]


class CloseBody(Body):
    note: Why
    to: Annotated[Name | Literal[""], Field(description="The progressive that gets the players' money.")] = ""
    second: Annotated[Swipe, Field(description="The card of the second person.")]


class AccountBody(Body):
    balance_micros: Annotated[int, Field(ge=0, le=MOST_MICROS, description="What the bank held on the day.")]
    credit_line_micros: Annotated[int, Field(ge=0, le=MOST_MICROS, description="A credit line for large prizes.")] = 0
    day: Annotated[date | None, Field(strict=False, description="Today if left out.")] = None
    note: Why
    revision: Annotated[
        Annotated[int, Field(ge=0, le=2**53)] | None,
        Field(description="The account's `version`, to refuse a stale one."),
    ] = None


class CheckBody(Body):
    floor: FloorData
    day: Annotated[date | None, Field(strict=False, description="The day whose law holds; today if left out.")] = None


class SetUpBody(Body):
    floor: FloorData


class ChangeBody(Body):
    floor: Annotated[FloorData, Field(description="The whole new set-up, its version one higher.")]
    approver: Annotated[Swipe | None, Field(description="The second person, for money parameters.")] = None


class AddPersonBody(Body):
    id: Annotated[Name, Field(description="The person's id in the log; no name is needed.")]
    role: NewRole
    pin: Annotated[Secret, Field(description="The first PIN; its owner changes it at once.")]


class RoleBody(Body):
    role: NewRole


class NewPinBody(Body):
    pin: Annotated[Secret, Field(description="The PIN of the new card.")]


class ChangePinBody(Swipe):
    new_pin: Annotated[Secret, Field(description="4 to 12 digits; easy ones are refused.")]


class DeviceBody(Body):
    id: Annotated[Name, Field(description="The device's id in the log.")]
    kind: Annotated[DeviceKind, Field(description="A sign reads meters, a system also tables, a terminal runs them.")]
    tables: Annotated[list[Name], Field(max_length=200, description="The tables it may read or run.")] = []
    jackpots: Annotated[list[Name], Field(max_length=200, description="The jackpots whose meters it may read.")] = []


def present(room: Services, caller: Caller, swipe: Swipe, *, what: str, id: str) -> Person:
    """Whose card and PIN these are; a refusal is recorded and counts toward the lock."""
    room.swipes.take(caller.counted_as)
    return room.people.present(
        swipe.card.get_secret_value(), swipe.pin.get_secret_value(), where=caller.where, what=what, request_id=id
    )
