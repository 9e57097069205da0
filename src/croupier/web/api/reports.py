"""The books of a floor: the same reports, with the same names and amounts, as `croupier jackpot report` prints."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse
from msgspec import Meta

from croupier.floor.software import Software, installed_software
from croupier.money import parse_dollars
from croupier.reports.books.access import AccessReview, access_review
from croupier.reports.books.accrual import Accrual, accrual
from croupier.reports.books.achieved import Achieved, achieved
from croupier.reports.books.audit import Audit, audit
from croupier.reports.books.awards import Hits, WinPage, hits, verify_code, win_page
from croupier.reports.books.data import report_csv, report_data
from croupier.reports.books.deposit import Deposit, deposit
from croupier.reports.books.period import LedgerReport
from croupier.reports.books.reconciliation import Reconciliation, reconciliation
from croupier.web.api.claims import JackpotName, MostLines, NameAsked, OneClaim, claim_of, require_jackpot
from croupier.web.api.rights import PREFIX
from croupier.web.api.shapes import shape_of_report
from croupier.web.api.typed import answer_as
from croupier.web.guard import GuardedRoute, TheRoom

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["log and reports"])

OR_CSV: dict[int | str, dict[str, Any]] = {
    200: {"description": "The report.", "content": {"text/csv": {"schema": {"type": "string"}}}}
}


class InstalledSoftware(Software, frozen=True, kw_only=True):
    is_as_installed: Annotated[bool, Meta(description="Whether every file is as the RECORD has it.")]


Start = Annotated[datetime | None, Query(description="From this time on, with its zone.")]
End = Annotated[datetime | None, Query(description="Before this time, with its zone.")]
Form = Annotated[Literal["json", "csv"], Query(description="JSON, or the report's lines as CSV.")]


def answer(report: LedgerReport, form: str) -> Any:
    """Money is decimal text in dollars, in both forms."""
    if form == "csv":
        return PlainTextResponse(report_csv(report), media_type="text/csv")
    return report_data(report)


@router.get("/hits", response_model=shape_of_report(Hits), responses=OR_CSV)
def last_hits(room: TheRoom, jackpot: JackpotName = None, limit: MostLines = 25, form: Form = "json") -> Any:
    """The last hits, the latest first, with who proposed, approved and returned them."""
    require_jackpot(room, jackpot)
    return answer(hits(room.book, limit=limit, jackpot=jackpot), form)


@router.get("/reports/accrual", response_model=shape_of_report(Accrual), responses=OR_CSV)
def accrual_report(room: TheRoom, start: Start = None, end: End = None, form: Form = "json") -> Any:
    """Wagers, contributions and awards of a shift, by jackpot and table."""
    return answer(accrual(room.book, start, end), form)


@router.get("/reports/reconciliation", response_model=shape_of_report(Reconciliation), responses=OR_CSV)
def reconciliation_report(room: TheRoom, start: Start = None, end: End = None, form: Form = "json") -> Any:
    """Opening, movements and closing of every account."""
    return answer(reconciliation(room.book, start, end), form)


@router.get("/reports/achieved", response_model=shape_of_report(Achieved), responses=OR_CSV)
def achieved_report(room: TheRoom, start: Start = None, end: End = None, form: Form = "json") -> Any:
    """Hits and edge compared with their exact odds, each with its band."""
    return answer(achieved(room.book, room.desk.floor(), start, end), form)


@router.get("/reports/deposit", response_model=shape_of_report(Deposit), responses=OR_CSV)
def deposit_report(
    room: TheRoom,
    last_deposit: Annotated[datetime, Query(description="Up to when all that accrued has been deposited.")],
    account: Annotated[str, Query(description="What the jackpot account holds, in dollars.", max_length=40)],
    day: Annotated[date | None, Query(description="The day in question; today if left out.")] = None,
    credit_line: Annotated[str, Query(description="Of the house, in dollars.", max_length=40)] = "0",
    form: Form = "json",
) -> Any:
    """The weekly deposit due, and whether the account covers what is held."""
    report = deposit(
        room.book,
        room.desk.floor(),
        last_deposit=last_deposit,
        day=day or room.desk.clock().date(),
        account_micros=parse_dollars(account),
        credit_line_micros=parse_dollars(credit_line),
    )
    return answer(report, form)


@router.get("/reports/audit", response_model=shape_of_report(Audit), responses=OR_CSV)
def audit_report(
    room: TheRoom,
    start: Start = None,
    end: End = None,
    actor: Annotated[NameAsked | None, Query(description="Of one person only.", min_length=1, max_length=120)] = None,
    form: Form = "json",
) -> Any:
    """Who changed what: setup, people, adjustments with both signatures, refused attempts. Rounds are left out."""
    return answer(audit(room.book, start, end, actor=actor, leave_out=("table:",)), form)


@router.get("/reports/access", response_model=shape_of_report(AccessReview), responses=OR_CSV)
def access_report(room: TheRoom, form: Form = "json") -> Any:
    """Who has a card, which devices have a token, since when, by whom, and the last sign-in."""
    return answer(access_review(room.book), form)


@router.get("/software")
def software() -> InstalledSoftware:
    """A fingerprint of the installed program, and whether its files are those of its wheel."""
    return answer_as(InstalledSoftware, installed_software())


@router.get("/reports/win-code/{code}")
def check_win_code(code: str, room: TheRoom) -> OneClaim:
    """The award whose printed win page bears this code, as it stands now: shows a page that was altered."""
    return OneClaim(claim=claim_of(room, verify_code(room.book, code)))


@router.get("/reports/win-page/{award:path}", response_model=shape_of_report(WinPage), responses=OR_CSV)
def win_page_report(award: str, room: TheRoom, form: Form = "json") -> Any:
    """The page of an award for the winners' and the house's files."""
    return answer(win_page(room.book, award, room.desk.floor()), form)
