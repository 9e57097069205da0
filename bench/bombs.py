"""Files that are meant to hold up the server, sent beside a dealer's work: `python -m bench.bombs`.

A dealer lights and dims a sensor ten times a second while every bomb of the tests goes to the lab as an opened file and
in the form, by an address, and to the floor's set-up; then one client asks for 250 long computations at once, and a
visitor at another address for one. Printed are the answers with their times, the peak memory of the server and of the
processes that it starts, and how long the dealer waited. Some minutes at most: everything has an end.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import quote

import httpx2
from tests.bombs import BOMBS

from bench.web import started
from croupier.floor.credentials import DEMO_PEOPLE

EVERY_S = 0.1
FLOOD = 250
MOST_S = 30.0
LONGEST_ADDRESS = 60_000
"""What a server reads of one; the text is cut there."""
PATIENCE_S = 300.0
"""The solver takes half a minute on a quiet machine; what is computed when the visitor comes has another one left."""
CSRF = re.compile(r'name="csrf" value="([^"]*)"')
PEAK = re.compile(r"VmHWM:\s+(\d+) kB")
PARENT = re.compile(r"PPid:\s+(\d+)")
TABLE = "ddm_1"
LONG = "/lab?game=blackjack_switch&wager=main&do=compute&label.0="


@dataclass
class Dealer:
    """Somebody at a table, and how long each answer took, in milliseconds."""

    port: int
    times: list[float] = field(default_factory=list)
    refused: int = 0
    is_over: threading.Event = field(default_factory=threading.Event)

    def work(self) -> None:
        swipe = next(one for one in DEMO_PEOPLE if one.role.value == "dealer")
        with client_of(self.port) as client:
            body = {"card": swipe.card, "pin": swipe.pin}
            csrf = client.post("/api/v1/session", json=body, headers={"Idempotency-Key": "in"}).json()["csrf_token"]
            number = 0
            while not self.is_over.wait(EVERY_S):
                number += 1
                revision = client.get(f"/api/v1/tables/{TABLE}").json()["revision"]
                sensed = {"revision": revision, "seat": 1, "sensor": 1, "lit": number % 2 == 1}
                headers = {"Idempotency-Key": f"bombs-{number}", "X-CSRF-Token": csrf}
                start = time.perf_counter()
                answer = client.post(f"/api/v1/tables/{TABLE}/sense", json=sensed, headers=headers)
                self.times.append(1e3 * (time.perf_counter() - start))
                self.refused += answer.status_code >= 300

    def waited(self) -> str:
        """Since the last time it was asked."""
        times, self.times = self.times, []
        if len(times) < 2:
            return "too few actions"
        return f"{median(times):.0f} / {quantiles(times, n=100)[98]:.0f} / {max(times):.0f}"


def client_of(port: int, address: str = "127.0.0.1") -> httpx2.Client:
    transport = httpx2.HTTPTransport(local_address=address)
    return httpx2.Client(base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=MOST_S)


@contextmanager
def dealing(port: int) -> Iterator[Dealer]:
    dealer = Dealer(port)
    thread = threading.Thread(target=dealer.work)
    thread.start()
    try:
        yield dealer
    finally:
        dealer.is_over.set()
        thread.join()


def peak_mib(pid: int) -> int:
    """Of one process since it started."""
    try:
        found = PEAK.search(Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) // 1024 if found else 0


def children_of(pid: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            parent = PARENT.search(status.read_text())
        except OSError:
            continue
        if parent is not None and int(parent[1]) == pid:
            found.append(int(status.parent.name))
    return found


def timed(ask: Callable[[], Any]) -> tuple[str, float]:
    """The answer's status, and milliseconds."""
    start = time.perf_counter()
    try:
        status = str(ask().status_code)
    except httpx2.HTTPError as error:
        status = type(error).__name__
    return status, 1e3 * (time.perf_counter() - start)


