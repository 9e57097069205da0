"""The real server as a process that can be killed, on a floor with real cards, and callers who ask until answered."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from msgspec.structs import replace

from croupier.floor import Floor, demo_floor
from croupier.floor.devices import Devices
from croupier.floor.people import People
from croupier.floor.roles import Role
from croupier.floor.service import Ask, FloorService
from croupier.store import open_store
from croupier.web.api.rights import PREFIX
from croupier.web.guard import COOKIE
from tests.helpers import ROOT
from tests.web_client import CHEAP

PIN = "48150632"
PATIENCE_S = 180.0
LOST = (OSError, http.client.HTTPException)
"""What a client sees of an answer that does not come."""


@dataclass(frozen=True)
class Answer:
    """What the server said."""

    status: int
    body: Any

    @property
    def code(self) -> str:
        return str(self.body["error"]["code"]) if self.status >= 400 else ""


@dataclass
class House:
    """A floor that is not for demonstration, with everybody's cards and the tables' devices."""

    url: str
    tables: tuple[str, ...]
    cards: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    def swipe(self, person: str) -> dict[str, str]:
        return {"card": self.cards[person], "pin": PIN}


def linked_floor(tables: int) -> Floor:
    """The Double Down Madness tables of the demo floor, as many as wanted, all on one progressive, for real money."""
    floor = demo_floor()
    first = floor.table("ddm_1")
    seated = tuple(replace(first, id=f"ddm_{number}", name=f"Table {number}") for number in range(1, tables + 1))
    link = next(one for one in floor.links if "push_22" in one.jackpots)
    return replace(
        floor,
        demo=False,
        tables=seated,
        jackpots=(floor.jackpot("push_22"),),
        links=(replace(link, tables=tuple(table.id for table in seated)),),
    )


def open_house(url: str, tables: int) -> House:
    """A new floor: two executives, one of everybody else, a dealer and a terminal for each table."""
    house = House(url, tuple(f"ddm_{number}" for number in range(1, tables + 1)))
    book = open_store(url)
    people = People(book, lambda: datetime.now(UTC), cost=CHEAP)
    roles = {"boss": Role.EXECUTIVE, "max": Role.EXECUTIVE, "sue": Role.SUPERVISOR, "ann": Role.ACCOUNTING}
    roles |= {"tec": Role.TECHNICIAN, "aud": Role.AUDITOR}
    roles |= {f"dealer-{table}": Role.DEALER for table in house.tables}
    for id, role in roles.items():
        house.cards[id] = people.add_person(f"card-of-{id}", "boss", id, role, PIN)
    FloorService(book).set_up(Ask(id="open-the-floor", by=people.person("boss")), linked_floor(tables))
    devices = Devices(people)
    for table in house.tables:
        name = f"terminal-{table}"
        house.tokens[table] = devices.register_device(f"add-{name}", "tec", name, "terminal", tables=(table,))
    book.close()
    return house


_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_ports = itertools.count(20_000 + _WORKER % 4 * 3_000 + os.getpid() % 2_000)


def free_port() -> int:
    """A port that no other test is given: each worker has a range of its own and never takes a port twice.

    A server binds its port seconds after it was chosen here, so two workers in one range could choose the same one, and
    each would meet the other's server. The ranges lie below the ports that the system gives to clients: a client that
    asks a dead server up there meets itself.
    """
    for port in itertools.islice(_ports, 900):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free")


class ServerProcess:
    """`croupier serve`. After a kill it is started again at the same address."""

    def __init__(self, url: str, *options: str) -> None:
        self.url = url
        self.options = options
        self.port = free_port()
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed by stop
        self._process: subprocess.Popen[str] | None = None
        self._guard = Lock()
        self.kills = 0

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                str(Path(sys.executable).with_name("croupier")),
                *("serve", "--store", self.url, "--port", str(self.port)),
                *self.options,
            ],
            stdout=self._said,
            stderr=self._said,
            cwd=ROOT,
            text=True,
        )

    def wait_ready(self) -> None:
        until = time.monotonic() + PATIENCE_S
        while True:
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"the server does not start: {self.said()}")
            try:
                if Caller(self.port, keep_alive=False).send("GET", "/health").status == 200:
                    return
            except LOST:
                time.sleep(0.02)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def end(self) -> int:
        """As by Ctrl+C; returns its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return self.status()

    def status(self) -> int:
        """Its exit status, once it has ended by itself."""
        assert self._process is not None
        return self._process.wait(PATIENCE_S)

    def kill(self) -> None:
        """SIGKILL: nothing of it runs on."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.kills += 1

    def kill_and_start(self) -> None:
        with self._guard:
            self.kill()
            self.start()

    def said(self) -> str:
        self._said.seek(0)
        return self._said.read()[-4000:]

    def stop(self) -> None:
        with self._guard:
            if self._process is not None and self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            self._said.close()


@dataclass
class Tally:
    """What the callers met, all of them together."""

    acknowledged: int = 0
    refused: int = 0
    lost: int = 0
    unavailable: int = 0
    _guard: Lock = field(default_factory=Lock, repr=False)

    def count(self, what: str) -> None:
        with self._guard:
            setattr(self, what, getattr(self, what) + 1)


@dataclass
class Caller:
    """A device, a person, or both, over one connection that is opened again when it breaks."""

    port: int
    token: str = ""
    cookie: str = ""
    csrf: str = ""
    tally: Tally = field(default_factory=Tally)
    keep_alive: bool = True
    _connection: http.client.HTTPConnection | None = None

    def send(self, method: str, path: str, body: Any = None, key: str = "") -> Answer:
        """One try; raises one of LOST when no answer comes."""
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Cookie": f"{COOKIE}={self.cookie}", "X-CSRF-Token": self.csrf} if self.cookie else {}
        headers |= {"Idempotency-Key": key} if key else {}
        headers |= {} if self.keep_alive else {"Connection": "close"}
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            self._connection.request(method, PREFIX + path, None if body is None else json.dumps(body), headers)
            answer = self._connection.getresponse()
            content = answer.read()
        except LOST:
            self.close()
            raise
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.partition(f"{COOKIE}=")[2].partition(";")[0]
        if not self.keep_alive:
            self.close()
        return Answer(answer.status, json.loads(content))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def send_once_known(self, method: str, path: str, body: Any = None, key: str = "") -> Answer | None:
        """One try; None when it is not known what became of it, or the server asked to wait."""
        try:
            answer = self.send(method, path, body, key)
        except LOST:
            self.tally.count("lost")
            return None
        assert answer.status != 500, f"the server failed: {path} {answer.body}"
        if answer.status == 503:
            self.tally.count("unavailable")
        return None if answer.status in (429, 503) else answer

    def ask(self, method: str, path: str, body: Any = None, key: str = "") -> Answer:
        """Asks again, under the same key, until there is an answer."""
        until = time.monotonic() + PATIENCE_S
        while (answer := self.send_once_known(method, path, body, key)) is None:
            assert time.monotonic() < until, f"no answer in {PATIENCE_S} s: {method} {path}"
            time.sleep(0.05)
        return answer

    def done(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """The answer of a call that must succeed."""
        answer = self.ask(method, path, body, key)
        assert answer.status < 300, f"{method} {path}: {answer}"
        return answer.body

    def sign_in(self, swipe: dict[str, str]) -> Caller:
        self.csrf = self.done("POST", "/session", swipe)["csrf_token"]
        assert self.cookie
        return self
