"""A finished round, step by step, with the exact value of every decision: from the table's own records, or from an
address that holds the whole hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from croupier.errors import CroupierError, UnknownNameError
from croupier.floor.roles import Right
from croupier.hall.hall import is_own
from croupier.hall.practice import ReviewedAnswer, Valued, advice_on, review
from croupier.hall.results import seen_before
from croupier.hall.shared_log import log_of, word_of
from croupier.hall.view import beside_of, hands_of, results_of, rows_of
from croupier.reports.rounds.text import event_text, plain_face
from croupier.store.play import FinishedRound
from croupier.table.events import Event, as_seen
from croupier.table.log import RoundLog, log_text, parse_log
from croupier.table.replay import RoundState
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, TheVisit, Visit, page
from croupier.web.pages.play.practice import answer_labels
from croupier.web.pages.play.table import player_at
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

PATIENCE_S = 1.5
MOST_EARLIER = 60
"""Rounds before it that are read for the cards that were gone."""


@dataclass(frozen=True, kw_only=True)
class Hand:
    """A round to be shown, and by whom it is looked at."""

    log: RoundLog
    spots: list[int]
    """What the seats are called at the table."""
    mine: list[int]
    """The viewer's seats, from 1."""
    gone: tuple[int, ...] = ()
    """Cards of the shoe that were gone before it."""
    is_open: bool = True
    """Whether the viewer may see the log: nobody else's cards are private in it."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of a round: a card or an answer, and what came of it."""

    number: int
    lines: list[str]
    decision: ReviewedAnswer | None


@router.get("/play/round/{table}/{number}")
async def replayed(
    request: Request, visit: TheVisit, room: TheRoom, table: str, number: int, step: int = 0
) -> Response:
    """A finished round of a table. At a table of the floor anybody who has the link may look."""
    hand = await run_in_threadpool(_kept_hand, room, visit, table, number)
    shown = await _shown(room, hand, step)
    back = f"/play/{hand.log.rules.game.id}" if is_own(table) else f"/play/{hand.log.rules.game.id}/{table}"
    title = f"round {number}"
    return page(request, "play/round.html", **shown, title=title, back=back, results=f"/practice/results/{table}")


@router.get("/play/hand/{word}")
async def shared(request: Request, room: TheRoom, word: str, step: int = 0) -> Response:
    """A round that somebody has sent: the address holds all of it."""

    def read() -> Hand:
        log = parse_log(log_of(word))
        seats = list(range(1, len(log.stakes) + 1))
        return Hand(log=log, spots=seats, mine=seats)

    hand = await run_in_threadpool(read)
    shown = await _shown(room, hand, step)
    back = f"/play/{hand.log.rules.game.id}"
    return page(request, "play/round.html", **shown, title="a hand", back=back, results="")


def _kept_hand(room: Services, visit: Visit, table: str, number: int) -> Hand:
    player = player_at(table, visit)
    finished = room.hall.store.round(table, number) if 0 < number < 2**62 else None
    if finished is None:
        raise UnknownNameError(
            f"Round {number} of this table is not on record: only finished rounds can be replayed.",
            code="unknown_round",
        )
    log = parse_log(finished.log)
    sat = msgspec.json.decode(finished.seats)
    mine = [seat for seat, sitter in enumerate(sat, 1) if sitter["player"] == player.id]
    is_open = not log.state().kept_private(mine) or visit.may(Right.SEE_AUDIT)
    spots = [sitter["spot"] for sitter in sat]
    gone = seen_before(finished, _earlier(room, finished)) if finished.shoe_start else ()
    return Hand(log=log, spots=spots, mine=mine, gone=gone, is_open=is_open)


def _earlier(room: Services, finished: FinishedRound) -> list[FinishedRound]:
    """The rounds before one, the latest first."""
    store, numbers = room.hall.store, range(finished.round - 1, max(0, finished.round - 1 - MOST_EARLIER), -1)
    rounds = []
    for number in numbers:
        before = store.round(finished.table, number)
        if before is None:
            break
        rounds.append(before)
    return rounds


