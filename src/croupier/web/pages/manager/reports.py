"""The books: hits, accrual, reconciliation, achieved against theory, deposits and the jackpot account.

A page shows a report in the same words as its PDF; its CSV and JSON are the API's own answers to the same question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request, Response

from croupier.floor.software import installed_software
from croupier.floor.words import amount_text
from croupier.reports.books.access import access_review
from croupier.reports.books.accrual import accrual
from croupier.reports.books.achieved import Achieved, achieved
from croupier.reports.books.awards import LAST_HITS, Hits, hits
from croupier.reports.books.deposit import Deposit, deposit, deposit_rule
from croupier.reports.books.period import PeriodReport, Report
from croupier.reports.books.reconciliation import reconciliation
from croupier.reports.paper.books import paper_of, tables_of
from croupier.reports.paper.pdf import paper_pdf
from croupier.web.api import funds
from croupier.web.api.bodies import AccountBody
from croupier.web.api.claims import require_jackpot
from croupier.web.api.rights import PREFIX
from croupier.web.guard import TheRoom
from croupier.web.pages.base import CommandId, PageRoute, TheVisit
from croupier.web.pages.manager.band import Band, band_of
from croupier.web.pages.manager.shared import SentForm, TheForm, body_of, caller_of, go, show
from croupier.web.pages.problems import FieldError
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

PICKER = "%Y-%m-%dT%H:%M"
"""How a browser's picker of times writes one."""


@dataclass(frozen=True, kw_only=True)
class Period:
    """The time a report is asked for; no bounds where none are given."""

    start: datetime | None
    end: datetime | None
    problems: dict[str, str] = field(default_factory=dict)
    """What is wrong with the times that were asked for, by their fields."""
    written: dict[str, str] = field(default_factory=dict)
    """What was written where that is no time."""

    @property
    def start_text(self) -> str:
        return self.written.get("start") or _picked(self.start)

    @property
    def end_text(self) -> str:
        return self.written.get("end") or _picked(self.end)

    def as_query(self) -> dict[str, str]:
        """As the API asks for it."""
        bounds = {"start": self.start, "end": self.end}
        return {name: at.isoformat() for name, at in bounds.items() if at is not None}


def _picked(at: datetime | None) -> str:
    return at.astimezone().strftime(PICKER) if at else ""


def _period(request: Request) -> Period:
    asked = SentForm(request.query_params)
    times, problems, written = dict[str, datetime | None](), dict[str, str](), dict[str, str]()
    for name, label in (("start", "From"), ("end", "Until")):
        try:
            times[name] = asked.moment(name, label)
        except FieldError as error:
            problems[name], written[name] = str(error), asked.text(name)
    start, end = times.get("start"), times.get("end")
    if start is not None and end is not None and end < start:
        problems["end"] = "Until: it is before From. Write a later time, or none."
        written["end"] = asked.text("end")
    return Period(start=start, end=end, problems=problems, written=written)


def ask_again(request: Request, room: Services, title: str, period: Period, **kept: str) -> Response:
    """The form of the period with what is wrong and what was written, in place of a report."""
    return show(
        request,
        "report_again.html",
        422,
        title=title,
        period=period,
        shortcuts=shortcuts(room.desk.clock()),
        kept=kept,
    )


ThePeriod = Annotated[Period, Depends(_period)]


def shortcuts(now: datetime) -> list[tuple[str, str]]:
    """Times that are asked for often, by the clock of the house."""
    today = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    spans = (
        ("Last 8 hours", now - timedelta(hours=8), None),
        ("Today", today, None),
        ("Yesterday", today - timedelta(days=1), today),
        ("Last 7 days", today - timedelta(days=6), None),
    )
    found = [("All time", "")]
    for name, start, end in spans:
        period = Period(start=start, end=end)
        found.append((name, urlencode({"start": period.start_text, "end": period.end_text})))
    return found


def _download(name: str, query: dict[str, str], asked_as: dict[str, str] | None = None) -> Callable[[str], str]:
    """The address of a report by its form; the PDF is a page's, and may ask in other words than the API."""

    def address(form: str) -> str:
        if form == "pdf":
            page = f"/manager/reports/{name.removeprefix('reports/')}/pdf"
            return f"{page}?{urlencode(query if asked_as is None else asked_as)}"
        return f"{PREFIX}/{name}?{urlencode(query | {'form': form})}"

    return address


