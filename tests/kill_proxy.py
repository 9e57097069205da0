"""A bad line between clients and the server: requests and answers get lost or come twice, at moments that are chosen.

Which kinds of command meet which fate does not depend on chance, so each of them meets the worst moment there is: the
command is booked and the server dies before its answer is passed on.
"""

from __future__ import annotations

import json
import re
import socket
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Lock, Thread
from typing import Any, Literal

Fate = Literal["passes", "request lost", "answer lost", "comes twice", "server dies"]


class Line(ThreadingTCPServer):
    """Passes one request for each connection. The fates of a kind of command come in their order, then all pass."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, server_port: int, fates: tuple[Fate, ...], kill: Callable[[], None]) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.port: int = self.server_address[1]
        self._server_port = server_port
        self._fates = fates
        self._kill = kill
        self._met: defaultdict[str, int] = defaultdict(int)
        self._guard = Lock()
        self.fated: defaultdict[str, set[str]] = defaultdict(set)
        """Commands by the fates that they met."""
        self.unlike: list[str] = []
        """Requests that came twice and were answered in two ways."""
        self._thread = Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()

    def stop(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def pass_on(self, request: bytes) -> bytes:
        """The answer that the client gets; nothing, if it gets none."""
        command = _command(request)
        fate = self._next_fate(command) if command else "passes"
        if fate == "request lost":
            return b""
        if fate == "comes twice":
            return self._twice(request)
        answer = self._exchange(request)
        if fate == "server dies" and answer:
            self._kill()
        return answer if fate == "passes" else b""

    def _next_fate(self, command: str) -> Fate:
        with self._guard:
            number = self._met[command]
            self._met[command] += 1
            fate = self._fates[number] if number < len(self._fates) else "passes"
            self.fated[fate].add(command)
            return fate

    def _exchange(self, request: bytes) -> bytes:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._server_port), timeout=60) as upstream:
            upstream.sendall(request)
            return b"".join(iter(lambda: upstream.recv(65536), b""))
        return b""

    def _twice(self, request: bytes) -> bytes:
        """Both are under way at the same moment, as when a client or a router has lost patience."""
        answers: list[bytes] = []
        threads = [Thread(target=lambda: answers.append(self._exchange(request))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        first, second = map(_said, answers)
        if first != second:
            self.unlike.append(f"{_command(request)}: {first} and {second}")
        return answers[0]


class _Passing(StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, Line)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.rfile.readline()
            if not line:
                return
            head += line
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        request = head + (self.rfile.read(int(length[1])) if length else b"")
        self.wfile.write(self.server.pass_on(request))


def _command(request: bytes) -> str:
    """Which command it is; empty for what only reads, and for signing in."""
    method, path, _ = request.split(b" ", 2)
    name = path.decode().rpartition("/")[2]
    return name if method == b"POST" and name != "session" else ""


def _said(answer: bytes) -> Any:
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.split(b" ")[1], json.loads(body)
