"""Games by id or path: our own, other packages' entry points, and folders a user names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from croupier.errors import SpecError, unknown
from croupier.rules.folders import file_at, find_folder, installed_ids, name_folders, named_folders, our_folders
from croupier.rules.loader import load_game
from croupier.rules.spec import Game


def game_ids() -> list[str]:
    """The games on offer: ours, and those whose folders the user has named. Code of installed packages is not run to
    list games, so theirs are `installed_ids`, found when they are asked for."""
    return [*our_folders(), *named_folders()]


def find_game(id_or_path: str) -> Game:
    """The game of that id, or the game file or folder at that path, which is read anew: its user may be editing it."""
    folder = find_folder(id_or_path)
    if folder is not None:
        return _known(id_or_path, folder)
    path = Path(id_or_path)
    if not id_or_path or not path.exists():
        if "/" in id_or_path or id_or_path.endswith(".toml"):
            raise SpecError(f"There is no game file or folder {id_or_path}.", code="unreadable_file")
        raise unknown("game", id_or_path, [*game_ids(), *installed_ids()])
    return load_game(file_at(path))


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
