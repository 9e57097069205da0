"""Baccarat's roads: who won the rounds of a table, laid out as players draw them. They predict nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from croupier.kernels.effects import DEALER, PLAYER_HAND
from croupier.table.log import parse_log
from croupier.table.replay import RoundState

Winner = Literal["player", "banker", "tie"]
ROAD_ROWS = 6
"""Height of both roads."""


@dataclass(frozen=True)
class Bead:
    """One round on a road; on the big road `ties` followed it."""

    column: int
    row: int
    winner: Winner
    ties: int = 0


@lru_cache(maxsize=10_000)
def winner_of(log: str) -> Winner:
    """Who won a round, by its log."""
    return winner_in(parse_log(log).state())


def winner_in(state: RoundState) -> Winner:
    """Who won a round that is over."""
    worth = state.rules.game.declared.worth_of_side
    assert worth is not None, "no side wins such a round"
    player, banker = (worth(state.row(place)) for place in (PLAYER_HAND, DEALER))
    return "tie" if player == banker else "player" if player > banker else "banker"


def bead_plate(winners: Sequence[Winner]) -> list[Bead]:
    """Every round in order, column by column."""
    return [Bead(number // ROAD_ROWS, number % ROAD_ROWS, winner) for number, winner in enumerate(winners)]


def big_road(winners: Sequence[Winner]) -> list[Bead]:
    """A new column whenever the other side wins; a run that meets the bottom or another bead turns right."""
    occupied: set[tuple[int, int]] = set()
    beads: list[Bead] = []
    first_column = -1
    for winner in winners:
        if winner == "tie":
            if beads:
                beads[-1] = Bead(beads[-1].column, beads[-1].row, beads[-1].winner, beads[-1].ties + 1)
            continue
        if beads and beads[-1].winner == winner:
            column, row = beads[-1].column, beads[-1].row + 1
            if row == ROAD_ROWS or (column, row) in occupied or column > first_column:
                column, row = column + 1, beads[-1].row
        else:
            first_column += 1
            column, row = first_column, 0
        occupied.add((column, row))
        beads.append(Bead(column, row, winner))
    return beads
