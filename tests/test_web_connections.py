"""Clients that keep the server waiting are cut off, streams are not, and there is always room for somebody new."""

from __future__ import annotations

import asyncio
import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from croupier.web.addresses import NO_PROXIES, read_proxies
from croupier.web.api.rights import PREFIX
from croupier.web.connections import Connections, Phase, TimedProtocol, raise_descriptors
from croupier.web.limits import Limits
from tests.kill_server import free_port
from tests.web_client import WIDE, demo_web, listening

pytestmark = pytest.mark.kill

PATIENT = replace(WIDE, head_s=600, body_s=600, taking_s=600)
HASTY = replace(WIDE, head_s=0.3, body_s=0.3, taking_s=0.3)
HALF_HEAD = b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: a"
HALF_BODY = "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {}\r\nContent-Length: 100\r\n\r\n{{"
LONGEST_S = 60.0
"""A test that waits longer than this has failed."""


@contextmanager
def serving(folder: Path, limits: Limits) -> Iterator[int]:
    with demo_web(str(folder / "floor.db"), limits) as web, listening(web) as port:
        yield port


def connect(port: int, sent: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=LONGEST_S)
    connection.sendall(sent)
    return connection


def rest_of(connection: socket.socket) -> bytes:
    """What comes until the server closes the connection."""
    with connection:
        pieces = []
        try:
            while piece := connection.recv(65_536):
                pieces.append(piece)
        except ConnectionResetError:
            pass
        return b"".join(pieces)


def is_served(port: int) -> bool:
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST_S)
    asked.request("GET", f"{PREFIX}/health")
    status = asked.getresponse().status
    asked.close()
    return status == 200


@pytest.mark.parametrize(
    "sent",
    [
        HALF_HEAD,
        HALF_BODY.format(f"{PREFIX}/session", "application/json").encode(),
        HALF_BODY.format("/sign-in", "application/x-www-form-urlencoded").encode(),
    ],
    ids=["half a head", "half a body", "half a form"],
)
def test_half_a_request_is_cut_off(tmp_path: Path, caplog: pytest.LogCaptureFixture, sent: bytes) -> None:
    with serving(tmp_path, HASTY) as port:
        assert rest_of(connect(port, sent)).startswith(b"HTTP/1.1 408 ")
        assert is_served(port)
    assert "took too long" in caplog.text
    assert "Traceback" not in caplog.text


def test_a_connection_that_says_nothing_is_closed_without_a_word(tmp_path: Path) -> None:
    with serving(tmp_path, HASTY) as port:
        assert rest_of(connect(port)) == b""


def test_a_head_that_trickles_does_not_get_more_time(tmp_path: Path) -> None:
    with serving(tmp_path, replace(PATIENT, head_s=0.5)) as port:
        slow = connect(port, HALF_HEAD)
        slow.settimeout(0.05)
        for _ in range(int(LONGEST_S / 0.05)):
            try:
                slow.send(b"a")
                if (answer := slow.recv(1000)) is not None:
                    break
            except TimeoutError:
                continue
        assert answer.startswith(b"HTTP/1.1 408 ")
        slow.close()


def test_a_second_request_has_no_longer_than_the_first(tmp_path: Path) -> None:
    whole = f"GET {PREFIX}/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    with serving(tmp_path, HASTY) as port:
        kept = connect(port, whole)
        assert kept.recv(65_536).startswith(b"HTTP/1.1 200 ")
        kept.sendall(HALF_HEAD)
        assert b"HTTP/1.1 408 " in rest_of(kept)


def test_a_body_that_is_answered_early_and_still_not_sent_is_cut_off(tmp_path: Path) -> None:
    head = f"POST {PREFIX}/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900000\r\n\r\n".encode()
    with serving(tmp_path, HASTY) as port:
        answers = rest_of(connect(port, head + b"x" * 300_000))
    assert answers.startswith(b"HTTP/1.1 413 ") and b" 408 " not in answers


def test_a_body_with_two_lengths_is_refused_and_what_follows_it_not_read(tmp_path: Path) -> None:
    head = f"POST {PREFIX}/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked"
    smuggled = f"0\r\n\r\nGET {PREFIX}/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with serving(tmp_path, PATIENT) as port:
        answers = rest_of(connect(port, f"{head}\r\n\r\n{smuggled}".encode()))
    assert answers.startswith(b"HTTP/1.1 400 ") and answers.count(b"HTTP/1.1 ") == 1


