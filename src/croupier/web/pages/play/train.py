"""Drills: a hand is shown, a key answers, the exact value of every answer is told at once, and the next hand comes.

What is wanted comes in the address, as `/train/blackjack?kind=hard&cells=16:10;15:10&set.soft17=stand`; only a press
begins it. Everything that is learned is kept for the player.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from croupier.errors import CroupierError, IllegalActionError, NotationError, UnknownNameError
from croupier.hall.drills import (
    DRILL_STAKE,
    Judged,
    Posed,
    drill_values,
    has_drills,
    judged,
    pose,
    pose_cells,
)
from croupier.hall.practice import Valued
from croupier.hall.training import (
    Asked,
    Last,
    Practiced,
    Training,
    begin_drill,
    count_drill,
    due_hand,
    forget_score,
    read_training,
    training_text,
    weight_of,
)
from croupier.hall.view import beside_of, hands_of, rows_of
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules import find_game
from croupier.rules.spec import Game
from croupier.store.play import Player
from croupier.table.log import parse_log
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.web.guard import TheRoom
from croupier.web.pages.base import (
    CommandId,
    PageRoute,
    TheVisit,
    back_to,
    is_partial,
    meet,
    page,
    player_for,
    render,
    with_cookie,
)
from croupier.web.pages.play.buttons import Form
from croupier.web.pages.play.practice import answer_labels
from croupier.web.pages.play.table import SentForm
from croupier.web.pages.play.table_drawing import drawing_of
from croupier.web.pages.reading.rules import approved_games, by_family
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

PATIENCE_S = 2.0
"""How long an answer is held back for its values; after that a bar says that they are being computed."""
FIRST_S = {"blackjack": 25, "tree": 20, "showdown": 60}
"""About how long the first values of a game take on a new machine, by the recipe that proves it."""
MOST_CELLS = 60
SWITCH = "set."
SHOWN_MISTAKES = 8


@router.get("/train")
def train(request: Request, visit: TheVisit, room: TheRoom) -> Response:
    """Every game with something to decide, and how well its player does."""
    bodies = room.hall.store.trainings(visit.player.id) if visit.player is not None else {}
    games = [game for game in approved_games() if has_drills(game)]
    trainings = {game.id: read_training(bodies.get(game.id, "")) for game in games}
    drawings = {game.id: drawing_of(game) for game in games}
    return page(request, "play/train.html", families=by_family(games), trainings=trainings, drawings=drawings)


@router.get("/train/{game}")
async def drill(request: Request, visit: TheVisit, room: TheRoom, game: str) -> Response:
    """The drill that is on, or what can be practiced."""
    known = _game_of(game)
    visit = meet(request, visit)
    asked = asked_of(known, request.query_params.multi_items())
    training = Training()
    if visit.player is not None:
        training = await run_in_threadpool(_training, room, visit.player, known)
        if training.drill.answer and not training.drill.is_counted:
            training = await _counted(room, visit.player, known, training)
    shown = await _shown(room, known, training, asked)
    if is_partial(request):
        return HTMLResponse(render(request, "play/drill.html", **shown))
    return with_cookie(page(request, "play/train_game.html", **shown), visit, demo=room.demo)


@router.post("/train/{game}")
async def press(request: Request, visit: TheVisit, room: TheRoom, game: str, form: SentForm, id: CommandId) -> Response:
    """A press on the page of a drill: what to practice, an answer, the next hand."""
    known = _game_of(game)
    if visit.person is None:
        room.presses.take(visit.address)
    player = await run_in_threadpool(player_for, room, visit)
    verb, _, what = form.get("do", "").partition(" ")
    sent = (await request.form()).multi_items()
    if verb == "start":
        asked = asked_of(known, [(name, value) for name, value in sent if isinstance(value, str)])
        training = await _started(room, player, known, asked)
    elif verb == "answer":
        training = await _answered(room, player, known, what, _number(form))
    elif verb == "next":
        training = await _next(room, player, known, _number(form))
    elif verb == "again":
        training = await _again(room, player, known, _number(form, what))
    elif verb in ("stop", "forget"):
        training = await run_in_threadpool(_change, room, player, known, _stop if verb == "stop" else forget_score)
    else:
        raise NotationError(f'A drill has no button "{verb}": press one of those on the page.', code="bad_action")
    if not is_partial(request):
        return back_to(request.url.path)
    return HTMLResponse(render(request, "play/drill.html", **await _shown(room, known, training, Asked())))


def _game_of(id: str) -> Game:
    game = find_game(id)
    if not has_drills(game):
        raise UnknownNameError(
            f"{game.name} asks its players nothing, so there is nothing to practice.", code="unknown_game"
        )
    return game


def asked_of(game: Game, items: list[tuple[str, str]]) -> Asked:
    """What an address or a form wants to practice; what it leaves out is at its default."""
    kinds = tuple(dict.fromkeys(value for name, value in items if name == "kind" and value))
    offered = [kind.id for kind in game.declared.drill_kinds]
    for kind in kinds:
        if kind not in offered:
            raise NotationError(
                f'{game.name} has no drill "{kind}". It has: {", ".join(offered)}.', code="unknown_drill"
            )
    texts = (part.strip() for name, value in items if name == "cells" for part in value.split(";"))
    cells = tuple(dict.fromkeys(text for text in texts if text))[:MOST_CELLS]
    decks = next((value for name, value in items if name == "decks" and value), "")
    settings = tuple((name.removeprefix(SWITCH), value) for name, value in items if name.startswith(SWITCH) and value)
    if decks and (not decks.isascii() or not decks.isdecimal() or len(decks) > 2):
        raise NotationError(f'"{decks}" is no number of decks: write one such as 6.', code="bad_decks")
    asked = Asked(kinds=kinds, cells=cells, decks=int(decks) if decks else None, settings=settings)
    asked.rules(game.id).at_table(date(2026, 1, 1))  # refuses what the game does not have
    return asked


def _number(form: Form, text: str = "") -> int:
    """The number of the question that a press is about, or of something in a list."""
    text = text or form.get("number", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 12 else -1


# What a press changes.


def _training(room: Services, player: Player, game: Game) -> Training:
    return read_training(room.hall.store.training(player.id, game.id))


def _change(room: Services, player: Player, game: Game, change: Callable[[Training], Training]) -> Training:
    """Changes what is kept of a player and a game, while nobody else does."""

    def changed(body: str) -> str:
        return training_text(change(read_training(body)))

    body = room.hall.store.change_training(player.id, game.id, changed, room.hall.now_micros())
    return read_training(body)


def _stop(training: Training) -> Training:
    training.drill = Practiced(number=training.drill.number)
    return training


async def _started(room: Services, player: Player, game: Game, asked: Asked) -> Training:
    def want(training: Training) -> Training:
        training.drill = Practiced(number=training.drill.number, wanted=asked)
        return training

    training = await run_in_threadpool(_change, room, player, game, want)
    return await _dealt(room, player, game, training, keeps_last=False)


async def _next(room: Services, player: Player, game: Game, number: int) -> Training:
    training = await run_in_threadpool(_training, room, player, game)
    if training.drill.number != number or not training.drill.is_counted:
        return training  # pressed twice, or from an old page: it shows what is there
    return await _dealt(room, player, game, training, keeps_last=False)


async def _again(room: Services, player: Player, game: Game, place: int) -> Training:
    """A hand that was missed, once more."""
    training = await run_in_threadpool(_training, room, player, game)
    mistakes = [mistake for mistake in training.worst if mistake.log]
    if not 0 <= place < len(mistakes):
        raise UnknownNameError("This hand is no longer among the worst: look at the list again.", code="unknown_drill")
    mistake = mistakes[place]
    posed = Posed(log=mistake.log, kind=mistake.kind, cell=mistake.cell)
    return await _dealt(room, player, game, training, keeps_last=False, posed=posed)


async def _dealt(
    room: Services, player: Player, game: Game, training: Training, *, keeps_last: bool, posed: Posed | None = None
) -> Training:
    """With the next question before the player, whose values are computed from now on."""
    posed = posed or await _posed(room, game, training)
    number = training.drill.number

    def begin(now: Training) -> Training:
        if now.drill.number == number:
            begin_drill(now, posed, keeps_last=keeps_last)
        return now

    training = await run_in_threadpool(_change, room, player, game, begin)
    await room.work.drill(0.0, drill_values, training.drill.log)
    return training


async def _posed(room: Services, game: Game, training: Training) -> Posed:
    """The next question: a missed hand that is due, or a new one, by what the player needs."""
    asked = training.drill.wanted
    due = due_hand(training, asked.wanted)
    if due is not None and due.log != training.drill.log:
        return due
    day = room.hall.clock().date()
    if asked.cells:
        posed = await room.work.drill(None, pose_cells, asked.rules(game.id), asked.cells, asked.kinds, day)
        room.work.forget(pose_cells, asked.rules(game.id), asked.cells, asked.kinds, day)
        assert posed is not None
        return posed

    def weigh(kind: str, cell: str) -> float:
        return weight_of(training.cells, kind, cell)

    return await run_in_threadpool(pose, asked.rules(game.id).at_table(day), asked.wanted, weigh)


async def _answered(room: Services, player: Player, game: Game, word: str, number: int) -> Training:
    def answer(training: Training) -> Training:
        drill = training.drill
        if drill.number == number and drill.log and not drill.answer:
            if word not in _need(parse_log(drill.log).state()).legal:
                raise IllegalActionError(f'"{word}" is no answer to this question.', code="illegal_answer")
            drill.answer = word
        return training

    training = await run_in_threadpool(_change, room, player, game, answer)
    return await _counted(room, player, game, training)


async def _counted(room: Services, player: Player, game: Game, training: Training) -> Training:
    """With the answer counted, if its values are there in time; after a right one the next hand is dealt."""
    drill = training.drill
    if not drill.answer or drill.is_counted:
        return training
    try:
        values = await room.work.drill(PATIENCE_S, drill_values, drill.log)
    except CroupierError:  # this hand has no values: the player goes on with others
        await run_in_threadpool(_change, room, player, game, _stop)
        raise
    if values is None:
        return training
    verdict = judged(values, drill.answer)

    def count(now: Training) -> Training:
        if now.drill.number == drill.number:
            at = room.hall.now_micros()
            count_drill(now, best=verdict.best, cost=verdict.cost, stake=DRILL_STAKE, at_micros=at)
        return now

    training = await run_in_threadpool(_change, room, player, game, count)
    if verdict.is_right and training.drill.number == drill.number:
        training = await _dealt(room, player, game, training, keeps_last=True)
    return training


# What the page shows.


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """An answer and what it was worth, in words and numbers."""

    judged: Judged
    labels: dict[str, str]

    @property
    def best_dollars(self) -> float:
        return self.judged.values[0].dollars


@dataclass(frozen=True, kw_only=True)
class ChoiceShown:
    """An answer on a button."""

    word: str
    label: str
    key: str
    is_legal: bool


@dataclass(frozen=True, kw_only=True)
class HandShown:
    """A question as cards on the felt."""

    rows: Any
    hands: Any
    beside: Any
    text: str
    choices: list[ChoiceShown]
    said: str
    """Read out: cards and question."""


async def _shown(room: Services, game: Game, training: Training, asked: Asked) -> dict[str, Any]:
    """Everything that the page shows."""
    drill, declared = training.drill, game.declared
    if drill.log and not _reads(drill.log):  # a hand of rules that this program does not have any more
        training.drill = drill = Practiced(number=drill.number)
    of = Last(log=drill.log, kind=drill.kind, cell=drill.cell, answer=drill.answer) if drill.is_counted else drill.last
    values = await room.work.drill(PATIENCE_S, drill_values, of.log) if of is not None else None
    verdict = _verdict(game, values, of.answer) if of is not None and values is not None else None
    is_on = bool(drill.log)
    mistakes = [mistake for mistake in training.worst if mistake.cost]
    drilled = [mistake for mistake in mistakes if mistake.log]
    return {
        "game": game,
        "address": f"/train/{game.id}",
        "training": training,
        "drill": drill,
        "asked": drill.wanted if is_on else asked,
        "kinds": declared.drill_kinds,
        "labels": {kind.id: kind.label for kind in declared.drill_kinds},
        "answers": answer_labels(game),
        "hand": _hand_shown(drill.log) if is_on else None,
        "verdict": verdict,
        "is_computing": bool(drill.answer) and not drill.is_counted,
        "first_seconds": FIRST_S.get(declared.exact, 30),
        "mistakes": mistakes[:SHOWN_MISTAKES],
        "place_of": {id(mistake): place for place, mistake in enumerate(drilled)},
        "place": id,
        "notes": asked_notes(game, drill.wanted if is_on else asked),
        "stake": DRILL_STAKE,
        "MICROS": MICROS_PER_DOLLAR,
    }


def asked_notes(game: Game, asked: Asked) -> str:
    """Rules that are not the default ones, in words."""
    parts = [f"{asked.decks} deck{'' if asked.decks == 1 else 's'}"] if asked.decks is not None else []
    parts += [f"{name.replace('_', ' ')} {value.replace('_', ' ')}" for name, value in asked.settings]
    return ", ".join(parts)


def _reads(log: str) -> bool:
    try:
        return isinstance(parse_log(log).state().need, NeedsAnswer)
    except (NotationError, IllegalActionError, UnknownNameError):
        return False


def _need(state: RoundState) -> NeedsAnswer:
    assert isinstance(state.need, NeedsAnswer)
    return state.need


def _verdict(game: Game, values: list[Valued], answer: str) -> Verdict:
    return Verdict(judged=judged(values, answer), labels=answer_labels(game))


def _hand_shown(log: str) -> HandShown:
    state = parse_log(log).state()
    need, declared = _need(state), state.rules.game.declared
    question = declared.question(need.question)
    kernel_rules = state.rules.kernel_rules(state.stakes)
    hands, beside = hands_of(state, need.seat, [], is_own=True), beside_of(state, need.seat, is_own=True)
    rows = rows_of(declared, state)
    words = [f"{row.label}: {row.names}." for row in rows if row.names]
    words += [f"Your hand{f' {hand.number}' if len(hands) > 1 else ''}: {hand.names}, {hand.total}." for hand in hands]
    words += [f"{row.label}: {row.names}." for row in beside if row.names]
    return HandShown(
        rows=rows,
        hands=hands,
        beside=beside,
        text=question.text,
        choices=[
            ChoiceShown(word=one.word, label=one.label, key=one.key, is_legal=one.word in need.legal)
            for one in question.shown
            if one.word in need.legal or declared.may_come_to(one, kernel_rules)
        ],
        said=f"{' '.join(words)} {question.text}",
    )
