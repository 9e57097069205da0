"""The roads of a table where one of two sides wins."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from croupier.hall.hall import require_own
from croupier.hall.roads import Bead, bead_plate, big_road, winner_of
from croupier.kernels.effects import DEALER
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, TheVisit, page, seen_as
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

ROAD_ROUNDS = 72


@dataclass(frozen=True)
class Roads:
    """Both roads of a table, with their widths."""

    bead: list[Bead]
    bead_columns: int
    big: list[Bead]
    big_columns: int
    words: dict[str, str]
    """How each side is called here, by whose win a bead stands for."""


@router.get("/practice/roads/{table}")
def roads(request: Request, visit: TheVisit, room: TheRoom, table: str) -> Response:
    """Bead plate and big road as they are now."""
    require_own(table, seen_as(visit))
    return page(request, "play/roads.html", roads=roads_of(room, table))


def roads_of(room: Services, table: str) -> Roads:
    """The latest rounds of a table, the first of them first."""
    winners = [winner_of(round.log) for round in reversed(room.hall.store.rounds(table, limit=ROAD_ROUNDS))]
    bead, big = bead_plate(winners), big_road(winners)
    other_side = room.hall.table(table).table.rules.game.declared.place(DEALER)
    words = {"player": "player", "banker": other_side.label.split()[0].lower(), "tie": "tie"}
    return Roads(bead, _columns(bead), big, _columns(big), words)


def _columns(beads: list[Bead]) -> int:
    return 1 + max((bead.column for bead in beads), default=0)
