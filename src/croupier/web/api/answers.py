"""What answers say: the shapes in the API's description, by which clients can be generated.

A later version may add fields, and they pass through; whoever reads must not mind fields that it does not know. Every
test of the API holds its answers against these shapes, undeclared fields included.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from croupier.floor.checks.findings import Severity
from croupier.floor.devices import DeviceKind
from croupier.floor.roles import Right, Role
from croupier.floor.terminal import Key, Phase
from croupier.jackpot.commands import Kind
from croupier.jackpot.state import Status
from croupier.web.api.field_words import MONEY_WORDS
from croupier.web.api.shapes import EVENT, PRIZE, Time

Micros = Annotated[int, Field(description=MONEY_WORDS)]
Revision = Annotated[int, Field(description="What the next command must be made for.")]


class Answer(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(extra="allow")


class Problem(Answer):
    """Where in a request something is wrong."""

    where: str
    problem: str


class Finding(Answer):
    """What the law, a letter or the house's rules say to a set-up."""

    code: str
    severity: Severity
    rule: str
    citation: str
    address: str
    decided_by: str
    where: str
    sentence: str
    effect: dict[str, int]


class Error(Answer):
    code: Annotated[str, Field(description="Stable.")]
    message: Annotated[str, Field(description="For people.")]
    fields: list[Problem] | None = None
    findings: list[Finding] | None = None


class Refusal(Answer):
    """The one form of all errors."""

    error: Error


class Health(Answer):
    status: Literal["ok"]
    version: str
    demo: Annotated[bool, Field(description="Whether it is play money.")]


class Ready(Answer):
    status: Literal["ready"]
    files: Annotated[
        Literal["running", "good", "bad", "failed"],
        Field(description="How the check of the store's files in the background stands."),
    ]
    files_checked_at: Annotated[datetime | None, Field(description="When it last ended.")]
    stopped: Annotated[list[str], Field(description="Jackpots whose figures do not add up.")]
    clock: Annotated[datetime, Field(description="The server's time.")]
    warnings: Annotated[list[str], Field(description="What somebody should look at though it stops nothing.")]


class SignedIn(Answer):
    person: str
    role: Role
    rights: list[Right]
    csrf_token: Annotated[str, Field(description="For the header `X-CSRF-Token` of commands.")]


class PinChanged(Answer):
    changed: Annotated[str, Field(description="Whose.")]


class FloorInForce(Answer):
    floor: Annotated[dict[str, Any], Field(description="As in a floor file.")]
    revision: Revision


class FloorOpened(FloorInForce):
    findings: list[Finding]


class FloorChecked(Answer):
    is_allowed: bool
    findings: list[Finding]


class Spot(Answer):
    """One sensor of one seat."""

    seat: int
    sensor: int


class Pick(Answer):
    """A picked hand."""

    seat: Annotated[int, Field(description="0 is Community Jackpot.")]
    sensor: int
    row: Annotated[str, Field(description="The hand's row of the pay table.")]


class Table(Answer):
    """Where a table stands."""

    table: str
    phase: Phase
    round: Annotated[int, Field(description="The round in progress, or the last one.")]
    lit: Annotated[list[Spot], Field(description="Sensors with a chip; after START GAME the locked wagers.")]
    picks: list[Pick]
    claims: Annotated[list[str], Field(description="Awards of this round that are neither paid nor rejected.")]
    key: Key
    stopped: Annotated[str, Field(description="Why it is out of service; empty while it is not.")]
    revision: Revision
    awards: Annotated[list[str], Field(description="What the command claimed; of a look, the open claims.")]


class Tables(Answer):
    tables: list[Table]


class Claim(PRIZE):  # type: ignore[misc] # made from the ledger's own prize
    """An award, from its hit on."""

    id: str
    reset_by_before: str
    seed_won_micros: Annotated[int, Field(description="The house's seed money that went out with it, in millionths.")]
    status: Status
    approved_by: list[str]
    chip_micros: Annotated[int, Field(description="The wager that goes back to each winner beside it, in millionths.")]
    evidence: Annotated[str, Field(description="The cards.")]
    note: Annotated[str, Field(description="Why it was entered by hand; empty for a hit at the table.")]
    second: Annotated[str, Field(description="The second person of an award by hand.")]
    proposed_by: str
    hit_at: Time
    needs: Annotated[Role | None, Field(description="Whose card at least; null where the floor has no such hand now.")]
    table_revision: Annotated[int, Field(description="What paying or rejecting must be made for.")]


class Claims(Answer):
    claims: list[Claim]


class OneClaim(Answer):
    claim: Claim


