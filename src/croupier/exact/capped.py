"""Wagers whose winnings may be moved onto the first wager: what that is worth by best play.

A unit that is moved is worth what the hand is worth, whatever lies on it already; so it is moved whole where the hand
is worth more than nothing, and else not at all.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.keep import kept
from croupier.exact.played import compute_strategy
from croupier.exact.strategy import base, program, tally
from croupier.exact.strategy.base import BaseGame
from croupier.exact.strategy.before_play import BeforePlay
from croupier.exact.strategy.charts import weights_of
from croupier.exact.strategy.graph import NATURAL_START, STARTS
from croupier.exact.strategy.sheet import StrategySheet
from croupier.exact.strategy.solve import Solution
from croupier.exact.strategy.tally import SQUARE
from croupier.kernels.strategy import CLASSES
from croupier.rules.choice import Choice, first_choice

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class CappedRow:
    """A row of such a wager, by best play."""

    profit: float
    """Mean profit of a unit that comes to it."""
    square: float
    """Mean square of that."""
    moved: float
    """How often it is moved."""


def capped_rows(choice: Choice) -> dict[str, CappedRow]:
    """Each row that wins."""
    settled = choice.game.settled_by_round(choice.wager)
    assert settled is not None
    sheet = _main_sheet(choice)
    assert sheet.before_play is not None
    squares = squares_of(sheet.solution)
    pays = {row.row: float(row.pays.net) for row in choice.rows}
    return {
        name: _row(sheet.before_play, number, pays[name], squares)
        for number, name in enumerate(settled.outcomes)
        if name in pays
    }


def _row(asked: BeforePlay, outcome: int, pays: float, squares: Array) -> CappedRow:
    chances = asked.openings[outcome]
    met = asked.dealt * chances
    values = np.nan_to_num(asked.values[:, :, 1])
    moves = (asked.best == 1) & (met > 0)
    whole = float(asked.hands @ chances)
    won, back = met[moves], 1 + pays
    profit = back * float(won @ values[moves]) / whole
    more = 2 * pays * back * float(won @ values[moves]) + back**2 * float(won @ squares[moves])
    return CappedRow(profit=pays + profit, square=pays**2 + more / whole, moved=float(won.sum()) / whole)


def squares_of(solution: Solution) -> Array:
    """By up card and first two cards: the mean square of what best play wins of a unit, once the dealer is known to
    have no blackjack."""
    game = solution.game
    assert isinstance(game, BaseGame)
    parts = (game.round_, game.rules, game.shoe.cards.tolist(), game.shoe.endless, game.blackjack_pays)
    digest = hashlib.sha256(repr((*parts, game.surrender_pays)).encode()).hexdigest()[:16]

    def make() -> tuple[Array]:
        squares = np.zeros((CLASSES, STARTS))
        for up in np.flatnonzero(game.shoe.cards):
            deals = game.up_card(int(up))
            squares[up] = deals.view.tally(deals.positions[0], solution.best.codes[up])[:, SQUARE]
            if game.rules.peek == 1:
                squares[up] /= 1 - weights_of(solution, int(up))[1].reshape(STARTS)
            squares[up, NATURAL_START] = game.blackjack_pays**2
        return (squares,)

    return kept(f"squares-{digest}", [base, program, tally], make, ships=True)[0]


def _main_sheet(choice: Choice) -> StrategySheet:
    sheet = compute_strategy(first_choice(choice))
    if not isinstance(sheet, StrategySheet):
        raise NotComputedError(f'The odds of "{choice.wager.id}" need a strategy of blackjack.', code="not_computed")
    return sheet
