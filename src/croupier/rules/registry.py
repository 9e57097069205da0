"""Games by id or path: our own, other packages' entry points, and folders a user names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from croupier.errors import SpecError, UnknownNameError, unknown
from croupier.rules.folders import file_at, find_folder, installed_ids, name_folders, named_folders, our_folders
from croupier.rules.loader import load_beside, load_game
from croupier.rules.spec import Game
from croupier.rules.titles import only_named

BESIDE = "."
"""Stands in an id between a game and the titles whose side bets lie beside its own."""


def game_ids() -> list[str]:
    """The games on offer: ours, and those whose folders the user has named. Code of installed packages is not run to
    list games, so theirs are `installed_ids`, found when they are asked for."""
    return [*our_folders(), *named_folders()]


def find_game(id_or_path: str) -> Game:
    """The game of that id, or the game file or folder at that path, which is read anew: its user may be editing it.

    A game with titles behind it, as in `blackjack.royal_match_21.trilux`, has their side bets beside its own.
    """
    folder = find_folder(id_or_path)
    if folder is not None:
        return _known(id_or_path, folder)
    parts = titles_in(id_or_path)
    if len(parts) > 1:
        return _beside(parts, tuple(folder for folder in map(find_folder, parts) if folder is not None))
    path = Path(id_or_path)
    if not id_or_path or not path.exists():
        if "/" in id_or_path or id_or_path.endswith(".toml"):
            raise SpecError(f"There is no game file or folder {id_or_path}.", code="unreadable_file")
        raise unknown_game(id_or_path, [*game_ids(), *installed_ids()])
    return load_game(file_at(path))


def titles_in(game_id: str) -> tuple[str, ...]:
    """The game and the titles that an id names, each by its own id; one alone where it names no titles."""
    parts = tuple(game_id.split(BESIDE))
    return parts if all(part in game_ids() for part in parts) else (game_id,)


def is_offered(game_id: str) -> bool:
    """Whether it is a game on offer, or one with titles beside it; never a path."""
    return all(part in game_ids() for part in titles_in(game_id))


@cache
def _beside(parts: tuple[str, ...], folders: tuple[Path, ...]) -> Game:
    """The game of the first part with the side bets of the others; what is cached goes by the folders, too."""
    game = find_game(parts[0])
    for number, folder in enumerate(folders[1:], 2):
        game = load_beside(game, file_at(folder), BESIDE.join(parts[:number]))
    return game


def played_as(game: Game) -> Game:
    """The first game on offer, one with a letter if there is one, that is played by the same rules for the same pays:
    titles may differ in side bets alone."""
    by_letter = sorted(map(find_game, game_ids()), key=lambda other: not other.source.is_letter)
    return next((other for other in by_letter if _main_game(other) == _main_game(game)), game)


def _main_game(game: Game) -> object:
    """What the play of a game depends on, with its switches as they come."""
    declared = game.declared
    switches = {switch.id: switch.default for switch in game.switches}
    pays = [
        (wager.round_wager, row.row, row.pays.text)
        for wager in game.wagers
        if not wager.classifiers
        for table in wager.pay_tables[:1]
        for row in table.rows_in_force(switches, game.default_decks)
    ]
    played = declared.program or game.round
    return played, game.default_decks, declared.decisive(game.rules_under(switches), side_wagers=False), pays


def unknown_game(wanted: str, accepted: list[str]) -> UnknownNameError:
    """The error for a name that no game has: a title of the letters that is only named says why."""
    return only_named(wanted) or unknown("game", wanted, accepted)


@cache
def _known(game_id: str, folder: Path) -> Game:
    return _with_id(load_game(file_at(folder)), game_id, folder)


def offer_games(paths: list[str]) -> None:
    """Puts the games in these folders among those on offer, once each of them is seen to be sound."""
    for path in paths:
        find_game(path)
    name_folders(paths)


def read_installed(game_id: str) -> Game:
    """What an installed game's file says, without running any code of its package: for listings."""
    folder = find_folder(game_id)
    assert folder is not None
    return _with_id(load_game(file_at(folder), run_code=False), game_id, folder)


def _with_id(game: Game, game_id: str, folder: Path) -> Game:
    """A game is found again by its id, so an entry point must have the same name."""
    if game.id != game_id:
        raise SpecError(
            f'{file_at(folder)}: the game "{game.id}" is offered as "{game_id}": both names must be the same - at $.id',
            code="bad_entry_point",
        )
    return game
