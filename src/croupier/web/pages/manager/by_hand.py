"""The right award of a round, entered by two people: on the page of an award that was backed out, and on a table's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from croupier.floor.proof import asked_of
from croupier.floor.setup import Floor, TableSetup, hand_label, pay_table_of
from croupier.floor.terminal import EVERYONE, name_of
from croupier.web.api import tables as api
from croupier.web.api.bodies import ByHandBody
from croupier.web.guard import TheRoom
from croupier.web.pages.base import CommandId, PageRoute, TheVisit
from croupier.web.pages.manager.shared import SentForm, TheForm, body_of, caller_of, go
from croupier.web.pages.problems import FieldError

router = APIRouter(route_class=PageRoute)

MOST_SEATS_TEXT = 60


@dataclass(frozen=True, kw_only=True)
class ByHand:
    """What the form needs of a table: its hands, and which cards prove them."""

    table: str
    round: int
    revision: int
    hands: tuple[tuple[str, str], ...]
    """Sensor and row as the form sends them, with the words for people."""
    cards: str
    example: str
    needs_side: bool


def by_hand_of(setup: TableSetup, floor: Floor, *, round: int, revision: int) -> ByHand | None:
    """The form of a table; none where it has no sensor."""
    hands, forms = [], []
    for sensor in setup.sensors:
        jackpot = floor.jackpot(sensor.jackpot)
        forms.append(asked_of(jackpot, setup))
        of = f"{name_of(jackpot)}: " if len(setup.sensors) > 1 else ""
        for row in pay_table_of(jackpot).rows:
            label = f"{of}{hand_label(jackpot, row, setup)}, {row.pays.text}"
            hands.append((f"{sensor.number}/{row.row}", label))
    first = next((form for form in forms if form is not None), None)
    if not hands:
        return None
    return ByHand(
        table=setup.id,
        round=round,
        revision=revision,
        hands=tuple(hands),
        cards=" and ".join(name.lower() for name in first.hands) if first is not None else "",
        example=first.example if first is not None else "",
        needs_side=any(form is not None and form.needs_side for form in forms),
    )


@router.post("/manager/tables/{table}/award-by-hand")
def award_by_hand(
    request: Request, table: str, id: CommandId, form: TheForm, visit: TheVisit, room: TheRoom
) -> Response:
    setup = room.desk.floor().table(table)
    offered = by_hand_of(setup, room.desk.floor(), round=0, revision=0)
    accepted = [value for value, _ in offered.hands] if offered is not None else []
    sensor, _, row = form.one_of("hand", "Winning hand", accepted).partition("/")
    picks = [{"seat": seat, "sensor": int(sensor), "row": row} for seat in _seats(form)]
    body = body_of(
        ByHandBody,
        revision=form.number("revision", "Revision"),
        round=form.number("round", "Round", least=1),
        picks=picks,
        evidence=form.words("evidence", "Cards", most=200, may_be_empty=True),
        side=form.one_of("side", "Side", ("", "player", "banker")),
        note=form.note("note", "Why"),
        second=form.swipe("second", "Second card"),
    )
    awarded = api.award_by_hand(table, body, id, caller_of(visit), room)
    return go(request, f"/manager/claims/{awarded.awards[0]}?done=by_hand")


def _seats(form: SentForm) -> list[int]:
    """`all`, or numbers: `2`, `1, 3`."""
    text = form.words("seats", "Seats", most=MOST_SEATS_TEXT).lower()
    if text == "all":
        return [EVERYONE]
    words = re.split(r"[\s,]+", text)
    if not all(re.fullmatch(r"[1-9][0-9]?", word) for word in words):
        raise FieldError(
            f'Seats: "{text[:40]}" is not accepted. Write their numbers, as in 1, 3, or all.',
            field="seats",
            code="unknown_seat",
        )
    return [int(word) for word in words]
