"""The games there are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from croupier.errors import CroupierError
from croupier.library.frame import Frame
from croupier.library.game import Game
from croupier.library.html import notes_html, table_html
from croupier.rules import find_game, game_ids
from croupier.rules.folders import installed_ids
from croupier.rules.registry import read_installed


@dataclass(frozen=True, repr=False)
class Catalog(Collection[Game]):  # no Sequence, of which polars would read the games field by field
    """The games on offer, in order: ours, those of folders that the user named, and those of installed packages.

    >>> import croupier
    >>> catalog = croupier.games()
    >>> catalog["casino_war"].name, len(catalog) >= 7
    ('Casino War', True)
    >>> "casino_war" in catalog, "roulette" in catalog
    (True, False)
    """

    items: tuple[Game, ...]
    notes: tuple[str, ...] = ()
    """Installed games that were left out, and why."""

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(game.id for game in self.items)

    @overload
    def __getitem__(self, key: int | str) -> Game: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Game]: ...
    def __getitem__(self, key: int | str | slice) -> Game | Sequence[Game]:
        if isinstance(key, str):
            return next((game for game in self.items if game.id == key), None) or Game(find_game(key), key)
        return self.items[key]

    def __contains__(self, game: object) -> bool:
        """Whether a game, or the game of an id, is among them."""
        return game in (self.ids if isinstance(game, str) else self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Game]:
        return iter(self.items)

    def to_dict(self) -> list[dict[str, Any]]:
        """What `croupier games --json` prints."""
        return [game.to_dict() for game in self.items]

    @property
    def frame(self) -> Frame:
        """A row for each wager."""
        return Frame.of_rows(
            {"game": game.id, "wager": wager.id, "kind": wager.kind, "pay_tables": len(wager.pay_tables)}
            for game in self.items
            for wager in game.wagers.values()
        )

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.frame.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<Catalog: {', '.join(self.ids)}>"

    def _repr_html_(self) -> str:
        rows = [[game.id, game.name, ", ".join(game.wagers), game.summary] for game in self.items]
        return table_html(["game", "name", "wagers", "in short"], rows) + notes_html(self.notes)


def games() -> Catalog:
    """The games on offer.

    >>> import croupier
    >>> croupier.games().ids[:2]
    ('bet_the_bust', 'bet_the_set_21')
    """
    games = [Game(find_game(name), name) for name in game_ids()]
    notes = []
    for name in installed_ids():  # as their files say: no code of theirs is run for a list
        try:
            games.append(Game(read_installed(name), name))
        except CroupierError as error:
            notes.append(f"the installed game {name} is left out: {error}")
    return Catalog(tuple(games), tuple(notes))
