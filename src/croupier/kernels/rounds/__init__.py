"""The rounds a game file can name, one file each with its `ROUND`. Nothing else registers a round."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from croupier.kernels.declaration import Round


@cache
def round_names() -> tuple[str, ...]:
    """Every round there is: the files of this folder."""
    return tuple(path.stem for path in sorted(Path(__file__).parent.glob("*.py")) if path.stem != "__init__")


@cache
def find_round(name: str) -> Round | None:
    """The round of that name, or None."""
    if name not in round_names():
        return None
    declared = import_module(f"croupier.kernels.rounds.{name}").ROUND
    assert isinstance(declared, Round)
    return declared
