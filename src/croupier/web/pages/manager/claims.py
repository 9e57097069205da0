"""Claims: the queue with its evidence, paying and rejecting by card and PIN, the win page, and the back-out."""

from __future__ import annotations

from typing import Any, get_args

from fastapi import APIRouter, Request, Response
from msgspec import structs

from croupier.errors import unknown
from croupier.floor.roles import persons_needed
from croupier.floor.setup import hand_label
from croupier.floor.terminal import row_of
from croupier.floor.terminal import word as step_word
from croupier.jackpot.state import Status
from croupier.reports.books.awards import LAST_HITS, hits, verify_code, win_page
from croupier.reports.paper.books import paper_of
from croupier.web.api import claims as api
from croupier.web.api.bodies import BackOutBody, PayBody, RejectBody
from croupier.web.guard import TheRoom
from croupier.web.pages.base import CommandId, PageRoute, TheVisit
from croupier.web.pages.manager.by_hand import by_hand_of
from croupier.web.pages.manager.reports import pdf_answer
from croupier.web.pages.manager.shared import TheForm, age, body_of, caller_of, go, show, word
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

MOST_WAITING = 200
STATUSES: tuple[str, ...] = get_args(Status)


def _claim(room: Services, award: str) -> dict[str, Any]:
    """A claim as the API shows it, with what a reader of the page needs besides."""
    hit = room.book.award(award)
    data = structs.asdict(api.claim_of(room, hit))
    floor = room.desk.floor()
    data["persons"] = persons_needed(hit.amount_micros, floor.approvals)
    data["age"] = age(data["hit_at"], room.desk.clock())
    data["label"] = hit.row
    data["table_name"] = hit.table
    data["pay_word"] = "PAY JACKPOT"
    data["needs_key"] = False
    if data["needs"] is not None:  # else jackpot or hand are no longer on the floor
        jackpot = floor.jackpot(hit.jackpot)
        table = next((known for known in floor.tables if known.id == hit.table), None)
        data["label"] = hand_label(jackpot, row_of(jackpot, hit.row), table)
    for setup in floor.tables:
        if setup.id == hit.table:
            data["table_name"] = setup.name or setup.id
            data["pay_word"] = step_word(setup, "pay")
            is_waiting = hit.status == "pending" and setup.protocol == "aquarius"
            now = room.desk.table(setup.id).terminal
            data["needs_key"] = is_waiting and hit.id in now.claims and now.key != "jph"
    return data


@router.get("/manager/claims")
def queue(request: Request, room: TheRoom, status: str = "", jackpot: str = "") -> Response:
    """What waits for a card, and the awards before it."""
    if status and status not in STATUSES:
        raise unknown("status", status, STATUSES)
    waiting = [_claim(room, award.id) for award in reversed(room.book.awards(status="pending", limit=MOST_WAITING))]
    api.require_jackpot(room, jackpot or None)
    lines = hits(room.book, limit=None if status else LAST_HITS, jackpot=jackpot or None).lines
    shown = [line for line in lines if not status or line.status == status][:LAST_HITS]
    jackpots = [setup.id for setup in room.book.jackpots()]
    return show(
        request,
        "claims.html",
        waiting=waiting,
        history=shown,
        statuses=STATUSES,
        wanted=status,
        jackpots=jackpots,
        jackpot=jackpot,
        word=word,
    )


@router.get("/manager/claims/{award:path}/pdf")
def win_pdf(award: str, room: TheRoom) -> Response:
    """The same on paper, to be signed."""
    return pdf_answer(room, win_page(room.book, award, room.desk.floor()))


@router.get("/manager/claims/{award:path}")
def win(request: Request, award: str, room: TheRoom) -> Response:
    """The page of an award, for the files: with a code by which it is found again."""
    floor = room.desk.floor()
    report = win_page(room.book, award, floor)
    paper = paper_of(report, floor)
    setup = next((table for table in floor.tables if table.id == report.line.hit.table), None)
    by_hand = None
    if setup is not None:
        by_hand = by_hand_of(setup, floor, round=report.line.hit.round, revision=room.desk.table(setup.id).revision)
    return show(request, "win_page.html", claim=_claim(room, award), line=report.line, paper=paper, by_hand=by_hand)


@router.get("/manager/win-code")
def by_code(request: Request, room: TheRoom, code: str = "") -> Response:
    """Finds the award whose printed page bears a code."""
    return go(request, f"/manager/claims/{verify_code(room.book, code).id}")


@router.post("/manager/claims/{award:path}/pay")
def pay(request: Request, award: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    """A session that was left open pays nothing: whoever approves shows card and PIN here, also who is signed in."""
    body = body_of(
        PayBody,
        revision=form.number("revision", "Revision"),
        approver=form.swipe("approver", "Approved by"),
        second=form.swipe_if_any("second", "Second card"),
    )
    api.pay(award, body, id, caller_of(visit), room)
    return go(request, f"/manager/claims/{award}?done=paid")


@router.post("/manager/claims/{award:path}/reject")
def reject(request: Request, award: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    body = body_of(
        RejectBody,
        revision=form.number("revision", "Revision"),
        note=form.note("note", "Why it was not valid"),
        approver=form.swipe("approver", "Rejected by"),
    )
    api.reject(award, body, id, caller_of(visit), room)
    return go(request, f"/manager/claims/{award}?done=rejected")


@router.post("/manager/claims/{award:path}/back-out")
def back_out(request: Request, award: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    body = body_of(BackOutBody, note=form.note("note", "Why"), second=form.swipe("second", "Second card"))
    api.back_out(award, body, id, caller_of(visit), room)
    return go(request, f"/manager/claims/{award}?done=backed_out")
