"""Several servers of one floor at one address: processes that share the listening socket and the database.

What they must agree on is in the database, as it is between servers on several machines. This process answers nothing.
It starts the first and waits until that has opened the store, so that a refusal is said once; then it starts the
others, puts another in the place of one that dies, and ends all of them when it is told to end.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from tempfile import TemporaryDirectory
from threading import Event, Thread

from croupier.errors import CroupierError, LedgerError, RangeError
from croupier.store.engine import parse_url
from croupier.web.serve import Serving, WhenReady, prepare, serve_until_stopped

MOST_WORKERS = 64
AGAIN_S = 1.0
"""Before another takes the place of one that died: what lets it die at once is not tried in a loop."""
STOP_S = 30.0
"""For a worker to end its answers, streams and computations; then it is killed."""
LOOK_S = 0.5

log = logging.getLogger("croupier.web")


def require_shareable(serving: Serving, workers: int) -> None:
    """Refuses what several processes cannot share well."""
    if workers == 1:
        return
    for address in filter(None, (serving.store_url, serving.play_database)):
        if parse_url(address).get_backend_name() != "postgresql":
            raise RangeError(
                f"{workers} workers need PostgreSQL: a file of SQLite is written by one process at a time. Name a "
                "database by --store postgresql://..., or leave --workers out.",
                code="workers_need_postgresql",
            )


@dataclass
class _Worker:
    """One process, from this side."""

    process: SpawnProcess
    ears: Connection
    """Hears that it is ready, or why it does not start."""


def run_workers(serving: Serving, workers: int, when_ready: WhenReady) -> None:
    """Serves until this process is told to end."""
    told = Event()
    with _ended_by_signals(told), ExitStack() as open_things:
        listeners = [open_things.enter_context(one) for one in listen(serving.host, serving.port)]
        folder = open_things.enter_context(TemporaryDirectory(prefix="croupier-"))

        def start(first: WhenReady | None = None) -> _Worker:
            return _started(serving, listeners, folder, first)

        running = [start(when_ready)]
        try:
            _require_ready(running[0], told)
            running += [start() for _ in range(workers - 1) if not told.is_set()]
            _keep(running, start, told)
        finally:
            _end(running)


def listen(host: str, port: int) -> Iterator[socket.socket]:
    """A socket for each address of a host; workers inherit them, so that none that waits in line is lost with one."""
    for family, _, _, _, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
        yield socket.create_server(place[:2], family=family)


def _started(serving: Serving, listeners: list[socket.socket], folder: str, when_ready: WhenReady | None) -> _Worker:
    context = multiprocessing.get_context("spawn")  # a fresh interpreter: no thread or connection is copied into it
    ears, mouth = context.Pipe(duplex=False)
    # Not a daemon: it has processes of its own that compute.
    process = context.Process(target=_work, args=(serving, listeners, folder, when_ready, mouth), name="worker")
    process.start()
    mouth.close()
    return _Worker(process, ears)


def _require_ready(worker: _Worker, told: Event) -> None:
    """Waits until it serves; raises why it does not."""
    while not told.is_set():
        if not worker.ears.poll(LOOK_S):
            continue
        with suppress(EOFError):
            said = worker.ears.recv()
            if isinstance(said, CroupierError):
                raise said
            return
        worker.process.join()
        raise LedgerError(
            f"The server ended before it was ready, with exit status {worker.process.exitcode}: its log says why.",
            code="not_started",
        )


def _keep(running: list[_Worker], start: Callable[[], _Worker], told: Event) -> None:
    while not told.is_set():
        wait([worker.process.sentinel for worker in running], timeout=LOOK_S)
        for at, worker in enumerate(running):
            if worker.process.is_alive() or told.is_set():
                continue
            log.warning("A worker ended with exit status %s: another takes its place.", worker.process.exitcode)
            worker.process.join()
            worker.ears.close()
            if told.wait(AGAIN_S):
                return
            running[at] = start()


def _end(running: list[_Worker]) -> None:
    for worker in running:
        worker.process.terminate()
    until = time.monotonic() + STOP_S
    for worker in running:
        worker.process.join(max(0.0, until - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.ears.close()


@contextmanager
def _ended_by_signals(told: Event) -> Iterator[None]:
    former = {one: signal.signal(one, lambda number, frame: told.set()) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in former.items():
            signal.signal(one, handler)


# In the worker.


def _work(
    serving: Serving,
    listeners: list[socket.socket],
    folder: str,
    when_ready: WhenReady | None,
    mouth: Connection,
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a key pressed at the terminal is for whoever started this
    Thread(target=_end_with_parent, name="parent", daemon=True).start()
    try:
        app, server = prepare(serving, counts=folder)
    except CroupierError as error:
        mouth.send(error)
        return

    def say_so() -> None:
        if when_ready is not None:
            when_ready(app.state.room)
        mouth.send(True)

    serve_until_stopped(app, server, say_so, listeners)


def _end_with_parent() -> None:
    """Whoever started this process may be killed and cannot say so: then nobody would end it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
