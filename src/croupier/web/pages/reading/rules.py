"""Rules, published figures and what this program is: pages to read, which need no scripts."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from croupier.errors import unknown
from croupier.floor.law import LAST_SEEN, LAST_SEEN_ADDRESS, law_rows
from croupier.floor.names import cited
from croupier.hall.example import example_round
from croupier.reports.documentation.game import head_blocks, reading_blocks, rules_blocks, switches_table
from croupier.reports.documentation.titles import titles_report
from croupier.reports.formatting import VERDICTS
from croupier.reports.published import verdict_counts
from croupier.reports.report import Cell, Row, Table
from croupier.rules import find_game, game_ids
from croupier.rules.loader import find_jurisdiction
from croupier.rules.registry import is_offered, played_as, unknown_game
from croupier.rules.spec import Game
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, is_partial, page
from croupier.web.pages.reading.work import checked_figures

router = APIRouter(route_class=PageRoute)

PATIENCE_S = 1.0
"""How long a page is held back for figures; after that it says that they are being computed."""


def approved_game(wanted: str) -> Game:
    """A game of the approved list; a name is never taken for a file's."""
    if not is_offered(wanted):
        raise unknown_game(wanted, game_ids())
    return find_game(wanted)


def approved_games() -> list[Game]:
    """Ours, those with a letter first."""
    return sorted(map(find_game, game_ids()), key=lambda game: not game.source.is_letter)


FAMILIES = ("blackjack", "poker")
"""Those that have a heading of their own, in order; the others share one."""


def is_side_bet(game: Game) -> bool:
    """Whether a title is a side bet beside a game that is on the list anyway."""
    return bool(game.declared.questions) and played_as(game).id != game.id


def by_family(games: list[Game]) -> list[tuple[str, list[Game]]]:
    """Games under headings, titles that are a side bet behind the games that they lie beside."""
    beside = [game for game in games if is_side_bet(game)]
    headed = [(name.capitalize(), [game for game in games if game.family == name]) for name in FAMILIES]
    others = [game for game in games if game.family not in FAMILIES]
    whole = [(heading, [game for game in members if game not in beside]) for heading, members in headed]
    listed = [*whole[:1], ("Blackjack with a side bet", beside), *whole[1:], ("Baccarat and others", others)]
    return [(heading, members) for heading, members in listed if members]


async def made_page(request: Request, template: str, **context: Any) -> Response:
    """A page of an endpoint that waited: large tables are not written while others wait for the server."""
    return await run_in_threadpool(partial(page, request, template, **context))


@router.get("/rules")
def rules(request: Request) -> Response:
    return page(request, "reading/rules.html", families=by_family(approved_games()))


@router.get("/rules/{game}")
def rules_of(request: Request, game: str, room: TheRoom) -> Response:
    approved = approved_game(game)
    today = room.desk.clock().date()
    return page(
        request,
        "reading/rules_game.html",
        game=approved,
        head=list(head_blocks(approved))[1:],  # without the summary, which leads the page
        example=example_round(approved.id, today),
        names={wager.id: wager.name for wager in approved.wagers},
        blocks=rules_blocks(approved),
        switches=switches_table(approved),
        readings=reading_blocks(approved),
        law=law_of_the_day(approved, today),
        today=today,
    )


def law_of_the_day(game: Game, day: date) -> list[tuple[str, date, str]]:
    """What the law limits for this game on a day: the amount, since when, and who says so with its address."""
    law = find_jurisdiction(game.jurisdiction)
    limit = law.single_wager_limit(day) if law is not None else None
    if limit is None:
        return []
    return [(f"${limit.dollars:,}", limit.since, cited(f"{limit.source} [{limit.mark}]"))]


@router.get("/titles")
def titles(request: Request) -> Response:
    return page(request, "reading/titles.html", report=titles_report("/rules/{}"))


@router.get("/check")
async def check(request: Request, room: TheRoom, verdict: str = "", game: str = "") -> Response:
    """Each game is recomputed on its own, so that the page fills while it waits. What differs comes first."""
    games = [known for known in approved_games() if known.published]
    if verdict and verdict not in VERDICTS:
        raise unknown("verdict", verdict, VERDICTS)
    if game and game not in (names := [known.id for known in games]):
        raise unknown("game", game, names, " with published figures")
    tables = await asyncio.gather(*(room.work.aside(PATIENCE_S, checked_figures, known.id) for known in games))
    checked = {known.id: answer for known, answer in zip(games, tables, strict=True) if answer is not None}
    every = [found for _, verdicts in checked.values() for found in verdicts]
    done = {name: arranged(table, verdict) for name, (table, _) in checked.items()}
    wanted = [known for known in games if game in ("", known.id)]
    return await made_page(
        request,
        "reading/check_body.html" if is_partial(request) else "reading/check.html",
        games=games,
        # Of the same number of differences those with a letter stay first.
        shown=sorted(wanted, key=lambda known: -checked[known.id][1].count("differs") if known.id in checked else 0),
        silent=[known for known in approved_games() if not known.published] if not (verdict or game) else [],
        done=done,
        figures=sum(len(known.published) for known in games),
        counts=verdict_counts(every),
        differ=every.count("differs"),
        verdicts=VERDICTS,
        verdict=verdict,
        game=game,
    )


def arranged(table: Table, verdict: str) -> tuple[Table, Table, tuple[str, ...]]:
    """A game's figures that differ, with what was found about them, and the others, or those of one verdict alone;
    and apart how each z comes about."""

    def verdict_of(row: Row) -> str:
        last = row.cells[-1]
        return last.style if isinstance(last, Cell) else ""

    order = ("differs", "not_computed", "within_simulation_error", "equal")
    rows = sorted(
        (row for row in table.rows if verdict in ("", verdict_of(row))), key=lambda r: order.index(verdict_of(r))
    )
    differing = tuple(row for row in rows if verdict_of(row) in order[:2])
    agreeing = tuple(row for row in rows if verdict_of(row) not in order[:2])
    findings = tuple(note for note in table.notes if note.startswith("["))
    formulas = tuple(note for note in table.notes if not note.startswith("["))
    return (
        replace(table, rows=differing, notes=findings),
        replace(table, rows=agreeing, notes=() if differing else findings),
        formulas,
    )


@router.get("/about")
def about(request: Request, room: TheRoom) -> Response:
    sources: dict[str, list[str]] = {}
    for section, address in sorted({(row.section, row.address) for row in law_rows() if row.address and row.step}):
        sources.setdefault(section, []).append(address)
    return page(
        request,
        "reading/about.html",
        entries=room.book.head()[0],
        games=approved_games(),
        sources=sources,
        last_seen=LAST_SEEN,
        last_seen_address=LAST_SEEN_ADDRESS,
    )
