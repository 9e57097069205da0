"""What requests may say. Unknown fields are refused, and so is a number that is text."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from croupier.floor.devices import DeviceKind
from croupier.floor.people import Person
from croupier.floor.roles import Role
from croupier.floor.terminal import Key, Pick, Spot
from croupier.jackpot.commands import Pool, Reason
from croupier.web.api.typed import Secret
from croupier.web.guard import Caller
from croupier.web.services import Services

MOST_MICROS = 10**15
MOST_NUMBER = 2**53
"""Up to this, every reader of JSON has whole numbers."""

Name = Annotated[str, Meta(min_length=1, max_length=120)]
Note = Annotated[str, Meta(min_length=1, max_length=500)]
Why = Annotated[Note, Meta(description="Why; it stays on record.")]
SeatNumber = Annotated[int, Meta(ge=0, le=99, description="The seat, from 1.")]
SensorNumber = Annotated[int, Meta(ge=0, le=99, description="Which of the seat's sensors, from 1.")]
RowName = Annotated[Name, Meta(description="The hand's row of the pay table.")]
NewRole = Annotated[Role, Meta(description="What the person may do; docs/law.md has the table.")]
Balance = Annotated[int, Meta(ge=0, le=MOST_MICROS)]
CardsText = Annotated[
    str,
    Meta(
        max_length=500,
        description="The cards: the dealer's hand, or player and banker with a comma between. They must give the row; "
        "for a share of the meter they are needed.",
    ),
]
WinnersSide = Annotated[
    Literal["", "player", "banker"],
    Meta(description="Baccarat: the side that a winner wagered on, where the wager follows it."),
]
Count = Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
Revision = Annotated[Count, Meta(description="The table's revision that the command was made for.")]
FloorData = Annotated[dict[str, Any], Meta(description="A floor as in a floor file; docs/settings.md has its fields.")]


def printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("it has characters that cannot be printed")
    return text


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request's body."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            for text in value if isinstance(value, tuple) else (value,):
                if isinstance(text, str) and not isinstance(text, Secret) and not text.isprintable():
                    raise ValueError(f"The field `{name}` has characters that cannot be printed")


class Swipe(Body, frozen=True, kw_only=True):
    """A card and its PIN."""

    card: Annotated[Secret, Meta(description="The card's token, as it was handed out.")]
    pin: Annotated[Secret, Meta(description="The card's PIN.")]


SecondPerson = Annotated[Swipe, Meta(description="The card of the second person.")]


class SenseBody(Body, frozen=True, kw_only=True):
    seat: SeatNumber
    sensor: SensorNumber
    lit: Annotated[bool, Meta(description="Whether a chip lies there now.")]
    revision: Annotated[Revision | None, Meta(description="The table's revision; a sensor may leave it out.")] = None


class StepBody(Body, frozen=True, kw_only=True):
    revision: Revision


class StartBody(StepBody, frozen=True, kw_only=True):
    chips: Annotated[int, Meta(ge=0, le=999, description="The dealer's count; it must equal the lit sensors.")]
    lit: Annotated[
        Annotated[tuple[Spot, ...], Meta(max_length=200)] | None,
        Meta(description="Where chips lie, for systems that see them all at once; else sensors say."),
    ] = None
    playing: Annotated[
        Annotated[int, Meta(ge=0, le=99)] | None,
        Meta(description="How many seats play; needed where the jackpot wager is mandatory."),
    ] = None


class PickBody(StepBody, frozen=True, kw_only=True):
    seat: Annotated[SeatNumber, Meta(description="0 is Community Jackpot.")]
    sensor: SensorNumber
    row: RowName


class HitBody(StepBody, frozen=True, kw_only=True):
    picks: Annotated[
        tuple[Pick, ...],
        Meta(max_length=200, description="Hands that are picked with it, for systems that know who won."),
    ] = ()
    evidence: CardsText = ""
    side: WinnersSide = ""


class ByHandBody(StepBody, frozen=True, kw_only=True):
    """The right award of a round, by two people."""

    round: Annotated[int, Meta(ge=1, le=MOST_NUMBER, description="The round it was won in, at this table.")]
    picks: Annotated[tuple[Pick, ...], Meta(min_length=1, max_length=200, description="The winning hands.")]
    evidence: CardsText = ""
    side: WinnersSide = ""
    note: Why
    second: SecondPerson


class KeyBody(StepBody, frozen=True, kw_only=True):
    position: Annotated[Key, Meta(description="Where the supervisor's key is turned.")]


class StopBody(StepBody, frozen=True, kw_only=True):
    why: Why


class ClearBody(StopBody, frozen=True, kw_only=True):
    second: Annotated[Swipe, Meta(description="The card of the second person, who may void rounds too.")]


class PayBody(StepBody, frozen=True, kw_only=True):
    approver: Annotated[Swipe | None, Meta(description="Whose card approves; left out, who is signed in.")] = None
    second: Annotated[Swipe | None, Meta(description="The second card, where the amount needs two people.")] = None


class RejectBody(StepBody, frozen=True, kw_only=True):
    note: Why
    approver: Annotated[Swipe | None, Meta(description="Whose card rejects; left out, who is signed in.")] = None


class BackOutBody(Body, frozen=True, kw_only=True):
    note: Why
    second: SecondPerson


class AdjustBody(Body, frozen=True, kw_only=True):
    reason: Annotated[Reason, Meta(description="The lawful reason; docs/jackpot.md says what each moves.")]
    micros: Annotated[int, Meta(ge=-MOST_MICROS, le=MOST_MICROS, description="Millionths of a dollar.")]
    pool: Annotated[Pool, Meta(description="Which of the jackpot's pots is touched.")] = "meter"
    note: Why
    second: SecondPerson


class CloseBody(Body, frozen=True, kw_only=True):
    note: Why
    to: Annotated[str, Meta(max_length=120, description="The progressive that gets the players' money.")] = ""
    second: SecondPerson


class AccountBody(Body, frozen=True, kw_only=True):
    balance_micros: Annotated[Balance, Meta(description="What the bank held on the day.")]
    credit_line_micros: Annotated[Balance, Meta(description="A credit line for large prizes.")] = 0
    day: Annotated[date | None, Meta(description="Today if left out.")] = None
    note: Why
    revision: Annotated[Count | None, Meta(description="The account's `version`, to refuse a stale one.")] = None


class CheckBody(Body, frozen=True, kw_only=True):
    floor: FloorData
    day: Annotated[date | None, Meta(description="The day whose law holds; today if left out.")] = None


class SetUpBody(Body, frozen=True, kw_only=True):
    floor: FloorData


class ChangeBody(Body, frozen=True, kw_only=True):
    floor: Annotated[FloorData, Meta(description="The whole new setup, its version one higher.")]
    approver: Annotated[Swipe | None, Meta(description="The second person, for money parameters.")] = None


class AddPersonBody(Body, frozen=True, kw_only=True):
    id: Annotated[Name, Meta(description="The person's id in the log; no name is needed.")]
    role: NewRole
    pin: Annotated[Secret, Meta(description="The first PIN; its owner changes it at once.")]


class RoleBody(Body, frozen=True, kw_only=True):
    role: NewRole


class NewPinBody(Body, frozen=True, kw_only=True):
    pin: Annotated[Secret, Meta(description="The PIN of the new card.")]


class ChangePinBody(Swipe, frozen=True, kw_only=True):
    new_pin: Annotated[Secret, Meta(description="4 to 12 digits; easy ones are refused.")]


class DeviceBody(Body, frozen=True, kw_only=True):
    id: Annotated[Name, Meta(description="The device's id in the log.")]
    kind: Annotated[DeviceKind, Meta(description="A sign reads meters, a system also tables, a terminal runs them.")]
    tables: Annotated[tuple[Name, ...], Meta(max_length=200, description="The tables it may read or run.")] = ()
    jackpots: Annotated[
        tuple[Name, ...], Meta(max_length=200, description="The jackpots whose meters it may read.")
    ] = ()


def present(room: Services, caller: Caller, swipe: Swipe, *, what: str, id: str) -> Person:
    """Whose card and PIN these are; a refusal is recorded and counts toward the lock."""
    room.swipes.take(caller.counted_as)
    return room.people.present(swipe.card, swipe.pin, where=caller.where, what=what, request_id=id)
