"""What a record leaves to a default is read with the default of its time, never with that of today.

Programs up to 2026-11-17 wrote only what was set away from the defaults. Since then every switch and pay table in force
is written out, so a switch that is missing from a record is younger than the record.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from croupier.rules.loader import DATA
from croupier.rules.spec import Game

FROZEN = DATA / "defaults_2026_11_17.toml"


@cache
def _frozen() -> dict[str, Any]:
    games: dict[str, Any] = tomllib.loads(FROZEN.read_text(encoding="utf-8"))["games"]
    return games


def _frozen_game(game: Game) -> dict[str, Any]:
    """The game as it was. One that extends ours keeps its own defaults, and has our wagers' pay tables of that day."""
    games = _frozen()
    if game.id in games:
        frozen: dict[str, Any] = games[game.id]
        return frozen
    same = next((frozen for frozen in games.values() if frozen["round"] == game.round), None)
    return {"switches": {}, "pay_tables": same["pay_tables"] if same is not None else {}}


def former_pay_tables(game: Game, decks: int, chosen: Mapping[str, str]) -> dict[str, str]:
    """Every pay table that a table of 2026-11-17 had on its layout."""
    tables: dict[str, str] = {}
    for wager, listed in _frozen_game(game)["pay_tables"].items():
        fitting = [table["id"] for table in listed if decks in table["decks"]]
        tables[wager] = (fitting or [listed[0]["id"]])[0]
    return tables | dict(chosen)


def former_settings(game: Game, chosen: Mapping[str, str], pay_tables: Mapping[str, str]) -> dict[str, str]:
    """Every switch in force at a table of 2026-11-17 with these pay tables; some pay tables had values of their own."""
    frozen = _frozen_game(game)
    settings: dict[str, str] = dict(frozen["switches"])
    for wager, table in pay_tables.items():
        for frozen_table in frozen["pay_tables"].get(wager, ()):
            if frozen_table["id"] == table:
                settings |= frozen_table.get("settings", {})
    return settings | dict(chosen)


def with_younger(game: Game, settings: Mapping[str, str]) -> dict[str, str]:
    """A record's switches, and for those that the game has got since then the value by which it went before."""
    return {switch.id: switch.before for switch in game.switches if switch.before and switch.id not in settings} | dict(
        settings
    )
