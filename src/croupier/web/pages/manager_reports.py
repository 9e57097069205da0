"""The books: hits, accrual, reconciliation, achieved against theory, deposits and the jackpot account.

A page shows a report; its CSV and JSON are the API's own answers to the same question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request, Response

from croupier.floor.words import amount_text
from croupier.reports.jackpot_accrual import accrual
from croupier.reports.jackpot_achieved import AchievedLine, achieved
from croupier.reports.jackpot_awards import LAST_HITS, hits
from croupier.reports.jackpot_deposit import deposit, deposit_rule
from croupier.reports.jackpot_reconciliation import ReconciliationLine, reconciliation
from croupier.web.api import funds
from croupier.web.api.bodies import AccountBody
from croupier.web.api.claims import require_jackpot
from croupier.web.api.rights import PREFIX
from croupier.web.guard import TheRoom
from croupier.web.pages.frame import CommandId, PageRoute, TheVisit
from croupier.web.pages.manager_band import band_of, figure
from croupier.web.pages.manager_parts import Sent, TheForm, body_of, caller_of, go, show, word
from croupier.web.pages.problems import FieldError
from croupier.web.room import Room

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
    asked = Sent(request.query_params)
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


def ask_again(request: Request, room: Room, title: str, period: Period, **kept: str) -> Response:
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


def _download(name: str, query: dict[str, str]) -> Callable[[str], str]:
    """The address of a report's data, by its form."""
    return lambda form: f"{PREFIX}/{name}?{urlencode(query | {'form': form})}"


@router.get("/manager/reports")
def index(request: Request) -> Response:
    return show(request, "reports.html")


@router.get("/manager/reports/hits")
def hits_page(request: Request, room: TheRoom, jackpot: str = "", every: bool = False) -> Response:
    """The last hits, or all of them."""
    require_jackpot(room, jackpot or None)
    report = hits(room.book, limit=None if every else LAST_HITS, jackpot=jackpot or None)
    query = {"limit": "1000" if every else str(LAST_HITS)} | ({"jackpot": jackpot} if jackpot else {})
    return show(
        request,
        "report_hits.html",
        report=report,
        every=every,
        jackpot=jackpot,
        jackpots=[one.id for one in room.book.jackpots()],
        data=_download("hits", query),
        word=word,
    )


@router.get("/manager/reports/accrual")
def accrual_page(request: Request, room: TheRoom, period: ThePeriod) -> Response:
    """What came in and went out in a shift or a day."""
    if period.problems:
        return ask_again(request, room, "Shift and day", period)
    return show(
        request,
        "report_accrual.html",
        report=accrual(room.book, period.start, period.end),
        period=period,
        shortcuts=shortcuts(room.desk.clock()),
        data=_download("reports/accrual", period.as_query()),
    )


@router.get("/manager/reports/reconciliation")
def reconciliation_page(request: Request, room: TheRoom, period: ThePeriod) -> Response:
    """Opening and every movement add up to closing, account by account."""
    if period.problems:
        return ask_again(request, room, "Reconciliation", period)
    report = reconciliation(room.book, period.start, period.end)
    moved = [name for name in _MOVED if any(getattr(line, name) for line in report.lines)]
    return show(
        request,
        "report_reconciliation.html",
        report=report,
        columns=[(name, word(name.removesuffix("_micros"))) for name in moved],
        period=period,
        shortcuts=shortcuts(room.desk.clock()),
        data=_download("reports/reconciliation", period.as_query()),
    )


_FRAME = ("opening_micros", "closing_micros", "balance_micros")
_MOVED = tuple(
    name for name in ReconciliationLine.__dataclass_fields__ if name.endswith("_micros") and name not in _FRAME
)


@router.get("/manager/reports/achieved")
def achieved_page(request: Request, room: TheRoom, period: ThePeriod) -> Response:
    """What was achieved against what is expected exactly, with the band that holds 95 % of such periods."""
    if period.problems:
        return ask_again(request, room, "Achieved against theory", period)
    report = achieved(room.book, room.desk.floor(), period.start, period.end)
    jackpots: dict[str, list[AchievedLine]] = {}
    for line in report.lines:
        jackpots.setdefault(line.jackpot, []).append(line)
    return show(
        request,
        "report_achieved.html",
        report=report,
        jackpots={name: [(line, band_of(line)) for line in lines] for name, lines in jackpots.items()},
        period=period,
        shortcuts=shortcuts(room.desk.clock()),
        figure=figure,
        data=_download("reports/achieved", period.as_query()),
        word=word,
    )


@router.get("/manager/reports/deposit")
def deposit_page(request: Request, room: TheRoom) -> Response:
    """The deposit due on a day, from what accrued since the last one."""
    asked, standing = Sent(request.query_params), room.desk.account()
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
        return show(request, "report_deposit.html", 422, report=None, problems=problems, written=written)
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
    return show(
        request,
        "report_deposit.html",
        report=report,
        problems=problems,
        written=query | {"last_deposit": _picked(last)},
        data=_download("reports/deposit", query),
    )


def _opened(room: Room) -> datetime:
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
