"""The books: hits, accrual, reconciliation, achieved against theory, deposits and the jackpot account.

A page shows a report in the same words as its PDF; its CSV and JSON are the API's own answers to the same question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request, Response
from msgspec import structs

from croupier.floor.amounts import amount_text
from croupier.floor.software import installed_software
from croupier.reports.books.access import access_review
from croupier.reports.books.accrual import accrual
from croupier.reports.books.achieved import Achieved, achieved
from croupier.reports.books.awards import LAST_HITS, hits
from croupier.reports.books.deposit import deposit, deposit_rule
from croupier.reports.books.period import LedgerReport
from croupier.reports.books.reconciliation import reconciliation
from croupier.reports.paper.books import paper_of, tables_of
from croupier.reports.paper.model import paper_pdf
from croupier.reports.render.markup import Markup
from croupier.web.api import funds
from croupier.web.api.bodies import AccountBody
from croupier.web.api.claims import require_jackpot
from croupier.web.api.rights import PREFIX
from croupier.web.guard import TheRoom
from croupier.web.pages.base import CommandId, PageRoute, TheVisit
from croupier.web.pages.manager.band import band_picture
from croupier.web.pages.manager.shared import SentForm, TheForm, body_of, caller_of, go, show
from croupier.web.pages.problems import FieldError
from croupier.web.services import Services, room_of

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
    return _page(request, title, _of_period(room, period, None, kept))


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


@dataclass(frozen=True, kw_only=True)
class AskedReport:
    """What a page asks for: the report, or what is wrong with the question."""

    report: LedgerReport | None
    """None where something that was asked does not read."""
    form: dict[str, Any]
    """What the form shows; its kind under `form`."""
    query: dict[str, str]
    """The same question to the API."""
    asked_as: dict[str, str] | None = None
    """And to the page's own PDF, where that asks in other words."""


def _of_period(room: Services, period: Period, report: LedgerReport | None, kept: dict[str, str]) -> AskedReport:
    form = {"form": "period", "period": period, "shortcuts": shortcuts(room.desk.clock()), "kept": kept}
    return AskedReport(report=report, form=form, query=period.as_query())


def _accrual(room: TheRoom, period: ThePeriod) -> AskedReport:
    """What came in and went out in a shift or a day."""
    report = None if period.problems else accrual(room.book, period.start, period.end)
    return _of_period(room, period, report, {})


def _reconciliation(room: TheRoom, period: ThePeriod) -> AskedReport:
    """Opening and every movement add up to closing, account by account."""
    report = None if period.problems else reconciliation(room.book, period.start, period.end)
    return _of_period(room, period, report, {})


def _achieved(room: TheRoom, period: ThePeriod) -> AskedReport:
    """What was achieved against what is expected exactly, with the band that holds 95% of such periods."""
    report = None if period.problems else achieved(room.book, room.desk.floor(), period.start, period.end)
    return _of_period(room, period, report, {})


def _hits(room: TheRoom, jackpot: str = "", every: bool = False) -> AskedReport:
    """The last hits, or all of them."""
    require_jackpot(room, jackpot or None)
    return AskedReport(
        report=hits(room.book, limit=None if every else LAST_HITS, jackpot=jackpot or None),
        form={
            "form": "hits",
            "jackpot": jackpot,
            "every": every,
            "jackpots": [one.id for one in room.book.jackpots()],
        },
        query={"limit": "1000" if every else str(LAST_HITS)} | ({"jackpot": jackpot} if jackpot else {}),
        asked_as={"jackpot": jackpot, "every": str(every).lower()},
    )


def _access(room: TheRoom) -> AskedReport:
    """Who has a card and which devices have a token."""
    return AskedReport(report=access_review(room.book), form={"form": ""}, query={})


def _deposit(request: Request, room: TheRoom) -> AskedReport:
    """The deposit due on a day, from what accrued since the last one."""
    asked, standing = SentForm(request.query_params), room.desk.account()
    readers: dict[str, Callable[[], Any]] = {
        "last_deposit": lambda: asked.moment("last_deposit", "Everything deposited up to") or _opened(room),
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
        return AskedReport(report=None, form={"form": "deposit", "problems": problems, "written": written}, query={})
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
    form = {"form": "deposit", "problems": {}, "written": query | {"last_deposit": _picked(last)}}
    return AskedReport(report=report, form=form, query=query)


def _opened(room: Services) -> datetime:
    """When the ledger was begun: before that there was nothing to deposit."""
    (first,) = room.book.entries(limit=1)
    return first.entry.at


def _add_report(name: str, title: str, read: Callable[..., AskedReport], about: str = "") -> None:
    """The page of a report, and its PDF, which is set in the thread of its request, so that no other waits for it."""
    asked_here = Depends(read)

    @router.get(f"/manager/reports/{name}")
    def report_page(request: Request, asked: Any = asked_here) -> Response:
        return _page(request, title, asked, about)

    @router.get(f"/manager/reports/{name}/pdf")
    def report_pdf(request: Request, room: TheRoom, asked: Any = asked_here) -> Response:
        return _page(request, title, asked) if asked.report is None else pdf_answer(room, asked.report)


for _name, _title, _read, _about in (
    ("accrual", "Shift and day", _accrual, ""),
    ("reconciliation", "Reconciliation", _reconciliation, ""),
    (
        "achieved",
        "Achieved against theory",
        _achieved,
        "The bar is the band that holds 95% of such periods, the line in it the exact value, the dot what was "
        "achieved.",
    ),
    ("hits", "Hits", _hits, ""),
    ("deposit", "Deposit due", _deposit, ""),
    (
        "access",
        "Access review",
        _access,
        "Who has a card and which devices have a token. Under People, withdraw what nobody needs any more.",
    ),
):
    _add_report(_name, _title, _read, _about)


def _page(request: Request, title: str, asked: AskedReport, about: str = "") -> Response:
    report, address = asked.report, request.url.path.removesuffix("/pdf")
    name = address.rpartition("/")[2]
    return show(
        request,
        "report.html",
        200 if report is not None else 422,
        title=title,
        about=about,
        address=address,
        paper=None if report is None else paper_of(report, room_of(request).desk.floor()),
        pictures=_bands(report) if isinstance(report, Achieved) else {},
        data=_download(name if name == "hits" else f"reports/{name}", asked.query, asked.asked_as),
        **asked.form,
    )


def _bands(report: Achieved) -> dict[str, dict[str, list[Markup]]]:
    """The pictures of what was achieved, by table and column."""
    return {name: {"band": [band_picture(line) for line in lines]} for name, lines in tables_of(report).items()}


def pdf_answer(room: Services, report: LedgerReport) -> Response:
    paper = paper_of(report, room.desk.floor())
    disposition = f'inline; filename="{paper.name.replace("_", "-")}.pdf"'
    return Response(paper_pdf(paper), media_type="application/pdf", headers={"Content-Disposition": disposition})


@router.get("/manager/ledger/software")
def software_page(request: Request, room: TheRoom) -> Response:
    """The program's fingerprint, for an inspector."""
    return show(request, "software.html", software=installed_software())


@router.get("/manager/account")
def account(request: Request, room: TheRoom) -> Response:
    """The jackpot account against what the jackpots hold, and the form for the next balance."""
    standing = room.desk.account()
    return show(
        request,
        "account.html",
        account=standing,
        figures=structs.asdict(standing),
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
