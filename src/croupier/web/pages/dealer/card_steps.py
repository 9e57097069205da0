"""Steps at a dealer terminal that somebody else's card and PIN decide: payment, rejection, the key, a misdeal, service.

Who is signed in stays so; the card stands for one step. A swipe that was refused is never taken again under its id: so
a refusal comes with a fresh form, while a lost answer is asked for again with the form that was sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, Response

from croupier.errors import CroupierError, unknown
from croupier.floor.credentials import DEMO_PEOPLE, DemoPerson
from croupier.floor.people import Person
from croupier.floor.roles import Role
from croupier.floor.service import Ask, Signer
from croupier.floor.terminal import require_may_pay
from croupier.web.api.bodies import Swipe, present
from croupier.web.api.typed import Secret
from croupier.web.errors import WebError, status_of
from croupier.web.guard import Caller, TheRoom
from croupier.web.pages.base import CommandId, PageRoute, TheVisit, Visit, back_to, is_partial, page
from croupier.web.pages.dealer.terminal import CardsForm, TheCards, face, for_dealers, note_denial, plain_line
from croupier.web.pages.dealer.view import AwardLine, Face
from croupier.web.services import Services, room_of

router = APIRouter(route_class=PageRoute)

STEPS = ("pay", "reject", "jph", "run", "void", "stop", "reopen")
WITH_NOTE = frozenset({"reject", "void", "stop"})


@dataclass(frozen=True, kw_only=True)
class CardStep:
    """A form that asks for a card: what it is for, and whose card it takes."""

    step: str
    title: str
    what: str
    needs: str
    persons: int
    button: str
    award: str
    lines: tuple[AwardLine, ...]
    with_card: bool
    with_note: bool


def card_step(shown: Face, step: str, award: str) -> CardStep:
    """The form of a step at a table as it stands."""
    if step not in STEPS:
        raise unknown("step", step, STEPS)
    lines = _lines(shown, award) if step in ("pay", "reject") else ()
    award = next((line.hit.award for line in lines if line.status), "")
    persons, needs, with_card = 1, f"a {Role.SUPERVISOR}", True
    if step == "pay":
        persons = max((line.persons for line in lines), default=1)
        needs = _whose(lines)
        with_card = needs != Role.DEALER
    title, what, button = _words(shown, step)
    return CardStep(
        step=step,
        title=title,
        what=what,
        needs=needs,
        persons=persons,
        button=button,
        award=award,
        lines=lines,
        with_card=with_card,
        with_note=step in WITH_NOTE,
    )


def _lines(shown: Face, award: str) -> tuple[AwardLine, ...]:
    """The claim that is meant; for J-POT what is picked, or a claim that waits for another card."""
    if not award and shown.words.is_keypad and (waiting := shown.preview or shown.claims[:1]):
        return waiting
    lines = tuple(line for line in shown.claims if line.hit.award == award)
    if not lines:
        raise WebError("This claim is not open at this table any more.", code="unknown_award")
    return lines


def _whose(lines: tuple[AwardLine, ...]) -> str:
    """The lowest role whose card is enough for all of these."""
    roles = {line.needs for line in lines}
    if Role.EXECUTIVE in roles:
        return f"an {Role.EXECUTIVE}"
    return f"a {Role.SUPERVISOR}" if Role.SUPERVISOR in roles or not roles else Role.DEALER


def _words(shown: Face, step: str) -> tuple[str, str, str]:
    """Title, explanation and button."""
    pay = shown.words.pay
    back = "The money goes back where it came from, by a new entry."
    return {
        "pay": (pay, "Look at the cards and the seats before you approve this.", pay),
        "reject": ("Reject the claim", f"The claim was not right. {back}", "Reject"),
        "jph": ("Key to JPH", "The supervisor inserts the key and turns it before J-POT is pressed.", "Turn to JPH"),
        "run": ("Key to Run", "Restores normal operation of the table.", "Turn to Run"),
        "void": ("Void the round", "A misdeal: every locked wager goes back to its player.", "Void the round"),
        "stop": ("Out of service", "The table stops; a round in progress stays as it is.", "Take out of service"),
        "reopen": ("Back into service", "The table goes on where it stopped.", "Reopen the table"),
    }[step]


@router.get("/dealer/{table}/card/{step}")
def form(request: Request, table: str, step: str, room: TheRoom, award: str = "") -> Response:
    """Whose card is needed, and the fields for it."""
    shown = face(room, table)
    return _form(request, shown, card_step(shown, step, award), 200, "")


@dataclass(frozen=True)
class CardStepForm:
    """The fields of such a form."""

    id: CommandId
    revision: Annotated[int, Form(ge=0, le=2**53)]
    award: Annotated[str, Form(max_length=200)] = ""
    note: Annotated[str, Form(max_length=500)] = ""
    card: Annotated[str, Form(max_length=200)] = ""
    pin: Annotated[str, Form(max_length=200)] = ""
    second_card: Annotated[str, Form(max_length=200)] = ""
    second_pin: Annotated[str, Form(max_length=200)] = ""


@dataclass(frozen=True)
class Filled:
    """What a refused form had in it: only what was wrong is typed again. PINs are never sent back."""

    sent: CardStepForm
    cards: CardsForm
    wrong: str
    """The field of the PIN whose card was refused; empty where the cards were good."""


@router.post("/dealer/{table}/card/{step}")
def send(
    request: Request,
    table: str,
    step: str,
    room: TheRoom,
    visit: TheVisit,
    sent: Annotated[CardStepForm, Depends()],
    cards: TheCards,
) -> Response:
    """Does the step, or shows a fresh form that says why not."""
    if step not in STEPS:
        raise unknown("step", step, STEPS)
    assert visit.person is not None, "the frame lets nobody else through"
    wrong = "pin"
    try:
        by = _signer(room, visit, table, step, sent)
        wrong = "second_pin"
        second = _second(room, visit, table, sent) if step == "pay" else None
        wrong = ""
        _act(room, visit.person, table, step, sent, cards, (by, second))
    except CroupierError as error:
        note_denial(request, error)
        return _refused(request, table, step, Filled(sent, cards, wrong), error)
    if not is_partial(request):
        return back_to(f"/dealer/{table}")
    answer = page(request, "dealer/card_done.html", face=face(room, table))
    answer.headers["HX-Trigger"] = "card-done"
    return answer


def _refused(request: Request, table: str, step: str, filled: Filled, error: CroupierError) -> Response:
    shown = face(room_of(request), table)
    try:
        fresh = card_step(shown, step, filled.sent.award)
    except CroupierError:  # settled meanwhile: there is nothing left to approve
        raise error from None
    return _form(request, shown, fresh, status_of(error), for_dealers(error), filled)


def _form(
    request: Request, shown: Face, step: CardStep, status: int, problem: str, filled: Filled | None = None
) -> Response:
    template = "dealer/card.html" if is_partial(request) else "dealer/card_page.html"
    demo_people = demo_cards(step) if room_of(request).demo else ()
    return page(
        request, template, status, face=shown, step=step, problem=problem, filled=filled, demo_people=demo_people
    )


def demo_cards(step: CardStep) -> tuple[DemoPerson, ...]:
    """The cards of the demonstration that are enough for a step, the lowest role first."""
    enough = [Role.EXECUTIVE] if step.needs.endswith(Role.EXECUTIVE) else [Role.SUPERVISOR, Role.EXECUTIVE]
    return tuple(person for role in enough for person in DEMO_PEOPLE if person.role is role) if step.with_card else ()


def _act(
    room: Services,
    dealer: Person,
    table: str,
    step: str,
    sent: CardStepForm,
    cards: CardsForm,
    signers: tuple[Signer, Signer | None],
) -> None:
    by, second = signers
    ask = Ask(id=sent.id, by=by, revision=sent.revision)
    note = plain_line(sent.note)
    match step:
        case "pay":
            if sent.award:
                _require_here(room, table, sent.award)
                room.desk.pay(ask, sent.award, second=second)
            else:
                _hit_and_pay(room, dealer, ask, table, cards, second)
        case "reject":
            _require_here(room, table, sent.award)
            room.desk.reject(ask, sent.award, note)
        case "jph" | "run":
            room.desk.turn_key(ask, table, "jph" if step == "jph" else "run")
        case "void":
            room.desk.void(ask, table, note)
        case "stop":
            room.desk.stop(ask, table, note)
        case "reopen":
            room.desk.reopen(ask, table)


def _hit_and_pay(room: Services, dealer: Person, ask: Ask, table: str, cards: CardsForm, second: Signer | None) -> None:
    """J-POT proposes what is picked, by who is signed in, and pays all of it."""
    proposed = Ask(id=f"{ask.id}-hit", by=dealer, revision=ask.revision)
    if room.book.entry(proposed.id) is None:  # not yet: nothing is proposed while the key stands at Run
        require_may_pay(room.desk.table(table).terminal, room.desk.floor().table(table))
    view = room.desk.hit(proposed, table, evidence=cards.text, side=cards.side)
    for number, award in enumerate(view.awards, 1):
        room.desk.pay(Ask(id=f"{ask.id}-{number}", by=ask.by), award, second=second)


def _require_here(room: Services, table: str, award: str) -> None:
    if room.book.award(award).table != table:
        raise WebError(f'This claim is not of table "{table}".', code="unknown_award")


def _signer(room: Services, visit: Visit, table: str, step: str, sent: CardStepForm) -> Signer:
    """Whose card it is. Without one it is who is signed in, which is enough for small fixed pays only."""
    assert visit.person is not None
    if sent.card or sent.pin:
        return _swipe(room, visit, sent.card, sent.pin, what=f"{step} at {table}", id=sent.id)
    if step != "pay":
        raise WebError("Present a card and enter its PIN: both fields are needed.")
    return Person(id=visit.person.id, role=Role.DEALER)


def _second(room: Services, visit: Visit, table: str, sent: CardStepForm) -> Signer | None:
    if not sent.second_card and not sent.second_pin:
        return None
    return _swipe(room, visit, sent.second_card, sent.second_pin, what=f"pay at {table}", id=f"{sent.id}/2")


def _swipe(room: Services, visit: Visit, card: str, pin: str, *, what: str, id: str) -> Person:
    if not card.strip() or not pin.strip():
        raise WebError("Present a card and enter its PIN: both fields are needed.")
    caller = Caller(person=visit.person, address=visit.address)
    swipe = Swipe(card=Secret(card.strip()), pin=Secret(pin.strip()))
    return present(room, caller, swipe, what=what, id=id)
