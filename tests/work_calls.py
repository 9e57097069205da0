"""What tests let the server's other processes compute. `notes` is a file that says what was called, in order."""

from __future__ import annotations

import os
import time
from pathlib import Path

from croupier.errors import RangeError


def note(notes: Path, name: str) -> str:
    with notes.open("a") as file:
        file.write(f"{name}\n")
    return name


def hold(notes: Path, name: str, until: Path) -> str:
    """Is at it until a file is there."""
    note(notes, name)
    while not until.exists():
        time.sleep(0.01)
    return name


def fail_at_first(notes: Path) -> str:
    if not notes.exists():
        note(notes, "failed")
        raise KeyError("the visitor's own words")
    return "there"


def refuse(notes: Path) -> str:
    note(notes, "refused")
    raise RangeError("Ask for less.", code="too_many")


def take_memory(megabytes: int) -> int:
    return len(bytearray(megabytes * 1024 * 1024))


def own_pid() -> int:
    return os.getpid()


def die() -> None:
    os.kill(os.getpid(), 9)


def unsendable() -> object:
    return lambda: None
