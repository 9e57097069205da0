"""Win pages and the history of hits, with a code by which a printed page is found again in the ledger."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Annotated, ClassVar

from msgspec import Meta

from croupier.errors import NotationError, RangeError, UnknownNameError
from croupier.floor.roles import approval_needed, persons_needed
from croupier.floor.setup import Floor
from croupier.jackpot import Award, AwardBackedOut, AwardPaid, AwardRejected, JackpotHit, Sealed
from croupier.jackpot.fields import Approvers
from croupier.jackpot.pools import WHOLE_PPM
from croupier.jackpot.state import Status
from croupier.reports.books.columns import columns
from croupier.reports.books.period import LedgerReport, read_period
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
class HitLine:
    """One award in the history."""

    hit: JackpotHit
    entry: Annotated[
        int, Meta(description="Number of the hit in the ledger: the order of hits, also of near-simultaneous ones.")
    ]
    hit_at: Annotated[datetime, Meta(description="When the hit was reported.")]
    proposed_by: Annotated[str, Meta(description="Who reported the hit.")]
    latest: Annotated[Sealed, Meta(description="The award's latest entry.")]
    status: Annotated[Status, Meta(description="Where it stands.")] = "pending"
    paid_at: Annotated[datetime | None, Meta(description="When it was paid.")] = None
    paid_by: Annotated[str, Meta(description="Who entered the payment.")] = ""
    approved_by: Approvers = ()
    returned_at: Annotated[datetime | None, Meta(description="When it was rejected or backed out.")] = None
    returned_by: Annotated[tuple[str, ...], Meta(description="Who did that; two people for a back-out.")] = ()
    note: Annotated[str, Meta(description="Why it was returned.")] = ""
    settled_at: Annotated[
        datetime | None, Meta(description="When it was paid, rejected or backed out, the last of these.")
    ] = None

    COLUMNS: ClassVar = columns(
        "entry hit.award hit_at hit.jackpot hit.level hit.table hit.round hit.seats hit.row hit.amount_micros "
        "hit.each_micros hit.meter_before_micros hit.meter_after_micros status proposed_by approved_by settled_at"
    )


@dataclass(frozen=True, kw_only=True)
class WinPage(LedgerReport):
    """What is printed for the winners' and the house's files. Its entry is the latest of the award, for `verify`."""

    line: HitLine
    code: Annotated[
        str, Meta(description="Short check of the award's latest entry; `verify_code` finds the award by it.")
    ]
    share: Annotated[Fraction, Meta(description="Part of the meter that was won; 0 for a fixed pay.")]
    signatures: Annotated[tuple[str, ...], Meta(description="Labels of the lines to sign on.")]

    COLUMNS: ClassVar = columns(
        "last_entry last_hash line.hit.award line.status code line.hit.jackpot line.hit.level line.hit.table "
        "line.hit.round line.hit.seats line.hit.community line.hit.row line.hit.pay_table share line.hit.funding "
        "line.hit.amount_micros line.hit.each_micros line.hit.chip_micros line.hit.rest_micros "
        "line.hit.meter_before_micros line.hit.meter_after_micros line.hit.seed_micros line.hit.reserve_micros "
        "line.hit.evidence line.hit_at line.proposed_by by_hand_note=line.hit.note by_hand_second=line.hit.second "
        "line.paid_at line.paid_by line.approved_by line.returned_at line.returned_by line.note "
        "entry=line.latest.entry.seq entry_hash=line.latest.hash signatures"
    )


@dataclass(frozen=True, kw_only=True)
class Hits(LedgerReport):
    """Awards, the latest hit first."""

    lines: Annotated[tuple[HitLine, ...], Meta(description="The lines of the report.")]


def win_page(book: Reader, award: str, floor: Floor | None = None) -> WinPage:
    """The page of an award. With the floor, the lines to sign on are those that its approval levels ask for."""
    with read_period(book, None, None) as reader:
        reader.award(award)  # refuses an unknown one
        hit = reader.entry(award)
        assert hit is not None
        (line,) = _lines(reader, hit.entry.seq, {award})
        last_entry, last_hash = reader.head()
    return WinPage(
        last_entry=last_entry,
        last_hash=last_hash,
        line=line,
        code=code_of(line.latest),
        share=Fraction(line.hit.share_ppm, WHOLE_PPM),
        signatures=_signatures(line.hit, floor),
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
            awards = reader.awards(limit=most, jackpot=jackpot)
            wanted = {award.id for award in awards}
            first = reader.entry(awards[-1].id) if awards else None
            after = first.entry.seq if first else reader.head()[0] + 1
        lines = tuple(reversed(_lines(reader, after, wanted)))
        last_entry, last_hash = reader.head()
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


def _lines(reader: Reader, first: int, wanted: Collection[str] | None) -> list[HitLine]:
    """Awards whose hit is entry `first` or a later one, in the order of their hits."""
    lines: dict[str, HitLine] = {}
    for sealed in notable_entries(reader, kinds=AWARD_KINDS, after=first - 1):
        entry, event = sealed.entry, sealed.entry.event
        if isinstance(event, JackpotHit):
            if wanted is None or event.award in wanted:
                lines[event.award] = HitLine(
                    hit=event, entry=entry.seq, hit_at=entry.at, proposed_by=entry.actor, latest=sealed
                )
        elif isinstance(event, AwardPaid | AwardRejected | AwardBackedOut) and event.award in lines:
            lines[event.award] = _settled(lines[event.award], sealed, event)
    return list(lines.values())


def _settled(line: HitLine, sealed: Sealed, event: AwardPaid | AwardRejected | AwardBackedOut) -> HitLine:
    at, actor = sealed.entry.at, sealed.entry.actor
    line = replace(line, latest=sealed, settled_at=at)
    if isinstance(event, AwardPaid):
        return replace(line, status="paid", paid_at=at, paid_by=actor, approved_by=event.approved_by)
    line = replace(line, returned_at=at, note=event.note)
    if isinstance(event, AwardRejected):
        return replace(line, status="rejected", returned_by=(actor,))
    return replace(line, status="backed_out", returned_by=(actor, event.second))


def _signatures(event: JackpotHit, floor: Floor | None) -> tuple[str, ...]:
    winners = tuple(f"Winner, seat {seat}" for seat in event.seats)
    if floor is None:
        return (*winners, "Dealer", "Supervisor", "Executive")
    role = approval_needed(event.amount_micros, floor.approvals, is_fixed_pay=event.share_ppm == 0).value.capitalize()
    persons = persons_needed(event.amount_micros, floor.approvals)
    approvers = tuple(role if number == 0 else f"{role}, second" for number in range(persons))
    return (*winners, *(() if role == "Dealer" else ("Dealer",)), *approvers)
