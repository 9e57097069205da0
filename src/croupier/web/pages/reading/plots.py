"""The plots of a wager: a page of their own, and the part that an odds sheet loads once it is there."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Request, Response

from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, is_partial
from croupier.web.pages.reading.plots_work import wager_plots
from croupier.web.pages.reading.rules import PATIENCE_S, approved_game, made_page
from croupier.web.pages.reading.sheet import asked_sheet, refuse_problems

router = APIRouter(route_class=PageRoute)


@router.get("/plots/{game}/{wager}")
async def plots(request: Request, game: str, wager: str, room: TheRoom) -> Response:
    """Asked for like the sheet of the wager, by the same fields."""
    found = approved_game(game)
    asked = asked_sheet(request, found, found.wager(wager))
    refuse_problems(asked.query)
    assert asked.ask is not None
    made = await room.work.sheet(PATIENCE_S, wager_plots, replace(asked.ask, effects=False))
    query = asked.query.with_fields()
    return await made_page(
        request,
        "reading/plots_part.html" if is_partial(request) else "reading/plots.html",
        game=found,
        wager=found.wager(wager),
        plots=made,
        address=f"{request.url.path}{query}",
        sheet_address=f"/sheet/{found.id}/{wager}{query}",
    )
