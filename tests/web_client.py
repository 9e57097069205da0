"""A demonstration floor behind its HTTP API, in this process, and people and devices that call it."""

from __future__ import annotations

import atexit
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from itertools import count
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from croupier.floor.credentials import DEMO_PEOPLE, PinCost
from croupier.rules.folders import named_folders
from croupier.web.addresses import NO_PROXIES
from croupier.web.api.rights import PREFIX
from croupier.web.app import make_app, schema_of
from croupier.web.limits import Limits, Rate
from croupier.web.serve import make_server
from croupier.web.services import Services
from croupier.web.work.processes import Work
from tests.web_contract import Contract

NOW = datetime(2026, 11, 16, 20, 0, tzinfo=UTC)
CHEAP = PinCost(memory_kib=8, passes=1)
PLENTY = Rate(burst=10**9, per_second=1.0)
WIDE = Limits(
    by_address=PLENTY,
    by_token=PLENTY,
    swipes=PLENTY,
    failures=PLENTY,
    guests=PLENTY,
    presses=PLENTY,
    heartbeat_s=0.2,
)
SWIPES = {person.role.value: {"card": person.card, "pin": person.pin} for person in reversed(DEMO_PEOPLE)}
"""The first of each role."""
SEED = 50_000_000_000
"""What the meter of "push_22" starts at."""
_numbers = count()


@dataclass
class Clock:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


@cache
def contract() -> Contract:
    """What the API says of itself, which is the same on every server."""
    with TemporaryDirectory() as folder:
        app = make_app(f"{folder}/empty.db")
        app.state.room.close()
        return Contract(schema_of(app))


@dataclass
class Client:
    """Somebody who calls the API: adds prefix, token and csrf token, and a new id to every command."""

    http: TestClient
    csrf: str = ""
    token: str = ""

    def call(self, method: str, path: str, body: Any = None, *, key: str = "", **headers: str) -> Any:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if method != "GET":
            sent.setdefault("Idempotency-Key", key or f"test-key-{next(_numbers)}")
        if self.csrf:
            sent.setdefault("X-CSRF-Token", self.csrf)
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        content = None if body is None else json.dumps(body).encode()  # escapes what is no Unicode, as a client may
        sent["Content-Type"] = "application/json"
        answer = self.http.request(method, PREFIX + path, content=content, headers=sent)
        media = answer.headers.get("content-type", "").partition(";")[0]
        data = answer.json() if media == "application/json" and answer.content else answer.text
        contract().check(method, answer.request.url.path, answer.status_code, media, data)
        return answer

    def get(self, path: str) -> Any:
        return self.done("GET", path)

    def done(self, method: str, path: str, body: Any = None, *, key: str = "") -> Any:
        """The answer of a call that must succeed."""
        answer = self.call(method, path, body, key=key)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def refused(self, status: int, code: str, method: str, path: str, body: Any = None, **more: str) -> Any:
        answer = self.call(method, path, body, **more)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
        assert answer.json()["error"]["message"]
        return answer


@dataclass
class Web:
    """The server and its callers."""

    app: FastAPI
    store_url: str
    clock: Clock = field(default_factory=Clock)

    @property
    def room(self) -> Services:
        room: Services = self.app.state.room
        return room

    def anonymous(self) -> Client:
        return Client(TestClient(self.app))

    def sign_in(self, swipe: dict[str, str], *, secure: bool = False) -> Client:
        """With `secure` as through a TLS proxy: outside demo mode the cookie goes no other way."""
        client = Client(TestClient(self.app, base_url="https://testserver")) if secure else self.anonymous()
        client.csrf = client.done("POST", "/session", swipe)["csrf_token"]
        return client

    def role(self, role: str) -> Client:
        return self.sign_in(SWIPES[role])

    def device(self, kind: str, *, tables: list[str] | None = None, jackpots: list[str] | None = None) -> Client:
        body = {"id": f"{kind}-{next(_numbers)}", "kind": kind, "tables": tables or [], "jackpots": jackpots or []}
        client = self.anonymous()
        client.token = self.role("technician").done("POST", "/devices", body)["token"]
        return client


class SharedWork(Work):
    """Computes for the servers of all tests, so that each game is solved once and no process is left behind."""

    def close(self) -> None:
        """Only at the end of all tests."""


WORK = SharedWork()
atexit.register(Work.close, WORK)


def share_work(app: FastAPI) -> None:
    """Not where a test names game folders of its own: the shared process may have been started without them."""
    if named_folders():
        return
    app.state.room.work.close()
    app.state.room.work = WORK


@contextmanager
def demo_web(store_url: str, limits: Limits = WIDE) -> Iterator[Web]:
    clock = Clock()
    app = make_app(store_url, demo=True, clock=clock, limits=limits, pin_cost=CHEAP)
    share_work(app)
    try:
        yield Web(app, store_url, clock)
    finally:
        app.state.room.close()


@contextmanager
def listening(web: Web) -> Iterator[int]:
    """The server on a port of its own; a stream needs a real connection."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server = make_server(web.app, "127.0.0.1", 0, NO_PROXIES)
        server.config.lifespan, server.config.timeout_graceful_shutdown = "off", 1
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            web.room.hub.stop()
            server.should_exit = True
            thread.join()


def revision(client: Client, table: str) -> int:
    found: int = client.get(f"/tables/{table}")["revision"]
    return found


def step(client: Client, table: str, name: str, **body: Any) -> Any:
    return client.done("POST", f"/tables/{table}/{name}", {"revision": revision(client, table), **body})


def lock(client: Client, table: str, *seats: int) -> None:
    for seat in seats:
        step(client, table, "sense", seat=seat, sensor=1, lit=True)
    step(client, table, "start", chips=len(seats))


def meter(client: Client, jackpot: str = "push_22") -> int:
    found: dict[str, int] = {one["jackpot"]: one["meter_micros"] for one in client.get("/meters")["meters"]}
    return found[jackpot]


def second_executive(web: Web) -> dict[str, str]:
    body = {"id": "max", "role": "executive", "pin": "840163"}
    return {"card": web.role("executive").done("POST", "/people", body)["card"], "pin": "840163"}
