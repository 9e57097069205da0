"""A process that computes one thing at a time for the server, within bounds of memory and time.

The server's own memory and threads are never at stake: a computation that takes too much ends alone, with its process.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from traceback import extract_tb
from typing import Any

from croupier.errors import CroupierError

try:
    import resource
except ImportError:  # a system without such bounds; there the bounds of what is parsed hold alone
    resource = None  # type: ignore[assignment]

NICENESS = 5
"""Whoever serves a table comes first where both want the same core."""
Call = tuple[Any, ...]
"""A function of ours, and what it is called with."""


@dataclass(frozen=True)
class Begun:
    """The process has everything that it needs: time counts from now."""


@dataclass(frozen=True)
class Progressed:
    """How much of it is done, where the function tells: a share of one."""

    share: float


@dataclass(frozen=True)
class Computed:
    value: Any


@dataclass(frozen=True)
class Refused:
    """What the user has to mend."""

    error: CroupierError


@dataclass(frozen=True)
class Failed:
    """What is ours to mend; `what` has none of the user's words."""

    what: str


@dataclass(frozen=True)
class Full:
    """There was not enough memory; the process ends, as nobody knows what it holds."""


Said = Begun | Progressed | Computed | Refused | Failed | Full


class GoneError(Exception):
    """The process is gone without an answer."""


class WorkProcess:
    """The other process, from this side."""

    def __init__(self, memory_bytes: int) -> None:
        # A fresh interpreter: threads and connections of the server are not copied into it.
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, memory_bytes), name="work", daemon=True)
        self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def ask(self, call: Call) -> None:
        try:
            self._ours.send(call)
        except OSError:
            raise GoneError from None

    def hear(self, patience_s: float) -> Said | None:
        """What it says; None if nothing came in that time."""
        try:
            if not self._ours.poll(patience_s):
                return None
            said: Said = self._ours.recv()
        except (EOFError, OSError):
            raise GoneError from None
        return said

    def stop(self) -> None:
        """Ends it at once, whatever it does; whoever listens hears that it is gone."""
        self._process.kill()

    def end(self) -> None:
        """Ends it, when nobody listens any more."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._ours.close()


_server: Connection | None = None
"""Of the other process alone: whom it tells how far it is."""
TOLD_APART = 0.01
"""A share that is not so much more than the last one is not told."""
_told = 0.0


def tell(share: float) -> None:
    """Says how far the computation is; nobody hears it where it runs in the server itself."""
    global _told  # noqa: PLW0603 - one computation at a time in a process of its own
    if _server is not None and share >= _told + TOLD_APART:
        _told = share
        with suppress(OSError):
            _server.send(Progressed(share))


def _serve(server: Connection, memory_bytes: int) -> None:
    """What the process does."""
    global _server, _told  # noqa: PLW0603 - as above
    _server = server
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a key pressed at the server's terminal is the server's to handle
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    _bound_memory(memory_bytes)
    with suppress(EOFError, OSError):  # nobody listens any more
        while True:
            call = server.recv()
            _told = 0.0
            server.send(Begun())
            said = _answer(*call)
            try:
                content = ForkingPickler.dumps(said)
            except MemoryError:
                said, content = Full(), ForkingPickler.dumps(Full())
            except Exception as error:
                content = ForkingPickler.dumps(_failure(call[0], error))
            server.send_bytes(content)
            if isinstance(said, Full):
                return


def _answer(compute: Callable[..., Any], *given: Any) -> Said:
    try:
        return Computed(compute(*given))
    except CroupierError as error:
        return Refused(error)
    except MemoryError:
        return Full()
    except Exception as error:
        return _failure(compute, error)


def _failure(compute: Callable[..., Any], error: Exception) -> Failed:
    last = extract_tb(error.__traceback__)[-1]
    name = getattr(compute, "__name__", "a computation")
    return Failed(f"{name}: {type(error).__name__} at {Path(last.filename).name}:{last.lineno}")


def _bound_memory(more_bytes: int) -> None:
    """So much more than the interpreter has now. Data and not addresses are counted: compilers and threads reserve many
    addresses that they never use."""
    if resource is None:
        return
    with suppress(OSError, ValueError):
        most = _data_bytes() + more_bytes
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _data_bytes() -> int:
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * resource.getpagesize()
    except OSError:  # a system that does not say
        return 0