@router.get("/manager/reports")
def index(request: Request) -> Response:
    return show(request, "reports.html")


@router.get("/manager/reports/hits")
def hits_page(request: Request, room: TheRoom, jackpot: str = "", every: bool = False) -> Response:
    """The last hits, or all of them."""
    report = _hits(room, jackpot, every=every)
    query = {"limit": "1000" if every else str(LAST_HITS)} | ({"jackpot": jackpot} if jackpot else {})
    return show(
        request,
        "report_hits.html",
        report=report,
        paper=paper_of(report, room.desk.floor()),
        every=every,
        jackpot=jackpot,
        jackpots=[one.id for one in room.book.jackpots()],
        data=_download("hits", query, {"jackpot": jackpot, "every": str(every).lower()}),
    )


@router.get("/manager/reports/hits/pdf")
def hits_pdf(room: TheRoom, jackpot: str = "", every: bool = False) -> Response:
    return pdf_answer(room, _hits(room, jackpot, every=every))


def _hits(room: Services, jackpot: str, *, every: bool) -> Hits:
    require_jackpot(room, jackpot or None)
    return hits(room.book, limit=None if every else LAST_HITS, jackpot=jackpot or None)


def pdf_answer(room: Services, report: Report) -> Response:
    """A report as a file. Set in the thread of its request, so that no other waits for it."""
    paper = paper_of(report, room.desk.floor())
    disposition = f'inline; filename="{paper.name.replace("_", "-")}.pdf"'
    return Response(paper_pdf(paper), media_type="application/pdf", headers={"Content-Disposition": disposition})


@router.get("/manager/reports/accrual")
def accrual_page(request: Request, room: TheRoom, period: ThePeriod) -> Response:
    """What came in and went out in a shift or a day."""
    return _period_page(request, room, period, "accrual")


@router.get("/manager/reports/reconciliation")
def reconciliation_page(request: Request, room: TheRoom, period: ThePeriod) -> Response:
    """Opening and every movement add up to closing, account by account."""
    return _period_page(request, room, period, "reconciliation")


@router.get("/manager/reports/achieved")
def achieved_page(request: Request, room: TheRoom, period: ThePeriod) -> Response:
    """What was achieved against what is expected exactly, with the band that holds 95% of such periods."""
    return _period_page(request, room, period, "achieved")


@router.get("/manager/reports/accrual/pdf")
def accrual_pdf(request: Request, room: TheRoom, period: ThePeriod) -> Response:
    return _period_pdf(request, room, period, "accrual")


@router.get("/manager/reports/reconciliation/pdf")
def reconciliation_pdf(request: Request, room: TheRoom, period: ThePeriod) -> Response:
    return _period_pdf(request, room, period, "reconciliation")


@router.get("/manager/reports/achieved/pdf")
def achieved_pdf(request: Request, room: TheRoom, period: ThePeriod) -> Response:
    return _period_pdf(request, room, period, "achieved")


TITLES = {"accrual": "Shift and day", "reconciliation": "Reconciliation", "achieved": "Achieved against theory"}
_OF_PERIOD: dict[str, Callable[[Services, Period], PeriodReport]] = {
    "accrual": lambda room, period: accrual(room.book, period.start, period.end),
    "reconciliation": lambda room, period: reconciliation(room.book, period.start, period.end),
    "achieved": lambda room, period: achieved(room.book, room.desk.floor(), period.start, period.end),
}


def _period_page(request: Request, room: Services, period: Period, name: str) -> Response:
    if period.problems:
        return ask_again(request, room, TITLES[name], period)
    report = _OF_PERIOD[name](room, period)
    paper = paper_of(report, room.desk.floor())
    return show(
        request,
        f"report_{name}.html",
        report=report,
        paper=paper,
        bands=_bands(report),
        period=period,
        shortcuts=shortcuts(room.desk.clock()),
        data=_download(f"reports/{name}", period.as_query()),
    )


def _period_pdf(request: Request, room: Services, period: Period, name: str) -> Response:
    if period.problems:
        return ask_again(request, room, TITLES[name], period)
    return pdf_answer(room, _OF_PERIOD[name](room, period))


def _bands(report: PeriodReport) -> list[list[Band | None]]:
    """The pictures of what was achieved, by its tables and rows; none of other reports."""
    if not isinstance(report, Achieved):
        return []
    return [[band_of(line) for line in lines] for lines in tables_of(report).values()]


