"""Training for dealers: lessons at a practice terminal, kept in this server's memory for who is signed in."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated, cast, get_args

from fastapi import APIRouter, Depends, Form, Request, Response

from croupier.errors import unknown
from croupier.floor.names import SYSTEMS
from croupier.floor.preview import preview_hits
from croupier.floor.roles import Role
from croupier.floor.training.practice import LESSONS, Act, Practice, Press, begin, find_lesson, training_floor
from croupier.web.pages.base import CommandId, PageRoute, TheVisit, Visit, back_to, is_partial, page
from croupier.web.pages.dealer.card_steps import card_step
from croupier.web.pages.dealer.terminal import CardsForm, Typed, cards_answer, seat_of
from croupier.web.pages.dealer.view import Face, face_of

router = APIRouter(route_class=PageRoute)

MOST_KEPT = 500
CARD_ROLES = (Role.DEALER, Role.SUPERVISOR, Role.EXECUTIVE)
IN_TRAINING = frozenset({"pay", "jph", "run", "void"})


@dataclass
class Desks:
    """Everybody's lessons; the longest unused go first."""

    kept: OrderedDict[tuple[str, str], Practice] = field(default_factory=OrderedDict)
    guard: Lock = field(default_factory=Lock)

    def practice(self, visit: Visit, lesson: str) -> Practice:
        key = (visit.csrf, find_lesson(lesson).id)
        with self.guard:
            if key not in self.kept:
                self.kept[key] = begin(lesson)
            self.kept.move_to_end(key)
            while len(self.kept) > MOST_KEPT:
                self.kept.popitem(last=False)
            return self.kept[key]

    def forget(self, visit: Visit, lesson: str) -> None:
        with self.guard:
            self.kept.pop((visit.csrf, lesson), None)


DESKS = Desks()


def _face(practice: Practice, chosen: int | None) -> Face:
    floor = training_floor()
    jackpots = floor.jackpots_at(practice.setup)
    balances = practice.ledger.balances
    return face_of(
        practice.setup,
        floor,
        practice.terminal,
        base=f"/dealer/training/{practice.lesson.id}",
        revision=practice.presses,
        meters={jackpot.id: balances.get((jackpot.id, jackpot.level, "meter"), 0) for jackpot in jackpots},
        preview=preview_hits(practice.ledger, practice.terminal, practice.setup, floor),
        awards=practice.awards,
        entered=practice.entered,
        chosen=chosen,
        is_training=True,
    )


@router.get("/dealer/training")
def lessons(request: Request) -> Response:
    protocols = {lesson.id: SYSTEMS[training_floor().table(lesson.table).protocol] for lesson in LESSONS}
    return page(request, "dealer/lessons.html", lessons=LESSONS, protocols=protocols)


@router.get("/dealer/training/{lesson}")
def practice(request: Request, lesson: str, visit: TheVisit, seat: str = "") -> Response:
    practice = DESKS.practice(visit, lesson)
    shown = _face(practice, seat_of(seat))
    template = "dealer/practice_part.html" if is_partial(request) else "dealer/practice.html"
    return page(request, template, face=shown, practice=practice)


@router.get("/dealer/training/{lesson}/cards")
def cards_say(
    request: Request, lesson: str, visit: TheVisit, evidence: Typed = "", other: Typed = "", side: Typed = ""
) -> Response:
    """Which hand the cards make, while they are tapped."""
    practice = DESKS.practice(visit, lesson)
    return cards_answer(request, practice.setup, training_floor(), practice.terminal, CardsForm(evidence, other, side))


@router.get("/dealer/training/{lesson}/card/{step}")
def card(request: Request, lesson: str, step: str, visit: TheVisit, award: str = "") -> Response:
    """Whose card is shown: in training it is enough to say so."""
    shown = _face(DESKS.practice(visit, lesson), None)
    if step not in IN_TRAINING:
        raise unknown("step", step, sorted(IN_TRAINING))
    template = "dealer/card.html" if is_partial(request) else "dealer/card_page.html"
    return page(
        request, template, face=shown, step=card_step(shown, step, award), problem="", filled=None, demo_people=()
    )


@dataclass(frozen=True)
class TrainingForm:
    """The fields of all buttons."""

    id: CommandId
    seat: Annotated[int, Form(ge=0, le=99)] = 0
    sensor: Annotated[int, Form(ge=0, le=99)] = 0
    lit: Annotated[bool, Form()] = True
    chips: Annotated[str, Form(max_length=3)] = ""
    row: Annotated[str, Form(max_length=60)] = ""
    card: Annotated[str, Form(max_length=20)] = ""
    chosen: Annotated[str, Form(max_length=2)] = ""
    evidence: Annotated[str, Form(max_length=200)] = ""
    other: Annotated[str, Form(max_length=200)] = ""
    side: Annotated[str, Form(max_length=10)] = ""

    @property
    def cards(self) -> CardsForm:
        return CardsForm(self.evidence, self.other, self.side)


@router.post("/dealer/training/{lesson}/again")
def again(lesson: str, visit: TheVisit) -> Response:
    DESKS.forget(visit, find_lesson(lesson).id)
    return back_to(f"/dealer/training/{lesson}")


@router.post("/dealer/training/{lesson}/card/{step}")
def press_with_card(
    request: Request, lesson: str, step: str, visit: TheVisit, sent: Annotated[TrainingForm, Depends()]
) -> Response:
    shown = sent.card if sent.card in CARD_ROLES else ""
    cards = sent.cards
    act = Act("key", position=step, card=shown)
    if step not in ("jph", "run"):
        act = Act(_press(step), card=shown, evidence=cards.text, side=cards.side)
    answer = _pressed(request, lesson, visit, sent, act)
    answer.headers["HX-Trigger"] = "card-done"
    return answer


@router.post("/dealer/training/{lesson}/{step}")
def press(
    request: Request, lesson: str, step: str, visit: TheVisit, sent: Annotated[TrainingForm, Depends()]
) -> Response:
    match _press(step):
        case "sense":
            act = Act("sense", seat=sent.seat, sensor=sent.sensor, lit=sent.lit)
        case "start":
            act = Act("start", chips=seat_of(sent.chips) or 0)
        case "pick":
            act = Act("pick", seat=sent.seat, sensor=sent.sensor, row=sent.row)
        case "hit":
            act = Act("hit", evidence=sent.cards.text, side=sent.side)
        case other:
            act = Act(other)
    return _pressed(request, lesson, visit, sent, act)


def _press(step: str) -> Press:
    if step not in get_args(Press):
        raise unknown("step", step, get_args(Press))
    return cast(Press, step)


def _pressed(request: Request, lesson: str, visit: Visit, sent: TrainingForm, act: Act) -> Response:
    practice = DESKS.practice(visit, lesson)
    with DESKS.guard:
        practice.press(sent.id, act)
    chosen = seat_of(sent.chosen)
    if not is_partial(request):
        return back_to(f"/dealer/training/{lesson}" + (f"?seat={chosen}" if chosen is not None else ""))
    return page(request, "dealer/practice_answer.html", face=_face(practice, chosen), practice=practice)
