"""The lobby: every approved game, the tables of the floor, and the jackpots with their meters."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from croupier.errors import CroupierError, IllegalActionError, LedgerError
from croupier.floor.checks.play import is_closed
from croupier.floor.meters import Meter
from croupier.floor.roles import Right
from croupier.floor.setup import Floor, JackpotSetup, TableSetup
from croupier.hall.guests import game_of_own
from croupier.hall.hall import is_own
from croupier.hall.turns import waited_for
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules import find_game
from croupier.rules.spec import Game, Wager
from croupier.store.base import PLAY_FAILED
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, TheVisit, Visit, render
from croupier.web.pages.play.buttons import CHIPS
from croupier.web.pages.play.table_drawing import drawing_of
from croupier.web.pages.reading.rules import approved_game, approved_games, by_family, is_side_bet, made_page
from croupier.web.pages.reading.work import shipped_edge, wager_edge
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

log = logging.getLogger("croupier.web")

PATIENCE_S = 0.25
"""The lobby is not held back for longer than this; edges that are not there yet fill in."""


@dataclass(frozen=True, kw_only=True)
class Shared:
    """A table that the software deals, as the lobby shows it."""

    setup: TableSetup
    game: str
    first_wager: str
    people: tuple[str, ...]
    seats: int
    standing: str


@dataclass(frozen=True, kw_only=True)
class Pot:
    """A jackpot on display."""

    setup: JackpotSetup
    meter: Meter
    entry: int
    tables: tuple[TableSetup, ...]


@dataclass(frozen=True, kw_only=True)
class LobbyFloor:
    """What the lobby shows of the floor; nothing of it where no floor is set up."""

    name: str = ""
    shared: tuple[Shared, ...] = ()
    play_fails: bool = False
    """The shared tables cannot be read now."""
    by_hand: tuple[tuple[TableSetup, str], ...] = ()
    pots: tuple[Pot, ...] = ()

    @property
    def subjects(self) -> str:
        """What the page hears of."""
        meters = ["of=meters"] if self.pots else []
        return "&".join([*meters, *(f"of=play:{table.setup.id}" for table in self.shared)])


@router.get("/")
async def lobby(request: Request, room: TheRoom, visit: TheVisit) -> Response:
    """On a real floor amounts are for its signs and for staff, here as there."""
    games = approved_games()
    sees_meters = room.demo or visit.may(Right.SEE_TABLE)
    hall, edges, last = await asyncio.gather(
        run_in_threadpool(_hall, room, sees_meters=sees_meters),
        _edges(room, games),
        run_in_threadpool(_last_played, room, visit),
    )
    return await made_page(
        request,
        "play/lobby.html",
        games=games,
        families=by_family([game for game in games if not is_side_bet(game)]),
        side_bet_titles=[game for game in games if is_side_bet(game)],
        drawings={game.id: drawing_of(game) for game in games},
        least=CHIPS[0] * MICROS_PER_DOLLAR,
        edges=edges,
        hall=hall,
        last=last,
    )


@dataclass(frozen=True, kw_only=True)
class LastPlayed:
    """Where a player was last, and what their purse holds."""

    game: str
    address: str
    micros: int


def _last_played(room: Services, visit: Visit) -> LastPlayed | None:
    """None for somebody who has not played yet, and where the tables cannot be read."""
    if visit.player is None:
        return None
    try:
        played = room.hall.store.results_of(visit.player.id, limit=1)
        if not played:
            return None
        table, micros = played[0].table, visit.player.micros
        if is_own(table):
            game = find_game(game_of_own(table))
            return LastPlayed(game=game.short_name, address=f"/play/{game.id}", micros=micros)
        setup = room.desk.floor().table(table)
        name = find_game(setup.game).short_name
        return LastPlayed(game=setup.name or name, address=f"/play/{setup.game}/{table}", micros=micros)
    except CroupierError:  # a table or game that is no longer there, or a store that does not answer
        return None


@router.get("/lobby/edges/{game}")
async def edges_of(request: Request, game: str, room: TheRoom) -> Response:
    """The wagers of a game's card, for a page that waits for their edges."""
    approved = approved_game(game)
    return await made_page(request, "play/lobby_edges.html", game=approved, edges=await _edges(room, [approved]))


