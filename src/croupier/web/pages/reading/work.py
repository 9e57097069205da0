"""What reading pages show that takes long: functions for the other process, of names and texts, as plain data."""

from __future__ import annotations

from fractions import Fraction

from croupier.exact.check import is_played
from croupier.exact.odds import compute_odds
from croupier.exact.played import main_account
from croupier.exact.shipped import shipped_for
from croupier.library.game import game as named
from croupier.reports.formatting import percent
from croupier.reports.published import game_table
from croupier.reports.report import Table
from croupier.rules import find_game
from croupier.rules.choice import choose


def wager_edge(game: str, wager: str) -> str:
    """The exact house edge of a wager at its default pay table and decks."""
    choice = choose(find_game(game), wager)
    edge = -Fraction(main_account(choice).value) if is_played(choice) else compute_odds(choice).edge
    return percent(edge, 3)


def shipped_edge(game: str, wager: str) -> str | None:
    """The same where it came with the package: read, not computed, so that the server itself may ask."""
    shipped = shipped_for(game)
    edge = shipped.edges.get(wager) if shipped is not None else None
    return percent(Fraction(edge), 3) if edge is not None else None


def checked_figures(game: str) -> tuple[Table, list[str]]:
    """Every published figure of a game beside the exact one, and the verdicts."""
    results = list(named(game).check().figures)
    return game_table(results, address=f"/sheet/{game}"), [item.verdict for item in results]
