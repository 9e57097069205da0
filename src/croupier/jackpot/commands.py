"""What may be asked of the ledger. A command is wrapped in a `Request` that says who, when, and under which id."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from croupier.jackpot.fields import JackpotId, SeatNumber, SensorNumber

MAIN = "main"
"""The level of a jackpot that has one."""

Kind = Literal["progressive", "house"]
Funding = Literal["tray", "meter"]
Pool = Literal["meter", "reserve", "overflow"]
Reason = Literal[
    "correct_display",
    "record_receipts",
    "recover_seed",
    "release_overflow",
    "house_addition",
    "carried_in",
]
"""Why a meter may be adjusted. WAC 230-15-695 allows a reduction by what was won, to correct a display
(`correct_display`), of money not displayed that is recorded as gross receipts (`record_receipts`), to recover seed
money (`recover_seed`), and of what is above the maximum, which needs no adjustment here: it never gets into the meter.
The other reasons only ever raise what the players can win."""


class Level(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One meter of a jackpot and what feeds it."""

    id: Annotated[str, Meta(description="Its id.")] = MAIN
    seed_micros: Annotated[
        int,
        Meta(
            description="What the house puts up at the opening and after each 100% award; the prize itself of a "
            "house jackpot."
        ),
    ]
    contribution_ppm: Annotated[int, Meta(description="Millionths of each wager that the meter grows by.")] = 0
    reserve_ppm: Annotated[
        int, Meta(description="Millionths of each wager kept, not displayed, for the next seed.")
    ] = 0
    cap_micros: Annotated[
        int | None,
        Meta(description="The posted maximum of the meter; what would pass it goes to the overflow. None: no maximum."),
    ] = None
    unreasonable_micros: Annotated[
        int | None,
        Meta(
            description="A round that would add more than this to meter and reserve is refused as a fault. None: "
            "no such check."
        ),
    ] = None


class Parameters(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a jackpot works. Changes make a new version; old versions stay in the log."""

    kind: Annotated[
        Kind,
        Meta(
            description="A progressive grows with wagers; a house jackpot is a fixed prize, paid by the house to "
            "each winner."
        ),
    ] = "progressive"
    fixed_pays: Annotated[Funding, Meta(description="Where fixed pays come from.")] = "tray"
    levels: Annotated[tuple[Level, ...], Meta(description="The meters of the jackpot.")]


class LockedWager(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One wager locked by START GAME."""

    seat: SeatNumber
    sensor: SensorNumber
    jackpot: JackpotId
    amount_micros: Annotated[int, Meta(description="The amount, in millionths of a dollar.")]
    pay_table: Annotated[str, Meta(description="Pay table and version that the wager was made under.")] = ""


class Command(Struct, frozen=True, kw_only=True, tag_field="command", forbid_unknown_fields=True):
    """Something that the ledger may do."""


class OpenJackpot(Command, frozen=True, kw_only=True, tag=True):
    """A new jackpot, at its seed, with version 1 of its parameters."""

    jackpot: str
    parameters: Parameters


class ChangeParameters(Command, frozen=True, kw_only=True, tag=True):
    """New parameters for what comes after. Standing amounts do not move; a new seed counts from the next reset."""

    jackpot: str
    parameters: Parameters
    based_on: int
    """The version that the change was made for."""
    second: str
    """The second person of a change of money parameters."""


class LockWagers(Command, frozen=True, kw_only=True, tag=True):
    """START GAME: all jackpot wagers of a round at one table, booked together or not at all."""

    table: str
    round: int
    """Counts up at each table; a round is locked once."""
    bets: tuple[LockedWager, ...]


class VoidRound(Command, frozen=True, kw_only=True, tag=True):
    """A misdeal: the wagers of a locked round go back to the players. What the meters got of them stays there, as a
    misdeal is no lawful reason to lower one; the house puts it up instead."""

    table: str
    round: int
    jackpots: tuple[str, ...]
    """All that have wagers in the round, by name: no money of a jackpot moves that the command does not name."""
    note: str


class HitJackpot(Command, frozen=True, kw_only=True, tag=True):
    """HIT JACKPOT: locks an award into pending. The request's id is the award's id from now on."""

    jackpot: str
    level: str = MAIN
    table: str
    round: int
    seats: tuple[int, ...] = ()
    """The winning seats; none when it is a community award."""
    community: bool = False
    """Every participant of this jackpot in this round at this table wins."""
    share_ppm: int = 0
    """Millionths of the meter, split evenly over the winners; of a house jackpot's prize, to each winner."""
    each_micros: int = 0
    """A fixed pay to each winner. Exactly one of `share_ppm` and `each_micros` is given."""
    row: str = ""
    pay_table: str = ""
    evidence: str = ""
    """The cards, in one notation; whatever else shows the win of a fixed pay."""
    chip_micros: int | UnsetType = UNSET
    """The wager that goes back to each winner beside the award, where a fixed pay is "to 1" and the chip stayed on its
    spot."""
    note: str | UnsetType = UNSET
    """Why an award is entered by hand: after another was backed out, or after its round. With it goes `second`."""
    second: str | UnsetType = UNSET
    """The second person of an award by hand."""


class PayAward(Command, frozen=True, kw_only=True, tag=True):
    """PAY JACKPOT: a pending award was approved and is paid."""

    award: str
    approved_by: tuple[str, ...]


class RejectAward(Command, frozen=True, kw_only=True, tag=True):
    """A pending award was not approved; its money goes back."""

    award: str
    note: str


class BackOutAward(Command, frozen=True, kw_only=True, tag=True):
    """The manual adjustment that undoes an award after it was paid."""

    award: str
    note: str
    second: str


class AdjustMeter(Command, frozen=True, kw_only=True, tag=True):
    """A documented adjustment for one of the lawful reasons, by two people."""

    jackpot: str
    level: str = MAIN
    reason: Reason
    micros: int
    """How much; only `correct_display` may be negative, and then lowers the meter."""
    pool: Pool = "meter"
    """Whose money: `record_receipts` takes reserve or overflow, `recover_seed` and `carried_in` any of the three."""
    note: str
    second: str


class CloseJackpot(Command, frozen=True, kw_only=True, tag=True):
    """Ends a jackpot. The house takes back the seed it still has in it, all else goes to another jackpot."""

    jackpot: str
    into: str = ""
    """The jackpot that gets the players' money; may be empty only when there is none."""
    into_level: str = MAIN
    note: str
    second: str


class RecordFact(Command, frozen=True, kw_only=True, tag=True):
    """Puts something that moves no money on the record: a configuration, a sign-in, the state of a round.

    The newest fact of a subject is kept at hand; all of them stay in the log. It lets the floor keep its own state in
    the same total order, and in one transaction with the money it belongs to.
    """

    subject: str
    kind: str
    body: dict[str, Any]
    based_on: int | None = None
    """The version of the subject that this replaces, 0 for a new one; None: whatever it is now."""
    given: dict[str, int] | UnsetType = UNSET
    """Versions of other subjects that it was decided on: when one has moved on, nothing of it is booked."""


AnyCommand = (
    OpenJackpot
    | ChangeParameters
    | LockWagers
    | VoidRound
    | HitJackpot
    | PayAward
    | RejectAward
    | BackOutAward
    | AdjustMeter
    | CloseJackpot
    | RecordFact
)


class Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command with who, when and its id. The same id with the same actor and command is the same request."""

    id: str
    """Made by the client, once; never used again for anything else."""
    actor: str
    at: datetime
    """The caller's clock, with a time zone. Not compared when an id comes again: a retry is later than the first."""
    command: AnyCommand