@router.get("/lobby/tables")
def tables(request: Request, room: TheRoom) -> Response:
    """The shared tables, for a page that has heard of a change: the same for everybody who asks then."""

    def make() -> str:
        return render(request, "play/lobby_tables.html", hall=_hall(room, sees_meters=False))

    return HTMLResponse(room.fragments.get("lobby/tables", (room.hub.told, room.book.head()[0]), make))


async def _edges(room: Services, games: list[Game]) -> dict[tuple[str, str], str]:
    """The exact edges that are there by now, by game and wager: those that came with the package at once, and of the
    others what is solved comes last in line."""
    wagers = [(game, wager) for game in games for wager in game.proved_wagers]
    wagers.sort(key=lambda pair: _is_solved(*pair))
    keys = [(game.id, wager.id) for game, wager in wagers]
    known = await run_in_threadpool(_shipped_edges, keys)
    missing = [key for key in keys if key not in known]
    edges = await asyncio.gather(*(room.work.aside(PATIENCE_S, wager_edge, *key) for key in missing))
    return known | {key: edge for key, edge in zip(missing, edges, strict=True) if edge is not None}


def _shipped_edges(keys: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    return {key: edge for key in keys if (edge := shipped_edge(*key)) is not None}


def _is_solved(game: Game, wager: Wager) -> bool:
    settled = game.settled_by_round(wager)
    return settled is not None and not settled.is_apart


def _hall(room: Services, *, sees_meters: bool) -> LobbyFloor:
    try:
        floor = room.desk.floor()
    except IllegalActionError:
        return LobbyFloor()
    by_hand = [table for table in floor.tables if table.dealing == "hand"]
    dealt = [table for table in floor.tables if table.dealing == "software" and not is_closed(floor, table)]
    shared: tuple[Shared, ...] = ()
    play_fails = False
    try:
        shared = tuple(_shared(room, table) for table in dealt)
    except LedgerError as error:
        if error.code != PLAY_FAILED:
            raise
        log.error("%s: %s", error.code, error)
        play_fails = True
    return LobbyFloor(
        name=floor.name or floor.id,
        shared=shared,
        play_fails=play_fails,
        by_hand=tuple((table, find_game(table.game).short_name) for table in by_hand),
        pots=_pots(room, floor) if sees_meters else (),
    )


def _shared(room: Services, setup: TableSetup) -> Shared:
    playing = room.hall.table(setup.id)
    people = tuple(place.name or "Guest" for place in playing.places if place.player)
    if playing.stuck:
        standing = "waits for the staff"
    elif playing.table.log is not None:
        standing = "a round is on"
    elif any(place.ready for place in playing.places):
        waiting_for = dict.fromkeys(playing.places[number - 1].name or "Guest" for number in waited_for(playing))
        standing = f"waits for {', '.join(waiting_for)}" if waiting_for else "about to deal"
    else:
        standing = "open for wagers"
    game = find_game(setup.game)
    return Shared(
        setup=setup,
        game=game.short_name,
        first_wager=game.first_wager.id,
        people=people,
        seats=playing.seats,
        standing=standing,
    )


def _pots(room: Services, floor: Floor) -> tuple[Pot, ...]:
    entry = room.book.head()[0]
    meters = {(meter.jackpot, meter.level): meter for meter in room.desk.meters()}
    return tuple(
        Pot(setup=setup, meter=meters[setup.id, setup.level], entry=entry, tables=floor.tables_of(setup.id))
        for setup in floor.jackpots
        if (setup.id, setup.level) in meters
    )
