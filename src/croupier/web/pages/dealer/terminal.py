"""The dealer terminal: tables to choose from, a table's terminal, and its steps without a card.

A step answers with the table as it is now. A refused one does too, with a sentence above it: so a press for a table
that has moved on shows what it moved to.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request, Response

from croupier.errors import CroupierError, StaleRevisionError
from croupier.floor.checks.play import is_closed
from croupier.floor.names import SYSTEMS
from croupier.floor.preview import ledger_of, preview_hits
from croupier.floor.proof import prove
from croupier.floor.service import Ask, TableView
from croupier.floor.setup import Floor, TableSetup
from croupier.floor.stored import entry_of
from croupier.floor.terminal import WORDS, Terminal, jackpot_of, name_of, word
from croupier.jackpot import Award, JackpotHit
from croupier.reports.books.awards import WinPage, win_page
from croupier.reports.paper.books import paper_of
from croupier.rules import find_game
from croupier.web.errors import WebError, in_words, status_of
from croupier.web.guard import Caller, TheRoom, record_denial
from croupier.web.pages.base import CommandId, PageRoute, TheVisit, Visit, back_to, is_partial, page, visit_of
from croupier.web.pages.dealer.view import Face, face_of
from croupier.web.pages.dealt import play_at
from croupier.web.pages.manager.reports import pdf_answer
from croupier.web.pages.manager.shared import age
from croupier.web.pages.recent_steps import last_seen
from croupier.web.services import Services, room_of

router = APIRouter(route_class=PageRoute)

MOST_RACES = 10
"""How often a light that lost against another is tried again."""
STEPS = {
    "sense": "a light",
    "pick": "a hand picked",
    "reject": "a claim rejected",
    "pay_as_demo": "a prize paid",
    "turn_key": "the key turned",
    "void": "the round void",
    "stop": "out of service",
    "reopen": "back in service",
    "alarm": "stopped by an alarm",
}
"""Steps that have no button of one name on all systems."""
Number = Annotated[int, Form(ge=0, le=99)]
Revision = Annotated[int, Form(ge=0, le=2**53)]
Chosen = Annotated[str, Form(max_length=2)]
"""The seat whose hands are picked at this terminal, as text; empty for none."""
Typed = Annotated[str, Query(max_length=200)]


@dataclass(frozen=True)
class CardsForm:
    """The cards of a form: one hand, or baccarat's two in a field each, and a winner's side."""

    evidence: Annotated[str, Form(max_length=200)] = ""
    other: Annotated[str, Form(max_length=200)] = ""
    side: Annotated[str, Form(max_length=10)] = ""

    @property
    def text(self) -> str:
        return ", ".join(filter(None, map(plain_line, (self.evidence, self.other))))


TheCards = Annotated[CardsForm, Depends()]


def face(room: Services, table: str, chosen: int | None = None) -> Face:
    """A table of the floor as its terminal shows it now."""
    floor = room.desk.floor()
    setup = floor.table(table)
    view = room.desk.table(table)
    figures = room.desk.figures()
    figures.require(*(jackpot.id for jackpot in floor.jackpots_at(setup)))
    return face_of(
        setup,
        floor,
        view.terminal,
        base=f"/dealer/{table}",
        revision=view.revision,
        meters={meter.jackpot: meter.meter_micros for meter in figures.shown},
        preview=_preview(room, view.terminal, setup, floor),
        awards=_awards(room, view.terminal),
        entered=room.desk.entered(view.terminal),
        chosen=chosen,
    )


def _preview(room: Services, terminal: Terminal, setup: TableSetup, floor: Floor) -> tuple[JackpotHit, ...]:
    if not terminal.picks:
        return ()
    try:
        return preview_hits(ledger_of(room.book, setup), terminal, setup, floor)
    except CroupierError:  # a hit that would be refused has nothing to show; pressing it says why
        return ()


def _awards(room: Services, terminal: Terminal) -> list[tuple[Award, JackpotHit]]:
    """Open claims of the table, and what its latest round has paid."""
    played = room.book.round(terminal.table)
    of_round = [winner.award for winner in played.winners] if played and played.round == terminal.round else []
    ids = dict.fromkeys((*terminal.claims, *of_round))
    return [(room.book.award(id), entry_of(room.book, id, JackpotHit)[1]) for id in ids]


def seat_of(chosen: str) -> int | None:
    return int(chosen) if chosen.isascii() and chosen.isdigit() else None


@router.get("/dealer")
def tables(request: Request, room: TheRoom) -> Response:
    """Which tables there are, and who was last at each; those that the software deals apart, where a dealer has
    nothing to do but claims."""
    floor, seen, now = room.desk.floor(), last_seen(room.book), room.desk.clock()
    lines = []
    for view in room.desk.tables():
        setup = floor.table(view.terminal.table)
        play = play_at(room, setup) if setup.dealing == "software" and not is_closed(floor, setup) else None
        lines.append(
            {
                "play": play,
                "play_ago": age(play.active_at, now) if play and play.active_at else "",
                "setup": setup,
                "terminal": view.terminal,
                "game": find_game(setup.game).name,
                "protocol": SYSTEMS[setup.protocol],
                "jackpots": [jackpot.name or jackpot.id for jackpot in floor.jackpots_at(setup)],
                "seen": seen.get(setup.id),
                "last_step": _last_step(setup, seen[setup.id].step) if setup.id in seen else "",
                "ago": age(seen[setup.id].at, now) if setup.id in seen else "",
            }
        )
    return page(request, "dealer/tables.html", lines=lines, floor_name=floor.name or floor.id)


def _last_step(setup: TableSetup, step: str) -> str:
    """What was done last, by the name that its button has on the table's system."""
    return word(setup, step) if step in WORDS["gm_atlas"] else STEPS.get(step, step.replace("_", " "))


