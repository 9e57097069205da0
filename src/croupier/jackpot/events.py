"""What happened to the money: frozen, in the past tense. Every event carries its postings, which add up to zero."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from croupier.jackpot.commands import Funding, LockedWager, Parameters
from croupier.jackpot.fields import (
    Approvers,
    AwardId,
    JackpotId,
    LevelId,
    Note,
    PayTableName,
    Postings,
    RoundNumber,
    RowId,
    Seats,
    SecondPerson,
    TableId,
)


class Happened(Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something that happened. It has no fields, so that a hit can have those of its prize."""

    why: ClassVar[str] = ""
    """Reason code of events that have only one."""

    @property
    def reason(self) -> str:
        return self.why


class Event(Happened, frozen=True, kw_only=True):
    """Something that happened, with the money that it moved. Amounts are micros of a dollar."""

    postings: Postings = ()


class JackpotOpened(Event, frozen=True, kw_only=True, tag=True):
    """The house put up the seed of every level."""

    jackpot: JackpotId
    parameters: Annotated[Parameters, Meta(description="How the jackpot grows and pays.")]
    why: ClassVar[str] = "opened"


class ParametersChanged(Event, frozen=True, kw_only=True, tag=True):
    """From here on these parameters count. A level that is new got its seed."""

    jackpot: JackpotId
    parameters: Annotated[Parameters, Meta(description="How the jackpot grows and pays.")]
    version: Annotated[int, Meta(description="The number of the version.")]
    second: SecondPerson
    why: ClassVar[str] = "parameters"


class Accrual(Struct, frozen=True, kw_only=True, gc=False):
    """What one level got of a round's wagers."""

    jackpot: JackpotId
    level: LevelId
    meter_micros: Annotated[int, Meta(description="Its contribution, displayed or above the cap.")]
    reserve_micros: Annotated[
        int, Meta(description="Money of the reserve for the next seed, in millionths of a dollar.")
    ]
    meter_carry: Annotated[
        int, Meta(description="Millionths of a micro that are owed to the meter and go with its next contribution.")
    ]
    reserve_carry: Annotated[int, Meta(description="The part of a micro that the reserve carries on.")]


class WagersLocked(Event, frozen=True, kw_only=True, tag=True):
    """The jackpot wagers of a round were booked."""

    table: TableId
    round: RoundNumber
    bets: Annotated[tuple[LockedWager, ...], Meta(description="The wagers of the round, one for each lit sensor.")]
    accruals: Annotated[tuple[Accrual, ...], Meta(description="What each meter and reserve grew by.")]
    why: ClassVar[str] = "start_game"


class RoundVoided(Event, frozen=True, kw_only=True, tag=True):
    """The wagers of a locked round went back to the players; what had gone to meters and reserves was put up by the
    house, as seed money that it may recover."""

    table: TableId
    round: RoundNumber
    bets: Annotated[tuple[LockedWager, ...], Meta(description="The wagers of the round, one for each lit sensor.")]
    seed_micros: Annotated[int, Meta(description="What the house put up.")]
    note: Note
    why: ClassVar[str] = "void"


class Prize(Struct, frozen=True, kw_only=True):
    """What was won, where and by whom, and what the house did to the meter for it: said by the hit, and kept in the
    state for as long as the award can be settled."""

    jackpot: JackpotId
    level: LevelId
    table: TableId
    round: RoundNumber
    seats: Seats
    row: RowId
    pay_table: PayTableName
    each_micros: Annotated[int, Meta(description="What each of the seats gets, in whole cents.")]
    amount_micros: Annotated[int, Meta(description="What all of the seats get together.")]
    funding: Annotated[Funding, Meta(description="Where the money comes from: the tray or the meter.")]
    seed_micros: Annotated[
        int, Meta(description="What the house advanced: the new seed, or what the meter lacked for a fixed pay.")
    ]
    reserve_micros: Annotated[int, Meta(description="What joined the meter from the reserve.")]
    reset_by: Annotated[
        str, Meta(description="The 100% award after which the meter was last seeded, this one included.")
    ]


