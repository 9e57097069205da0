"""What happened to the money: frozen, in the past tense. Every event carries its postings, which add up to zero."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from croupier.jackpot.accounts import Posting
from croupier.jackpot.commands import Bet, Funding, Parameters


class Happened(Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something that happened. It has no fields, so that a hit can have those of its prize."""

    why: ClassVar[str] = ""
    """Reason code of events that have only one."""

    @property
    def reason(self) -> str:
        return self.why


class Event(Happened, frozen=True, kw_only=True):
    """Something that happened, with the money that it moved. Amounts are micros of a dollar."""

    postings: tuple[Posting, ...] = ()


class JackpotOpened(Event, frozen=True, kw_only=True, tag=True):
    """The house put up the seed of every level."""

    jackpot: str
    parameters: Parameters
    why: ClassVar[str] = "opened"


class ParametersChanged(Event, frozen=True, kw_only=True, tag=True):
    """From here on these parameters count. A level that is new got its seed."""

    jackpot: str
    parameters: Parameters
    version: int
    second: str
    why: ClassVar[str] = "parameters"


class Accrual(Struct, frozen=True, kw_only=True, gc=False):
    """What one level got of a round's wagers."""

    jackpot: str
    level: str
    meter_micros: int
    """Its contribution, displayed or above the cap."""
    reserve_micros: int
    meter_carry: int
    """Millionths of a micro that are owed to the meter and go with its next contribution."""
    reserve_carry: int


class WagersLocked(Event, frozen=True, kw_only=True, tag=True):
    """The jackpot wagers of a round were booked."""

    table: str
    round: int
    bets: tuple[Bet, ...]
    accruals: tuple[Accrual, ...]
    why: ClassVar[str] = "start_game"


class RoundVoided(Event, frozen=True, kw_only=True, tag=True):
    """The wagers of a locked round went back to the players; what had gone to meters and reserves was put up by the
    house, as seed money that it may recover."""

    table: str
    round: int
    bets: tuple[Bet, ...]
    seed_micros: int
    """What the house put up."""
    note: str
    why: ClassVar[str] = "void"


class Prize(Struct, frozen=True, kw_only=True):
    """What was won, where and by whom, and what the house did to the meter for it: said by the hit, and kept in the
    state for as long as the award can be settled."""

    jackpot: str
    level: str
    table: str
    round: int
    seats: tuple[int, ...]
    row: str
    pay_table: str
    each_micros: int
    """What each of the seats gets, in whole cents."""
    amount_micros: int
    """What all of the seats get together."""
    funding: Funding
    seed_micros: int
    """What the house advanced: the new seed, or what the meter lacked for a fixed pay."""
    reserve_micros: int
    """What joined the meter from the reserve."""
    reset_by: str
    """The 100% award after which the meter was last seeded, this one included."""


class JackpotHit(Happened, Prize, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """An award was locked into pending, and the meter set on for the next."""

    postings: tuple[Posting, ...] = ()
    award: str
    community: bool
    share_ppm: int
    rest_micros: int
    """What an even split left over; it stayed in the meter."""
    meter_before_micros: int
    meter_after_micros: int
    evidence: str
    chip_micros: int = 0
    """The wager that goes back to each winner with the payment, where it stayed on its spot."""
    note: str = ""
    """Why it was entered by hand; empty for a hit at the table."""
    second: str = ""
    """The second person of an award by hand."""
    why: ClassVar[str] = "award"

    @property
    def reason(self) -> str:
        return "award_by_hand" if self.second else self.why


class AwardPaid(Event, frozen=True, kw_only=True, tag=True):
    """A pending award was approved and paid."""

    award: str
    approved_by: tuple[str, ...]
    amount_micros: int
    why: ClassVar[str] = "approved"


class AwardReturned(Event, frozen=True, kw_only=True):
    """The money of an award went back where it came from, as far as the meter has not moved on."""

    award: str
    amount_micros: int
    seed_micros: int
    """What the house got back of what it had advanced at the hit."""
    reserve_micros: int
    """What the reserve got back."""
    reset_by: str
    """The 100% award after which the meter now counts as last seeded."""
    note: str


class AwardRejected(AwardReturned, frozen=True, kw_only=True, tag=True):
    """A pending award was void."""

    why: ClassVar[str] = "rejected"


class AwardBackedOut(AwardReturned, frozen=True, kw_only=True, tag=True):
    """A paid award was undone by hand."""

    second: str
    why: ClassVar[str] = "back_out"


class MeterAdjusted(Event, frozen=True, kw_only=True, tag=True):
    """A documented adjustment."""

    jackpot: str
    level: str
    code: str
    """One of the lawful reasons."""
    micros: int
    pool: str
    note: str
    second: str

    @property
    def reason(self) -> str:
        return self.code


class JackpotClosed(Event, frozen=True, kw_only=True, tag=True):
    """A jackpot ended; `moved_micros` of its players' money went to another."""

    jackpot: str
    into: str
    into_level: str
    seed_micros: int
    """What the house took back."""
    moved_micros: int
    note: str
    second: str
    why: ClassVar[str] = "closed"


class FactRecorded(Event, frozen=True, kw_only=True, tag=True):
    """Something that moves no money was put on the record."""

    subject: str
    kind: str
    version: int
    body: dict[str, Any]

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
