"""Win pages and the history of hits, with a code by which a printed page is found again in the ledger."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

from croupier.errors import NotationError, RangeError, UnknownNameError
from croupier.floor.roles import approval_needed, persons_needed
from croupier.floor.setup import Floor
from croupier.jackpot import Award, AwardBackedOut, AwardPaid, AwardRejected, JackpotHit, Sealed
from croupier.jackpot.commands import Funding
from croupier.jackpot.pools import WHOLE_PPM
from croupier.jackpot.state import Status
from croupier.reports.books.period import Report, read_period
from croupier.store.reading import Reader
from croupier.store.sums import notable_entries

LAST_HITS = 25
"""As many as 9 NYCRR 5320.8 asks a controller to show."""
AWARD_KINDS = (JackpotHit.__name__, AwardPaid.__name__, AwardRejected.__name__, AwardBackedOut.__name__)

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Base 32 without the letters that people take for others."""
_MISREAD = str.maketrans("OIL", "011")
_GROUP = 5
_CODE = re.compile(rf"(\d{{1,18}})-([{_DIGITS}]{{{_GROUP}}})-([{_DIGITS}]{{{_GROUP}}})")


@dataclass(frozen=True, kw_only=True)
class WinPage(Report):
    """What is printed for the winners' and the house's files."""

    award: str
    status: Status
    code: str
    """Short check of the award's latest entry; `verify_code` finds the award by it."""
    jackpot: str
    level: str
    table: str
    round: int
    seats: tuple[int, ...]
    community: bool
    row: str
    pay_table: str
    share: Fraction
    """Part of the meter that was won; 0 for a fixed pay."""
    funding: Funding
    amount_micros: int
    each_micros: int
    chip_micros: int
    """The wager that goes back to each winner beside the award, where the chip stayed on its spot."""
    rest_micros: int
    """What an even split left over; it stayed in the meter."""
    meter_before_micros: int
    meter_after_micros: int
    seed_micros: int
    reserve_micros: int
    evidence: str
    hit_at: datetime
    proposed_by: str
    by_hand_note: str
    """Why it was entered by hand; empty for a hit at the table."""
    by_hand_second: str
    """The second person of an award by hand."""
    paid_at: datetime | None
    paid_by: str
    """Who entered the payment."""
    approved_by: tuple[str, ...]
    returned_at: datetime | None
    """When it was rejected or backed out."""
    returned_by: tuple[str, ...]
    """Who did that; two people for a back-out."""
    note: str
    """Why."""
    entry: int
    """The award's latest entry in the ledger, with its hash: an anchor for `verify`."""
    entry_hash: str
    signatures: tuple[str, ...]
    """Labels of the lines to sign on."""


@dataclass(frozen=True, kw_only=True)
class HitLine:
    """One award in the history."""

    entry: int
    """Number of the hit in the ledger: the order of hits, also of near-simultaneous ones."""
    award: str
    hit_at: datetime
    jackpot: str
    level: str
    table: str
    round: int
    seats: tuple[int, ...]
    row: str
    amount_micros: int
    each_micros: int
    meter_before_micros: int
    meter_after_micros: int
    status: Status
    proposed_by: str
    approved_by: tuple[str, ...]
    settled_at: datetime | None
    """When it was paid, rejected or backed out, the last of these."""


@dataclass(frozen=True, kw_only=True)
class Hits(Report):
    """Awards, the latest hit first."""

    lines: tuple[HitLine, ...]


def win_page(book: Reader, award: str, floor: Floor | None = None) -> WinPage:
    """The page of an award. With the floor, the lines to sign on are those that its approval levels ask for."""
    with read_period(book, None, None) as reader:
        reader.award(award)  # refuses an unknown one
        hit = reader.entry(award)
        assert hit is not None
        (story,) = _stories(reader, hit.entry.seq, {award})
        last_entry, last_hash = reader.head()
    event, latest = story.event, story.latest
    return WinPage(
        last_entry=last_entry,
        last_hash=last_hash,
        award=event.award,
        status=story.status,
        code=code_of(latest),
        jackpot=event.jackpot,
        level=event.level,
        table=event.table,
        round=event.round,
        seats=event.seats,
        community=event.community,
        row=event.row,
        pay_table=event.pay_table,
        share=Fraction(event.share_ppm, WHOLE_PPM),
        funding=event.funding,
        amount_micros=event.amount_micros,
        each_micros=event.each_micros,
        chip_micros=event.chip_micros,
        rest_micros=event.rest_micros,
        meter_before_micros=event.meter_before_micros,
        meter_after_micros=event.meter_after_micros,
        seed_micros=event.seed_micros,
        reserve_micros=event.reserve_micros,
        evidence=event.evidence,
        hit_at=story.hit.entry.at,
        proposed_by=story.hit.entry.actor,
        by_hand_note=event.note,
        by_hand_second=event.second,
        paid_at=story.payment.entry.at if story.payment else None,
        paid_by=story.payment.entry.actor if story.payment else "",
        approved_by=story.approved_by,
        returned_at=story.return_.entry.at if story.return_ else None,
        returned_by=story.returned_by,
        note=story.note,
        entry=latest.entry.seq,
        entry_hash=latest.hash,
        signatures=_signatures(event, floor),
    )


