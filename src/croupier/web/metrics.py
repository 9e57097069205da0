"""Figures for Prometheus at `/metrics`: what the server did and how fast, and how the floor stands."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.floor.meters import read_meters
from croupier.money import MICROS_PER_DOLLAR
from croupier.web.counts import SECONDS, Counting

if TYPE_CHECKING:
    from croupier.web.services import Services

KEPT_S = 1.0
"""For so long an answer is given again: whoever asks often must not make the ledger be read as often."""
MOST_AUDIENCES = 100
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Metrics:
    """What is counted, as text. Safe to use from many threads."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is where several workers of one address keep their counts."""
        self.counting = Counting(folder)
        self.count = self.counting.count
        self.stop = self.counting.stop
        self._started_at = time.time()
        self._guard = Lock()
        self._said: dict[frozenset[str] | None, tuple[float, str]] = {}

    def text(self, room: Services, jackpots: frozenset[str] | None = None) -> str:
        """In Prometheus' text format, with the meters of these jackpots or of all; read from the ledger once a second
        at most."""
        with self._guard:
            until, said = self._said.get(jackpots, (0.0, ""))
            if time.monotonic() < until:
                return said
        said = "\n".join([*self._served(), *_floor_lines(room, jackpots)]) + "\n"
        with self._guard:
            if len(self._said) >= MOST_AUDIENCES:
                self._said.clear()
            self._said[jackpots] = (time.monotonic() + KEPT_S, said)
        return said

    def _served(self) -> Iterator[str]:
        counts = self.counting.in_all()
        yield from _head("croupier_answers_total", "counter", "Answers by kind of request, endpoint and status.")
        for kind, endpoint, status, count in counts.answers:
            yield _line("croupier_answers_total", count, kind=kind, endpoint=endpoint, status=str(status))
        yield from _head("croupier_answer_seconds", "histogram", "Time to the first byte of an answer.")
        for kind, within in counts.seconds.items():
            so_far = 0
            for bound, count in zip((*map(str, SECONDS), "+Inf"), within, strict=True):
                so_far += count
                yield _line("croupier_answer_seconds_bucket", so_far, kind=kind, le=bound)
            yield _line("croupier_answer_seconds_sum", round(counts.total_seconds[kind], 6), kind=kind)
            yield _line("croupier_answer_seconds_count", so_far, kind=kind)
        yield from _gauge("croupier_started_at_seconds", self._started_at, "When the server started, by its clock.")
        yield from _gauge("croupier_clock_seconds", time.time(), "The server's clock.")


class Timed:
    """Counts every answer and how long it took to begin."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = scope.get("route")
                endpoint = route.path if isinstance(route, Route) else "none"
                kind = "read" if scope["method"] in SAFE else "action"
                self._metrics.count(kind, endpoint, message["status"], time.perf_counter() - start)
            await send(message)

        await self._app(scope, receive, counted)


def _floor_lines(room: Services, jackpots: frozenset[str] | None) -> Iterator[str]:
    """How the ledger and the queues stand at this moment."""
    meters = read_meters(room.book)
    yield from _gauge("croupier_ledger_entries", meters.entry, "Entries in the ledger.")
    yield from _head("croupier_meter_dollars", "gauge", "What a jackpot's sign shows.")
    for meter in meters.shown:
        if jackpots is not None and meter.jackpot not in jackpots:
            continue
        yield _line(
            "croupier_meter_dollars", meter.meter_micros / MICROS_PER_DOLLAR, jackpot=meter.jackpot, level=meter.level
        )
    yield from _gauge("croupier_jackpots_stopped", len(meters.stopped), "Jackpots whose figures do not add up.")
    waiting = room.book.count_awards("pending")
    yield from _gauge("croupier_claims_waiting", waiting, "Awards that wait for approval.")
    yield from _head("croupier_refusals_total", "counter", "Refused attempts on record.")
    yield _line("croupier_refusals_total", room.book.refusals.count())
    yield from _head("croupier_work_waiting", "gauge", "Long computations that have not begun.")
    for pool, count in sorted(room.work.waiting().items()):
        yield _line("croupier_work_waiting", count, pool=pool)
    yield from _gauge("croupier_chore_failures", room.chores.failures, "Times that the server's own chores failed.")


def _gauge(name: str, value: float, text: str) -> Iterator[str]:
    yield from _head(name, "gauge", text)
    yield _line(name, value)


def _head(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"


def _line(name: str, value: float, **labels: str) -> str:
    said = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    return f"{name}{{{said}}} {value}" if said else f"{name} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