class JackpotHit(Happened, Prize, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """An award was locked into pending, and the meter set on for the next."""

    postings: Postings = ()
    award: AwardId
    community: Annotated[bool, Meta(description="Whether all participants at the table share it.")]
    share_ppm: Annotated[int, Meta(description="The share of the meter, in millionths.")]
    rest_micros: Annotated[int, Meta(description="What an even split left over; it stayed in the meter.")]
    meter_before_micros: Annotated[int, Meta(description="What the meter showed before it.")]
    meter_after_micros: Annotated[int, Meta(description="What the meter showed after it.")]
    evidence: Annotated[str, Meta(description="The cards that won.")]
    chip_micros: Annotated[
        int, Meta(description="The wager that goes back to each winner with the payment, where it stayed on its spot.")
    ] = 0
    note: Annotated[str, Meta(description="Why it was entered by hand; empty for a hit at the table.")] = ""
    second: Annotated[str, Meta(description="The second person of an award by hand.")] = ""
    why: ClassVar[str] = "award"

    @property
    def reason(self) -> str:
        return "award_by_hand" if self.second else self.why


class AwardPaid(Event, frozen=True, kw_only=True, tag=True):
    """A pending award was approved and paid."""

    award: AwardId
    approved_by: Approvers
    amount_micros: Annotated[int, Meta(description="The amount, in millionths of a dollar.")]
    why: ClassVar[str] = "approved"


class AwardReturned(Event, frozen=True, kw_only=True):
    """The money of an award went back where it came from, as far as the meter has not moved on."""

    award: AwardId
    amount_micros: Annotated[int, Meta(description="The amount, in millionths of a dollar.")]
    seed_micros: Annotated[int, Meta(description="What the house got back of what it had advanced at the hit.")]
    reserve_micros: Annotated[int, Meta(description="What the reserve got back.")]
    reset_by: Annotated[str, Meta(description="The 100% award after which the meter now counts as last seeded.")]
    note: Note


class AwardRejected(AwardReturned, frozen=True, kw_only=True, tag=True):
    """A pending award was void."""

    why: ClassVar[str] = "rejected"


class AwardBackedOut(AwardReturned, frozen=True, kw_only=True, tag=True):
    """A paid award was undone by hand."""

    second: SecondPerson
    why: ClassVar[str] = "back_out"


class MeterAdjusted(Event, frozen=True, kw_only=True, tag=True):
    """A documented adjustment."""

    jackpot: JackpotId
    level: LevelId
    code: Annotated[str, Meta(description="One of the lawful reasons.")]
    micros: Annotated[int, Meta(description="The amount, in millionths of a dollar.")]
    pool: Annotated[str, Meta(description="Which of the jackpot's pots was touched.")]
    note: Note
    second: SecondPerson

    @property
    def reason(self) -> str:
        return self.code


class JackpotClosed(Event, frozen=True, kw_only=True, tag=True):
    """A jackpot ended; `moved_micros` of its players' money went to another."""

    jackpot: JackpotId
    into: Annotated[str, Meta(description="The jackpot that got the players' money.")]
    into_level: Annotated[str, Meta(description="The level of that jackpot.")]
    seed_micros: Annotated[int, Meta(description="What the house took back.")]
    moved_micros: Annotated[int, Meta(description="How much money went over.")]
    note: Note
    second: SecondPerson
    why: ClassVar[str] = "closed"


class FactRecorded(Event, frozen=True, kw_only=True, tag=True):
    """Something that moves no money was put on the record."""

    subject: Annotated[str, Meta(description="What the entry is about.")]
    kind: Annotated[str, Meta(description="Of which kind it is.")]
    version: Annotated[int, Meta(description="The number of the version.")]
    body: Annotated[dict[str, Any], Meta(description="What was recorded; its fields depend on the kind.")]

    @property
    def reason(self) -> str:
        return self.kind


AnyEvent = (
    JackpotOpened
    | ParametersChanged
    | WagersLocked
    | RoundVoided
    | JackpotHit
    | AwardPaid
    | AwardRejected
    | AwardBackedOut
    | MeterAdjusted
    | JackpotClosed
    | FactRecorded
)