def hits(book: Reader, *, limit: int | None = LAST_HITS, jackpot: str | None = None) -> Hits:
    """The last hits; all of them for a limit of None."""
    if limit is not None and limit < 1:
        raise RangeError(f"{limit} hits cannot be shown: ask for 1 or more, or for all.", code="bad_limit")
    with read_period(book, None, None) as reader:
        wanted = None
        after = 1
        if limit is not None or jackpot is not None:
            most = reader.head()[0] if limit is None else limit
            found = reader.awards(limit=most, jackpot=jackpot)
            wanted = {award.id for award in found}
            first = reader.entry(found[-1].id) if found else None
            after = first.entry.seq if first else reader.head()[0] + 1
        stories = _stories(reader, after, wanted)
        last_entry, last_hash = reader.head()
    lines = tuple(_hit_line(story) for story in reversed(stories))
    return Hits(last_entry=last_entry, last_hash=last_hash, lines=lines)


def code_of(sealed: Sealed) -> str:
    """Number of an entry and 50 bits of its hash: `1234-7KQ2M-9XW4T`."""
    bits = int(sealed.hash[:16], 16) >> 14
    text = "".join(_DIGITS[bits >> shift & 31] for shift in range(45, -1, -5))
    return f"{sealed.entry.seq}-{text[:_GROUP]}-{text[_GROUP:]}"


def verify_code(book: Reader, code: str) -> Award:
    """The award whose page bears this code, as it stands now; raises `bad_code` or `unknown_code`."""
    match = _CODE.fullmatch(code.strip().upper().translate(_MISREAD))
    if match is None or not match[1].isascii():
        raise NotationError(
            f"{code[:40]!r} is not the code of a win page. Write it as printed, such as 1234-7KQ2M-9XW4T.",
            code="bad_code",
        )
    for sealed in book.entries(after=int(match[1]) - 1, limit=1):
        event = sealed.entry.event
        if isinstance(event, JackpotHit | AwardPaid | AwardRejected | AwardBackedOut) and code_of(sealed) == match[0]:
            return book.award(event.award)
    raise UnknownNameError(
        f"No award of this ledger has the code {match[0]}. The page is of another ledger, or was altered.",
        code="unknown_code",
    )


@dataclass(kw_only=True)
class _Story:
    """The entries of one award."""

    hit: Sealed
    event: JackpotHit
    payment: Sealed | None = None
    return_: Sealed | None = None
    approved_by: tuple[str, ...] = ()
    returned_by: tuple[str, ...] = ()
    note: str = ""
    status: Status = field(default="pending")

    @property
    def latest(self) -> Sealed:
        return self.return_ or self.payment or self.hit

    def go_on(self, sealed: Sealed) -> None:
        event, actor = sealed.entry.event, sealed.entry.actor
        match event:
            case AwardPaid():
                self.payment, self.approved_by, self.status = sealed, event.approved_by, "paid"
            case AwardRejected():
                self.return_, self.returned_by, self.note = sealed, (actor,), event.note
                self.status = "rejected"
            case AwardBackedOut():
                self.return_, self.returned_by, self.note = sealed, (actor, event.second), event.note
                self.status = "backed_out"


def _stories(reader: Reader, first: int, wanted: Collection[str] | None) -> list[_Story]:
    """Awards whose hit is entry `first` or a later one, in the order of their hits."""
    found: dict[str, _Story] = {}
    for sealed in notable_entries(reader, kinds=AWARD_KINDS, after=first - 1):
        event = sealed.entry.event
        if isinstance(event, JackpotHit):
            if wanted is None or event.award in wanted:
                found[event.award] = _Story(hit=sealed, event=event)
        elif isinstance(event, AwardPaid | AwardRejected | AwardBackedOut) and event.award in found:
            found[event.award].go_on(sealed)
    return list(found.values())


def _hit_line(story: _Story) -> HitLine:
    event = story.event
    return HitLine(
        entry=story.hit.entry.seq,
        award=event.award,
        hit_at=story.hit.entry.at,
        jackpot=event.jackpot,
        level=event.level,
        table=event.table,
        round=event.round,
        seats=event.seats,
        row=event.row,
        amount_micros=event.amount_micros,
        each_micros=event.each_micros,
        meter_before_micros=event.meter_before_micros,
        meter_after_micros=event.meter_after_micros,
        status=story.status,
        proposed_by=story.hit.entry.actor,
        approved_by=story.approved_by,
        settled_at=None if story.latest is story.hit else story.latest.entry.at,
    )


def _signatures(event: JackpotHit, floor: Floor | None) -> tuple[str, ...]:
    winners = tuple(f"Winner, seat {seat}" for seat in event.seats)
    if floor is None:
        return (*winners, "Dealer", "Supervisor", "Executive")
    role = approval_needed(event.amount_micros, floor.approvals, is_fixed_pay=event.share_ppm == 0).value.capitalize()
    persons = persons_needed(event.amount_micros, floor.approvals)
    approvers = tuple(role if number == 0 else f"{role}, second" for number in range(persons))
    return (*winners, *(() if role == "Dealer" else ("Dealer",)), *approvers)
