"""How many answers a server gave and how fast, and the same of the other workers of its address.

A monitor reaches any one of them, and each has to say what all have done: each keeps its counts in a file of its own,
which the others read. The file of a worker that died stays, so that no count ever goes back.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from threading import Lock

import msgspec

from croupier.web.chores import Chores

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper bounds of the histogram of answers."""
KEPT_EVERY_S = 1.0

Answers = Counter[tuple[str, str, int]]
"""By kind of request, endpoint and status."""


class Counts(msgspec.Struct, kw_only=True):
    """What was counted since a server started."""

    answers: list[tuple[str, str, int, int]] = []
    """Kind, endpoint, status, and how many."""
    seconds: dict[str, list[int]] = {}
    """Answers by kind of request and by the first bound that they are within; the last place is for slower ones."""
    total_seconds: dict[str, float] = {}

    def __add__(self, other: Counts) -> Counts:
        answers = Answers()
        for kind, endpoint, status, count in (*self.answers, *other.answers):
            answers[kind, endpoint, status] += count
        kinds = self.seconds.keys() | other.seconds.keys()
        none = [0] * (len(SECONDS) + 1)
        return Counts(
            answers=[(*key, count) for key, count in sorted(answers.items())],
            seconds={
                kind: [
                    one + more
                    for one, more in zip(self.seconds.get(kind, none), other.seconds.get(kind, none), strict=True)
                ]
                for kind in sorted(kinds)
            },
            total_seconds={
                kind: self.total_seconds.get(kind, 0.0) + other.total_seconds.get(kind, 0.0) for kind in kinds
            },
        )


class Counting:
    """Counts in memory. Safe to use from many threads."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is where several workers keep their counts."""
        self._answers = Answers()
        self._seconds: dict[str, list[int]] = {}
        self._total_seconds: dict[str, float] = {}
        self._guard = Lock()
        self._file = folder / f"{os.getpid()}-{token_hex(4)}.counts" if folder is not None else None
        self._keeper = Chores(self.keep, every_s=KEPT_EVERY_S) if folder is not None else None

    def count(self, kind: str, endpoint: str, status: int, seconds: float) -> None:
        with self._guard:
            self._answers[kind, endpoint, status] += 1
            self._seconds.setdefault(kind, [0] * (len(SECONDS) + 1))[bisect_left(SECONDS, seconds)] += 1
            self._total_seconds[kind] = self._total_seconds.get(kind, 0.0) + seconds

    def here(self) -> Counts:
        """What this process has counted."""
        with self._guard:
            return Counts(
                answers=[(*key, count) for key, count in sorted(self._answers.items())],
                seconds={kind: list(counts) for kind, counts in sorted(self._seconds.items())},
                total_seconds=dict(self._total_seconds),
            )

    def in_all(self) -> Counts:
        """What all workers have counted, the others as of about a second ago."""
        found = self.here()
        if self._file is not None:
            for file in self._file.parent.glob("*.counts"):
                if file != self._file:
                    found += msgspec.json.decode(file.read_bytes(), type=Counts)
        return found

    def keep(self) -> None:
        """Puts the file of this process in place whole, for the others."""
        assert self._file is not None
        new = self._file.with_suffix(".new")
        with suppress(OSError):  # without room for it, the others say a little less
            new.write_bytes(msgspec.json.encode(self.here()))
            new.replace(self._file)

    def stop(self) -> None:
        if self._keeper is not None:
            self._keeper.stop()
