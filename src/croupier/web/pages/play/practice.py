"""Beside the table: exact advice, the edge of a wager, rounds played with their replay, results against expectation."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import msgspec
from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from croupier.errors import CroupierError, UnknownNameError
from croupier.floor.roles import Right
from croupier.hall.hall import OWN_ROUNDS, SHARED_ROUNDS
from croupier.hall.play import Playing
from croupier.hall.practice import WagerTally, advice_on, edge_of, request_of, review, tally_rounds
from croupier.hall.turns import spots_of
from croupier.hall.view import beside_of, hands_of, results_of, rows_of
from croupier.reports.formatting import percent
from croupier.reports.rounds.text import event_text, plain_face
from croupier.rules import find_game
from croupier.store.play import Player, PlayerResult
from croupier.table.events import Event, as_seen
from croupier.table.log import RoundLog, log_text, parse_log
from croupier.table.replay import NeedsAnswer
from croupier.web.errors import in_words
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, TheVisit, Visit, page
from croupier.web.pages.play.table import player_at
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

MOST_ROUNDS = 500
SHOWN_ROUNDS = 50
BAND = 2
"""Standard deviations to each side."""


@dataclass(frozen=True, kw_only=True)
class PracticePosition:
    """What is asked at a table and what has been answered, as the other process needs it."""

    log: str
    seats: tuple[int, ...]
    """Of the player, in the round."""
    seen_before: tuple[int, ...]
    is_asked: bool


@router.get("/practice/advice/{table}")
async def advice(request: Request, visit: TheVisit, room: TheRoom, table: str) -> Response:
    """The exact value of every answer to the question, and what the answers before it cost."""
    position = await run_in_threadpool(_position, room, table, visit)
    problem, values, decided = "", [], []
    if position is not None:
        try:
            decided = await room.work.do(review, position.log, position.seats, position.seen_before)
            if position.is_asked:
                values = await room.work.do(advice_on, position.log, position.seen_before)
        except CroupierError as error:
            problem = in_words(error)
    return page(request, "play/advice.html", values=values, decided=decided, problem=problem)


def _position(room: Services, table: str, visit: Visit) -> PracticePosition | None:
    known = player_at(table, visit)
    return room.hall.look(table, lambda playing: _position_of(playing, known))


def _position_of(playing: Playing, known: Player) -> PracticePosition | None:
    engine = playing.table
    log = engine.log if engine.log is not None else engine.history[-1] if engine.history else None
    if log is None or not log.rules.game.declared.questions:
        return None
    mine = _seats_of(playing, known)
    if not mine:
        return None
    steps = list(log.steps)
    state = RoundLog(log.rules, log.stakes, steps).state()
    shoe = engine.shoe
    return PracticePosition(
        log=log_text(RoundLog(log.rules, log.stakes, steps)),
        seats=mine,
        seen_before=tuple(shoe.order[: shoe.round_start]) if shoe.kind == "cut_card" else (),
        is_asked=isinstance(state.need, NeedsAnswer) and state.need.seat in mine,
    )


def _seats_of(playing: Playing, player: Player) -> tuple[int, ...]:
    mine = spots_of(playing, player)
    return tuple(
        seat for seat, spot in enumerate(playing.table.playing, 1) if spot in mine and playing.places[spot - 1].last
    )


@router.get("/practice/edge/{table}/{wager}")
async def edge(request: Request, visit: TheVisit, room: TheRoom, table: str, wager: str) -> Response:
    """The exact edge of a wager as it lies on this table's layout."""
    player_at(table, visit)
    playing = await run_in_threadpool(room.hall.table, table)
    rules = playing.table.rules
    found = rules.game.wager(wager)
    problem, words = "", ""
    try:
        words = percent((await room.work.do(edge_of, request_of(rules, wager))).edge, 3)
    except CroupierError as error:
        problem = in_words(error)
    settled = rules.game.settled_by_round(found)
    return page(
        request,
        "play/edge.html",
        edge=words,
        problem=problem,
        wager=found,
        played=settled is not None and settled.is_placed,
        asked=settled is not None and settled.is_asked,
        rules=rules,
    )


