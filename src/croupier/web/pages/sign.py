"""The jackpot sign: a wall display that shows one meter as the ledger has it, its wins and its pending claims."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Literal

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from croupier.errors import IllegalActionError
from croupier.floor.devices import DeviceUse
from croupier.floor.setup import Floor, JackpotSetup, hand_label, jackpot_choice, pay_table_of
from croupier.floor.stored import entry_of
from croupier.jackpot import Award, AwardPaid, JackpotHit
from croupier.money import MICROS_PER_CENT
from croupier.web.guard import COOKIE, TheRoom
from croupier.web.pages.base import SIGN_COOKIE, PageRoute, TheVisit, Visit, back_to, error_page, page, render
from croupier.web.pages.events import stream_to
from croupier.web.readers import reader_of
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

A_YEAR_S = 365 * 24 * 3600
WIN_SECONDS = 30
"""How long a win is shown before the sign goes on attracting."""
LATEST_ENTRIES = 5000
"""No floor books more than this while a win is shown."""
MOST_PENDING = 10
HEARD = ("meters", "claims", "floor")
"""What a sign hears of."""


@dataclass(frozen=True, kw_only=True)
class Win:
    """An award as the sign shows it."""

    hit: JackpotHit
    table: str
    """Its name, as players know it."""
    label: str


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
        choice=jackpot_choice(setup, tables[0] if tables else None),
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
        return render(request, "sign/state.html", jackpot=setup, state=state_of(room, floor, setup))

    # The same for every sign of a jackpot, and all of them ask when it is hit.
    stamp = (room.book.head()[0], frozenset(room.book.stopped()), int(room.desk.clock().timestamp()))
    return HTMLResponse(room.fragments.get(f"sign/{jackpot}", stamp, make))


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
            again_s=0,
        )
    meter_micros = next(
        one.meter_micros for one in figures.shown if (one.jackpot, one.level) == (setup.id, setup.level)
    )
    waiting = room.book.awards(status="pending", jackpot=setup.id, limit=MOST_PENDING)
    pending = tuple(_win(room, floor, setup, award) for award in waiting if award.funding == "meter")
    won, again_s = _won(room, floor, setup, entry)
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
        again_s=again_s,
    )


def _won(room: Services, floor: Floor, setup: JackpotSetup, head: int) -> tuple[tuple[Win, ...], int]:
    """Awards off the meter that were paid a moment ago, and for how long they are still shown."""
    now = room.desk.clock()
    since = now - timedelta(seconds=WIN_SECONDS)
    paid = room.book.entries_between(since, None, kinds=[AwardPaid.__name__], after=max(0, head - LATEST_ENTRIES))
    wins, latest = [], since
    for sealed in paid:
        assert isinstance(sealed.entry.event, AwardPaid)
        award = room.book.award(sealed.entry.event.award)
        if award.jackpot == setup.id and award.funding == "meter" and award.status == "paid":
            wins.append(_win(room, floor, setup, award))
            latest = max(latest, sealed.entry.at)
    left = (latest - since).total_seconds()
    return tuple(wins), int(left) + 1 if wins else 0


def _win(room: Services, floor: Floor, setup: JackpotSetup, award: Award) -> Win:
    table = next((one for one in floor.tables if one.id == award.table), None)
    rows = {row.row: hand_label(setup, row, table) for row in pay_table_of(setup).rows}
    return Win(
        hit=entry_of(room.book, award.id, JackpotHit)[1],
        table=(table and table.name) or award.table,
        label=rows.get(award.row, award.row),
    )
