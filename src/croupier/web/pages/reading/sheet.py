"""Odds sheets (PAR sheets): of a wager, and of all wagers of a game as a booklet; as pages and as files."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from croupier.errors import CroupierError, RangeError
from croupier.exact.check import is_played
from croupier.exact.odds import MeterWish, parse_meter_wish
from croupier.reports.report import Block, Column, Table
from croupier.reports.sheet.files import Form
from croupier.reports.sheet.fill import booklet_choices
from croupier.rules.choice import SEAT_SIDES, Choice, OddsRequest
from croupier.rules.spec import Game, Wager
from croupier.web.errors import WebError
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, is_partial
from croupier.web.pages.choosing import (
    CHOICE_FIELDS,
    Query,
    check_decks,
    decks_offered,
    read_choice,
    read_query,
    read_switches,
    sides_of,
)
from croupier.web.pages.lab.form import lab_address
from croupier.web.pages.reading.rules import PATIENCE_S, approved_game, made_page
from croupier.web.pages.reading.sheet_work import (
    METER_FIELDS,
    SheetAsk,
    ask_of,
    booklet_as_file,
    sheet_as_file,
    sheet_shown,
)
from croupier.web.services import Services
from croupier.web.work.processes import Standing

router = APIRouter(route_class=PageRoute)

EFFECTS, DECIMALS = "effects", "decimals"
DECIMALS_OFFERED = ("2", "3", "4", "6", "8", "10", "12")
FEWEST_DECIMALS = 3
"""Columns with fewer are money or counts."""
PAY_TABLE = "pay_table."
"""Of a booklet: before the name of the wager whose pay table it is."""
FILE_PATIENCE_S = 20.0
MEDIA = {"pdf": "application/pdf", "csv": "text/csv; charset=utf-8", "json": "application/json"}
_METER_PROBLEMS = {"bad_rate": "contribution", "bad_amount": "seed"}
"""Fields of problems that only the whole of the settings shows."""


@dataclass(frozen=True, kw_only=True)
class AskedSheet:
    """What an address asks for: the sheet, or what is wrong with it."""

    query: Query
    choice: Choice | None
    ask: SheetAsk | None
    """None where there are problems."""


def asked_sheet(request: Request, game: Game, wager: Wager) -> AskedSheet:
    """The sheet that an address asks for."""
    query = read_query(request.query_params, (*CHOICE_FIELDS, *METER_FIELDS, EFFECTS, DECIMALS), game)
    choice = read_choice(query, game, wager)
    query.check(EFFECTS, _yes_or_no)
    query.check(DECIMALS, _decimals)
    meter = _meter_fields(query, choice)
    if choice is None or query.problems:
        return AskedSheet(query=query, choice=choice, ask=None)
    ask = ask_of(choice, query.get("side"), effects=_with_effects(query, choice), meter=meter)
    return AskedSheet(query=query, choice=choice, ask=ask)


def _yes_or_no(text: str) -> None:
    if text not in ("yes", "no"):
        raise RangeError(f'"{text}" is neither yes nor no.', code="bad_field")


def _decimals(text: str) -> None:
    if text not in DECIMALS_OFFERED:
        raise RangeError(
            f'"{text}" decimals cannot be shown. Accepted: {", ".join(DECIMALS_OFFERED)}.', code="bad_field"
        )


def with_decimals(blocks: Iterable[Block], query: Query) -> list[Block]:
    """Tables with so many decimals where a number has some, as the address asks; the figures themselves are exact."""
    wanted = query.get(DECIMALS)
    if not wanted or DECIMALS in query.problems:
        return list(blocks)

    def column(of: Column) -> Column:
        return replace(of, digits=int(wanted)) if of.digits >= FEWEST_DECIMALS else of

    return [
        replace(block, columns=tuple(map(column, block.columns))) if isinstance(block, Table) else block
        for block in blocks
    ]


def _meter_fields(query: Query, choice: Choice | None) -> tuple[tuple[str, str], ...]:
    """The settings of the meter that are asked for, as typed."""
    fields = []
    for name in METER_FIELDS:
        text = query.check(name, partial(_meter_wish, name))
        if text is None:
            continue
        if choice is not None and choice.pay_table.jackpot is None:
            query.problems[name] = f'"{choice.wager.id}" is not a progressive: it has no {name}.'
        fields.append((name, text))
    return tuple(fields)


def _meter_wish(name: str, text: str) -> MeterWish:
    return parse_meter_wish(dict.fromkeys(METER_FIELDS) | {name: text})


def _takes_minutes(choice: Choice) -> bool:
    """Whether what other rules would do takes half a minute for each of them."""
    return is_played(choice) and choice.game.declared.hands > 1


def _work_for(room: Services, *asks: SheetAsk) -> Callable[..., Awaitable[Any]]:
    """What takes minutes is computed where nothing else waits for it."""
    return room.work.slow if any(map(_is_slow, asks)) else room.work.sheet


def _is_slow(ask: SheetAsk) -> bool:
    return ask.effects and _takes_minutes(ask.choice())


def _standing(room: Services, ask: SheetAsk) -> Standing | None:
    return room.work.standing("slow" if _is_slow(ask) else "sheets", sheet_shown, ask)


def _with_effects(query: Query, choice: Choice) -> bool:
    return query.get(EFFECTS, "no" if _takes_minutes(choice) else "yes") == "yes"


@router.get("/sheet/{game}")
async def booklet(request: Request, game: str, room: TheRoom) -> Response:
    """The sheets of all wagers, each of which comes when it is made."""
    approved = approved_game(game)
    query, choices, asks = _booklet(request, approved)
    in_line = sorted(asks, key=lambda ask: is_played(ask.choice()))  # what is solved comes last
    sheets = await asyncio.gather(*(_work_for(room, ask)(PATIENCE_S, sheet_shown, ask) for ask in in_line))
    shown = {ask.wager: sheet for ask, sheet in zip(in_line, sheets, strict=True) if sheet is not None}
    return await made_page(
        request,
        "reading/booklet_body.html" if is_partial(request) and not query.problems else "reading/booklet.html",
        status=422 if query.problems else 200,
        game=approved,
        query=query,
        choices=choices,
        sheets=shown,
        waits=next(filter(None, (_standing(room, ask) for ask in in_line if ask.wager not in shown)), None),
        sides=SEAT_SIDES if any(map(sides_of, choices)) else (),
        addresses={choice.wager.id: _sheet_address(choice, query) for choice in choices},
        address=f"{request.url.path}{query.with_fields()}",
        file_address=lambda form: f"{request.url.path}/booklet/{form}{query.with_fields(decimals='')}",
        in_decimals=partial(with_decimals, query=query),
        **_form_words(approved),
    )


def _booklet(request: Request, game: Game) -> tuple[Query, list[Choice], tuple[SheetAsk, ...]]:
    """What the sheets are of; at the letter's own rules where those asked for cannot be."""
    tables = {wager.id: f"{PAY_TABLE}{wager.id}" for wager in game.wagers if wager.pay_tables}
    query = read_query(request.query_params, (*tables.values(), "decks", "side", EFFECTS, DECIMALS), game)
    query.check(EFFECTS, _yes_or_no)
    query.check(DECIMALS, _decimals)
    pay_tables = {wager: query.check(name, game.wager(wager).pay_table) for wager, name in tables.items()}
    settings = read_switches(query, game)
    decks = query.check("decks", partial(check_decks, game))
    try:
        choices = booklet_choices(
            game,
            OddsRequest(game=game.id, decks=decks, side=query.get("side") or None, settings=tuple(settings.items())),
            {wager: table for wager, table in pay_tables.items() if table is not None},
        )
    except CroupierError as error:
        query.problems["side"] = str(error)
    if query.problems:
        return query, booklet_choices(game, OddsRequest(game=game.id), {}), ()
    asks = (ask_of(choice, query.get("side"), effects=_with_effects(query, choice)) for choice in choices)
    return query, choices, tuple(asks)


