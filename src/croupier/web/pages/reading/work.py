"""What reading pages show that takes long: functions for the other process, of names and texts, as plain data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.exact.check import CheckedFigure, check_game, is_played
from croupier.exact.odds import compute_odds
from croupier.exact.played import compute_strategy, main_account
from croupier.reports.formatting import FIGURES, decks_text, difference_text, figure_text, percent, verdict_text, z_text
from croupier.reports.strategy.data import strategy_data
from croupier.rules import find_game
from croupier.rules.choice import choose

Plain = dict[str, Any]


def wager_edge(game: str, wager: str) -> str:
    """The exact house edge of a wager at its default pay table and decks."""
    choice = choose(find_game(game), wager)
    edge = -Fraction(main_account(choice).value) if is_played(choice) else compute_odds(choice).edge
    return percent(edge, 3)


def strategy_sheet(game: str, pay_table: str, decks: str) -> Plain:
    """The strategy of a main wager; which of its charts are of numbers is said under `ratings`."""
    found = find_game(game)
    sheet = compute_strategy(choose(found, found.first_wager.id, pay_table=pay_table or None, decks=decks))
    return strategy_data(sheet) | {"ratings": list(sheet.ratings)}


def checked_figures(game: str) -> list[Plain]:
    """Every published figure of a game beside the exact one, as text."""
    return [_checked(item) for item in check_game(find_game(game))]


def _checked(item: CheckedFigure) -> Plain:
    fact = item.fact
    return {
        "wager": fact.wager,
        "pay_table": fact.pay_table,
        "decks": decks_text(item),
        "where": fact.where,
        "figure": FIGURES[fact.figure],
        "printed": fact.printed,
        "computed": figure_text(fact.figure, item.computed) if item.computed is not None else "",
        "difference": difference_text(item),
        "verdict": item.verdict,
        "verdict_text": verdict_text(item),
        "finding": item.finding,
        "z_text": z_text(item),
    }
