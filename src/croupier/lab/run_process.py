"""A run in a process of its own, behind everything else that the machine does."""

from __future__ import annotations

import multiprocessing
import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

from croupier.errors import CroupierError
from croupier.lab.runs import End, Run, RunStanding, play_run

NICENESS = 10
"""A tenth of the time where others want the same core: whoever serves a table comes first."""
STOP = "stop"
LEAVE_S = 2.0


@dataclass(frozen=True)
class Ended:
    """The last word of a run."""

    end: End
    standing: RunStanding


@dataclass(frozen=True)
class RunFailed:
    """A run that could not be played, and why."""

    message: str


class DiedError(Exception):
    """The process is gone without a last word: killed, or out of memory."""


class RunProcess:
    """One run being played elsewhere; `hear` gives what it says."""

    def __init__(self, run: Run, *, earlier: RunStanding | None = None) -> None:
        # A fresh interpreter: threads and connections of a server are not copied into it.
        context = multiprocessing.get_context("spawn")
        self._ours, far_end = context.Pipe()
        self._process = context.Process(target=_work, args=(run, earlier, far_end), name="simulation", daemon=True)
        self._process.start()
        far_end.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def hear(self, patience_s: float) -> RunStanding | Ended | RunFailed | None:
        """The newest word, None if there was none in that time. Raises DiedError when there will be none."""
        try:
            if not self._ours.poll(patience_s):
                return None
            message: RunStanding | Ended | RunFailed = self._ours.recv()
            while isinstance(message, RunStanding) and self._ours.poll():
                message = self._ours.recv()
        except (EOFError, OSError):
            raise DiedError from None
        return message

    def ask_to_stop(self) -> None:
        """It ends after the step that it plays, within half a second or so."""
        with suppress(OSError):
            self._ours.send(STOP)

    def close(self) -> None:
        """Ends the process, if it has not ended by itself."""
        self._ours.close()
        self._process.join(LEAVE_S if self._process.exitcode is None else 0)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        self._process.close()

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()
        self.close()


def _work(run: Run, earlier: RunStanding | None, server: Connection) -> None:
    """What the process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a key pressed at the server's terminal is the server's to handle
    os.nice(NICENESS)

    def must_stop() -> bool:
        # Also when the server is gone, which reads as the end of what it says.
        return server.poll()

    with suppress(OSError):  # nobody listens any more
        try:
            end, standing = play_run(run, server.send, must_stop, earlier=earlier)
        except CroupierError as error:
            server.send(RunFailed(str(error)))
        else:
            server.send(Ended(end, standing))
