"""The floor as set up, and its changes: a form or a file makes a draft, which is checked, shown, and signed by two."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import PlainTextResponse

from croupier.errors import NotationError, SpecError, unknown
from croupier.exact.check import Contradiction, contradiction_of
from croupier.floor import (
    Change,
    Floor,
    floor_data,
    floor_from_json,
    floor_from_toml,
    floor_to_json,
    floor_to_toml,
    requires_two_persons,
)
from croupier.floor.amounts import rate_text
from croupier.floor.checks.findings import Finding
from croupier.floor.checks.notices import checklist, required_notices
from croupier.floor.checks.readings import both_readings
from croupier.floor.law import all_on
from croupier.floor.roles import Right
from croupier.floor.service import FLOOR, Ask
from croupier.floor.setup import JackpotSetup, Link, TableSetup
from croupier.rules.choice import choose
from croupier.rules.parse import parse_json
from croupier.rules.registry import find_game, game_ids, is_offered
from croupier.rules.spec import Game, Switch
from croupier.web.api.bodies import present
from croupier.web.errors import WebError
from croupier.web.guard import TheRoom
from croupier.web.pages.base import CommandId, PageRoute, TheVisit, Visit, is_partial
from croupier.web.pages.manager.drafts import (
    Data,
    draft_of,
    house_data,
    jackpot_data,
    link_data,
    signed,
    table_data,
    with_links,
    with_part,
)
from croupier.web.pages.manager.shared import SentForm, TheForm, caller_of, go, show
from croupier.web.pages.manager.work import Standing, findings_of, planned_change
from croupier.web.pages.problems import FieldError
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

SPARE_SENSORS = 2
PATIENCE_S = 0.5
"""The page is not held back for longer than this by the odds behind its findings; they fill in."""
LONGEST_REVIEW_S = 60.0
CHOOSE_GAME = "Game: none is chosen. Choose the game that this table has; then its form opens."
CHOOSE_WAGER = "Wager: none is chosen. Choose the wager that this jackpot is for; then its form opens."


@router.get("/manager/setup")
async def overview(request: Request, room: TheRoom) -> Response:
    """The setup in force with what the law says to it; before there is one, the form that opens it."""
    if await run_in_threadpool(room.book.fact, FLOOR) is None:
        return await run_in_threadpool(show, request, "no_floor.html")
    floor, today = await run_in_threadpool(room.desk.floor), room.desk.clock().date()
    standing = await run_in_threadpool(_standing, room)
    findings = await room.work.draft(PATIENCE_S, findings_of, floor_to_json(floor), today, standing)
    template = "setup_findings.html" if is_partial(request) else "setup.html"
    more: dict[str, Any] = {"findings": findings, "game": find_game, "today": today, "rate_text": rate_text}
    return await run_in_threadpool(partial(show, request, template, floor=floor, **more))


def _standing(room: Services) -> Standing:
    return tuple((meter.jackpot, int(meter.meter_micros)) for meter in room.desk.meters())


@router.get("/manager/setup/file/{form}")
def file(form: str, room: TheRoom) -> Response:
    """The setup in force as a file: the complete way to change it."""
    writers = {"toml": floor_to_toml, "json": floor_to_json}
    if form not in writers:
        raise unknown("form", form, writers)
    floor = room.desk.floor()
    name = f"{floor.id}-{floor.version.number}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(writers[form](floor), headers=headers)


# Forms


def _progressives() -> list[tuple[str, str]]:
    """Every wager that a jackpot may be for, of the approved games."""
    games = [find_game(name) for name in game_ids()]
    return [
        (f"{game.id}/{wager.id}", f"{game.name}: {wager.name}")
        for game in games
        for wager in game.wagers
        if wager.kind == "progressive"
    ]


@router.get("/manager/setup/table")
def table_form(request: Request, room: TheRoom, table: str = "", game: str = "") -> Response:
    """The form of a table; for a new one, or another game, the game is chosen first."""
    floor = room.desk.floor()
    setup: TableSetup | None = floor.table(table) if table else None
    chosen = game or (setup.game if setup else "")
    if chosen and not is_offered(chosen):
        raise unknown("game", chosen, game_ids())
    today = room.desk.clock().date()
    is_same_game = setup is not None and setup.game == chosen
    is_missing = "game" in request.query_params and not game
    return show(
        request,
        "setup_table.html",
        422 if is_missing else 200,
        problems={"game": CHOOSE_GAME} if is_missing else {},
        setup=setup,
        is_same_game=is_same_game,
        floor=floor,
        game=find_game(chosen) if chosen else None,
        games=[find_game(name) for name in game_ids()],
        notices=all_on("notice", today),
        required={row.item for row in required_notices(floor, setup, today)} if setup else set(),
        sensors={sensor.number: sensor.jackpot for sensor in setup.sensors} if setup else {},
        sensor_numbers=range(1, _sensors_shown(setup) + 1),
        of_jackpots=_set_with_jackpots(find_game(chosen), setup if is_same_game else None) if chosen else set(),
        conditions=checklist(floor, setup) if setup is not None and is_same_game else (),
    )


def _set_with_jackpots(game: Game, setup: TableSetup | None) -> set[str]:
    """Switches that are no field of a table's form; one that the table has been given stays one."""
    readings = {name for wager in game.wagers for name in game.reading_switches(wager.id)}
    return {"fixed_pays"} | readings - set(setup.settings if setup is not None else ())


