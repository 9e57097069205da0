"""Where game folders are: ours, those that a user has named, and those of installed packages.

A package offers a game by an entry point of the group `croupier.games`: its name is the game's id, its value the dotted
name of a package whose folder holds the game file, as in `buster = "my_games.buster"`. The folder is found without
importing the package.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from croupier.errors import SpecError
from croupier.rules.parse import read_toml

GAME_FILE = "game.toml"
ENTRY_POINT_GROUP = "croupier.games"
GAMES_VARIABLE = "CROUPIER_GAMES"
"""Folders of games to offer beside ours, separated as in PATH."""


@cache
def our_folders() -> dict[str, Path]:
    """Our own games, by id."""
    games = Path(__file__).parent.parent / "games"
    return {path.parent.name: path.parent for path in sorted(games.glob(f"*/{GAME_FILE}"))}


def named_folders() -> dict[str, Path]:
    """Folders that the user has named as games to offer beside ours, by id; processes that we start see them too."""
    return _folders_in(os.environ.get(GAMES_VARIABLE, ""))


def name_folders(paths: list[str]) -> None:
    """Offers the games in these folders, besides those named before, in this process and those it starts."""
    before = [path for path in os.environ.get(GAMES_VARIABLE, "").split(os.pathsep) if path]
    value = os.pathsep.join(dict.fromkeys([*before, *(str(Path(path).resolve()) for path in paths)]))
    _folders_in(value)
    os.environ[GAMES_VARIABLE] = value


@cache
def _folders_in(value: str) -> dict[str, Path]:
    folders: dict[str, Path] = {}
    for path in (Path(text) for text in value.split(os.pathsep) if text):
        name = _id_in(file_at(path))
        if name in our_folders() or name in folders:
            raise SpecError(
                f'{file_at(path)}: there is a game "{name}" already: give this one another id - at $.id',
                code="bad_spec",
            )
        folders[name] = path
    return folders


def _id_in(file: Path) -> str:
    try:
        return str(read_toml(file)["id"])
    except KeyError:
        raise SpecError(
            f"{file} is not a game file with an id. Accepted: folders with a {GAME_FILE}.", code="unreadable_file"
        ) from None


def installed_ids() -> list[str]:
    """Games that installed packages offer; an outsider cannot take an id that exists."""
    names = dict.fromkeys(point.name for point in entry_points(group=ENTRY_POINT_GROUP))
    return [name for name in names if name not in our_folders() and name not in named_folders()]


def installed_folder(game_id: str) -> Path | None:
    """The folder of a game that a package offers; None where none does."""
    for point in entry_points(group=ENTRY_POINT_GROUP):
        if point.name == game_id:
            return _package_folder(point.value, game_id)
    return None


def _package_folder(value: str, game_id: str) -> Path:
    first, *inner = value.split(".")
    try:
        spec = find_spec(first) if all(part.isidentifier() for part in (first, *inner)) else None
    except (ImportError, ValueError):
        spec = None
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(place, *inner)
        if (folder / GAME_FILE).is_file():
            return folder
    raise SpecError(
        f'The installed game "{game_id}" cannot be found: its entry point says "{value}". Accepted: the dotted name of '
        f"a package whose folder holds a {GAME_FILE}.",
        code="bad_entry_point",
    )


def find_folder(game_id: str) -> Path | None:
    """The folder of the game of that id."""
    return our_folders().get(game_id) or named_folders().get(game_id) or installed_folder(game_id)


def file_at(path: Path) -> Path:
    """The game file in a folder, or the file itself."""
    return path / GAME_FILE if path.is_dir() else path
