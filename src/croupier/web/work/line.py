"""Who is next: the line before a process that computes, fair by visitor.

Visitors take turns, however much each of them has asked for. What nobody has asked about for a while is dropped: a page
that is still open asks every few seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from croupier.web.errors import WebError
from croupier.web.work.process import Call

UNASKED_S = 30.0
"""After so long without a question nobody waits any more. Pages with scripts ask every few seconds, people without
press a button."""
FRESH_S = 5.0
"""A visitor's questions of the last seconds go before older ones of the same visitor."""


@dataclass(eq=False)
class Waiter:
    """A request that waits for an answer right now."""

    loop: asyncio.AbstractEventLoop
    there: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        with suppress(RuntimeError):  # its server is closed
            self.loop.call_soon_threadsafe(self.there.set)


@dataclass(eq=False)
class Job:
    """Something to compute, and who asks for it."""

    call: Call
    is_awaited: bool
    """Whether a person waits for it; else it fills in on a page that is of use without it."""
    asked_at: float
    """When somebody asked for it last."""
    waiters: set[Waiter] = field(default_factory=set)
    begun_at: float | None = None
    """When its turn came; None while it is in line."""
    share: float = 0.0
    """How much of it is done, as far as it tells."""
    value: Any = None
    error: Exception | None = None

    def is_asked_for(self, now: float, within_s: float = UNASKED_S) -> bool:
        return bool(self.waiters) or now - self.asked_at <= within_s


class JobQueue:
    """Jobs that have not begun. Not for several threads: whoever has it holds a lock."""

    def __init__(self, *, most_each: int, most: int) -> None:
        self._most_each = most_each
        self._most = most
        self._lines: dict[str, list[Job]] = {}
        """By visitor, whoever had a turn last at the end. A job that several ask for is in all their lines."""

    def __len__(self) -> int:
        return len({id(job) for jobs in self._lines.values() for job in jobs})

    def find(self, call: Call) -> Job | None:
        return next((job for jobs in self._lines.values() for job in jobs if job.call == call), None)

    def join(self, visitor: str, job: Job) -> None:
        """Puts a job into a visitor's line. Where there is no room, the oldest that no request waits for gives way: of
        the same visitor, or of whoever has the longest line."""
        mine = self._lines.get(visitor, [])
        if job in mine:
            return
        if len(mine) >= self._most_each and not self._gives_way(visitor):
            raise WebError(
                f"{self._most_each} of your computations are already waiting. Ask again when one has finished.",
                code="too_busy",
            )
        if self.find(job.call) is None and len(self) >= self._most:
            longest = max(self._lines, key=lambda name: len(self._lines[name]))
            if len(self._lines[longest]) <= len(mine) + 1 or not self._gives_way(longest):
                raise WebError("The server computes as much as it can. Ask again in a minute.", code="too_busy")
        self._lines.setdefault(visitor, []).append(job)

    def next(self, now: float) -> Job | None:
        """Takes the next job: of the visitor whose last turn is longest ago, of those for whom a person waits."""
        for job in [job for job in self._jobs() if not job.is_asked_for(now)]:
            self._remove(job)
        waiting = {visitor: min(jobs, key=lambda job: _rank(job, now)) for visitor, jobs in self._lines.items()}
        if not waiting:
            return None
        visitor = min(waiting, key=lambda name: not waiting[name].is_awaited)
        job = waiting[visitor]
        self._lines[visitor] = self._lines.pop(visitor)
        self._remove(job)
        return job

    def has_awaited(self) -> bool:
        """Whether a person waits for anything in it."""
        return any(job.is_awaited for job in self._jobs())

    def before(self, job: Job) -> int:
        """How many jobs of other people and things are likely to come first: those that are awaited, at most."""
        return len({id(other) for other in self._jobs() if other is not job and other.is_awaited >= job.is_awaited})

    def clear(self) -> list[Job]:
        jobs = list(dict.fromkeys(self._jobs()))
        self._lines.clear()
        return jobs

    def _jobs(self) -> Iterator[Job]:
        return (job for jobs in self._lines.values() for job in jobs)

    def _gives_way(self, visitor: str) -> bool:
        """Drops the visitor's oldest job that no request waits for, if there is one."""
        job = next((job for job in self._lines[visitor] if not job.waiters), None)
        if job is not None:
            self._lines[visitor].remove(job)
        return job is not None

    def _remove(self, job: Job) -> None:
        for visitor, jobs in list(self._lines.items()):
            if job in jobs:
                jobs.remove(job)
            if not jobs:
                del self._lines[visitor]


def _rank(job: Job, now: float) -> tuple[bool, bool]:
    return not job.is_awaited, not job.is_asked_for(now, FRESH_S)