def _sensors_shown(setup: TableSetup | None) -> int:
    """As many as there are and one more, two at least."""
    return max(SPARE_SENSORS, *(sensor.number + 1 for sensor in setup.sensors), 0) if setup else SPARE_SENSORS


@router.get("/manager/setup/jackpot")
def jackpot_form(request: Request, room: TheRoom, jackpot: str = "", wager: str = "") -> Response:
    """The form of a jackpot; for a new one, its wager is chosen first."""
    floor = room.desk.floor()
    setup: JackpotSetup | None = floor.jackpot(jackpot) if jackpot else None
    chosen = wager or (f"{setup.game}/{setup.wager}" if setup else "")
    wagers = _progressives()
    if chosen and chosen not in dict(wagers):
        raise unknown("jackpot wager", chosen, dict(wagers))
    game, _, name = chosen.partition("/")
    is_missing = "wager" in request.query_params and not wager
    return show(
        request,
        "setup_jackpot.html",
        422 if is_missing else 200,
        problems={"wager": CHOOSE_WAGER} if is_missing else {},
        setup=setup,
        floor=floor,
        chosen=chosen,
        wagers=wagers,
        wager=find_game(game).wager(name) if chosen else None,
        readings=_readings(find_game(game), name) if chosen else (),
        contradictions=_contradictions(floor, setup, find_game(game), name) if chosen else {},
        rate_text=rate_text,
    )


def _readings(game: Game, wager: str) -> list[Switch]:
    """The switches by which a wager is read one way or the other where its letter contradicts itself."""
    return [game.switch(name) for name in game.reading_switches(wager)]


def _contradictions(floor: Floor, setup: JackpotSetup | None, game: Game, wager: str) -> dict[str, Contradiction]:
    """Both edges of each pay table whose letter contradicts itself: as set up, else with the letter's meter."""
    contradictions = {}
    for table in game.wager(wager).pay_tables:
        is_set_up = setup is not None and (setup.game, setup.wager, setup.pay_table) == (game.id, wager, table.id)
        both = both_readings(floor, setup) if setup is not None and is_set_up else None
        both = both or contradiction_of(choose(game, wager, pay_table=table.id))
        if both is not None:
            contradictions[table.id] = both
    return contradictions


@router.get("/manager/setup/link")
def link_form(request: Request, room: TheRoom, link: str = "") -> Response:
    floor = room.desk.floor()
    setup: Link | None = next((known for known in floor.links if known.id == link), None)
    if link and setup is None:
        raise unknown("link", link, [known.id for known in floor.links])
    return show(request, "setup_link.html", setup=setup, floor=floor)


@router.get("/manager/setup/house")
def house_form(request: Request, room: TheRoom) -> Response:
    return show(request, "setup_house.html", floor=room.desk.floor())


# Drafts


