"""Who did what and was refused what; the log's entries; the check of the whole ledger."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Query, Request, Response
from starlette.datastructures import ImmutableMultiDict

from croupier.errors import unknown
from croupier.reports.books.audit import Audit, AuditLine, audit, audit_note
from croupier.web.api import log
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, TheVisit
from croupier.web.pages.manager.reports import Period, ThePeriod, ask_again
from croupier.web.pages.manager.shared import SentForm, caller_of, clock, show, word
from croupier.web.pages.problems import FieldError
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

MOST_LINES = 200
PAGE = 50
ROUNDS = ("table:",)
"""Steps of tables are left out: there are thousands, and the entries have them."""


@router.get("/manager/audit")
def people_and_changes(
    request: Request, room: TheRoom, period: ThePeriod, actor: str = "", what: str = "", q: str = "", page: int = 1
) -> Response:
    """Setup, people, adjustments with both signatures, refused attempts; the latest first."""
    if period.problems:
        return ask_again(request, room, "Audit", period, actor=actor, what=what, q=q)
    report = audit(room.book, period.start, period.end, actor=actor or None, leave_out=ROUNDS)
    kinds = _kinds(report)
    if what and what not in kinds:
        known = _kinds(audit(room.book, leave_out=ROUNDS))
        if what not in known:
            raise unknown("kind of entry", what, known)
        kinds = [*kinds, what]
    lines = [line for line in reversed(report.lines) if (not what or line.what == what) and _has(line, q)]
    first = max(0, page - 1) * MOST_LINES
    return show(
        request,
        "audit.html",
        report=report,
        lines=lines[first : first + MOST_LINES],
        count=len(lines),
        page=max(1, page),
        pages=max(1, -(-len(lines) // MOST_LINES)),
        actor=actor,
        what=what,
        q=q,
        kinds=kinds,
        period=period,
        query=_query(period, actor),
        detail=_detail,
        audit_note=audit_note,
        word=word,
    )


def _has(line: AuditLine, text: str) -> bool:
    """Whether all words of a search stand in a line, as it is shown."""
    shown = (line.actor, line.second, word(line.what), line.subject, audit_note(line), clock(line.at))
    said = " ".join(filter(None, shown)).casefold()
    return all(part in said for part in text.casefold().split())


def _kinds(report: Audit) -> list[str]:
    return sorted({kind for actor in report.actors for kind in actor.by_what})


def _query(period: Period, actor: str) -> str:
    return urlencode(period.as_query() | ({"actor": actor} if actor else {}))


def _detail(detail: dict[str, Any]) -> str:
    return json.dumps(detail, indent=1, ensure_ascii=False)


@router.get("/manager/audit/entries")
def entries(request: Request, room: TheRoom, after: Annotated[int | None, Query(ge=0, le=2**53)] = None) -> Response:
    """The log itself, page by page; the end of it if nothing is asked for."""
    last = room.book.head()[0]
    begin = max(0, last - PAGE) if after is None else after
    data = log.entries(room, after=begin, limit=PAGE)
    return show(
        request,
        "entries.html",
        entries=[
            (entry, type(entry.event).__name__, _detail(msgspec.to_builtins(entry.event))) for entry in data.entries
        ],
        head=data.head,
        after=begin,
        before=max(0, begin - PAGE),
        page_size=PAGE,
        last=last,
    )


@router.get("/manager/ledger")
def ledger(request: Request, room: TheRoom) -> Response:
    """Where the log ends, the check of all of it, and its backup."""
    return _ledger(request, room, asked=SentForm(ImmutableMultiDict()))


def _ledger(
    request: Request,
    room: Services,
    status: int = 200,
    *,
    asked: SentForm,
    found: Any = None,
    problems: dict[str, str] | None = None,
) -> Response:
    return show(
        request,
        "ledger.html",
        status,
        head=room.book.head(),
        found=found,
        asked=asked,
        problems=problems or {},
        stopped=room.desk.figures().stopped,
    )


def _anchor(asked: SentForm) -> tuple[int | None, str | None]:
    """An entry that was noted elsewhere; both fields or neither."""
    entry, hash = asked.text("entry"), asked.text("hash").lower()
    if entry and not re.fullmatch("[1-9][0-9]{0,15}", entry):
        raise FieldError(
            "Noted entry: this is not an entry number. Write digits, as on a win page.",
            field="entry",
            code="bad_anchor",
        )
    if hash and not re.fullmatch("[0-9a-f]{64}", hash):
        raise FieldError(
            "Its hash: this is not a hash. Write the 64 hexadecimal digits, as on a win page.",
            field="hash",
            code="bad_anchor",
        )
    if bool(entry) != bool(hash):
        missing, label = ("hash", "Its hash") if entry else ("entry", "Noted entry")
        raise FieldError(f"{label}: it is empty. Write both fields, or neither.", field=missing, code="bad_anchor")
    return int(entry) if entry else None, hash or None


@router.get("/manager/ledger/verify")
def verify(request: Request, visit: TheVisit, room: TheRoom) -> Response:
    """Recomputes the chain and every balance; names the first entry that is wrong."""
    asked = SentForm(request.query_params)
    try:
        anchor = _anchor(asked)
    except FieldError as error:
        return _ledger(request, room, 422, asked=asked, problems={error.field: str(error)})
    return _ledger(request, room, asked=asked, found=log.verify_ledger(caller_of(visit), room, *anchor))
