"""A floor with nothing left to a default: what the ledger keeps, and how what it keeps is read.

Defaults change with the game files; what was set up does not. A floor is stored with every switch in force written out.
One that a program up to 2026-11-17 stored left out what was at its default, and is read with the defaults of that day.
Entries of the ledger are never rewritten.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from croupier.floor.files import floor_from_data
from croupier.floor.setup import Floor, JackpotSetup, TableSetup
from croupier.rules.former import former_settings, with_younger
from croupier.rules.registry import find_game
from croupier.rules.spec import Game

FIXED_PAYS = "fixed_pays"
"""The one switch that a jackpot has a field of its own for."""


def explicit_floor(floor: Floor) -> Floor:
    """The floor with every switch in force. Of a real floor no reading of a letter that contradicts itself is filled
    in: its operator says it."""

    def of_jackpot(jackpot: JackpotSetup) -> dict[str, str]:
        game = find_game(jackpot.game)
        said = () if floor.demo else game.by_figures(jackpot.wager, jackpot.pay_table)
        own = game.wager(jackpot.wager).pay_table(jackpot.pay_table).settings
        return {
            name: own.get(name, game.switch(name).default)
            for name in game.reading_switches(jackpot.wager)
            if name not in said
        } | jackpot.settings

    def of_table(table: TableSetup) -> dict[str, str]:
        game = find_game(table.game)
        return _of_the_table(game, {switch.id: switch.default for switch in game.switches}, table.settings)

    return _with_settings(
        floor,
        {table.id: of_table(table) for table in floor.tables},
        {jackpot.id: of_jackpot(jackpot) for jackpot in floor.jackpots},
    )


def stored_floor(data: object, name: str) -> Floor:
    """A floor as the ledger has it, with what it left out as it was then."""
    floor = floor_from_data(data, name)

    def of_jackpot(jackpot: JackpotSetup) -> dict[str, str]:
        game = find_game(jackpot.game)
        former = with_younger(game, former_settings(game, {}, {jackpot.wager: jackpot.pay_table}))
        names = game.reading_switches(jackpot.wager)
        return {switch: former[switch] for switch in names if switch in former} | jackpot.settings

    def of_table(table: TableSetup) -> dict[str, str]:
        game = find_game(table.game)
        pay_tables = {wager.wager: wager.pay_table for wager in table.wagers}
        return _of_the_table(game, with_younger(game, former_settings(game, {}, pay_tables)), table.settings)

    return _with_settings(
        floor,
        {table.id: of_table(table) for table in floor.tables},
        {jackpot.id: of_jackpot(jackpot) for jackpot in floor.jackpots},
    )


def _of_the_table(game: Game, every: Mapping[str, str], said: Mapping[str, str]) -> dict[str, str]:
    """Switches that a table sets; those that belong to a jackpot are there only if the table says them."""
    of_jackpots = {name for wager in game.wagers for name in game.reading_switches(wager.id)} | {FIXED_PAYS}
    return {name: value for name, value in every.items() if name not in of_jackpots} | dict(said)


def _with_settings(
    floor: Floor, of_tables: Mapping[str, dict[str, str]], of_jackpots: Mapping[str, dict[str, str]]
) -> Floor:
    return structs.replace(
        floor,
        tables=tuple(structs.replace(table, settings=of_tables[table.id]) for table in floor.tables),
        jackpots=tuple(structs.replace(jackpot, settings=of_jackpots[jackpot.id]) for jackpot in floor.jackpots),
    )