class Settled(OneClaim):
    table: Table


class Meter(Answer):
    jackpot: str
    level: str
    meter_micros: Micros
    dollars: Annotated[str, Field(description="What a sign shows: decimal text, to the cent, floored.")]
    kind: Kind
    version: Annotated[int, Field(description="Of the jackpot's parameters.")]
    # Left out for those who may not see reports.
    reserve_micros: Micros | None = None
    overflow_micros: Micros | None = None
    pending_micros: Micros | None = None
    paid_micros: Micros | None = None


class StoppedJackpot(Answer):
    """A jackpot whose figures do not add up: it is not shown and does not play on."""

    jackpot: str
    why: str


class Meters(Answer):
    meters: list[Meter]
    stopped: list[StoppedJackpot]
    entry: Annotated[int, Field(description="The ledger's last entry.")]


class Closed(Answer):
    """A jackpot that has ended."""

    jackpot: str
    into: Annotated[str, Field(description="The jackpot that got the players' money; empty where there was none.")]
    into_level: str
    seed_micros: Annotated[int, Field(description="What the house took back, in millionths of a dollar.")]
    moved_micros: Annotated[int, Field(description="What went to the other jackpot, in millionths of a dollar.")]
    note: str
    second: str


class Account(Answer):
    """How the jackpot account stands against what the jackpots hold."""

    day: Annotated[date | None, Field(description="Of the balance; null before the first record.")]
    balance_micros: Micros
    credit_line_micros: Micros
    held_micros: Annotated[int, Field(description="What the jackpots hold now, in millionths of a dollar.")]
    required_micros: Annotated[int, Field(description="What must be in the account now.")]
    odds_reserve_micros: Annotated[int, Field(description="Part of it that is for large odds-based prizes.")]
    short_micros: Micros
    due_micros: Annotated[int, Field(description="The next deposit.")]
    due_on: Annotated[date, Field(description="The last day on which it is in time.")]
    not_yet_due_micros: Micros
    findings: Annotated[list[Finding], Field(description="Why the tables stop; none when all is well.")]
    is_asked: Annotated[bool, Field(description="Whether START GAME asks; not where it is play money.")]
    may_play: bool
    version: Annotated[int, Field(description="How many records there are; the revision of the next one.")]


class Head(Answer):
    entry: int
    hash: str


class Entry(Answer):
    """One line of the log."""

    seq: int
    id: str
    at: Time
    actor: str
    reason: str
    table: str
    round: int
    request_sha256: str
    event: EVENT  # made from the ledger's own events
    previous: str
    hash: str


class Entries(Answer):
    entries: list[Entry]
    head: Head


class Verified(Answer):
    is_good: bool
    entries: Annotated[int, Field(description="How many are good.")]
    head: Annotated[str, Field(description="Hash of the last good entry.")]
    bad_entry: Annotated[int, Field(description="The first bad one; 0 for none.")]
    problem: str
    code: str
    notes: Annotated[list[str], Field(description="What could not be checked here.")]


class InstalledSoftware(Answer):
    version: str
    fingerprint: Annotated[str, Field(description="SHA-256 over the name and SHA-256 of every file of the program.")]
    files: Annotated[int, Field(description="How many files the program has.")]
    is_compared: Annotated[bool, Field(description="Whether there is a wheel's RECORD to compare with.")]
    is_as_installed: Annotated[bool, Field(description="Whether every file is as the RECORD has it.")]
    changed: Annotated[list[str], Field(description="Files that are not as the RECORD has them.")]
    missing: Annotated[list[str], Field(description="Files of the RECORD that are not there.")]
    added: Annotated[list[str], Field(description="Files that the RECORD does not have.")]


class Person(Answer):
    id: str
    role: Role
    locked_until: datetime | None


class People(Answer):
    people: list[Person]


class NewPerson(Answer):
    id: str
    role: Role
    card: Annotated[str, Field(description="The card's token, shown this once.")]


class RoleChanged(Answer):
    id: str
    role: Role


class Withdrawn(Answer):
    id: str
    is_withdrawn: bool


class NewCard(Answer):
    id: str
    card: Annotated[str, Field(description="The card's token, shown this once.")]


class Unlocked(Answer):
    id: str
    locked_until: None


class SignedOut(Answer):
    id: str
    signed_out: bool


class Device(Answer):
    id: str
    kind: DeviceKind
    tables: list[str]
    jackpots: list[str]


class Devices(Answer):
    devices: list[Device]


class NewToken(Answer):
    id: str
    token: Annotated[str, Field(description="Shown this once.")]
