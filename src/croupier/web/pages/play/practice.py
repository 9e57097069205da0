"""Beside the table: exact advice, before an answer or after it, and the edge of a wager."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Literal

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from croupier.errors import CroupierError
from croupier.hall.play import Playing
from croupier.hall.practice import (
    ReviewedAnswer,
    Valued,
    advice_on,
    edge_of,
    quick_advice_on,
    request_of,
    review,
)
from croupier.hall.turns import spots_of
from croupier.reports.formatting import percent
from croupier.rules.spec import Game
from croupier.store.play import Player
from croupier.table.log import RoundLog, log_text
from croupier.table.replay import NeedsAnswer
from croupier.web.errors import in_words
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, TheVisit, Visit, page
from croupier.web.pages.play.table import player_at
from croupier.web.services import Services
from croupier.web.work.processes import Standing

router = APIRouter(route_class=PageRoute)

ADVICE_PATIENCE_S = 0.35
"""How long advice is held back for exact values; after that it says what is known at once."""

Mode = Literal["on", "after"]
"""Whether the values of answers are told before somebody answers, or only what the answers given were worth."""


@dataclass(frozen=True, kw_only=True)
class PracticePosition:
    """What is asked at a table and what has been answered, as the other process needs it."""

    log: str
    seats: tuple[int, ...]
    """Of the player, in the round."""
    seen_before: tuple[int, ...]
    is_asked: bool
    has_answers: bool
    game: Game


@router.get("/practice/advice/{table}")
async def advice(request: Request, visit: TheVisit, room: TheRoom, table: str, mode: Mode = "on") -> Response:
    """The exact value of every answer to the question, and what the answers before it cost. What is not there soon is
    told by a bar, beside what can be said at once; the page asks again."""
    position = await run_in_threadpool(_position, room, table, visit)
    shown = AdviceShown()
    if position is not None:
        try:
            shown = await _advice_shown(room, position, mode)
        except CroupierError as error:
            shown = AdviceShown(problem=in_words(error))
    labels = answer_labels(position.game) if position is not None else {}
    return page(request, "play/advice.html", table=table, shown=shown, mode=mode, labels=labels)


def answer_labels(game: Game) -> dict[str, str]:
    """What stands on the button of each answer."""
    return {choice.word: choice.label for question in game.declared.questions for choice in question.choices}


@dataclass(frozen=True, kw_only=True)
class AdviceShown:
    """What the panel of advice says."""

    values: list[Valued] = field(default_factory=list)
    note: str = ""
    """What the values stand on until the exact ones are there."""
    decided: list[ReviewedAnswer] = field(default_factory=list)
    waits: Standing | None = None
    """How far the exact values are, where they are not there yet."""
    reviewing: Standing | None = None
    """How far the judgment of earlier answers is."""
    problem: str = ""


async def _advice_shown(room: Services, position: PracticePosition, mode: Mode) -> AdviceShown:
    if mode == "after":
        decided, reviewing = await _decided(room, position)
        return AdviceShown(decided=decided, reviewing=reviewing)
    valued, (decided, reviewing) = await asyncio.gather(_values(room, position), _decided(room, position))
    values, note, waits = valued
    return AdviceShown(values=values, note=note, decided=decided, waits=waits, reviewing=reviewing)


async def _values(room: Services, position: PracticePosition) -> tuple[list[Valued], str, Standing | None]:
    """What the answers are worth, what that stands on, and how far the exact values are if they are not there."""
    if not position.is_asked:
        return [], "", None
    asked = (position.log, position.seen_before)
    quick = await run_in_threadpool(quick_advice_on, *asked)
    if quick is not None and not quick.note:
        return quick.values, "", None
    exact = await room.work.soon(ADVICE_PATIENCE_S, advice_on, *asked)
    if exact is not None:
        return exact, "", None
    waits = room.work.standing("asked", advice_on, *asked)
    return (quick.values, quick.note, waits) if quick is not None else ([], "", waits)


async def _decided(room: Services, position: PracticePosition) -> tuple[list[ReviewedAnswer], Standing | None]:
    """What the answers so far cost, or how far that is."""
    if not position.has_answers:
        return [], None
    asked = (position.log, position.seats, position.seen_before)
    decided = await room.work.soon(ADVICE_PATIENCE_S, review, *asked)
    return (decided, None) if decided is not None else ([], room.work.standing("asked", review, *asked))


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
        has_answers=any(isinstance(step, str) for step in steps),
        game=log.rules.game,
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
    offered = rules.game.wager(wager)
    problem, words = "", ""
    try:
        words = percent((await room.work.do(edge_of, request_of(rules, wager))).edge, 3)
    except CroupierError as error:
        problem = in_words(error)
    settled = rules.game.settled_by_round(offered)
    return page(
        request,
        "play/edge.html",
        edge=words,
        problem=problem,
        wager=offered,
        played=settled is not None and settled.is_placed,
        asked=settled is not None and settled.is_asked,
        rules=rules,
    )
