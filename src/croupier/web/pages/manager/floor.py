"""The floor at a glance: tables, meters, alerts; and what a supervisor does at a table."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Literal

from fastapi import APIRouter, Request, Response

from croupier.floor.checks.notices import checklist, required_notices
from croupier.floor.checks.play import closed_sentence, is_closed
from croupier.floor.meters import Meters
from croupier.floor.names import Names
from croupier.floor.roles import Right
from croupier.floor.service import FLOOR, TableView
from croupier.floor.setup import Floor, TableSetup
from croupier.house_time import CLOCKS_AGREE
from croupier.money import dollars_and_cents
from croupier.rules.registry import find_game
from croupier.web.api import tables as api
from croupier.web.api.bodies import ClearBody, KeyBody, StepBody, StopBody
from croupier.web.guard import TheRoom
from croupier.web.pages.base import CommandId, PageRoute, TheVisit, Visit, is_partial
from croupier.web.pages.dealt import Play, play_at
from croupier.web.pages.manager.by_hand import by_hand_of
from croupier.web.pages.manager.figures import today
from croupier.web.pages.manager.shared import TheForm, age, body_of, caller_of, go, show
from croupier.web.pages.recent_steps import LastStep, Recent, last_seen, recent
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

DEPOSIT_WARNING = timedelta(days=2)
CLOCK_WARNING = timedelta(days=2)
"""For so long the floor shows that a clock was set back; the audit shows it for ever."""
ALERT = "alert:"

log = logging.getLogger("croupier.web")


@dataclass(frozen=True, kw_only=True)
class Alert:
    """Something that somebody should look at."""

    severity: Literal["bad", "warn"]
    what: str
    text: str
    path: str = ""


@dataclass(frozen=True, kw_only=True)
class TableRow:
    """A table on the overview."""

    setup: TableSetup
    view: TableView
    game: str
    seen: LastStep | None
    seen_ago: str
    play: Play | None = None
    """What goes on at a table that the software deals."""
    play_ago: str = ""
    closed: str = ""
    """Why nobody may play here."""

    @property
    def seated(self) -> str:
        return self.play.seated if self.play else ""

    @property
    def stuck(self) -> str:
        """Why the table cannot go on by itself; of one dealt by hand a person knows it."""
        return self.play.stuck if self.play else ""

    @property
    def rounds(self) -> int:
        """Rounds dealt here: by the software, or as the terminal counts them."""
        return self.play.rounds if self.play else self.view.terminal.round

    @property
    def may_need_clearing(self) -> bool:
        is_by_hand = self.setup.dealing == "hand" or bool(self.closed)
        return bool(self.stuck) or (is_by_hand and self.view.terminal.phase == "locked")


@router.get("/manager")
def overview(request: Request, visit: TheVisit, room: TheRoom) -> Response:
    """Every table and meter, and what needs attention; the live part alone for htmx."""
    if room.book.fact(FLOOR) is None:
        return show(request, "no_floor.html")
    floor, now = room.desk.floor(), room.desk.clock()
    seen = last_seen(room.book)
    rows = [_row(room, setup, seen.get(setup.id), now) for setup in floor.tables]
    figures = room.desk.figures()
    alerts = list(_alerts(room, visit, floor, rows, figures, now))
    template = "floor_live.html" if is_partial(request) else "floor.html"
    day = today(room, now) if visit.may(Right.SEE_REPORTS) else None
    return show(request, template, floor=floor, rows=rows, meters=figures.shown, alerts=alerts, now=now, day=day)


def _row(room: Services, setup: TableSetup, seen: LastStep | None, now: datetime) -> TableRow:
    closed = ""
    play = None
    if is_closed(room.desk.floor(), setup):
        closed = closed_sentence(setup)
    elif setup.dealing == "software":
        play = play_at(room, setup)
    return TableRow(
        setup=setup,
        view=room.desk.table(setup.id),
        game=find_game(setup.game).name,
        seen=seen,
        seen_ago=age(seen.at, now) if seen else "",
        play=play,
        play_ago=age(play.active_at, now) if play and play.active_at else "",
        closed=closed,
    )


def _alerts(
    room: Services, visit: Visit, floor: Floor, rows: list[TableRow], figures: Meters, now: datetime
) -> Iterator[Alert]:
    names = Names(floor)
    for row in rows:
        yield from _table_alerts(room, row)
    for award in room.book.awards(status="pending", limit=100):
        hit = room.book.entry(award.id)
        assert hit is not None
        yield Alert(
            severity="warn",
            what="Claim pending",
            text=f"{dollars_and_cents(award.amount_micros)} of {names.jackpot(award.jackpot)} "
            f"at {names.table(award.table)}, for {age(hit.entry.at, now)}.",
            path=f"/manager/claims/{award.id}" if visit.may(Right.SEE_CLAIMS) else "",
        )
    for meter in figures.shown:
        cap = floor.jackpot(meter.jackpot).cap_micros
        if cap is not None and meter.meter_micros >= cap:
            most = dollars_and_cents(cap)
            text = f"{names.jackpot(meter.jackpot)} stands at its maximum of {most}; more goes to the overflow."
            yield Alert(severity="warn", what="Cap reached", text=text, path="/manager/meters")
    for jackpot, why in figures.stopped.items():
        yield Alert(
            severity="bad", what="Jackpot stopped", text=f"{names.jackpot(jackpot)}: {why}", path="/manager/ledger"
        )
    yield from _clock_alerts(recent(room.book), visit, now)
    if visit.may(Right.SEE_REPORTS):
        yield from _account_alerts(room, now.date())
    if visit.may(Right.MANAGE_PEOPLE) or visit.may(Right.SEE_AUDIT):
        for person in room.people.everyone():
            if (until := room.people.locked_until(person.id)) is not None:
                text = f"The card of {person.id} is locked until {until.astimezone():%H:%M} after wrong PINs."
                yield Alert(severity="warn", what="Card locked", text=text, path="/manager/people")


def _table_alerts(room: Services, row: TableRow) -> Iterator[Alert]:
    stopped = row.view.terminal.stopped
    place = f"/manager/tables/{row.setup.id}"
    if row.closed:
        yield Alert(severity="bad", what="Table closed", text=row.closed, path=place)
    if row.stuck:
        text = f"{row.setup.name or row.setup.id}: {row.stuck}"
        yield Alert(severity="bad", what="Table stuck", text=text, path=place)
    if not stopped:
        return
    alarm = room.book.fact(ALERT + row.setup.id)
    is_alarm = alarm is not None and alarm.body.get("why") == stopped
    what = "Unreasonable contribution" if is_alarm else "Out of service"
    yield Alert(
        severity="bad",
        what=what,
        text=f"{row.setup.name or row.setup.id}: {stopped}",
        path=place,
    )


def _clock_alerts(log: Recent, visit: Visit, now: datetime) -> Iterator[Alert]:
    """Reports go by the times of entries, so a clock that goes back puts what follows into the wrong shift or day."""
    path = "/manager/audit" if visit.may(Right.SEE_AUDIT) else ""
    if log.last_at is not None and log.last_at - now > CLOCKS_AGREE:
        text = f"It is {age(now, log.last_at)} behind the last entry of the log: set it right before play goes on."
        yield Alert(severity="bad", what="Clock behind the log", text=text, path=path)
    back = log.set_back
    if back is not None and now - back.at < CLOCK_WARNING:
        text = f"Entry {back.entry} is {age(back.at, back.before)} earlier than the entry before it."
        yield Alert(severity="bad", what="Clock set back", text=text, path=path)


def _account_alerts(room: Services, today: date) -> Iterator[Alert]:
    account = room.desk.account()
    for finding in account.findings:
        what = "Deposit overdue" if finding.code == "deposit_overdue" else "Account short"
        yield Alert(
            severity="bad" if account.is_asked else "warn", what=what, text=finding.sentence, path="/manager/account"
        )
    if not account.findings and account.due_micros and account.due_on - today <= DEPOSIT_WARNING:
        text = f"{dollars_and_cents(account.due_micros)} must be deposited by {account.due_on}."
        yield Alert(severity="warn", what="Deposit due", text=text, path="/manager/account")


@router.get("/manager/tables/{table}")
def one_table(request: Request, table: str, room: TheRoom) -> Response:
    """One table: its state, what it offers, and the steps of a supervisor."""
    floor, now = room.desk.floor(), room.desk.clock()
    setup = floor.table(table)
    row = _row(room, setup, last_seen(room.book).get(table), now)
    notices = required_notices(floor, setup, now.date())
    return show(
        request,
        "table.html",
        row=row,
        jackpots=floor.jackpots_at(setup),
        game=find_game(setup.game),
        notices=notices,
        conditions=checklist(floor, setup),
        by_hand=by_hand_of(setup, floor, round=row.view.terminal.round, revision=row.view.revision),
    )


def _asked(form: TheForm) -> dict[str, Any]:
    return {"revision": form.number("revision", "Revision")}


@router.post("/manager/tables/{table}/stop")
def stop(request: Request, table: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    body = body_of(StopBody, why=form.note("why", "Why"), **_asked(form))
    api.stop(table, body, id, caller_of(visit), room)
    return go(request, f"/manager/tables/{table}?done=stopped")


@router.post("/manager/tables/{table}/reopen")
def reopen(request: Request, table: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    api.reopen(table, body_of(StepBody, **_asked(form)), id, caller_of(visit), room)
    return go(request, f"/manager/tables/{table}?done=reopened")


@router.post("/manager/tables/{table}/void")
def void(request: Request, table: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    body = body_of(StopBody, why=form.note("why", "Why"), **_asked(form))
    api.void(table, body, id, caller_of(visit), room)
    return go(request, f"/manager/tables/{table}?done=voided")


@router.post("/manager/tables/{table}/clear")
def clear(request: Request, table: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    second = form.swipe("second", "Second person")
    body = body_of(ClearBody, why=form.note("why", "Why"), second=second, **_asked(form))
    api.clear(table, body, id, caller_of(visit), room)
    return go(request, f"/manager/tables/{table}?done=cleared")


@router.post("/manager/tables/{table}/key")
def turn_key(request: Request, table: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    body = body_of(KeyBody, position=form.text("position"), **_asked(form))
    api.turn_key(table, body, id, caller_of(visit), room)
    return go(request, f"/manager/tables/{table}?done=key")
