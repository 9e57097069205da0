"""What may be asked of the floor service. The ledger records each command with what came of it.

A command that comes again under its id is known by its recorded form, so that form never changes: the first key is the
kind, with what the command is about, and fields at their defaults are left out.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from croupier.floor.roles import Right
from croupier.floor.terminal import Key

Hands = tuple[tuple[int, int, str], ...]
"""Seat, sensor and row of each picked hand."""


class FloorCommand(Struct, frozen=True, omit_defaults=True):
    """Something that the floor service may do, or have done already."""

    on: Any
    """The table, award, jackpot, floor or day that it is about."""
    kind: ClassVar[str]
    right: ClassVar[Right | None] = None
    """What whoever asks must be allowed to do; None where that depends on more than the role."""

    def recorded(self) -> dict[str, Any]:
        """As the ledger has it."""
        data = msgspec.json.decode(msgspec.json.encode(self))
        return {self.kind: data.pop("on"), **data}


class SetUp(FloorCommand, frozen=True):
    kind = "set_up"


class ChangeFloor(FloorCommand, frozen=True):
    kind = "change"
    second: str


class CloseJackpotFor(FloorCommand, frozen=True):
    """Ends a jackpot, for the good of the progressive `to`."""

    kind = "close_jackpot"
    note: str
    second: str
    to: str


class RecordAccount(FloorCommand, frozen=True):
    """The balance of the jackpot account on a day; an empty day is today."""

    kind = "record_account"
    balance_micros: int
    credit_line_micros: int
    note: str


class Sense(FloorCommand, frozen=True):
    kind = "sense"
    right = Right.RUN_ROUNDS
    seat: int
    sensor: int
    lit: bool


class Start(FloorCommand, frozen=True):
    kind = "start"
    right = Right.RUN_ROUNDS
    chips: int
    lit: tuple[tuple[int, int], ...]
    """Seat and sensor of each chip, where a layout on a screen is the sensors."""
    playing: int | None = None


class Alarm(FloorCommand, frozen=True):
    kind = "alarm"
    why: str


class PickHand(FloorCommand, frozen=True):
    kind = "pick"
    right = Right.HIT_JACKPOT
    seat: int
    sensor: int
    row: str


class Hit(FloorCommand, frozen=True):
    kind = "hit"
    right = Right.HIT_JACKPOT
    picks: Hands
    evidence: str
    side: str = ""


class AwardByHand(FloorCommand, frozen=True):
    kind = "award_by_hand"
    round: int
    picks: Hands
    evidence: str
    side: str
    note: str
    second: str


class TurnKey(FloorCommand, frozen=True):
    kind = "turn_key"
    right = Right.APPROVE_AWARD
    position: Key


class End(FloorCommand, frozen=True):
    kind = "end"
    right = Right.RUN_ROUNDS


class Void(FloorCommand, frozen=True):
    kind = "void"
    right = Right.VOID_ROUND
    why: str


class Clear(FloorCommand, frozen=True):
    kind = "clear"
    right = Right.VOID_ROUND
    why: str
    second: str


class Stop(FloorCommand, frozen=True):
    kind = "stop"
    right = Right.STOP_TABLE
    why: str


class Reopen(FloorCommand, frozen=True):
    kind = "reopen"
    right = Right.OPEN_TABLE


class PayClaim(FloorCommand, frozen=True):
    kind = "pay"
    by: tuple[str, ...]


class PayAsDemo(FloorCommand, frozen=True):
    kind = "pay_as_demo"


class Reject(FloorCommand, frozen=True):
    kind = "reject"
    note: str
