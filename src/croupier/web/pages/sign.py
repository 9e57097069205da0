"""The jackpot sign: a wall display that shows one meter as the ledger has it, its wins and its pending claims."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Literal

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from croupier.errors import IllegalActionError
from croupier.floor.devices import DeviceUse
from croupier.floor.setup import Floor, JackpotSetup, TableSetup, each_micros, hand_label, jackpot_choice, pay_table_of
from croupier.floor.stored import entry_of
from croupier.jackpot import Award, AwardPaid, JackpotHit
from croupier.money import MICROS_PER_CENT, dollars_for_people
from croupier.rules.choice import OddsRequest
from croupier.web.guard import COOKIE, TheRoom
from croupier.web.pages.base import SIGN_COOKIE, PageRoute, TheVisit, Visit, back_to, error_page, page, render
from croupier.web.pages.events import stream_to
from croupier.web.pages.sign_work import row_odds
from croupier.web.readers import reader_of
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

A_YEAR_S = 365 * 24 * 3600
WIN_SECONDS = 30
"""How long a win is shown before the sign goes on attracting."""
LATEST_ENTRIES = 5000
"""No floor books more than this while a win is shown."""
MOST_PENDING = 10
TOAST_SECONDS = 12
"""How long a fixed pay is congratulated on, beside the amount."""
MOST_WINNERS = 4
MOST_SEARCHED = 50
"""Among so many of the latest awards winners of the meter are looked for."""
PATIENCE_S = 0.5
"""The sign is up before its odds are computed; they fill in."""
HEARD = ("meters", "claims", "floor")
"""What a sign hears of."""


@dataclass(frozen=True, kw_only=True)
class Win:
    """An award as the sign shows it."""

    hit: JackpotHit
    table: str
    """Its name, as players know it."""
    label: str
    at: datetime
    """When it was paid, or else hit."""


@dataclass(frozen=True, kw_only=True)
class PayLine:
    """A hand and what it pays, in money: nobody at a table computes."""

    row: str
    label: str
    pays: str
    is_share: bool


@dataclass(frozen=True, kw_only=True)
class SignState:
    """What a sign shows at one moment."""

    entry: int
    """The ledger had this many entries at least: of two answers the higher is the newer."""
    meter_micros: int | None
    """None where its books do not add up: then no amount is shown as if it were one."""
    is_capped: bool
    is_closed: bool
    """Whether nobody can play for it: every table is out of service, or there is none."""
    mode: Literal["attract", "pending", "won", "closed", "stopped"]
    pending: tuple[Win, ...]
    won: tuple[Win, ...]
    """Shares of the meter that were paid a moment ago."""
    toasts: tuple[Win, ...]
    """Fixed pays that were paid a moment ago."""
    winners: tuple[Win, ...]
    """The latest shares of the meter that were paid."""
    again_s: int
    """After so many seconds a win is no longer shown; 0 where none is."""

    @property
    def cents(self) -> int:
        """Floored: a sign never shows more than the meter holds."""
        return (self.meter_micros or 0) // MICROS_PER_CENT


@router.get("/sign/{jackpot}")
def sign(request: Request, jackpot: str, visit: TheVisit, room: TheRoom, token: str = "") -> Response:
    if token:
        return _exchange(request, room, visit, jackpot, token)
    if (refused := _refused(request, room, visit, jackpot)) is not None:
        return refused
    floor = room.desk.floor()
    setup = floor.jackpot(jackpot)
    tables = floor.tables_of(jackpot)
    return page(
        request,
        "sign/sign.html",
        jackpot=setup,
        house=floor,
        pays=_pay_lines(setup, tables[0] if tables else None),
        tables=tables,
        state=state_of(room, floor, setup),
    )


@router.get("/sign/{jackpot}/state")
def state(request: Request, jackpot: str, visit: TheVisit, room: TheRoom) -> Response:
    if (refused := _refused(request, room, visit, jackpot)) is not None:
        return refused
    floor = room.desk.floor()
    setup = floor.jackpot(jackpot)

    def make() -> str:
        return render(request, "sign/now.html", jackpot=setup, state=state_of(room, floor, setup))

    # The same for every sign of a jackpot, and all of them ask when it is hit.
    stamp = (room.book.head()[0], frozenset(room.book.stopped()), int(room.desk.clock().timestamp()))
    return HTMLResponse(room.fragments.get(f"sign/{jackpot}", stamp, make))


@router.get("/sign/{jackpot}/odds")
async def odds(request: Request, jackpot: str, visit: TheVisit, room: TheRoom) -> Response:
    """The pay table with the odds of each hand, as soon as they are computed."""
    if (refused := await run_in_threadpool(_refused, request, room, visit, jackpot)) is not None:
        return refused
    floor = await run_in_threadpool(room.desk.floor)
    setup = floor.jackpot(jackpot)
    tables = floor.tables_of(jackpot)
    table = tables[0] if tables else None
    choice = jackpot_choice(setup, table)
    asked = OddsRequest(
        game=choice.game.id,
        wager=choice.wager.id,
        pay_table=choice.pay_table.id,
        decks=None if choice.decks is None else str(choice.decks),
        settings=tuple(sorted(choice.switches.items())),
    )
    against = await room.work.aside(PATIENCE_S, row_odds, asked)
    return page(request, "sign/pays.html", jackpot=setup, pays=_pay_lines(setup, table), odds=against)


@router.get("/sign/{jackpot}/look.css")
def look(request: Request, jackpot: str, visit: TheVisit, room: TheRoom) -> Response:
    """The house's colors. A style sheet of its own, because pages may not hold styles."""
    if (refused := _refused(request, room, visit, jackpot)) is not None:
        return refused
    colors = room.desk.floor().sign
    text = f":root {{ --wall: {colors.ground}; --lit: {colors.light}; }}\n"
    return Response(text, media_type="text/css")


