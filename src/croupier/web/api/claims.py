"""Claims: awards that were hit, until they are paid, rejected or backed out."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from msgspec import Meta, Struct, structs
from pydantic import AfterValidator

from croupier.errors import UnknownNameError
from croupier.floor.roles import Role
from croupier.floor.service import TABLE, Ask, Signer
from croupier.floor.stored import entry_of
from croupier.jackpot import Award, JackpotHit
from croupier.jackpot.state import Status
from croupier.web.api.bodies import BackOutBody, PayBody, RejectBody, Swipe, present, printable
from croupier.web.api.rights import PREFIX
from croupier.web.api.tables import Table, table_of
from croupier.web.errors import WebError
from croupier.web.guard import Caller, GuardedRoute, IdempotencyKey, TheCaller, TheRoom, require_device_for
from croupier.web.services import Services

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["claims"])
NameAsked = Annotated[str, AfterValidator(printable)]
MostLines = Annotated[int, Query(ge=1, le=1000, description="How many at most, the latest first.")]
JackpotName = Annotated[NameAsked | None, Query(description="Of one jackpot only.", min_length=1, max_length=120)]


class Claim(Award, frozen=True, kw_only=True):
    """An award, from its hit on."""

    chip_micros: Annotated[int, Meta(description="The wager that goes back to each winner beside it, in millionths.")]
    evidence: Annotated[str, Meta(description="The cards.")]
    note: Annotated[str, Meta(description="Why it was entered by hand; empty for a hit at the table.")]
    second: Annotated[str, Meta(description="The second person of an award by hand.")]
    proposed_by: Annotated[str, Meta(description="Who reported the hit.")]
    hit_at: Annotated[datetime, Meta(tz=True, description="When the hit was reported.")]
    needs: Annotated[Role | None, Meta(description="Whose card at least; null where the floor has no such hand now.")]
    table_revision: Annotated[int, Meta(description="What paying or rejecting must be made for.")]


class Claims(Struct, frozen=True):
    claims: Annotated[tuple[Claim, ...], Meta(description="The claims, the latest first.")]


class OneClaim(Struct, frozen=True, kw_only=True):
    claim: Annotated[Claim, Meta(description="The claim as it stands now.")]


class Settled(OneClaim, frozen=True, kw_only=True):
    table: Annotated[Table, Meta(description="The table as it stands.")]


def require_jackpot(room: Services, jackpot: str | None) -> None:
    """Refuses the name of a jackpot that never was; those of closed ones are still in the books."""
    if jackpot is not None:
        room.book.jackpot(jackpot)


def claim_of(room: Services, award: Award) -> Claim:
    """A claim with its evidence, whose card it needs, and its table's revision, which settling it needs."""
    sealed, hit = entry_of(room.book, award.id, JackpotHit)
    return Claim(
        **structs.asdict(structs.replace(award, chip_micros=award.chip_micros or 0)),
        evidence=hit.evidence,
        note=hit.note,
        second=hit.second,
        proposed_by=sealed.entry.actor,
        hit_at=sealed.entry.at,
        needs=_needs(room, award),
        table_revision=room.book.fact_version(TABLE + award.table),
    )


def _needs(room: Services, award: Award) -> Role | None:
    """Whose card it needs at least; None for an old award whose jackpot or hand is no longer on the floor."""
    try:
        return room.desk.approval_for(award)
    except UnknownNameError:
        return None


@router.get("/claims")
def claims(
    room: TheRoom,
    status: Annotated[Status | None, Query(description="Of one status only.")] = "pending",
    jackpot: JackpotName = None,
    limit: MostLines = 25,
) -> Claims:
    """Claims of one status, those to be settled if none is given."""
    require_jackpot(room, jackpot)
    awards = room.book.awards(status=status, jackpot=jackpot, limit=limit)
    return Claims(tuple(claim_of(room, award) for award in awards))


@router.get("/claims/{award:path}")
def one_claim(award: str, room: TheRoom) -> Claim:
    """One claim; its id is the id of the hit, a slash and a number."""
    return claim_of(room, room.book.award(award))


@router.post("/claims/{award:path}/pay")
def pay(award: str, body: PayBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Settled:
    """PAY JACKPOT. The amount decides whose card is needed, and whether a second one is."""
    by = _approver(room, caller, award, body.approver, what=f"pay {award}", id=key)
    second = present(room, caller, body.second, what=f"pay {award}", id=f"{key}/2") if body.second else None
    view = room.desk.pay(Ask(key, by, body.revision), award, second=second)
    return Settled(claim=claim_of(room, room.book.award(award)), table=table_of(view))


@router.post("/claims/{award:path}/reject")
def reject(award: str, body: RejectBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Settled:
    """The claim was not right: its money goes back by a new entry."""
    by = _approver(room, caller, award, body.approver, what=f"reject {award}", id=key)
    view = room.desk.reject(Ask(key, by, body.revision), award, body.note)
    return Settled(claim=claim_of(room, room.book.award(award)), table=table_of(view))


@router.post("/claims/{award:path}/back-out")
def back_out(award: str, body: BackOutBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> OneClaim:
    """Undoes a paid award, by two people."""
    room.book.award(award)
    second = present(room, caller, body.second, what=f"back out {award}", id=f"{key}/2")
    room.desk.back_out(Ask(id=key, by=caller.signer), award, body.note, second)
    return OneClaim(claim=claim_of(room, room.book.award(award)))


def _approver(room: Services, caller: Caller, award: str, swipe: Swipe | None, *, what: str, id: str) -> Signer:
    """Whose card it is, or who is signed in. A device by itself approves nothing."""
    require_device_for(caller, room.book.award(award).table)
    if swipe is not None:
        return present(room, caller, swipe, what=what, id=id)
    if caller.person is None:
        raise WebError("Send the card and PIN of who approves this.", code="person_needed")
    return caller.person