async def _shown(room: Services, hand: Hand, step: int) -> dict[str, Any]:
    log = hand.log
    last = len(log.steps)
    at = min(max(step, 0), last)
    asked = tuple(range(1, len(log.stakes) + 1)) if hand.is_open else tuple(hand.mine)
    decided, values, problem = await _decided(room, hand, asked, at)
    game = log.rules.game
    steps, state = await run_in_threadpool(_told, hand, decided, at)
    return {
        "game": game,
        "at": at,
        "last": last,
        "steps": steps,
        "rows": rows_of(game.declared, state),
        "seats": _seats(hand, state),
        "values": values,
        "labels": answer_labels(game),
        "given": str(log.steps[at]).partition(":")[0] if values else "",
        "problem": problem,
        "names": {wager.id: wager.name for wager in game.wagers},
        "decisions": [answer.step for answer in decided],
        "log": log_text(log) if hand.is_open else "",
        "word": word_of(log_text(log)) if hand.is_open else "",
        "spots": hand.spots,
    }


async def _decided(
    room: Services, hand: Hand, asked: tuple[int, ...], at: int
) -> tuple[list[ReviewedAnswer], list[Valued], str]:
    """What every decision cost, and the values of the one that comes next; what is not there yet is said."""
    log = hand.log
    if not log.answers or not asked:
        return [], [], ""
    try:
        decided = await room.work.drill(PATIENCE_S, review, log_text(log), asked, hand.gone)
        if decided is None:
            return [], [], "The exact values of the decisions are being computed: look again in some seconds."
        values: list[Valued] | None = []
        if any(answer.step == at for answer in decided):
            before = log_text(RoundLog(log.rules, log.stakes, log.steps[:at]))
            values = await room.work.drill(PATIENCE_S, advice_on, before, hand.gone)
    except CroupierError as error:
        return [], [], str(error)
    return decided, values or [], ""


def _told(hand: Hand, decided: Sequence[ReviewedAnswer], at: int) -> tuple[list[Step], RoundState]:
    """The story up to a step, one entry for each: the wagers, then every card and answer with what came of it."""
    log = hand.log
    by_step = {answer.step + 1: answer for answer in decided}
    steps, told = [], 0
    state = RoundLog(log.rules, log.stakes, []).state()
    for number in range(at + 1):
        state = RoundLog(log.rules, log.stakes, log.steps[:number]).state()
        events = (_seen_at_its_spot(event, hand.spots, hand.mine) for event in state.events[told:])
        named = _by_spots(state, hand.spots)
        lines = [text for event in events if (text := event_text(event, named, plain_face))]
        steps.append(Step(number=number, lines=lines, decision=by_step.get(number)))
        told = len(state.events)
    return steps, state


def _by_spots(state: RoundState, spots: Sequence[int]) -> RoundState:
    """The state with its seats called as at the table, for the words about them."""
    hands = [0] * max(spots)
    for spot, count in zip(spots, state.hands, strict=True):
        hands[spot - 1] = count
    return replace(state, hands=hands)


def _seats(hand: Hand, state: RoundState) -> list[dict[str, Any]]:
    seats = []
    for seat in range(1, len(hand.log.stakes) + 1):
        ended, is_mine = results_of(state, seat), seat in hand.mine
        seats.append(
            {
                "number": hand.spots[seat - 1],
                "stakes": hand.log.stakes[seat - 1],
                "hands": hands_of(state, seat, ended, is_own=is_mine),
                "beside": beside_of(state, seat, is_own=is_mine),
                "results": ended,
            }
        )
    return seats


def _seen_at_its_spot(event: Event, spots: list[int], mine: list[int]) -> Event:
    """What somebody with these seats saw of it. A round counts its seats from one; people know the numbers on the
    table."""
    seat = getattr(event, "seat", 0)
    seen = as_seen(event, seat if seat in mine else 0)
    return msgspec.structs.replace(seen, seat=spots[seat - 1]) if seat else seen