@router.get("/sign/{jackpot}/events")
async def sign_events(request: Request, jackpot: str, visit: TheVisit, room: TheRoom) -> Response:
    """What a sign hears of: below its own address, so that its cookie comes along."""
    if (refused := await run_in_threadpool(_refused, request, room, visit, jackpot)) is not None:
        return refused
    await run_in_threadpool(lambda: room.desk.floor().jackpot(jackpot))
    session = request.cookies[COOKIE] if visit.person is not None else ""
    token = "" if room.demo or session else request.cookies[SIGN_COOKIE]
    reader = reader_of(room, visit.address, token=token, session=session)
    return await stream_to(request, room, reader, HEARD, frozenset({jackpot}))


def _exchange(request: Request, room: Services, visit: Visit, jackpot: str, token: str) -> Response:
    """A sign's token becomes a cookie that scripts cannot read, and leaves the address at once."""
    if not _is_sign_of(room, visit, token, jackpot):
        return _token_needed(request, jackpot)
    response = back_to(f"/sign/{jackpot}")
    response.set_cookie(
        SIGN_COOKIE, token, max_age=A_YEAR_S, httponly=True, secure=not room.demo, samesite="lax", path="/sign"
    )
    return response


def _refused(request: Request, room: Services, visit: Visit, jackpot: str) -> Response | None:
    """In demo mode signs are for everybody, elsewhere for their devices and for those who are signed in."""
    if room.demo or visit.person is not None:
        return None
    token = request.cookies.get(SIGN_COOKIE, "")
    return None if token and _is_sign_of(room, visit, token, jackpot) else _token_needed(request, jackpot)


def _is_sign_of(room: Services, visit: Visit, token: str, jackpot: str) -> bool:
    """Whether a token is good for this jackpot. Wrong ones are on the record, and cannot be tried for long."""
    count_failure = partial(room.failures.take, visit.address)
    try:
        device = room.devices.device(token, before_denial=count_failure)
        if not device.may(DeviceUse.READ_METER, jackpot):
            count_failure()
        room.devices.require(device, DeviceUse.READ_METER, jackpot)
    except IllegalActionError:
        return False
    return True


def _token_needed(request: Request, jackpot: str) -> Response:
    message = (
        f'The sign "{jackpot}" is shown to its own device and to signed-in staff. Register a device of the kind "sign" '
        "for this jackpot and open this page once with ?token= and its token, or sign in."
    )
    return error_page(request, 401, "sign_token_needed", message)


