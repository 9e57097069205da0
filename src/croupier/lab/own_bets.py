"""Bets of folders that are not ours, in game files: by their plain names, as their authors call them.

Engines know such a bet by its name and the digest of its file. That name is of no use to people: a file beside the
bet's own says the plain one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from croupier.rules.folders import named_folders
from croupier.rules.outside import is_outside
from croupier.rules.registry import find_game
from croupier.rules.spec import Game, Wager


def files_needed(game: Game) -> list[str]:
    """The files that have to lie beside a file of this game."""
    return [f"{name}.py" for name in dict.fromkeys(_plain(name) for name in _outside_bets(game))]


def with_plain_bets(game: Game) -> Game:
    """The game as a file beside those of its bets says it."""
    return structs.replace(game, wagers=tuple(_with_plain(wager) for wager in game.wagers))


def name_known_bets(data: dict[str, Any]) -> None:
    """In a game file's tables, names the bets of games on offer as engines know them. Only folders that the house has
    named are looked at: a file that was sent has no folder, and brings no code."""
    known = {_plain(name): name for game in named_folders() for name in _outside_bets(find_game(game))}
    for wager in _tables(data, "wagers"):
        for table in (wager, *_tables(wager, "pay_tables")):
            if isinstance(table.get("classifier"), str):
                table["classifier"] = known.get(table["classifier"], table["classifier"])


def _tables(data: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Those of that name; nobody has checked yet what stands there."""
    tables = data.get(name)
    return [table for table in tables if isinstance(table, dict)] if isinstance(tables, list) else []


def _plain(name: str) -> str:
    return name.partition("-")[0]


def _with_plain(wager: Wager) -> Wager:
    tables = (structs.replace(table, classifier=_plain(table.classifier)) for table in wager.pay_tables)
    return structs.replace(wager, classifier=_plain(wager.classifier), pay_tables=tuple(tables))


def _outside_bets(game: Game) -> Iterator[str]:
    for wager in game.wagers:
        yield from filter(is_outside, (wager.classifier, *(table.classifier for table in wager.pay_tables)))