def test_a_stream_goes_on_past_all_limits_of_requests(tmp_path: Path) -> None:
    with serving(tmp_path, HASTY) as port:
        stream = connect(port, b"GET /events?of=claims HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        heard = b""
        while heard.count(b"event: alive") < 8:  # one in 0.2 s
            piece = stream.recv(65_536)
            assert piece, "the stream was cut off"
            heard += piece
        stream.close()


def test_when_an_address_has_its_fill_the_slowest_makes_room(tmp_path: Path) -> None:
    with serving(tmp_path, replace(PATIENT, connections_by_address=10)) as port, ExitStack() as stack:
        slow = [stack.enter_context(connect(port, HALF_HEAD)) for _ in range(10)]
        assert is_served(port)
        assert rest_of(slow[0]) == b""
        assert is_served(port), "the place of the one that was served is free again"
        slow[9].sendall(b"\r\n\r\n")
        assert slow[9].recv(100).startswith(b"HTTP/1.1 200 "), "the others are still there"


def test_answers_under_way_are_not_given_up_for_somebody_new(tmp_path: Path) -> None:
    with serving(tmp_path, replace(PATIENT, connections_by_address=3)) as port, ExitStack() as stack:
        ask = b"GET /events?of=claims HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        streams = [stack.enter_context(connect(port, ask)) for _ in range(3)]
        for stream in streams:
            assert stream.recv(100).startswith(b"HTTP/1.1 200 ")
        assert rest_of(connect(port)).startswith(b"HTTP/1.1 503 ")
        streams[0].close()
        ask = f"GET {PREFIX}/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
        assert any(rest_of(connect(port, ask)).startswith(b"HTTP/1.1 200 ") for _ in pauses()), "there is room again"


def pauses() -> Iterator[float]:
    """Looks again and again, but not for ever."""
    until = time.monotonic() + LONGEST_S
    while (now := time.monotonic()) < until:
        yield now
        time.sleep(0.05)


class Seen(TimedProtocol):
    """Stands in for a connection."""

    def __init__(self, address: str, loop: asyncio.AbstractEventLoop) -> None:
        self.address, self.loop = address, loop

    def drop(self) -> None:
        self.shared.remove(self)


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    yield made
    made.close()


@dataclass
class Door:
    """Where connections come in."""

    connections: Connections
    loop: asyncio.AbstractEventLoop

    def open_from(self, host: str, phase: Phase) -> Seen:
        Seen.shared = self.connections
        one = Seen(host, self.loop)
        self.connections.put(one, phase)
        return one


def test_a_trusted_proxy_is_held_by_the_bound_on_all_alone(loop: asyncio.AbstractEventLoop) -> None:
    limits = replace(WIDE, connections_by_address=2)
    for proxies, has_room in ((NO_PROXIES, False), (read_proxies(["10.0.0.9"]), True)):
        connections = Connections(limits, 5, proxies)
        door = Door(connections, loop)
        for _ in range(4):
            door.open_from("10.0.0.9", Phase.ANSWER)
        assert connections.has_room("10.0.0.9") is has_room
        door.open_from("10.0.0.9", Phase.ANSWER)
        assert not connections.has_room("10.0.0.9")
        assert not connections.has_room("192.0.2.1")


def test_whoever_is_waited_for_goes_before_whoever_is_idle(loop: asyncio.AbstractEventLoop) -> None:
    connections = Connections(WIDE, 3, NO_PROXIES)
    door = Door(connections, loop)
    idle = door.open_from("10.0.0.1", Phase.IDLE)
    slow = door.open_from("10.0.0.2", Phase.BODY)
    answered = door.open_from("10.0.0.3", Phase.ANSWER)
    left = {"idle": idle, "slow": slow, "answered": answered}

    def who_goes() -> list[str]:
        assert connections.has_room("10.0.0.4")
        return [name for name in left if left[name] not in connections._all.open]

    assert who_goes() == ["slow"]
    door.open_from("10.0.0.5", Phase.ANSWER)
    assert who_goes() == ["idle", "slow"]
    door.open_from("10.0.0.5", Phase.ANSWER)
    assert not connections.has_room("10.0.0.4")
    for one in list(connections._all.open):
        connections.remove(one)
    assert not connections._by_address and len(connections) == 0


@pytest.mark.parametrize("sent", [HALF_HEAD, HALF_BODY.format("/sign-in", "text/plain").encode()], ids=["head", "body"])
def test_1100_slow_clients_of_a_server_with_1024_descriptors_stop_nobody(tmp_path: Path, sent: bytes) -> None:
    if raise_descriptors() < 1500:
        pytest.skip("this machine does not allow 1,100 connections to a test")
    port, said = free_port(), tmp_path / "said.txt"
    croupier = str(Path(sys.executable).with_name("croupier"))
    command = [croupier, "serve", "--demo", "--port", str(port), "--store", str(tmp_path / "floor.db")]
    with said.open("w") as out, ExitStack() as stack:
        process = subprocess.Popen(
            ["sh", "-c", 'ulimit -n 1024; exec "$@"', "sh", *command], stdout=subprocess.DEVNULL, stderr=out
        )
        try:
            wait_for(port, process)
            for _ in range(1100):
                stack.enter_context(connect(port, sent))
            for _ in range(20):
                assert is_served(port)
        finally:
            process.kill()
            process.wait()
    text = said.read_text()
    assert "512 connections at most" in text, "and it has said how few it can have"
    assert "Too many open files" not in text and "Traceback" not in text
    assert len(text) < 20_000


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in pauses():
        assert process.poll() is None, "the server does not start"
        with suppress(OSError):
            if is_served(port):
                return
    raise AssertionError("the server does not answer")