@router.get("/manager/reports/access")
def access_page(request: Request, room: TheRoom) -> Response:
    """Who has a card and which devices have a token."""
    report = access_review(room.book)
    paper = paper_of(report, room.desk.floor())
    return show(request, "report_access.html", report=report, paper=paper, data=_download("reports/access", {}))


@router.get("/manager/reports/access/pdf")
def access_pdf(request: Request, room: TheRoom) -> Response:
    return pdf_answer(room, access_review(room.book))


@router.get("/manager/ledger/software")
def software_page(request: Request, room: TheRoom) -> Response:
    """The program's fingerprint, for an inspector."""
    return show(request, "software.html", software=installed_software())


@router.get("/manager/reports/deposit")
def deposit_page(request: Request, room: TheRoom) -> Response:
    """The deposit due on a day, from what accrued since the last one."""
    asked = _asked_deposit(request, room)
    if asked.report is None:
        return _deposit_again(request, asked)
    return show(
        request,
        "report_deposit.html",
        report=asked.report,
        paper=paper_of(asked.report, room.desk.floor()),
        problems={},
        written=asked.written | {"last_deposit": _picked(asked.report.last_deposit)},
        data=_download("reports/deposit", asked.written),
    )


@router.get("/manager/reports/deposit/pdf")
def deposit_pdf(request: Request, room: TheRoom) -> Response:
    asked = _asked_deposit(request, room)
    return _deposit_again(request, asked) if asked.report is None else pdf_answer(room, asked.report)


@dataclass(frozen=True, kw_only=True)
class _AskedDeposit:
    report: Deposit | None
    """None where something that was asked does not read."""
    written: dict[str, str]
    """What was asked: as it is read, or as it was written."""
    problems: dict[str, str] = field(default_factory=dict)


def _deposit_again(request: Request, asked: _AskedDeposit) -> Response:
    return show(request, "report_deposit.html", 422, report=None, problems=asked.problems, written=asked.written)


def _asked_deposit(request: Request, room: Services) -> _AskedDeposit:
    asked, standing = SentForm(request.query_params), room.desk.account()
    readers: dict[str, Callable[[], Any]] = {
        "last_deposit": lambda: asked.moment("last_deposit", "All deposited up to") or _opened(room),
        "account": lambda: asked.amount("account", "Account holds"),
        "credit_line": lambda: asked.amount("credit_line", "Credit line"),
        "day": lambda: asked.day("day", "Day") or room.desk.clock().date(),
    }
    found: dict[str, Any] = {"account": standing.balance_micros, "credit_line": standing.credit_line_micros}
    problems: dict[str, str] = {}
    for name, read in readers.items():
        try:
            found[name] = read() if asked.text(name) or name not in found else found[name]
        except FieldError as error:
            problems[name] = str(error)
    if problems:
        written = {name: asked.text(name) for name in readers}
        return _AskedDeposit(report=None, written=written, problems=problems)
    last, account, credit, day = (found[name] for name in readers)
    report = deposit(
        room.book,
        room.desk.floor(),
        last_deposit=last,
        day=day,
        account_micros=account,
        credit_line_micros=credit,
    )
    query = {
        "last_deposit": last.isoformat(),
        "account": amount_text(account),
        "credit_line": amount_text(credit),
        "day": day.isoformat(),
    }
    return _AskedDeposit(report=report, written=query)


def _opened(room: Services) -> datetime:
    """When the ledger was begun: before that there was nothing to deposit."""
    (first,) = room.book.entries(limit=1)
    return first.entry.at


@router.get("/manager/account")
def account(request: Request, room: TheRoom) -> Response:
    """The jackpot account against what the jackpots hold, and the form for the next balance."""
    standing = room.desk.account()
    return show(
        request,
        "account.html",
        account=standing,
        figures=asdict(standing),
        rule=deposit_rule(room.desk.clock().date()),
        today=room.desk.clock().date(),
    )


@router.post("/manager/account")
def record(request: Request, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    given: dict[str, Any] = {"credit_line_micros": 0}
    if form.text("credit_line"):
        given["credit_line_micros"] = form.amount("credit_line", "Credit line")
    body = body_of(
        AccountBody,
        balance_micros=form.amount("balance", "Balance in dollars"),
        day=form.day("day", "Day"),
        note=form.note("note", "Note"),
        revision=form.number("revision", "Revision"),
        **given,
    )
    funds.record_account(body, id, caller_of(visit), room)
    return go(request, "/manager/account?done=account")
