"""Rules, published figures and what this program is: pages to read, which need no scripts."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from datetime import date
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from markupsafe import Markup, escape
from starlette.concurrency import run_in_threadpool

from croupier.errors import unknown
from croupier.floor.law import LAST_SEEN, LAST_SEEN_ADDRESS, law_rows
from croupier.floor.names import cited
from croupier.reports.documentation.document import Block, Heading, Listing, Paragraph, TableBlock
from croupier.reports.documentation.game import head_blocks, reading_blocks, rules_blocks, switches_table
from croupier.reports.formatting import VERDICTS, Z_TEXT, verdict_count
from croupier.rules import find_game, game_ids
from croupier.rules.loader import find_jurisdiction
from croupier.rules.spec import Game
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, is_partial, page
from croupier.web.pages.reading.work import checked_figures

router = APIRouter(route_class=PageRoute)

PATIENCE_S = 1.0
"""How long a page is held back for figures; after that it says that they are being computed."""
_BOLD, _CODE, _EM = (re.compile(pattern) for pattern in (r"\*\*(.+?)\*\*", r"`(.+?)`", r"\*(.+?)\*"))


def approved_game(wanted: str) -> Game:
    """A game of the approved list; a name is never taken for a file's."""
    if wanted not in game_ids():
        raise unknown("game", wanted, game_ids())
    return find_game(wanted)


def approved_games() -> list[Game]:
    return [find_game(name) for name in game_ids()]


def inline(text: str) -> Markup:
    """The marks that `reports.document` allows inside a text, as HTML; all else is text."""
    safe = str(escape(text)).replace("&lt;br&gt;", "<br>")
    safe = _CODE.sub(r"<code>\1</code>", safe)
    safe = _EM.sub(r"<em>\1</em>", _BOLD.sub(r"<strong>\1</strong>", safe))
    return Markup(safe)


def kind_of(block: Block) -> str:
    """Which block a template has before it."""
    return {Heading: "heading", Paragraph: "paragraph", Listing: "listing", TableBlock: "table"}[type(block)]


async def made_page(request: Request, template: str, **context: Any) -> Response:
    """A page of an endpoint that waited: large tables are not written while others wait for the server."""
    return await run_in_threadpool(partial(page, request, template, **context))


@router.get("/rules")
def rules(request: Request) -> Response:
    return page(request, "reading/rules.html", games=approved_games())


@router.get("/rules/{game}")
def rules_of(request: Request, game: str, room: TheRoom) -> Response:
    found = approved_game(game)
    today = room.desk.clock().date()
    return page(
        request,
        "reading/rules_game.html",
        game=found,
        head=list(head_blocks(found)),
        blocks=list(rules_blocks(found)),
        switches=switches_table(found),
        readings=list(reading_blocks(found)),
        law=law_of_the_day(found, today),
        today=today,
        inline=inline,
        kind_of=kind_of,
    )


def law_of_the_day(game: Game, day: date) -> list[tuple[str, str, str]]:
    """What the law limits for this game on a day: the amount, since when, and who says so with its address."""
    law = find_jurisdiction(game.jurisdiction)
    limit = law.single_wager_limit(day) if law is not None else None
    if limit is None:
        return []
    return [(f"${limit.dollars:,}", limit.since.isoformat(), cited(f"{limit.source} [{limit.mark}]"))]


@router.get("/check")
async def check(request: Request, room: TheRoom) -> Response:
    """Each game is recomputed on its own, so that the page fills while it waits."""
    games = [game for game in approved_games() if game.published]
    found = await asyncio.gather(*(room.work.aside(PATIENCE_S, checked_figures, game.id) for game in games))
    done = {game.id: rows for game, rows in zip(games, found, strict=True) if rows is not None}
    every = [row for rows in done.values() for row in rows]
    counts = Counter(row["verdict"] for row in every)
    return await made_page(
        request,
        "reading/check_body.html" if is_partial(request) else "reading/check.html",
        games=games,
        silent=[game for game in approved_games() if not game.published],
        done=done,
        z_meaning=Z_TEXT,
        figures=sum(len(game.published) for game in games),
        counts=[verdict_count(name, counts[name]) for name in VERDICTS if counts[name]],
    )


@router.get("/about")
def about(request: Request, room: TheRoom) -> Response:
    sources = sorted({(row.section, row.address) for row in law_rows() if row.address and row.step})
    return page(
        request,
        "reading/about.html",
        entries=room.book.head()[0],
        games=approved_games(),
        sources=sources,
        last_seen=LAST_SEEN,
        last_seen_address=LAST_SEEN_ADDRESS,
    )
