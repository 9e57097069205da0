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
    approved = approved_game(game)
    question = asked_sheet(request, approved, approved.wager(wager))
    refuse_problems(question.query)
    assert question.ask is not None
    ask = replace(question.ask, effects=False)
    plots = await room.work.sheet(PATIENCE_S, wager_plots, ask)
    query = question.query.with_fields()
    return await made_page(
        request,
        "reading/plots_part.html" if is_partial(request) else "reading/plots.html",
        game=approved,
        wager=approved.wager(wager),
        plots=plots,
        waits=room.work.standing("sheets", wager_plots, ask) if plots is None else None,
        address=f"{request.url.path}{query}",
        sheet_address=f"/sheet/{approved.id}/{wager}{query}",
    )
