"""Where games are found: our own folders, other packages' entry points, and folders a user names."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from croupier.errors import SpecError, unknown
from croupier.rules.loader import GAME_FILE, load_game
from croupier.rules.spec import Game

ENTRY_POINT_GROUP = "croupier.games"
"""An installed package offers games by entry points of this group whose objects are folders (as paths or text)."""


@cache
def _folders() -> dict[str, Path]:
    """Game folders by id, ours first; an outsider cannot take an id that exists."""
    ours = Path(__file__).parent.parent / "games"
    folders = {path.parent.name: path.parent for path in sorted(ours.glob(f"*/{GAME_FILE}"))}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        folders.setdefault(point.name, Path(str(point.load())))
    return folders


def game_ids() -> list[str]:
    return list(_folders())


@cache
def find_game(wanted: str) -> Game:
    """The game of that id, or the game file or folder at that path."""
    folder = _folders().get(wanted)
    if folder is None:
        folder = Path(wanted)
        if not wanted or not folder.exists():
            if "/" in wanted or wanted.endswith(".toml"):
                raise SpecError(f"There is no game file or folder {wanted}.", code="unreadable_file")
            raise unknown("game", wanted, game_ids())
    path = folder / GAME_FILE if folder.is_dir() else folder
    return load_game(path)
