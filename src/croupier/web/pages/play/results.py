"""A player's results at a table: the strip of a session, the page with its curve, and all rounds as a file."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from croupier.errors import CroupierError
from croupier.hall.drills import LEAST_COST
from croupier.hall.hall import OWN_ROUNDS, SHARED_ROUNDS
from croupier.hall.practice import Edge, ReviewedAnswer, edge_of, review
from croupier.hall.results import (
    PlayedRound,
    account_of,
    curve,
    played_rounds,
    requests_of,
    rounds_csv,
    seats_of,
    seen_before,
    session_of,
)
from croupier.hall.training import JudgedAtTable, Training, count_at_table, read_training, training_text
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules.choice import OddsRequest
from croupier.rules.spec import Game
from croupier.store.play import FinishedRound, Player
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, TheVisit, Visit, page, render
from croupier.web.pages.play.practice import answer_labels
from croupier.web.pages.play.table import player_at
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

MOST_ROUNDS = 1_000
SESSION_ROUNDS = 200
"""That are read for the strip, as it is asked for after every round."""
SHOWN_ROUNDS = 100
SHOWN_MISTAKES = 10
MOST_JUDGED = 40
"""Rounds whose answers are judged in one go; older ones that nobody looked at in time are left out."""
PATIENCE_S = 1.0


@dataclass(frozen=True, kw_only=True)
class Record:
    """What is kept of a player at a table."""

    player: Player
    table: str
    game: Game
    is_shared: bool
    finished: list[FinishedRound]
    """The latest first."""
    played: list[PlayedRound]
    """Those of the player, the oldest first."""


@router.get("/practice/session/{table}")
async def session(request: Request, visit: TheVisit, room: TheRoom, table: str) -> Response:
    """The strip below a table: the rounds of this session held against expectation."""
    record = await run_in_threadpool(_record, room, table, visit, SESSION_ROUNDS)
    rounds = session_of(record.played)
    edges, is_waiting = await edges_of(room, rounds)
    training, is_behind = await judged(room, record)
    return HTMLResponse(
        render(
            request,
            "play/session.html",
            table=table,
            account=account_of(rounds, edges),
            score=training.at_tables,
            is_computing=is_waiting or is_behind,
            names=_names(record.game),
            has_questions=bool(record.game.declared.questions),
            game=record.game,
        )
    )


@router.get("/practice/results/{table}")
async def results(request: Request, visit: TheVisit, room: TheRoom, table: str) -> Response:
    """A player's rounds at a table, with their results against expectation."""
    record = await run_in_threadpool(_record, room, table, visit)
    edges, is_waiting = await edges_of(room, record.played)
    training, is_behind = await judged(room, record)
    game = record.game
    return page(
        request,
        "play/results.html",
        table=table,
        game=game,
        back=f"/play/{game.id}/{table}" if record.is_shared else f"/play/{game.id}",
        rounds=record.played[::-1][:SHOWN_ROUNDS],
        counted=len(record.played),
        kept=SHARED_ROUNDS if record.is_shared else OWN_ROUNDS,
        account=account_of(record.played, edges),
        plot=curve(record.played, edges) if record.played else None,
        score=training.at_tables,
        kinds={kind.id: kind.label for kind in game.declared.drill_kinds},
        answers=answer_labels(game),
        worst=[mistake for mistake in training.worst if mistake.table == table][:SHOWN_MISTAKES],
        is_computing=is_waiting or is_behind,
        names=_names(game),
    )


@router.get("/practice/results/{table}/csv")
async def results_csv(request: Request, visit: TheVisit, room: TheRoom, table: str) -> Response:
    """Every round that is kept, one line for each wager."""
    record = await run_in_threadpool(_record, room, table, visit)
    edges, _ = await edges_of(room, record.played)
    text = await run_in_threadpool(rounds_csv, record.played, edges)
    headers = {"Content-Disposition": f'attachment; filename="{record.game.id}-rounds.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


def _names(game: Game) -> dict[str, str]:
    return {wager.id: wager.name for wager in game.wagers}


def _record(room: Services, table: str, visit: Visit, limit: int = MOST_ROUNDS) -> Record:
    player = player_at(table, visit)
    playing = room.hall.table(table)
    finished = room.hall.store.rounds(table, limit=limit)
    game = playing.table.rules.game
    # An own table may have been another game's rules before; rounds of an older program may not read any more.
    played: list[PlayedRound] = []
    for one in finished:
        try:
            played += played_rounds([one], player.id)
        except CroupierError:
            continue
    return Record(
        player=player, table=table, game=game, is_shared=playing.is_shared, finished=finished, played=played[::-1]
    )


async def edges_of(room: Services, rounds: list[PlayedRound]) -> tuple[dict[OddsRequest, Edge | None], bool]:
    """The odds of all wagers of some rounds that are there by now, and whether others are being computed."""

    async def edge(request: OddsRequest) -> tuple[Edge | None, bool]:
        try:
            known = await room.work.aside(PATIENCE_S, edge_of, request)
        except CroupierError:  # they are not computed, or cannot be had now: the rounds are shown all the same
            return None, False
        return known, known is None

    requests = requests_of(rounds)
    known = await asyncio.gather(*map(edge, requests))
    return {request: one for request, (one, _) in zip(requests, known, strict=True)}, any(late for _, late in known)


async def judged(room: Services, record: Record) -> tuple[Training, bool]:
    """The player's score with all finished rounds of this table counted, and whether some are still to be judged."""
    store, game = room.hall.store, record.game
    training = read_training(await run_in_threadpool(store.training, record.player.id, game.id))
    last, _ = training.counted.get(record.table, (0, 0))
    open_rounds = [played for played in record.played if played.number > last and played.sums.answers][-MOST_JUDGED:]
    for played in open_rounds:
        answers = await _judged_round(room, record, played)
        if answers is None:
            return training, True

        def count(body: str, played: PlayedRound = played, answers: list[JudgedAtTable] = answers) -> str:
            now = read_training(body)
            count_at_table(now, record.table, played.number, answers, played.at_micros)
            return training_text(now)

        at = room.hall.now_micros()
        body = await run_in_threadpool(store.change_training, record.player.id, game.id, count, at)
        training = read_training(body)
    return training, False


async def _judged_round(room: Services, record: Record, played: PlayedRound) -> list[JudgedAtTable] | None:
    """What the player's answers in a round cost; None while that is being computed."""
    place = next(at for at, one in enumerate(record.finished) if one.round == played.number)
    finished = record.finished[place]
    before = await run_in_threadpool(seen_before, finished, record.finished[place + 1 :])
    mine = seats_of(finished, record.player.id)
    try:
        decided: list[ReviewedAnswer] | None = await room.work.drill(PATIENCE_S, review, finished.log, mine, before)
    except CroupierError:  # values that cannot be had: the answers are not counted
        return []
    return None if decided is None else [judged_at_table(answer) for answer in decided]


def judged_at_table(answer: ReviewedAnswer) -> JudgedAtTable:
    return JudgedAtTable(
        kind=answer.kind,
        cell=answer.cell,
        answer=answer.answer.partition(":")[0],
        best=answer.best,
        cost=round(answer.cost * MICROS_PER_DOLLAR) if answer.cost >= LEAST_COST else 0,
        stake=answer.stake,
        step=answer.step,
    )