def ways(client: httpx2.Client, manager: httpx2.Client) -> dict[str, Callable[[str], Any]]:
    """How a file is sent."""
    csrf = CSRF.search(client.get("/lab").text)
    staff = CSRF.search(manager.get("/manager/setup").text)
    assert csrf is not None and staff is not None
    form = {"csrf": csrf[1], "of": "", "game": ""}
    return {
        "opened": lambda text: client.post(
            "/lab/load", data=form | {"game": "blackjack"}, files={"upload": ("own.toml", text.encode())}
        ),
        "in the form": lambda text: client.post("/lab", data=form | {"file": text}),
        "by an address": lambda text: client.get(f"/lab?file={quote(text)[:LONGEST_ADDRESS]}"),
        "a floor's file": lambda text: manager.post(
            "/manager/setup/upload", data={"csrf": staff[1]}, files={"file": ("floor.toml", text.encode())}
        ),
    }


@contextmanager
def signed_in(port: int) -> Iterator[httpx2.Client]:
    executive = next(one for one in DEMO_PEOPLE if one.role.value == "executive")
    with client_of(port) as client:
        csrf = CSRF.search(client.get("/sign-in").text)
        assert csrf is not None
        client.post("/sign-in", data={"csrf": csrf[1], "card": executive.card, "pin": executive.pin})
        yield client


def bombs_sent(port: int, pid: int, dealer: Dealer) -> Iterator[str]:
    yield "| file | bytes | opened | in the form | by an address | a floor's file |"
    yield "|---|---|---|---|---|---|"
    worst = 0.0
    with client_of(port) as client, signed_in(port) as manager:
        send = ways(client, manager)
        for one in send.values():
            one("")  # what is started once is started
        dealer.waited()
        for name, text in BOMBS.items():
            cells = []
            for one in send.values():
                status, milliseconds = timed(partial(one, text))
                worst = max(worst, milliseconds)
                cells.append(f"{status} in {milliseconds:.0f} ms")
            yield f"| {name} | {len(text):,} | {' | '.join(cells)} |"
    yield ""
    yield f"Slowest answer {worst:.0f} ms. {memory(pid)} Dealer meanwhile, median / 99% / most: {dealer.waited()} ms."


def memory(pid: int) -> str:
    beside = ", ".join(str(peak_mib(child)) for child in children_of(pid)) or "none"
    return f"Peak memory: server {peak_mib(pid)} MiB, processes beside it {beside} MiB."


def flooded(port: int, pid: int, dealer: Dealer) -> Iterator[str]:
    """One client asks for far more than there is time for; then somebody else asks for one thing."""
    dealer.waited()
    counts: dict[str, int] = {}
    flood = [threading.Thread(target=_ask_many, args=(port, first, counts)) for first in range(0, FLOOD, 50)]
    for thread in flood:
        thread.start()
    for thread in flood:
        thread.join()
    refused, start, took = 0, time.perf_counter(), 0.0
    with client_of(port, "127.0.0.2") as client:
        while not took and time.perf_counter() - start < PATIENCE_S:
            sent = client.get(f"{LONG}honest")
            refused += sent.status_code != 200
            if "figure-edge" in sent.text:
                took = time.perf_counter() - start
            else:
                time.sleep(2.0)
    yield f"{FLOOD} long computations asked for from one address, answers by status: {counts}."
    until = f"its figures came after {took:.0f} s" if took else f"no figures after {PATIENCE_S:g} s"
    yield f"Then a visitor at another address asks for one, every 2 s: refused {refused} times, {until}."
    yield f"{memory(pid)} Dealer meanwhile, median / 99% / most: {dealer.waited()} ms; refused {dealer.refused}."


def _ask_many(port: int, first: int, counts: dict[str, int]) -> None:
    with client_of(port) as client:
        for number in range(first, first + 50):
            status, _ = timed(partial(client.get, f"{LONG}{number}"))
            counts[status] = counts.get(status, 0) + 1


def lines() -> Iterator[str]:
    with started() as (port, pid), dealing(port) as dealer:
        yield from bombs_sent(port, pid, dealer)
        yield ""
        yield from flooded(port, pid, dealer)


if __name__ == "__main__":
    for line in lines():
        print(line, flush=True)
