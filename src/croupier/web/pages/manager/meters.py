"""Meters with all that is behind them, adjustments with a preview of what they do, and the end of a jackpot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response

from croupier.errors import CroupierError, IllegalActionError, RangeError, unknown
from croupier.floor.amounts import rate_text
from croupier.floor.meters import Meter
from croupier.floor.reasons import reduction_reasons
from croupier.floor.setup import Floor, JackpotSetup
from croupier.jackpot import AdjustMeter, Award, Jackpot, MeterAdjusted, Reason, State
from croupier.jackpot.adjusting import MAY_TOUCH, POOLS, adjust
from croupier.store.sums import notable_entries
from croupier.web.api import funds
from croupier.web.api import meters as api
from croupier.web.api.bodies import AdjustBody, CloseBody
from croupier.web.errors import status_of
from croupier.web.guard import TheRoom
from croupier.web.pages.base import CommandId, PageRoute, TheVisit
from croupier.web.pages.manager.figures import SPANS, meter_plot
from croupier.web.pages.manager.shared import SentForm, TheForm, body_of, caller_of, go, show, word
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

MOST_COUNTED = 10_000
"""Awards that are counted for the page; the reports count all."""
REASONS: dict[Reason, str] = {
    "correct_display": "The display was wrong through a malfunction: the meter goes up, or down with a minus sign.",
    "record_receipts": "Money that is not displayed is recorded as gross receipts, out of reserve or overflow.",
    "recover_seed": "The house takes back seed money that was not won; the meter keeps its posted seed.",
    "release_overflow": "Money above the old maximum goes back on display, up to the maximum.",
    "house_addition": "The house adds to the meter, as a gift.",
    "carried_in": "What another system held for the players comes into meter, reserve or overflow.",
}
ASKED = ("reason", "amount", "pool", "note")
"""The fields of the form of an adjustment."""
ACCOUNTS = ("meter", "reserve", "overflow", "pending", "paid", "seed", "adjustments", "receipts")
"""In the order in which a preview shows what moves."""


@dataclass(frozen=True, kw_only=True)
class LevelFigures:
    """One level of a jackpot with all its figures."""

    meter: Meter
    setup: JackpotSetup
    wagered_micros: int
    """Coin-in."""
    in_micros: int
    """What the wagers added to meter, reserve and overflow; the rest of them is the house's."""
    hits: str
    won_micros: int
    seed_micros: int
    """What the house has advanced and not taken back."""
    reset_micros: int
    """What the meter would show after a 100% award now."""
    contribution: str
    reserve: str
    alarm_micros: int | None


def _levels(room: Services) -> list[LevelFigures]:
    floor, balances = room.desk.floor(), room.book.balances()
    jackpots = {setup.id: setup for setup in room.book.jackpots()}
    return [
        _level(room, floor, jackpots[meter.jackpot], meter, balances)
        for meter in room.desk.meters()
        if meter.jackpot in {setup.id for setup in floor.jackpots}
    ]


def _level(room: Services, floor: Floor, jackpot: Jackpot, meter: Meter, balances: dict[Any, int]) -> LevelFigures:
    setup, level = floor.jackpot(meter.jackpot), jackpot.level(meter.level)
    awards = room.book.awards(jackpot=jackpot.id, limit=MOST_COUNTED)
    tally = jackpot.tallies[meter.level]
    wagered = -balances.get((jackpot.id, "", "wagers"), 0) - balances.get((jackpot.id, "", "chips"), 0)
    kept = balances.get((jackpot.id, "", "receipts"), 0)
    return LevelFigures(
        meter=meter,
        setup=setup,
        wagered_micros=wagered,
        in_micros=wagered - kept,
        hits=_count(awards),
        won_micros=tally.hit_micros - tally.returned_micros,
        seed_micros=-balances.get((jackpot.id, meter.level, "seed"), 0),
        reset_micros=setup.seed_micros + (meter.reserve_micros if setup.kind == "progressive" else 0),
        contribution=rate_text(setup.contribution),
        reserve=rate_text(setup.reserve),
        alarm_micros=level.unreasonable_micros,
    )


def _count(awards: tuple[Award, ...]) -> str:
    standing = sum(1 for award in awards if award.status in ("pending", "paid"))
    return f"{standing:,}" if len(awards) < MOST_COUNTED else f"{MOST_COUNTED:,} or more"


@router.get("/manager/meters")
def all_meters(request: Request, room: TheRoom) -> Response:
    """Every level with its figures and settings."""
    return show(request, "meters.html", levels=_levels(room))