def state_of(room: Services, floor: Floor, setup: JackpotSetup) -> SignState:
    """As the ledger has it now. The number of entries is read first, so it never claims to be newer than it is."""
    figures = room.desk.figures()
    entry = figures.entry
    if setup.id in figures.stopped:
        return SignState(
            entry=entry,
            meter_micros=None,
            is_capped=False,
            is_closed=True,
            mode="stopped",
            pending=(),
            won=(),
            toasts=(),
            winners=(),
            again_s=0,
        )
    meter_micros = next(
        meter.meter_micros for meter in figures.shown if (meter.jackpot, meter.level) == (setup.id, setup.level)
    )
    waiting = room.book.awards(status="pending", jackpot=setup.id, limit=MOST_PENDING)
    pending = tuple(_win(room, floor, setup, award) for award in waiting if award.funding == "meter")
    won, toasts, again_s = _paid(room, floor, setup, entry)
    # Of a thousand linked tables one that is in service is enough, and is found at once.
    is_closed = all(room.desk.table(table.id).terminal.stopped for table in floor.tables_of(setup.id))
    return SignState(
        entry=entry,
        meter_micros=meter_micros,
        is_capped=setup.cap_micros is not None and meter_micros >= setup.cap_micros,
        is_closed=is_closed,
        mode="pending" if pending else "won" if won else "closed" if is_closed else "attract",
        pending=pending,
        won=won,
        toasts=toasts,
        winners=_winners(room, floor, setup),
        again_s=again_s,
    )


def _paid(room: Services, floor: Floor, setup: JackpotSetup, head: int) -> tuple[tuple[Win, ...], tuple[Win, ...], int]:
    """Shares of the meter and fixed pays that were paid a moment ago, and the seconds until the first of them goes."""
    now = room.desk.clock()
    since = now - timedelta(seconds=WIN_SECONDS)
    paid = room.book.entries_between(since, None, kinds=[AwardPaid.__name__], after=max(0, head - LATEST_ENTRIES))
    won: list[Win] = []
    toasts: list[Win] = []
    left_s: list[int] = []
    for sealed in paid:
        assert isinstance(sealed.entry.event, AwardPaid)
        award = room.book.award(sealed.entry.event.award)
        if award.jackpot != setup.id or award.status != "paid":
            continue
        win = _win(room, floor, setup, award, sealed.entry.at)
        shown_s = WIN_SECONDS if win.hit.share_ppm else TOAST_SECONDS
        if (left := (win.at - now).total_seconds() + shown_s) >= 0:
            (won if win.hit.share_ppm else toasts).append(win)
            left_s.append(int(left) + 1)
    return tuple(won), tuple(toasts), min(left_s, default=0)


def _winners(room: Services, floor: Floor, setup: JackpotSetup) -> tuple[Win, ...]:
    """Who won a share of the meter of late: where, with what and how much, and nothing of persons."""
    paid = room.book.awards(status="paid", jackpot=setup.id, limit=MOST_SEARCHED)
    wins = (_win(room, floor, setup, award) for award in paid if award.funding == "meter")
    return tuple(islice((win for win in wins if win.hit.share_ppm), MOST_WINNERS))


def _win(room: Services, floor: Floor, setup: JackpotSetup, award: Award, at: datetime | None = None) -> Win:
    table = next((known for known in floor.tables if known.id == award.table), None)
    rows = {row.row: hand_label(setup, row, table) for row in pay_table_of(setup).rows}
    sealed, hit = entry_of(room.book, award.id, JackpotHit)
    return Win(
        hit=hit,
        table=(table and table.name) or award.table,
        label=rows.get(award.row, award.row),
        at=at or sealed.entry.at,
    )


def _pay_lines(setup: JackpotSetup, table: TableSetup | None) -> tuple[PayLine, ...]:
    """The hands in force with what each pays: a share of the meter, or the money."""
    choice = jackpot_choice(setup, table)
    prize = "prize" if setup.kind == "house" else "meter"
    lines = []
    for row in choice.rows:
        each = each_micros(setup, row)
        pays = f"{row.pays.text} of the {prize}" if each is None else dollars_for_people(each) if each else "Push"
        lines.append(PayLine(row=row.row, label=choice.label(row), pays=pays, is_share=each is None))
    return tuple(lines)