@router.post("/manager/setup/table")
async def draft_table(request: Request, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    part = None if form.is_ticked("remove") else table_data(form)
    data = with_links(with_part(await run_in_threadpool(room.desk.floor), "tables", form.text("old"), part))
    return await _review(request, visit, room, data)


@router.post("/manager/setup/jackpot")
async def draft_jackpot(request: Request, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    part = None if form.is_ticked("remove") else jackpot_data(form)
    data = with_links(with_part(await run_in_threadpool(room.desk.floor), "jackpots", form.text("old"), part))
    return await _review(request, visit, room, data)


@router.post("/manager/setup/link")
async def draft_link(request: Request, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    part = None if form.is_ticked("remove") else link_data(form)
    data = with_part(await run_in_threadpool(room.desk.floor), "links", form.text("old"), part)
    return await _review(request, visit, room, data)


@router.post("/manager/setup/house")
async def draft_house(request: Request, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    old = await run_in_threadpool(room.desk.floor)
    data = floor_data(old) | await run_in_threadpool(house_data, form, old)
    return await _review(request, visit, room, data)


@router.post("/manager/setup/upload")
async def draft_file(request: Request, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    floor = await _uploaded(form, room)
    return await _review(request, visit, room, floor_data(floor))


async def _uploaded(form: SentForm, room: Services) -> Floor:
    """The floor in a file, which is parsed in the process for other people's files."""
    sent = form.data.get("file")
    if not isinstance(sent, UploadFile) or not sent.filename:
        raise FieldError("File: choose a floor's file, TOML or JSON.", field="file", code="file_missing")
    try:
        text = (await sent.read()).decode()
    except UnicodeDecodeError:
        raise SpecError("File: it is not UTF-8 text. A floor's file is TOML or JSON.", code="unreadable_file") from None
    read = floor_from_json if sent.filename.endswith(".json") else floor_from_toml
    floor = await room.work.file(LONGEST_REVIEW_S, read, text)
    if floor is None:
        raise WebError("Files of others are read before yours. Ask again in a minute.", code="too_busy")
    room.work.forget(read, text)
    return floor


async def _review(request: Request, visit: Visit, room: Services, data: Data) -> Response:
    """What the draft would change and what the law says to it; the form to sign it, unless something forbids it."""
    assert visit.person is not None
    old, now = await run_in_threadpool(room.desk.floor), room.desk.clock()
    # A second signature is not known yet; what is checked of it is checked when it is there.
    new = await run_in_threadpool(partial(draft_of, data, old, at=now, by=visit.person.id))
    standing = await run_in_threadpool(_standing, room)
    texts = floor_to_json(old), floor_to_json(new)
    planned = await room.work.draft(LONGEST_REVIEW_S, planned_change, *texts, standing, now.date())
    if planned is None:
        raise WebError("The odds behind this draft take long. Ask again in a minute.", code="too_busy")
    return await run_in_threadpool(_reviewed, request, visit, room, old, new, planned)


def _reviewed(
    request: Request, visit: Visit, room: Services, old: Floor, new: Floor, planned: Change | tuple[Finding, ...]
) -> Response:
    is_change = isinstance(planned, Change)
    findings = planned.findings if isinstance(planned, Change) else planned
    fields = planned.fields if isinstance(planned, Change) else ()
    needs_two = isinstance(planned, Change) and requires_two_persons(planned)
    busy = [view.terminal.table for view in room.desk.tables() if view.terminal.phase == "locked"]
    touched = planned.tables if isinstance(planned, Change) else ()
    return show(
        request,
        "review_body.html" if is_partial(request) else "review.html",
        old=old,
        new=new,
        fields=fields,
        findings=findings,
        is_allowed=is_change and bool(fields),
        is_change=is_change,
        needs_two=needs_two,
        may_sign=visit.may(Right.CHANGE_MONEY if needs_two else Right.CHANGE_SETUP),
        busy=[table for table in touched if table in busy],
        draft=json.dumps(floor_data(new), ensure_ascii=False),
    )


# Signing


@router.post("/manager/setup/change")
def change(request: Request, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    """Puts the draft into force, signed by whoever is signed in and, for money, by a second card."""
    assert visit.person is not None
    reason = form.note("reason", "Reason")
    data = _draft(form)
    swipe = form.swipe_if_any("second", "Second card")
    second = present(room, caller_of(visit), swipe, what="approve a change", id=f"{id}/2") if swipe else None
    new = signed(data, by=visit.person.id, second=second.id if second else "", reason=reason)
    room.desk.change(Ask(id=id, by=visit.person), new, approved_by=second)
    return go(request, "/manager/setup?done=changed")


def _draft(form: SentForm) -> Data:
    try:
        data = parse_json(form.text("draft"), "draft")
    except SpecError:
        raise NotationError("The draft cannot be read. Start again from the setup page.", code="bad_draft") from None
    if not isinstance(data, dict):
        raise NotationError("The draft is not a setup. Start again from the setup page.", code="bad_draft")
    return data


@router.post("/manager/setup/open")
async def open_floor(request: Request, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom) -> Response:
    """Opens the first floor on an empty ledger: its jackpots stand at their seeds."""
    assert visit.person is not None
    floor = await _uploaded(form, room)
    await run_in_threadpool(room.desk.set_up, Ask(id=id, by=visit.person), floor)
    return go(request, "/manager/setup?done=opened")