@router.get("/practice/results/{table}")
async def results(request: Request, visit: TheVisit, room: TheRoom, table: str) -> Response:
    """A player's rounds at a table, with their results against expectation."""
    player, played, rounds = await run_in_threadpool(_played, room, table, visit)
    tallies: list[WagerTally] = await room.work.do(tally_rounds, rounds, player.id) if rounds else []
    playing = await run_in_threadpool(room.hall.table, table)
    rules = playing.table.rules
    return page(
        request,
        "play/results.html",
        table=table,
        game=rules.game,
        back=f"/play/{rules.game.id}/{table}" if playing.is_shared else f"/play/{rules.game.id}",
        results=played[:SHOWN_ROUNDS],
        counted=len(rounds),
        kept=SHARED_ROUNDS if playing.is_shared else OWN_ROUNDS,
        tallies=tallies,
        total=_total(tallies),
        names={wager.id: wager.name for wager in rules.game.wagers},
    )


def _played(room: Services, table: str, visit: Visit) -> tuple[Player, list[PlayerResult], tuple[tuple[str, str], ...]]:
    known = player_at(table, visit)
    played = [one for one in room.hall.store.results_of(known.id, limit=10 * MOST_ROUNDS) if one.table == table]
    mine = {one.round for one in played}
    rounds = room.hall.store.rounds(table, limit=MOST_ROUNDS)
    return known, played, tuple((one.log, one.seats) for one in rounds if one.round in mine)


@dataclass(frozen=True, kw_only=True)
class Total:
    """All wagers with known odds together, in micros."""

    net: int
    expected: int
    low: int
    high: int

    @property
    def where(self) -> float:
        """Of the result on a scale on which the band is 25 to 75, held inside 0 to 100."""
        half = max(1, (self.high - self.low) // 2)
        return min(98.0, max(2.0, 50 + 25 * (self.net - self.expected) / half))

    @property
    def is_inside(self) -> bool:
        return self.low <= self.net <= self.high


def _total(tallies: list[WagerTally]) -> Total | None:
    known = [one for one in tallies if one.expected is not None and one.deviation is not None]
    if not known:
        return None
    expected = sum(one.expected or 0.0 for one in known)
    band = BAND * sqrt(sum((one.deviation or 0.0) ** 2 for one in known))
    return Total(
        net=sum(one.net for one in known),
        expected=round(expected),
        low=round(expected - band),
        high=round(expected + band),
    )


def _seen_at_its_spot(event: Event, spots: list[int], mine: list[int]) -> Event:
    """What somebody with these seats saw of it. A round counts its seats from one; people know the numbers on the
    table."""
    seat = getattr(event, "seat", 0)
    seen = as_seen(event, seat if seat in mine else 0)
    return msgspec.structs.replace(seen, seat=spots[seat - 1]) if seat else seen


@router.get("/play/round/{table}/{number}")
def replay(
    request: Request, visit: TheVisit, room: TheRoom, table: str, number: int, step: int | None = None
) -> Response:
    """A finished round, step by step. At a table of the floor anybody who has the link may look."""
    player = player_at(table, visit)
    finished = room.hall.store.round(table, number) if 0 < number < 2**62 else None
    if finished is None:
        raise UnknownNameError(
            f"Round {number} of this table is not on record: only finished rounds can be replayed.",
            code="unknown_round",
        )
    log = parse_log(finished.log)
    last = len(log.steps)
    at = last if step is None else min(max(step, 0), last)
    state = RoundLog(log.rules, log.stakes, log.steps[:at]).state()
    sat = msgspec.json.decode(finished.seats)
    spots = [one["spot"] for one in sat]
    mine = [seat for seat, one in enumerate(sat, 1) if one["player"] == player.id]
    told = (_seen_at_its_spot(event, spots, mine) for event in state.events)
    story = [text for event in told if (text := event_text(event, state, plain_face))]
    seats = []
    for seat in range(1, len(log.stakes) + 1):
        ended = results_of(state, seat)
        seats.append(
            {
                "number": spots[seat - 1],
                "stakes": log.stakes[seat - 1],
                "hands": hands_of(state, seat, ended, is_own=seat in mine),
                "beside": beside_of(state, seat, is_own=seat in mine),
                "results": ended,
            }
        )
    return page(
        request,
        "play/round.html",
        game=find_game(log.rules.game.id),
        table=table,
        number=number,
        at=at,
        last=last,
        story=story,
        rows=rows_of(log.rules.game.declared, state),
        seats=seats,
        names={wager.id: wager.name for wager in log.rules.game.wagers},
        log="" if log.state().kept_private(mine) and not visit.may(Right.SEE_AUDIT) else finished.log,
    )