@router.get("/dealer/{table}")
def terminal(request: Request, table: str, room: TheRoom, seat: str = "") -> Response:
    return page(request, "dealer/dealer.html", face=face(room, table, seat_of(seat)), problem=None)


@router.get("/dealer/{table}/now")
def now(request: Request, table: str, room: TheRoom, seat: str = "") -> Response:
    """The part of the terminal that changes."""
    if not is_partial(request):
        return back_to(f"/dealer/{table}")
    return page(request, "dealer/terminal.html", face=face(room, table, seat_of(seat)))


@router.get("/dealer/{table}/slip/{award:path}/pdf")
def slip_pdf(table: str, award: str, room: TheRoom) -> Response:
    """The win page on paper."""
    return pdf_answer(room, _win(room, table, award))


@router.get("/dealer/{table}/slip/{award:path}")
def slip(request: Request, table: str, award: str, room: TheRoom) -> Response:
    """The win page, to be printed and signed."""
    floor = room.desk.floor()
    paper = paper_of(_win(room, table, award), floor)
    return page(request, "dealer/slip.html", paper=paper, setup=floor.table(table), award=award)


def _win(room: Services, table: str, award: str) -> WinPage:
    """The page of an award of this table."""
    page = win_page(room.book, award, room.desk.floor())
    if page.line.hit.table != table:
        raise WebError(f'Award "{award}" is not of table "{table}".', code="unknown_award")
    return page


@router.post("/dealer/{table}/sense")
def sense(
    request: Request,
    table: str,
    room: TheRoom,
    visit: TheVisit,
    id: CommandId,
    seat: Number,
    sensor: Number,
    lit: Annotated[bool, Form()],
    chosen: Chosen = "",
) -> Response:
    """A light: stands in for a chip on the sensor. Where it lies is said outright, so no revision is needed."""

    def act() -> TableView:
        for _ in range(MOST_RACES):
            with suppress(StaleRevisionError):  # another light came first, which is no reason against this one
                return room.desk.sense(_ask(id, visit), table, seat, sensor, lit=lit)
        return room.desk.sense(_ask(id, visit), table, seat, sensor, lit=lit)

    return done(request, table, chosen, act)


@router.post("/dealer/{table}/start")
def start(
    request: Request,
    table: str,
    room: TheRoom,
    visit: TheVisit,
    id: CommandId,
    revision: Revision,
    chips: Annotated[str, Form(max_length=3)] = "",
    playing: Annotated[str, Form(max_length=2)] = "",
    chosen: Chosen = "",
) -> Response:
    """START GAME. The dealer says how many chips there are, and where it is asked how many seats play; nobody fills
    that in."""

    def act() -> TableView:
        if not chips.isascii() or not chips.isdigit():
            raise WebError("Count the chips first and tap their number; it must equal the lit sensors.")
        return room.desk.start(_ask(id, visit, revision), table, chips=int(chips), playing=seat_of(playing))

    return done(request, table, chosen, act)


