"""What the lobby draws of a game's table, from what its round says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from croupier.rules.spec import Game

CENTER = (80.0, 14.0)
ARC = (60.0, 52.0)
"""The arc that the seats stand on, in units of the drawing."""
EDGE = 0.12
"""How far from its ends the first and the last seat are, as a share of half a turn."""
MOST_DRAWN = 5
"""Cards of a hand; more would not be told apart."""


@dataclass(frozen=True, kw_only=True)
class TableDrawing:
    """Cards and seats of a table from above."""

    seats: tuple[tuple[float, float], ...]
    own: int
    hands: int
    dealer_up: int
    dealer_down: int
    board: int

    @property
    def dealer(self) -> int:
        return self.dealer_up + self.dealer_down


def drawing_of(game: Game) -> TableDrawing:
    declared = game.declared
    showdown = declared.showdown
    shown = {place.face for place in declared.places if place.id == "dealer"}
    has_board = any(place.is_community or place.id == "board" for place in declared.places)
    own_cards = [scene.own_cards for scene in declared.scenes if scene.own_cards > 0]
    own = showdown.own if showdown is not None else min(own_cards, default=2)
    if not shown:
        up, down = 0, 0
    elif showdown is not None:
        up, down = showdown.up, showdown.hidden
    elif shown == {"down"}:
        up, down = 0, own
    else:
        both = [scene.dealer_cards for scene in declared.scenes if scene.dealer_cards]
        up, down = (1, 1) if "down" in shown else (max(both, default=1), 0)
    board = showdown.board if showdown is not None else 2 if has_board else 0
    return TableDrawing(
        seats=tuple(_seats(game.most_seats)),
        own=min(own if declared.hands == 1 else 2, MOST_DRAWN),
        hands=declared.hands,
        dealer_up=min(up, MOST_DRAWN),
        dealer_down=min(down, MOST_DRAWN - up),
        board=board,
    )


def _seats(number: int) -> list[tuple[float, float]]:
    angles = [pi * (EDGE + (1 - 2 * EDGE) * place / max(number - 1, 1)) for place in range(number)]
    return [(CENTER[0] + ARC[0] * cos(angle), CENTER[1] + ARC[1] * sin(angle)) for angle in angles]
