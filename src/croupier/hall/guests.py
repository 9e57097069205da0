"""Guests who are gone: they are forgotten with their purses, their own tables and the rounds there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.floor.service import FLOOR, FloorService
from croupier.hall.saved import read_saved
from croupier.store.play import Player, PlayStore

OWN = "own"
DAY_MICROS = 24 * 3600 * 1_000_000
UNUSED_DAYS = 1
"""After so long without doing anything a guest who never finished a round is forgotten."""
IDLE_DAYS = 30
"""The same for a guest who has played."""
NAMED_DAYS = 400
"""The same for somebody who has taken a name: by then their browser has dropped the cookie, too."""
AT_ONCE = 50
"""Players who are forgotten in one go, so that no table waits for it."""
EVERY_MICROS = 600 * 1_000_000


def forget_gone(desk: FloorService, store: PlayStore, now_micros: int, drop: Callable[[Sequence[str]], None]) -> int:
    """Forgets some of those who are gone and drops their tables; returns when to look again.

    Who has a seat at a table of the floor is kept, however long ago they took it.
    """
    gone = store.gone_players(
        unused_before=now_micros - UNUSED_DAYS * DAY_MICROS,
        idle_before=now_micros - IDLE_DAYS * DAY_MICROS,
        named_before=now_micros - NAMED_DAYS * DAY_MICROS,
        but=_seated(desk, store),
        limit=AT_ONCE,
    )
    for player in gone:
        tables = store.tables_between(*_own_ids(player))
        if store.forget(player, tables):
            drop(tables)
    return now_micros + (EVERY_MICROS if len(gone) < AT_ONCE else 0)


def _own_ids(player: Player) -> tuple[str, str]:
    """How the ids of a player's own tables begin and end, whatever is played there."""
    return f"{OWN}-", f"-{player.id.removeprefix('p-')}"


def own_id(player: Player, game: str) -> str:
    """The id of a player's own table of a game."""
    start, end = _own_ids(player)
    return f"{start}{game}{end}"


def game_of_own(table: str) -> str:
    """The game of somebody's own table, by the table's id."""
    return table.split("-")[1]


def _seated(desk: FloorService, store: PlayStore) -> list[str]:
    """Who sits at the tables of the floor."""
    if desk.book.fact(FLOOR) is None:
        return []
    seated = set()
    for table in desk.floor().tables:
        row = store.table(table.id) if table.dealing == "software" else None
        if row is not None:
            seated |= {place.player for place in read_saved(row[1]).places if place.player}
    return sorted(seated)
