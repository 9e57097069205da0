"""Keeps results of long walks on disk, stamped by the sources and library versions they came from."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.shipped import is_shipped, shipped_arrays
from croupier.kernels.bets import Bet
from croupier.kernels.link import Kernel, cache_folder, cache_is_writable, fingerprint, forget_older, note_use

Arrays = tuple[NDArray[Any], ...]


class BetKey:
    """A bet as a key of what is kept: bets are few and live as long as the program."""

    def __init__(self, bet: Bet) -> None:
        self.bet = bet

    def __hash__(self) -> int:
        return id(self.bet)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BetKey) and self.bet is other.bet


def kept(
    name: str, sources: Sequence[Kernel | ModuleType], make: Callable[[], Arrays], *, ships: bool = False
) -> Arrays:
    """What `make` returns, from disk when it was made before from the same sources under the same name. `ships` is for
    results that come with the package for default rules: those are looked for first."""
    if not ships:
        return _kept_on_disk(name, sources, make)
    if _recording is not None:
        _recording[name] = _kept_on_disk(name, sources, make)
        return _recording[name]
    arrays = shipped_arrays(name)
    return arrays if arrays is not None else _kept_on_disk(name, sources, make)


_recording: dict[str, Arrays] | None = None


@contextmanager
def recording() -> Iterator[dict[str, Arrays]]:
    """What is kept meanwhile of what ships, by name; nothing is taken from what came with the package. One at a time,
    in a process that has computed nothing before."""
    global _recording  # noqa: PLW0603 - only the command that makes what ships records
    _recording = {}
    try:
        yield _recording
    finally:
        _recording = None


def _kept_on_disk(name: str, sources: Sequence[Kernel | ModuleType], make: Callable[[], Arrays]) -> Arrays:
    stamp = fingerprint(sources)
    path = cache_folder() / f"{name}-{stamp}.npz"
    try:
        with path.open("rb") as file, np.load(file) as saved:
            arrays = tuple(saved[key] for key in saved.files)
        note_use(path)
        return arrays
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        pass  # not there, or not whole: made anew below
    arrays = make()
    if cache_is_writable():
        forget_older(name, stamp)
        _save(path, arrays)
    return arrays


def is_kept(name: str, sources: Sequence[Kernel | ModuleType]) -> bool:
    """Whether `kept` would find it."""
    return is_shipped(name) or (cache_folder() / f"{name}-{fingerprint(sources)}.npz").is_file()


def _save(path: Path, arrays: Arrays) -> None:
    """Writes a file whole or not at all, whoever else is writing it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        np.savez(file, *arrays)
    Path(temporary).replace(path)