@router.get("/manager/meters/{jackpot}")
def one_meter(request: Request, jackpot: str, visit: TheVisit, room: TheRoom, span: str = "week") -> Response:
    """One jackpot: its figures, past adjustments, and the one asked for, worked out before it is made."""
    levels = [level for level in _levels(room) if level.meter.jackpot == jackpot]
    if not levels:
        raise unknown("jackpot", jackpot, [known.id for known in room.desk.floor().jackpots])
    if span not in SPANS:
        raise unknown("span", span, SPANS)
    form = SentForm(request.query_params)
    preview, problems, code, status = None, {}, "", 200
    if any(name in form.data for name in ASKED):
        try:
            preview = _preview(room, jackpot, form, by=visit.person.id if visit.person else "")
        except (RangeError, IllegalActionError) as error:
            problems, code, status = _problems(form, error), error.code, status_of(error)
    return show(
        request,
        "meter.html",
        status,
        problems=problems,
        code=code,
        level=levels[0],
        plot=meter_plot(room, jackpot, levels[0].meter.level, levels[0].setup.name or jackpot, span, room.desk.clock()),
        spans=SPANS,
        span=span,
        history=_history(room, jackpot),
        reasons=REASONS,
        pools=POOLS,
        may_touch=MAY_TOUCH,
        lawful={reason.code: reason for reason in reduction_reasons(room.desk.clock().date())},
        asked=form,
        preview=preview,
        tables=[table.name or table.id for table in room.desk.floor().tables_of(jackpot)],
        heirs=[other.id for other in room.desk.floor().jackpots if other.id != jackpot and other.kind == "progressive"],
        word=word,
    )


def _history(room: Services, jackpot: str) -> list[dict[str, Any]]:
    """What was adjusted by hand, the latest first."""
    entries = [
        {"entry": sealed.entry, "event": sealed.entry.event}
        for sealed in notable_entries(room.book, kinds=("MeterAdjusted",))
        if isinstance(sealed.entry.event, MeterAdjusted) and sealed.entry.event.jackpot == jackpot
    ]
    return entries[::-1]


def _checks(form: SentForm) -> dict[str, Callable[[], object]]:
    """How each field of the form is read."""
    return {
        "reason": lambda: form.one_of("reason", "Reason", REASONS),
        "amount": lambda: form.amount("amount", "Amount in dollars", may_be_negative=True),
        "pool": lambda: form.one_of("pool", "Pool", POOLS) if form.text("pool") else None,
        "note": lambda: form.note("note", "Note"),
    }


def _problems(form: SentForm, refused: CroupierError) -> dict[str, str]:
    """Every field that does not read; if all do, the ledger's own refusal at the field that it is about."""
    problems = {}
    for name, check in _checks(form).items():
        try:
            check()
        except CroupierError as error:
            problems[name] = str(error)
    return problems or {"pool" if refused.code == "reason_pool" else "amount": str(refused)}


def _preview(room: Services, jackpot: str, form: SentForm, *, by: str) -> list[tuple[str, int, int]]:
    """Before and after of every account that the adjustment would move: the ledger's own decision, not booked."""
    for check in _checks(form).values():
        check()
    reason = next(known for known in REASONS if known == form.text("reason"))
    pool = next(known for known in POOLS if known == (form.text("pool") or "meter"))
    setup = room.desk.floor().jackpot(jackpot)
    command = AdjustMeter(
        jackpot=jackpot,
        level=setup.level,
        reason=reason,
        micros=form.amount("amount", "Amount in dollars", may_be_negative=True),
        pool=pool,
        note=form.text("note"),
        second=f"{by}, second",
    )
    balances = room.book.balances(jackpot)
    event = adjust(State(jackpots={jackpot: room.book.jackpot(jackpot)}, balances=balances), command, by)
    moved = {posting.key: posting.micros for posting in event.postings}
    rows = [(key[2], balances.get(key, 0), balances.get(key, 0) + micros) for key, micros in moved.items()]
    return sorted(rows, key=lambda row: ACCOUNTS.index(row[0]))


@router.post("/manager/meters/{jackpot}/adjust")
def adjust_meter(
    request: Request, jackpot: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom
) -> Response:
    body = body_of(
        AdjustBody,
        reason=form.one_of("reason", "Reason", REASONS),
        micros=form.amount("amount", "Amount in dollars", may_be_negative=True),
        pool=form.one_of("pool", "Pool", POOLS) if form.text("pool") else "meter",
        note=form.note("note", "Note"),
        second=form.swipe("second", "Second card"),
    )
    api.adjust(jackpot, body, id, caller_of(visit), room)
    return go(request, f"/manager/meters/{jackpot}?done=adjusted")


@router.post("/manager/jackpots/{jackpot}/close")
def close(request: Request, jackpot: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    body = body_of(
        CloseBody, note=form.note("note", "Why"), to=form.text("to"), second=form.swipe("second", "Second card")
    )
    funds.close(jackpot, body, id, caller_of(visit), room)
    return go(request, "/manager/meters?done=closed")
