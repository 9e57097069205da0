"""Strategies of the main wagers: chosen by a form, computed apart from the server, and shown when they are there."""

from __future__ import annotations

from fractions import Fraction

from fastapi import APIRouter, Request, Response

from croupier.reports.formatting import ACTIONS, part_words, percent
from croupier.rules.choice import choose
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, is_partial
from croupier.web.pages.choosing import check_decks, decks_offered, decks_text
from croupier.web.pages.reading.rules import PATIENCE_S, approved_game, made_page
from croupier.web.pages.reading.work import strategy_sheet

router = APIRouter(route_class=PageRoute)

MOST_EXCEPTIONS = 40


@router.get("/strategy/{game}")
async def strategy(request: Request, game: str, room: TheRoom, pay_table: str = "", decks: str = "") -> Response:
    found = approved_game(game)
    if not found.is_decided:
        return await made_page(request, "reading/strategy_none.html", game=found)
    if decks:
        check_decks(found, decks)
    choice = choose(found, found.first_wager.id, pay_table=pay_table or None, decks=decks or None)
    asked = (found.id, choice.pay_table.id if choice.wager.pay_tables else "", decks_text(choice))
    return await made_page(
        request,
        "reading/strategy_sheet.html" if is_partial(request) else "reading/strategy.html",
        game=found,
        choice=choice,
        data=await room.work.sheet(PATIENCE_S, strategy_sheet, *asked),
        decks=decks_offered(found),
        address=_address(request),
        part_words=part_words,
        actions=ACTIONS,
        most_exceptions=MOST_EXCEPTIONS,
        percent=_percent,
    )


def _percent(value: float, decimals: int = 4) -> str:
    return percent(Fraction(value), decimals)


def _address(request: Request) -> str:
    """Of this very page, to look again."""
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path