def _sheet_address(choice: Choice, query: Query) -> str:
    """The sheet of one wager of a booklet, under the booklet's rules."""
    wager = choice.wager
    shared = {name: text for name, text in query.written.items() if not name.startswith(PAY_TABLE)}
    if wager.hand != "seat":
        shared.pop("side", None)
    table = {"pay_table": choice.pay_table.id} if query.get(f"{PAY_TABLE}{wager.id}") else {}
    return f"/sheet/{choice.game.id}/{wager.id}{Query(written=table | shared).with_fields()}"


@router.get("/sheet/{game}/booklet/{form}")
async def booklet_file(request: Request, game: str, form: Form, room: TheRoom) -> Response:
    approved = approved_game(game)
    query, _, asks = _booklet(request, approved)
    refuse_problems(query)
    content = await _work_for(room, *asks)(FILE_PATIENCE_S, booklet_as_file, asks, form)
    answer = _file(content, approved.id, form)
    room.work.forget(booklet_as_file, asks, form)
    return answer


@router.get("/sheet/{game}/{wager}")
async def sheet(request: Request, game: str, wager: str, room: TheRoom) -> Response:
    approved = approved_game(game)
    question = asked_sheet(request, approved, approved.wager(wager))
    data = None
    if question.ask is not None:
        try:
            data = await _work_for(room, question.ask)(PATIENCE_S, sheet_shown, question.ask)
        except CroupierError as error:
            if error.code not in _METER_PROBLEMS:
                raise
            question.query.problems[_METER_PROBLEMS[error.code]] = str(error)
    problems = question.query.problems
    defaults = question.choice or _default_choice(approved, wager)
    return await made_page(
        request,
        "reading/sheet_part.html" if is_partial(request) and not problems else "reading/sheet.html",
        status=422 if problems else 200,
        game=approved,
        choice=defaults,
        wager=defaults.wager,
        query=question.query,
        effects=question.ask is not None and question.ask.effects,
        data=data,
        waits=_standing(room, question.ask) if question.ask is not None and data is None else None,
        sides=sides_of(defaults),
        address=f"{request.url.path}{question.query.with_fields()}",
        with_effects=f"{request.url.path}{question.query.with_fields(effects='yes')}",
        minutes=_takes_minutes(defaults),
        what_if=_what_if_address(defaults, question.query),
        lab_address=lab_address(defaults),
        plots_address=f"/plots/{approved.id}/{wager}{question.query.with_fields(decimals='')}",
        file_address=lambda form: f"{request.url.path}/{form}{question.query.with_fields(decimals='')}",
        in_decimals=partial(with_decimals, query=question.query),
        **_form_words(approved),
    )


