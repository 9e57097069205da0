"""Croupier turns the approval letter of a casino table game into running software.

>>> import croupier
>>> croupier.game("blackjack").odds("lucky_lucky", decks=2)
<Odds: blackjack lucky_lucky, pay table 1, 2 decks: house edge 5.3903%>

Everything in `__all__` is stable as docs/library.md says; it is loaded when it is first used, so that the import is
light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.errors import CroupierError as CroupierError
    from croupier.library.catalog import Catalog as Catalog
    from croupier.library.catalog import games as games
    from croupier.library.checking import Check as Check
    from croupier.library.counting import Counting as Counting
    from croupier.library.frame import Frame as Frame
    from croupier.library.game import Game as Game
    from croupier.library.game import Switch as Switch
    from croupier.library.game import Wager as Wager
    from croupier.library.game import game as game
    from croupier.library.hidden_cards import HiddenCards as HiddenCards
    from croupier.library.meter import Meter as Meter
    from croupier.library.meter import MeterYears as MeterYears
    from croupier.library.odds import Odds as Odds
    from croupier.library.odds import OddsRow as OddsRow
    from croupier.library.protection import Protection as Protection
    from croupier.library.result import frame as frame
    from croupier.library.sheets import Sheet as Sheet
    from croupier.library.simulation import Estimate as Estimate
    from croupier.library.simulation import Plan as Plan
    from croupier.library.simulation import Simulation as Simulation
    from croupier.library.strategy import Decision as Decision
    from croupier.library.strategy import Strategy as Strategy
    from croupier.library.table import Round as Round
    from croupier.library.table import Table as Table

__version__ = "0.2.0"

_PLACES = {
    "Catalog": "library.catalog",
    "Check": "library.checking",
    "CroupierError": "errors",
    "Decision": "library.strategy",
    "Estimate": "library.simulation",
    "Frame": "library.frame",
    "Game": "library.game",
    "HiddenCards": "library.hidden_cards",
    "Counting": "library.counting",
    "Meter": "library.meter",
    "MeterYears": "library.meter",
    "Odds": "library.odds",
    "OddsRow": "library.odds",
    "Plan": "library.simulation",
    "Protection": "library.protection",
    "Round": "library.table",
    "Sheet": "library.sheets",
    "Simulation": "library.simulation",
    "Strategy": "library.strategy",
    "Switch": "library.game",
    "Table": "library.table",
    "Wager": "library.game",
    "frame": "library.result",
    "game": "library.game",
    "games": "library.catalog",
}
"""The module of each name."""

__all__ = [
    "Catalog",
    "Check",
    "Counting",
    "CroupierError",
    "Decision",
    "Estimate",
    "Frame",
    "Game",
    "HiddenCards",
    "Meter",
    "MeterYears",
    "Odds",
    "OddsRow",
    "Plan",
    "Protection",
    "Round",
    "Sheet",
    "Simulation",
    "Strategy",
    "Switch",
    "Table",
    "Wager",
    "frame",
    "game",
    "games",
]


if not TYPE_CHECKING:  # a type checker would take every name for one of these

    def __getattr__(name: str) -> Any:
        if name not in _PLACES:
            raise AttributeError(f"module 'croupier' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"croupier.{_PLACES[name]}"), name)
        return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
