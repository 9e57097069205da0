"""Strategies of the main wagers: chosen by a bar of rules, computed apart from the server, and shown when they are
there; default rules come with the package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from croupier.errors import RangeError
from croupier.exact.strategy.sheet import is_at_hand
from croupier.reports.strategy.shown import ShownStrategy, shipped_strategy
from croupier.rules.choice import Choice, choose
from croupier.rules.spec import Game
from croupier.web.errors import WebError
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, is_partial
from croupier.web.pages.choosing import Query, decks_offered, fields_of, read_choice, read_query
from croupier.web.pages.reading.rules import PATIENCE_S, approved_game, made_page
from croupier.web.pages.reading.sheet import refuse_problems
from croupier.web.pages.reading.sheet_work import SheetAsk, ask_of
from croupier.web.pages.reading.strategy_work import (
    CARDS_PICKED,
    PICKED,
    Picked,
    pick_cards,
    pocket_card,
    strategy_shown,
)
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

FIELDS = ("pay_table", "decks")
CARD_PATIENCE_S = 20.0
CardForm = Literal["pdf", "png"]
MEDIA = {"pdf": "application/pdf", "png": "image/png"}
HEAT_STEPS = 8
COLDEST, HOTTEST = -0.8, 1.0
"""What a hand is worth at either end of the heat map."""


@dataclass(frozen=True, kw_only=True)
class AskedStrategy:
    """What an address asks for: rules, or what is wrong with them."""

    query: Query
    choice: Choice
    """The game's own rules where those asked for cannot be."""
    ask: SheetAsk | None

    @property
    def is_default(self) -> bool:
        return self.ask is not None and not self.query.written


def _asked(request: Request, game: Game) -> AskedStrategy:
    query = read_query({name: text for name, text in request.query_params.items() if name not in PICKED}, FIELDS, game)
    choice = read_choice(query, game, game.first_wager)
    if choice is None:
        return AskedStrategy(query=query, choice=choose(game, game.first_wager.id), ask=None)
    changed = Query(written=fields_of(choice))  # one set of rules has one address
    return AskedStrategy(query=changed, choice=choice, ask=ask_of(choice, "", effects=False))


@router.get("/strategy/{game}")
async def strategy(request: Request, game: str, room: TheRoom) -> Response:
    approved = approved_game(game)
    if not approved.is_decided:
        return await made_page(request, "reading/strategy_none.html", game=approved)
    asked = _asked(request, approved)
    shown = await _shown(room, asked)
    waits = None
    if asked.ask is not None and shown is None:
        waits = room.work.standing("sheets", strategy_shown, asked.ask)
    query = asked.query.with_fields()
    partial = is_partial(request) and not asked.query.problems
    answer = await made_page(
        request,
        "reading/strategy_sheet.html" if partial else "reading/strategy.html",
        status=422 if asked.query.problems else 200,
        game=approved,
        query=asked.query,
        choice=asked.choice,
        shown=shown,
        waits=waits,
        partial=partial,
        decks=decks_offered(approved),
        rules=query,
        address=f"/strategy/{approved.id}{query}",
        heat=heat_of,
        picks=_picks_of(approved),
        faces=CARDS_PICKED,
        chosen=dict(request.query_params),
        picked=await _picked(request, room, approved, asked) if not partial else None,
    )
    if partial:
        answer.headers["HX-Replace-Url"] = f"/strategy/{approved.id}{query}"
    return answer


async def _shown(room: Services, asked: AskedStrategy) -> ShownStrategy | None:
    if asked.ask is None:
        return None
    if asked.is_default:
        shipped = await run_in_threadpool(shipped_strategy, asked.ask.game)
        if shipped is not None:
            return shipped
    return await room.work.sheet(PATIENCE_S, strategy_shown, asked.ask)


def heat_of(value: float) -> int:
    """The step of the heat map on which a value stands."""
    share = (value - COLDEST) / (HOTTEST - COLDEST)
    return max(0, min(HEAT_STEPS, int(share * HEAT_STEPS)))


@dataclass(frozen=True, kw_only=True)
class Pick:
    """A card to be picked: the field, and what it is called."""

    field: str
    label: str


def _picks_of(game: Game) -> tuple[Pick, ...]:
    """The cards that decide what is done between two hands; none where nothing is."""
    program = game.declared.program
    names: tuple[str, ...]
    if program == "switch":
        names = ("Hand 1, first card", "Hand 1, second card", "Hand 2, first card", "Hand 2, second card")
    elif program == "flex":
        names = ("Hand 1", "Hand 2", "Flex card")
    else:
        return ()
    return (
        *(Pick(field=f"c{number}", label=name) for number, name in enumerate(names, 1)),
        Pick(field="up", label="Dealer's up card"),
    )


async def _picked(request: Request, room: Services, game: Game, asked: AskedStrategy) -> Picked | None:
    """What is worth more with the cards that are picked; None where none are."""
    picks = _picks_of(game)
    cards = tuple(request.query_params.get(pick.field, "") for pick in picks)
    if not picks or asked.ask is None or not all(cards):
        return None
    for card in cards:
        if card not in CARDS_PICKED:
            raise RangeError(f'"{card}" is not a card to pick: {", ".join(CARDS_PICKED)}.', code="bad_field")
    if await run_in_threadpool(is_at_hand, asked.choice):  # read, not solved: the server itself may
        return await run_in_threadpool(pick_cards, asked.ask, cards)
    return await room.work.sheet(PATIENCE_S, pick_cards, asked.ask, cards)


@router.get("/strategy/{game}/cards")
async def cards(request: Request, game: str, room: TheRoom) -> Response:
    """The part of the page that says what to do with the cards that are picked."""
    approved = approved_game(game)
    asked = _asked(request, approved)
    refuse_problems(asked.query)
    return await made_page(
        request,
        "reading/strategy_answer.html",
        game=approved,
        picked=await _picked(request, room, approved, asked),
        picks=_picks_of(approved),
        faces=CARDS_PICKED,
        chosen=dict(request.query_params),
        rules=asked.query.with_fields(),
        query=asked.query,
    )


@router.get("/strategy/{game}/card/{form}")
async def card(request: Request, game: str, form: CardForm, room: TheRoom) -> Response:
    """A pocket card of the charts, to print or to send."""
    approved = approved_game(game)
    asked = _asked(request, approved)
    refuse_problems(asked.query)
    assert asked.ask is not None
    content = await room.work.sheet(CARD_PATIENCE_S, pocket_card, asked.ask, form)
    if content is None:
        raise WebError("The strategy is still being computed. Ask again in a minute.", code="too_busy")
    room.work.forget(pocket_card, asked.ask, form)
    headers = {"Content-Disposition": f'attachment; filename="{approved.id}-strategy.{form}"'}
    return Response(content, media_type=MEDIA[form], headers=headers)
