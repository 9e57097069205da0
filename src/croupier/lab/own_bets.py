"""Bets of folders that are not ours, in game files: by their plain names, as their authors call them.

Engines know such a bet by its name and the digest of its file. That name is of no use to people: a file beside the
bet's own says the plain one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import structs

from croupier.rules.folders import named_folders
from croupier.rules.outside import is_outside
from croupier.rules.registry import find_game
from croupier.rules.spec import Game, Wager

_CLASSIFIER = re.compile(r'^(classifier\s*=\s*)"(\w+)"', re.MULTILINE)


def files_needed(game: Game) -> list[str]:
    """The files that have to lie beside a file of this game."""
    return [f"{name}.py" for name in dict.fromkeys(_plain(name) for name in _outside_bets(game))]


def with_plain_bets(game: Game) -> Game:
    """The game as a file beside those of its bets says it."""
    return structs.replace(game, wagers=tuple(_with_plain(wager) for wager in game.wagers))


def with_known_bets(text: str) -> str:
    """A game file's text with the bets of games on offer by the names that engines know them by. Only folders that the
    house has named are looked at: a file that was sent has no folder, and brings no code."""
    known = {_plain(name): name for game in named_folders() for name in _outside_bets(find_game(game))}
    return _CLASSIFIER.sub(lambda found: f'{found[1]}"{known.get(found[2], found[2])}"', text)


def _plain(name: str) -> str:
    return name.partition("-")[0]


def _with_plain(wager: Wager) -> Wager:
    tables = (structs.replace(table, classifier=_plain(table.classifier)) for table in wager.pay_tables)
    return structs.replace(wager, classifier=_plain(wager.classifier), pay_tables=tuple(tables))


def _outside_bets(game: Game) -> Iterator[str]:
    for wager in game.wagers:
        yield from filter(is_outside, (wager.classifier, *(table.classifier for table in wager.pay_tables)))
