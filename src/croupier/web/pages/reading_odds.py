"""Exact odds and strategies: chosen by a form, computed apart from the server, and shown when they are there."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from fractions import Fraction
from typing import Any

from fastapi import APIRouter, Request, Response

from croupier.errors import RangeError, unknown
from croupier.reports.words import ACTIONS, FIGURES, PARTS, VERDICTS, one_in, percent, rounded
from croupier.rules.choice import SEAT_SIDES, Choice, choose
from croupier.rules.spec import Game, Wager
from croupier.web.guard import TheRoom
from croupier.web.pages.frame import PageRoute, is_partial
from croupier.web.pages.reading import PATIENCE_S, approved_game, made_page
from croupier.web.pages.reading_sheets import strategy_sheet, wager_edge, wager_odds

router = APIRouter(route_class=PageRoute)

ENDLESS = "inf"
MOST_EXCEPTIONS = 40
MOST_READABLE = 10**16
"""Combinations beyond this many say nothing to a reader."""


def _percent(value: float, decimals: int = 4) -> str:
    return percent(Fraction(value), decimals)


def _signed(value: float, decimals: int = 6) -> str:
    text = rounded(Fraction(value), decimals)
    return text if text.startswith("-") else f"+{text}"


def _money(dollars: str) -> str:
    return f"${Decimal(dollars):,}"


WORDS: dict[str, Any] = {
    "money": _money,
    "percent": _percent,
    "signed": _signed,
    "one_in": lambda probability: one_in(Fraction(probability)),
    "figures": FIGURES,
    "verdicts": VERDICTS,
    "most_readable": MOST_READABLE,
}


@router.get("/odds/{game}")
async def odds_of_game(request: Request, game: str, room: TheRoom) -> Response:
    """Every wager of a game with its edge."""
    found = approved_game(game)
    quick_first = sorted(found.wagers, key=lambda wager: wager.kind == "main" and not wager.classifiers)
    edges = await asyncio.gather(
        *(room.work.sheet(PATIENCE_S, wager_edge, found.id, wager.id) for wager in quick_first)
    )
    known = {wager.id: edge for wager, edge in zip(quick_first, edges, strict=True) if edge is not None}
    choices = {wager.id: choose(found, wager.id) for wager in found.wagers}
    template = "odds_wagers.html" if is_partial(request) else "odds.html"
    return await made_page(request, template, game=found, edges=known, choices=choices)


@router.get("/odds/{game}/{wager}")
async def odds_of_wager(
    request: Request, game: str, wager: str, room: TheRoom, pay_table: str = "", decks: str = "", side: str = ""
) -> Response:
    found = approved_game(game)
    choice = _choice(found, found.wager(wager), pay_table, decks, side)
    data = await room.work.sheet(PATIENCE_S, wager_odds, *_asked(choice), _side_of(choice))
    return await made_page(
        request,
        "odds_sheet.html" if is_partial(request) else "odds_wager.html",
        game=found,
        wager=choice.wager,
        choice=choice,
        data=data,
        decks=_decks_offered(found),
        sides=SEAT_SIDES if choice.side in SEAT_SIDES and choice.wager.hand == "seat" else (),
        address=_address(request),
        **WORDS,
    )


@router.get("/strategy/{game}")
async def strategy(request: Request, game: str, room: TheRoom, pay_table: str = "", decks: str = "") -> Response:
    found = approved_game(game)
    if found.family != "blackjack":
        return await made_page(request, "strategy_none.html", game=found)
    choice = _choice(found, found.wager("main"), pay_table, decks, "")
    asked = _asked(choice)
    return await made_page(
        request,
        "strategy_sheet.html" if is_partial(request) else "strategy.html",
        game=found,
        choice=choice,
        data=await room.work.sheet(PATIENCE_S, strategy_sheet, asked[0], *asked[2:]),
        decks=_decks_offered(found),
        address=_address(request),
        parts=PARTS,
        actions=ACTIONS,
        most_exceptions=MOST_EXCEPTIONS,
        **WORDS,
    )


def _choice(game: Game, wager: Wager, pay_table: str, decks: str, side: str) -> Choice:
    """The choice that a form asks for. Empty fields take the defaults; only the letter's decks and an endless shoe can
    be had here, as each of them may take half a minute."""
    if decks and decks not in _decks_offered(game):
        accepted = ", ".join(_decks_offered(game))
        raise RangeError(f'"{decks}" decks cannot be had on this page. Accepted: {accepted}.', code="bad_decks")
    if side and side not in SEAT_SIDES:
        raise unknown("side", side, SEAT_SIDES)
    return choose(game, wager.id, pay_table=pay_table or None, decks=decks or None, side=side or None)


def _asked(choice: Choice) -> tuple[str, str, str, str]:
    decks = str(choice.decks) if choice.decks is not None else ENDLESS
    pay_table = choice.pay_table.id if choice.wager.pay_tables else ""
    return choice.game.id, choice.wager.id, pay_table, decks


def _side_of(choice: Choice) -> str:
    """The side as it is asked for; where either side's win pays there is nothing to ask."""
    return choice.side if choice.wager.hand == "seat" and choice.side in SEAT_SIDES else ""


def _decks_offered(game: Game) -> list[str]:
    return [*(str(number) for number in game.decks), ENDLESS]


def _address(request: Request) -> str:
    """Of this very page, to look again."""
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path
