"""Count practice at a table that deals from a shoe: asked for, or shown, with what the cards left are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from croupier.errors import CroupierError, IllegalActionError, unknown
from croupier.hall.counting import (
    SYSTEMS,
    ShoeCount,
    cards_seen,
    left_of,
    requests_for,
    rounds_of_shoe,
    shoe_count,
    wagers_now,
)
from croupier.hall.play import Playing
from croupier.hall.results import seats_of
from croupier.hall.turns import spots_of
from croupier.store.play import FinishedRound, Player
from croupier.table.log import RoundLog, parse_log
from croupier.table.setup import TableRules
from croupier.web.errors import in_words
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, TheVisit, Visit, is_partial, page, render
from croupier.web.pages.play.table import player_at
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

PATIENCE_S = 3.0
MOST_EARLIER = 150
"""Rounds of one shoe."""
NEAR = 0.5
"""How far a true count may be off: people round it."""


@dataclass(frozen=True, kw_only=True)
class Shoe:
    """What a player knows of the shoe on the table."""

    rules: TableRules
    seen: tuple[int, ...]
    left: int
    is_shared: bool


@dataclass(frozen=True, kw_only=True)
class Guess:
    """A count that somebody has kept, held against the right one."""

    running: int | None
    true: float | None
    is_running_right: bool
    is_true_right: bool


@router.get("/practice/count/{table}")
async def count(
    request: Request,
    visit: TheVisit,
    room: TheRoom,
    table: str,
    system: str = SYSTEMS[0].id,
    ask: bool = False,
    running: str = "",
    true: str = "",
) -> Response:
    """The count of the cards seen: a question without an answer, a guess judged, or the count itself."""
    chosen = next((one for one in SYSTEMS if one.id == system), None)
    if chosen is None:
        raise unknown("count", system, [one.id for one in SYSTEMS])
    shoe = await run_in_threadpool(_shoe, room, table, visit)
    known = shoe_count(chosen, shoe.rules, shoe.seen, shoe.left)
    wagers, problem = None, ""
    if not ask:
        try:
            wagers = await room.work.drill(
                PATIENCE_S, wagers_now, requests_for(shoe.rules), left_of(shoe.rules, shoe.seen)
            )
        except CroupierError as error:
            problem = in_words(error)
    game = shoe.rules.game
    context: dict[str, Any] = {
        "table": table,
        "game": game,
        "back": f"/play/{game.id}/{table}" if shoe.is_shared else f"/play/{game.id}",
        "address": f"/practice/count/{table}",
        "systems": SYSTEMS,
        "count": known,
        "is_asking": ask,
        "guess": _guess(known, running, true),
        "wagers": wagers,
        "problem": problem,
        "names": {wager.id: wager.name for wager in game.wagers},
    }
    if is_partial(request):
        return HTMLResponse(render(request, "play/count.html", **context))
    return page(request, "play/count_page.html", **context)


def _guess(known: ShoeCount, running: str, true: str) -> Guess | None:
    """What was typed; nothing where nothing was."""
    if not running.strip() and not true.strip():
        return None
    whole, share = _typed(running), _typed(true)
    right = known.true
    return Guess(
        running=None if whole is None else round(whole),
        true=share,
        is_running_right=whole == known.running,
        is_true_right=right is not None and share is not None and abs(share - right) <= NEAR,
    )


def _typed(text: str) -> float | None:
    plain = text.strip().replace("\N{MINUS SIGN}", "-")
    try:
        number = float(plain) if len(plain) <= 8 else None
    except ValueError:
        return None
    return number if number is not None and abs(number) < 1_000 else None


def _shoe(room: Services, table: str, visit: Visit) -> Shoe:
    player = player_at(table, visit)
    rules, now, gone, left, is_shared = room.hall.look(table, lambda playing: _standing(playing, player))
    rounds = room.hall.store.rounds(table, limit=MOST_EARLIER) if gone else []
    seen = [card for earlier in _earlier(rounds, gone, player) for card in earlier]
    return Shoe(rules=rules, seen=(*seen, *now), left=left, is_shared=is_shared)


def _standing(playing: Playing, player: Player) -> tuple[TableRules, list[int], int, int, bool]:
    """Rules, cards seen of the round that is on, cards gone before it, cards left, whether others may sit there."""
    engine, shoe = playing.table, playing.table.shoe
    if shoe.kind != "cut_card":
        raise IllegalActionError(
            "There is nothing to count here: cards are shuffled after every round. Choose a cut-card shoe in the rules "
            "of your own table.",
            code="no_shoe",
        )
    if engine.log is None:
        return engine.rules, [], shoe.used, len(shoe.order) - shoe.used, playing.is_shared
    mine = spots_of(playing, player)
    seat = next((seat for seat, spot in enumerate(engine.playing, 1) if spot in mine), 0)
    state = RoundLog(engine.log.rules, engine.log.stakes, list(engine.log.steps)).state()
    return engine.rules, cards_seen(state, seat), shoe.round_start, len(shoe.order) - shoe.used, playing.is_shared


def _earlier(rounds: list[FinishedRound], gone: int, player: Player) -> list[list[int]]:
    """The cards that the player saw of each earlier round of this shoe."""
    by_log: list[tuple[RoundLog, FinishedRound]] = []
    for finished in rounds:
        by_log.append((parse_log(finished.log), finished))
        if sum(len(log.cards) for log, _ in by_log) >= gone:
            break
    here = rounds_of_shoe([log for log, _ in by_log], gone)
    return [
        cards_seen(log.state(), next(iter(seats_of(finished, player.id)), 0)) for log, finished in by_log[: len(here)]
    ]
