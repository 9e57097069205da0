"""Results of default rules that come with the package: read only, below what is kept on disk.

A file for each game in `croupier/shipped`, stamped by that game's own rule sources and by no other's, so that a change
of one title leaves the results of all others as they are. `python -m croupier.manual shipped` makes them again.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.kernels.bets import find_bet
from croupier.kernels.link import _names_used
from croupier.rules import find_game
from croupier.rules.folders import our_folders
from croupier.rules.spec import Game

Arrays = tuple[NDArray[Any], ...]

FOLDER = Path(__file__).parent.parent / "shipped"
STAMP_LENGTH = 20
MACHINERY = ("declaration", "link", "outside", "scenes", "bets", "rounds")
"""Kernels that name what all games have: what one game uses of them is followed function by function."""
WITHOUT_RULES = ("declaration", "link", "outside", "__init__")
WORDS = (
    *("name", "text", "summary", "rules", "conditions", "readings", "published", "recorded", "history", "source"),
    *("words", "basis", "version", "label", "label_at_table", "jurisdiction", "short", "decks_inferred"),
)
"""Fields of a game file that no result depends on."""
CAME_LATER = ("by_hands", "cover_all")
"""Fields that files did not have at first: where one is empty the file keeps the stamp that it had."""


class Shipped(Struct, frozen=True, kw_only=True):
    """What comes with the package for one game; its arrays lie beside it."""

    stamp: str
    edges: dict[str, str]
    """The exact edge of each wager at its default pay table and decks, as a fraction or a decimal number."""
    strategy: msgspec.Raw = msgspec.Raw()
    """The strategy as its page shows it, in JSON; empty where nothing is decided. `reports/strategy/shown.py` reads
    it."""
    kept: dict[str, int]
    """Names of what `keep.py` finds here, with how many arrays each has."""


def paths_of(game: str) -> tuple[Path, Path]:
    """What is said of a game, and its arrays."""
    return FOLDER / f"{game}.json", FOLDER / f"{game}.npz"


@cache
def shipped_for(game: str) -> Shipped | None:
    """What came with the package for a game; None where nothing did, or where its rules have changed since."""
    if game not in our_folders():
        return None
    try:
        shipped = msgspec.json.decode(paths_of(game)[0].read_bytes(), type=Shipped)
    except (OSError, msgspec.MsgspecError):
        return None
    return shipped if shipped.stamp == stamp_of(game) else None


@cache
def _games_by_name() -> dict[str, list[str]]:
    """Which games each name is kept for; whether that is out of date is asked only of those that are wanted."""
    names: dict[str, list[str]] = {}
    for path in sorted(FOLDER.glob("*.json")):
        try:
            shipped = msgspec.json.decode(path.read_bytes(), type=Shipped)
        except (OSError, msgspec.MsgspecError):
            continue
        for name in shipped.kept:
            names.setdefault(name, []).append(path.stem)
    return names


def _game_with(name: str) -> str | None:
    """A game whose files have that name, and are not out of date."""
    return next((game for game in _games_by_name().get(name, ()) if shipped_for(game) is not None), None)


def is_shipped(name: str) -> bool:
    """Whether `shipped_arrays` has something of that name."""
    return _game_with(name) is not None


def shipped_arrays(name: str) -> Arrays | None:
    """What came with the package under a name of `keep.py`; None where it did not, or is out of date."""
    game = _game_with(name)
    shipped = shipped_for(game) if game is not None else None
    if game is None or shipped is None:
        return None
    try:
        with np.load(paths_of(game)[1]) as saved:
            return tuple(saved[f"{name}/{number}"] for number in range(shipped.kept[name]))
    except (OSError, ValueError, KeyError):
        return None


@cache
def stamp_of(game: str) -> str:
    """A stamp of a game's own rule sources: what its file says, and the kernels that its round and its wagers run."""
    spec = find_game(game)
    digest = hashlib.sha256(msgspec.json.encode(_figures_of(spec), order="deterministic"))
    for path in sources_of(spec):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:STAMP_LENGTH]


def _figures_of(game: Game) -> Any:
    """What a game file says, its family's switches included, without words that change no result."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            unsaid = {name for name in CAME_LATER if not value.get(name)}
            return {name: plain(part) for name, part in value.items() if name not in WORDS and name not in unsaid}
        return [plain(part) for part in value] if isinstance(value, list | tuple) else value

    return plain(msgspec.to_builtins(game, enc_hook=repr))


def sources_of(game: Game) -> list[Path]:
    """Every kernel that has a rule of the game."""
    bets = [bet for wager in game.wagers for name in wager.classifiers if (bet := find_bet(name)) is not None]
    round_file = _file_of_module(f"croupier.kernels.rounds.{game.round}")
    files = {round_file, *(Path(_file(function)) for function in _functions(game.declared, bets))}
    for file in [file for file in files if file.stem not in MACHINERY]:
        files |= _imported(file)
    files = {file for file in files if file.stem not in WITHOUT_RULES}
    return sorted(files, key=lambda path: (path.name, str(path)))


def _file(function: FunctionType) -> str:
    return function.__code__.co_filename


def _functions(*roots: Any) -> Iterator[FunctionType]:
    """Every function of the kernels that these hold or call."""
    seen: set[int] = set()
    waiting: list[Any] = list(roots)
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, FunctionType):
            if "/kernels/" in Path(_file(value)).as_posix():
                yield value
                waiting += [value.__globals__.get(name) for name in _names_used(value.__code__)]
                waiting += [cell.cell_contents for cell in value.__closure__ or ()]
        elif is_dataclass(value) and not isinstance(value, type):
            waiting += [getattr(value, field.name) for field in fields(value)]
        elif isinstance(value, Mapping):
            waiting += value.values()
        elif isinstance(value, list | tuple):
            waiting += value


@cache
def _imported(file: Path) -> frozenset[Path]:
    """The kernels that a file takes something from by name: constants leave no other trace in a function."""
    files = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("croupier.kernels."):
            path = _file_of_module(node.module or "")
            if path.stem not in MACHINERY and path.stem != "__init__":
                files.add(path)
    return frozenset(files)


@cache
def _file_of_module(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None, name
    return Path(spec.origin)