@router.get("/sheet/{game}/{wager}/{form}")
async def sheet_in_a_file(request: Request, game: str, wager: str, form: Form, room: TheRoom) -> Response:
    approved = approved_game(game)
    question = asked_sheet(request, approved, approved.wager(wager))
    refuse_problems(question.query)
    assert question.ask is not None
    content = await _work_for(room, question.ask)(FILE_PATIENCE_S, sheet_as_file, question.ask, form)
    answer = _file(content, "-".join(part for part in (approved.id, wager, question.ask.pay_table) if part), form)
    room.work.forget(sheet_as_file, question.ask, form)
    return answer


def _what_if_address(choice: Choice, query: Query) -> str:
    """The what-if of this very meter, whose fields have the names of `croupier meter`."""
    names = {"seed": "seed_amount", "meter": "start"}
    written = {names.get(name, name): text for name, text in query.written.items() if name not in (EFFECTS, DECIMALS)}
    fields = {"wager": f"{choice.game.id}/{choice.wager.id}"} | written | {"pay_table": choice.pay_table.id}
    return f"/lab/meter{Query(written=fields).with_fields()}"


def _default_choice(game: Game, wager: str) -> Choice:
    choice = read_choice(Query(written={}), game, game.wager(wager))
    assert choice is not None
    return choice


def _form_words(game: Game) -> dict[str, Any]:
    return {"decks": decks_offered(game), "pay_table_prefix": PAY_TABLE, "decimals": DECIMALS_OFFERED}


def refuse_problems(query: Query) -> None:
    if query.problems:
        sentences = " ".join(f"{name}: {sentence}" for name, sentence in query.problems.items())
        raise RangeError(sentences, code="bad_field")


def _file(content: bytes | None, name: str, form: Form) -> Response:
    if content is None:
        raise WebError("The sheet is still being computed. Ask again in a minute.", code="too_busy")
    kept = name.replace(":", "_").replace("%", "")  # no file of Windows has a colon in its name
    headers = {"Content-Disposition": f'attachment; filename="{kept}.{form}"'}
    return Response(content, media_type=MEDIA[form], headers=headers)


@router.get("/odds/{game}")
@router.get("/odds/{game}/{wager}")
def old_address(request: Request) -> Response:
    """Where sheets were before; links to them are kept."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/sheet{request.url.path.removeprefix('/odds')}{query}", 301)