@router.post("/dealer/{table}/pick")
def pick(
    request: Request,
    table: str,
    room: TheRoom,
    visit: TheVisit,
    id: CommandId,
    revision: Revision,
    seat: Number,
    sensor: Number,
    row: Annotated[str, Form(max_length=60)],
    chosen: Chosen = "",
) -> Response:
    """A hand button, on or off."""
    return done(request, table, chosen, lambda: room.desk.pick(_ask(id, visit, revision), table, seat, sensor, row))


@router.post("/dealer/{table}/hit")
def hit(
    request: Request,
    table: str,
    room: TheRoom,
    visit: TheVisit,
    id: CommandId,
    revision: Revision,
    cards: TheCards,
    chosen: Chosen = "",
) -> Response:
    """HIT JACKPOT."""
    ask = _ask(id, visit, revision)
    return done(request, table, chosen, lambda: room.desk.hit(ask, table, evidence=cards.text, side=cards.side))


@router.get("/dealer/{table}/cards")
def cards_say(
    request: Request, table: str, room: TheRoom, evidence: Typed = "", other: Typed = "", side: Typed = ""
) -> Response:
    """Which hand the cards make, while they are tapped."""
    floor = room.desk.floor()
    setup = floor.table(table)
    return cards_answer(request, setup, floor, room.desk.table(table).terminal, CardsForm(evidence, other, side))


@router.post("/dealer/{table}/end")
def end(
    request: Request, table: str, room: TheRoom, visit: TheVisit, id: CommandId, revision: Revision, chosen: Chosen = ""
) -> Response:
    """END GAME."""
    return done(request, table, chosen, lambda: room.desk.end(_ask(id, visit, revision), table))


def cards_answer(request: Request, setup: TableSetup, floor: Floor, terminal: Terminal, cards: CardsForm) -> Response:
    """A sentence for each jackpot with a picked hand; nothing while the cards are not complete."""
    lines = []
    for sensor in sorted({pick.sensor for pick in terminal.picks}):
        jackpot = jackpot_of(setup, floor, sensor)
        with suppress(CroupierError):
            proof = prove(jackpot, setup, cards.text, cards.side)
            picked = {pick.row for pick in terminal.picks if pick.sensor == sensor}
            is_right = proof.row is not None and picked == {proof.row.row}
            lines.append({"jackpot": name_of(jackpot), "proof": proof, "is_right": is_right})
    return page(request, "dealer/cards_say.html", lines=lines)


def _ask(id: str, visit: Visit, revision: int | None = None) -> Ask:
    assert visit.person is not None, "the frame lets nobody else through"
    return Ask(id=id, by=visit.person, revision=revision)


def plain_line(text: str) -> str:
    """What somebody typed, as one line that can be kept."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


def done(request: Request, table: str, chosen: str, act: Callable[[], Any]) -> Response:
    """The table after a step. A refused one shows the table as it is, and why."""
    problem = None
    try:
        act()
    except CroupierError as error:
        problem = error
        note_denial(request, error)
    if problem is None and not is_partial(request):
        seat = f"?seat={seat_of(chosen)}" if seat_of(chosen) is not None else ""
        return back_to(f"/dealer/{table}{seat}")
    shown = face(room_of(request), table, seat_of(chosen))
    status = 200 if problem is None else status_of(problem)
    said = None if problem is None else {"message": for_dealers(problem), "code": problem.code}
    template = "dealer/answer.html" if is_partial(request) else "dealer/dealer.html"
    return page(request, template, status, face=shown, problem=said)


def for_dealers(error: CroupierError) -> str:
    """A refusal as it is said at the table, where nobody knows an award by its id in the ledger."""
    text = re.sub(r'\bIt is award "[^"]+"\. ', "", in_words(error))
    return re.sub(
        r'\b([Aa])ward (?:"[^"]+"|\S+/\d+)', lambda match: "The award" if match[1] == "A" else "the award", text
    )


def note_denial(request: Request, error: CroupierError) -> None:
    """What somebody may not do goes on the record, as everywhere."""
    if status_of(error) == 403:
        visit = visit_of(request)
        record_denial(request, Caller(person=visit.person, address=visit.address), error.code)
