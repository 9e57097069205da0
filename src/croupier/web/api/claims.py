"""Claims: awards that were hit, until they are paid, rejected or backed out."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query

from croupier.errors import UnknownNameError
from croupier.floor.roles import Role
from croupier.floor.service import TABLE, Ask, Signer
from croupier.floor.stored import entry_of
from croupier.jackpot import Award, JackpotHit
from croupier.jackpot.state import Status
from croupier.web.api import answers
from croupier.web.api.bodies import BackOutBody, Name, PayBody, RejectBody, Swipe, present
from croupier.web.api.rights import PREFIX
from croupier.web.api.tables import table_data
from croupier.web.errors import WebError
from croupier.web.guard import Caller, GuardedRoute, IdempotencyKey, TheCaller, TheRoom, require_device_for
from croupier.web.services import Services

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["claims"])
MostLines = Annotated[int, Query(ge=1, le=1000, description="How many at most, the latest first.")]
JackpotName = Annotated[Name | None, Query(description="Of one jackpot only.")]


def require_jackpot(room: Services, jackpot: str | None) -> None:
    """Refuses the name of a jackpot that never was; those of closed ones are still in the books."""
    if jackpot is not None:
        room.book.jackpot(jackpot)


def claim_data(room: Services, award: Award) -> dict[str, Any]:
    """A claim with its evidence, whose card it needs, and its table's revision, which settling it needs."""
    sealed, hit = entry_of(room.book, award.id, JackpotHit)
    return {
        **msgspec.to_builtins(award),
        "chip_micros": award.chip_micros or 0,
        "evidence": hit.evidence,
        "note": hit.note,
        "second": hit.second,
        "proposed_by": sealed.entry.actor,
        "hit_at": sealed.entry.at.isoformat(),
        "needs": _needs(room, award),
        "table_revision": room.book.fact_version(TABLE + award.table),
    }


def _needs(room: Services, award: Award) -> Role | None:
    """Whose card it needs at least; None for an old award whose jackpot or hand is no longer on the floor."""
    try:
        return room.desk.approval_for(award)
    except UnknownNameError:
        return None


@router.get("/claims", response_model=answers.Claims)
def claims(
    room: TheRoom,
    status: Annotated[Status | None, Query(description="Of one status only.")] = "pending",
    jackpot: JackpotName = None,
    limit: MostLines = 25,
) -> dict[str, Any]:
    """Claims of one status, those to be settled if none is given."""
    require_jackpot(room, jackpot)
    found = room.book.awards(status=status, jackpot=jackpot, limit=limit)
    return {"claims": [claim_data(room, award) for award in found]}


@router.get("/claims/{award:path}", response_model=answers.Claim)
def one_claim(award: str, room: TheRoom) -> dict[str, Any]:
    """One claim; its id is the id of the hit, a slash and a number."""
    return claim_data(room, room.book.award(award))


@router.post("/claims/{award:path}/pay", response_model=answers.Settled)
def pay(award: str, body: PayBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """PAY JACKPOT. The amount decides whose card is needed, and whether a second one is."""
    by = _approver(room, caller, award, body.approver, what=f"pay {award}", id=key)
    second = present(room, caller, body.second, what=f"pay {award}", id=f"{key}/2") if body.second else None
    view = room.desk.pay(Ask(key, by, body.revision), award, second=second)
    return {"claim": claim_data(room, room.book.award(award)), "table": table_data(view)}


@router.post("/claims/{award:path}/reject", response_model=answers.Settled)
def reject(award: str, body: RejectBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """The claim was not right: its money goes back by a new entry."""
    by = _approver(room, caller, award, body.approver, what=f"reject {award}", id=key)
    view = room.desk.reject(Ask(key, by, body.revision), award, body.note)
    return {"claim": claim_data(room, room.book.award(award)), "table": table_data(view)}


@router.post("/claims/{award:path}/back-out", response_model=answers.OneClaim)
def back_out(award: str, body: BackOutBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Undoes a paid award, by two people."""
    room.book.award(award)
    second = present(room, caller, body.second, what=f"back out {award}", id=f"{key}/2")
    room.desk.back_out(Ask(id=key, by=caller.signer), award, body.note, second)
    return {"claim": claim_data(room, room.book.award(award))}


def _approver(room: Services, caller: Caller, award: str, swipe: Swipe | None, *, what: str, id: str) -> Signer:
    """Whose card it is, or who is signed in. A device by itself approves nothing."""
    require_device_for(caller, room.book.award(award).table)
    if swipe is not None:
        return present(room, caller, swipe, what=what, id=id)
    if caller.person is None:
        raise WebError("Send the card and PIN of who approves this.", code="person_needed")
    return caller.person
