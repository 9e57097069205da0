"""Pay tables as a program passes them: by their ids, or as pays by row."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.errors import NotationError
from croupier.library.values import Decks, Rules, decks_text, switch_texts
from croupier.rules.choice import choose
from croupier.rules.own_tables import OWN, PayValue, with_own_table, with_table_first
from croupier.rules.spec import Game

OwnTable = Mapping[str, PayValue]
PayTable = str | int | OwnTable | None
"""A pay table's id, which may be a number, or its pays by row: `{"suited_678": 100, "678": "30 to 1"}`. None takes the
default one."""
PayTables = Mapping[str, str | int | OwnTable]
"""Pay tables by their wagers."""


def id_text(value: object) -> str:
    """The id of a pay table, which many games number.

    >>> id_text(2), id_text("full")
    ('2', 'full')
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise NotationError(f"{value!r} is not a pay table: give its id, or its pays by row.", code="bad_pay_table")
    return str(value)


def by_wager(pay_tables: PayTables | None, wager: str | None = None, pay_table: PayTable = None) -> PayTables:
    """Pay tables by their wagers, with that of one wager among them.

    >>> by_wager({"tie": 1}), by_wager(None), by_wager({"tie": 1}, "player", "2")
    ({'tie': 1}, {}, {'tie': 1, 'player': '2'})
    """
    if pay_tables is not None and not isinstance(pay_tables, Mapping):
        raise NotationError(f"{pay_tables!r} names no wager: write {{WAGER: PAY TABLE}}.", code="bad_pay_table")
    tables = dict(pay_tables or {})
    if wager is not None and not isinstance(wager, str):
        raise NotationError(f"{wager!r} is not a wager: give its id.", code="unknown_wager")
    if wager is not None and pay_table is not None and tables.setdefault(wager, pay_table) is not pay_table:
        raise NotationError(f'The pay table of "{wager}" is given twice.', code="bad_pay_table")
    return tables


def with_tables(game: Game, pay_tables: PayTables, decks: Decks, settings: Rules) -> tuple[Game, dict[str, str]]:
    """The game with the pay tables that were given as values, and all of them by their ids."""
    known, ids = game, {}
    for wager, table in pay_tables.items():
        if not isinstance(table, Mapping):
            ids[wager] = id_text(table)
            continue
        start = choose(known, wager, decks=decks_text(decks), settings=switch_texts(settings, {}))
        known = with_own_table(known, start, table)
        ids[wager] = OWN
    return known, ids


def with_others_first(game: Game, wager: str, ids: Mapping[str, str]) -> Game:
    """The game with these pay tables in front of the others of their wagers, as a round is played by the first; that
    of the wager itself is named where it is asked for."""
    for other, name in ids.items():
        table = game.wager(other).pay_table(name)
        if other != wager and table != game.wager(other).pay_tables[0]:
            game = with_table_first(game, other, table)
    return game
