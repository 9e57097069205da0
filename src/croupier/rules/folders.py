"""Where game folders are: ours, those that a user has named, and those of installed packages.

A package offers a game by an entry point of the group `croupier.games`: its name is the game's id, its value the dotted
name of a package whose folder holds the game file, as in `buster = "my_games.buster"`. The folder is found without
importing the package.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from croupier.errors import SpecError

GAME_FILE = "game.toml"
ENTRY_POINT_GROUP = "croupier.games"
_named: dict[str, Path] = {}


@cache
def our_folders() -> dict[str, Path]:
    """Our own games, by id."""
    ours = Path(__file__).parent.parent / "games"
    return {path.parent.name: path.parent for path in sorted(ours.glob(f"*/{GAME_FILE}"))}


def named_folders() -> dict[str, Path]:
    """Folders that the user of this process has named as games to offer, by id."""
    return dict(_named)


def remember_named(folders: dict[str, Path]) -> None:
    """Offers these folders from now on; another process of the same server is told by it."""
    _named.update(folders)


def installed_ids() -> list[str]:
    """Games that installed packages offer; an outsider cannot take an id that exists."""
    names = dict.fromkeys(point.name for point in entry_points(group=ENTRY_POINT_GROUP))
    return [name for name in names if name not in our_folders() and name not in _named]


def installed_folder(wanted: str) -> Path | None:
    """The folder of a game that a package offers; None where none does."""
    for point in entry_points(group=ENTRY_POINT_GROUP):
        if point.name == wanted:
            return _package_folder(point.value, wanted)
    return None


def _package_folder(value: str, wanted: str) -> Path:
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
        f'The installed game "{wanted}" cannot be found: its entry point says "{value}". Accepted: the dotted name of '
        f"a package whose folder holds a {GAME_FILE}.",
        code="bad_entry_point",
    )


def find_folder(wanted: str) -> Path | None:
    """The folder of the game of that id."""
    return our_folders().get(wanted) or _named.get(wanted) or installed_folder(wanted)


def file_at(path: Path) -> Path:
    """The game file in a folder, or the file itself."""
    return path / GAME_FILE if path.is_dir() else path
