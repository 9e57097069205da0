"""Many open streams beside play: `python -m bench.streams [STREAMS...]`, or a part of `make bench`.

A hundred tables, forty steps of dealers a second over the API, and streams of every kind: signs with tokens, pages of
staff and of guests. All streams are read by one process of raw sockets, which throws away what it gets; the server runs
beside, as `croupier serve` starts it but with wider limits, so both share the machine's cores with the dealers.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from msgspec import structs

from bench.floor import furnish
from croupier.floor import demo_floor
from croupier.floor.credentials import DEMO_PEOPLE
from croupier.floor.devices import Devices
from croupier.floor.people import People
from croupier.floor.roles import Role
from croupier.house_time import house_clock
from croupier.store import open_store
from croupier.web.limits import Limits, Rate

TABLES = 100
PER_SECOND = 40
WORKERS = 16
SECONDS = 20.0
STREAMS = (0, 100, 300, 1000)
OPENED_PER_SECOND = 100
ADDRESSES = 50
"""Guests come from so many addresses of the loopback network."""
DESCRIPTORS = 8192
KINDS = (
    "/api/v1/stream/meters",
    "/events?of=meters",
    "/events?of=meters&of=claims&of=floor",
    "/events?of=ledger",
    "/events?of=play:ddm_3&of=play:blackjack_1",
)


@dataclass
class Measured:
    """Milliseconds of every step, and what the streams and the server did meanwhile."""

    steps: list[float] = field(default_factory=list)
    refused: int = 0
    open: int = 0
    kilobytes: float = 0.0
    server_cpu: float = 0.0
    """Share of one core."""


@dataclass(frozen=True)
class Site:
    port: int
    pid: int
    tokens: tuple[str, ...]


def furnish_store(path: str) -> tuple[str, ...]:
    """The demonstration's first table a hundred times, its people, and a token for each of some signs."""
    demo = demo_floor()
    first = demo.table("ddm_1")
    tables = tuple(structs.replace(first, id=f"t{number}") for number in range(TABLES))
    link = structs.replace(demo.links[0], tables=tuple(table.id for table in tables))
    book = open_store(path)
    furnish(book, structs.replace(demo, tables=tables, jackpots=demo.jackpots[:1], links=(link,)))
    people = People(book, house_clock, demo=True)
    people.add_demo_people()
    technician = next(one.id for one in DEMO_PEOPLE if one.role is Role.TECHNICIAN)
    devices, jackpots = Devices(people), (demo.jackpots[0].id,)
    tokens = tuple(
        devices.register_device(f"sign-{number}", technician, f"sign-{number}", "sign", jackpots=jackpots)
        for number in range(ADDRESSES)
    )
    book.close()
    return tokens


def serve(path: str, port: int) -> None:
    """The server's own process."""
    import gc

    import uvicorn

    from croupier.web.app import make_app

    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    plenty = Rate(burst=10**9, per_second=1e6)
    app = make_app(path, demo=True, limits=replace(Limits(), by_address=plenty, by_token=plenty, swipes=plenty))
    gc.collect()
    gc.freeze()
    uvicorn.run(app, host="127.0.0.1", port=port, access_log=False, log_level="error", timeout_graceful_shutdown=3)


@contextmanager
def serving() -> Iterator[Site]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/streams.db"
        tokens = furnish_store(path)
        process = subprocess.Popen([sys.executable, "-m", "bench.streams", "serve", path, str(port)])
        try:
            for _ in range(300):
                with socket.socket() as trial:
                    if trial.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield Site(port, process.pid, tokens)
        finally:
            process.terminate()
            process.wait(20)


def read_streams(site: Site, count: int) -> None:
    """The readers' own process: opens the streams, says how many are open, and reads until it is told to stop."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    chosen = selectors.DefaultSelector()
    chosen.register(sys.stdin, selectors.EVENT_READ)
    for number in range(count):
        address = f"127.0.0.{2 + number % ADDRESSES}"
        one = socket.create_connection(("127.0.0.1", site.port), source_address=(address, 0))
        one.sendall(request(site, number))
        one.setblocking(False)
        chosen.register(one, selectors.EVENT_READ, one)
        take(chosen, 1 / OPENED_PER_SECOND)
    until = time.monotonic() + 3
    while time.monotonic() < until:
        take(chosen, 0.1)
    print(len(chosen.get_map()) - 1, flush=True)
    size = 0
    while (taken := take(chosen, 60.0)) is not None:
        size += taken
    print(size, len(chosen.get_map()) - 1, flush=True)


def request(site: Site, number: int) -> bytes:
    path = KINDS[number % len(KINDS)]
    token = site.tokens[number % len(site.tokens)]
    header = f"Authorization: Bearer {token}\r\n" if path.startswith("/api/") else ""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\n".encode()


def take(chosen: selectors.BaseSelector, seconds: float) -> int | None:
    """Reads what is there, and throws it away; the bytes, or None where it is told to stop."""
    size = 0
    for key, _ in chosen.select(seconds):
        if key.data is None:
            return None
        data = key.data.recv(65536)
        size += len(data)
        if not data or data.startswith(b"HTTP/1.1 4"):
            chosen.unregister(key.data)
            key.data.close()
    return size


@contextmanager
def streams_open(site: Site, count: int, found: Measured) -> Iterator[None]:
    if not count:
        yield
        return
    command = [sys.executable, "-m", "bench.streams", "read", str(count), json.dumps([site.port, *site.tokens])]
    reader = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert reader.stdin is not None and reader.stdout is not None
    try:
        reader.stdout.readline()
        yield
        reader.stdin.write("stop\n")
        reader.stdin.flush()
        size, left = map(int, reader.stdout.readline().split())
        found.kilobytes, found.open = size / 1024, left
    finally:
        reader.kill()
        reader.wait()


class Dealer:
    """One connection of a dealer, whose session all share."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, headers: str) -> None:
        self._reader, self._writer, self._headers = reader, writer, headers

    async def post(self, path: str, body: Any, key: str) -> tuple[int, dict[str, str], Any]:
        content = json.dumps(body).encode()
        head = (
            f"POST /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{self._headers}"
            f"Idempotency-Key: {key}\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        self._writer.write(head.encode() + content)
        status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        answer = await self._reader.readexactly(int(headers["content-length"]))
        return int(status.split()[1]), headers, json.loads(answer)


async def sign_in(port: int) -> str:
    """The headers of a dealer's session."""
    person = next(one for one in DEMO_PEOPLE if one.role is Role.DEALER)
    dealer = Dealer(*await asyncio.open_connection("127.0.0.1", port), "")
    status, headers, answer = await dealer.post("/session", {"card": person.card, "pin": person.pin}, "sign-in")
    assert status < 300, answer
    return f"Cookie: {headers['set-cookie'].partition(';')[0]}\r\nX-CSRF-Token: {answer['csrf_token']}\r\n"


async def deal(site: Site, tag: str, found: Measured) -> None:
    """Steps at their due times: START GAME with five wagers, then END GAME, table after table."""
    headers = await sign_in(site.port)
    due: asyncio.Queue[tuple[float, int]] = asyncio.Queue()
    begin = time.perf_counter() + 0.5
    steps = int(SECONDS * PER_SECOND)
    for number in range(steps):
        due.put_nowait((begin + number / PER_SECOND, number))
    revisions: dict[str, int] = {}

    async def work() -> None:
        dealer = Dealer(*await asyncio.open_connection("127.0.0.1", site.port), headers)
        while not due.empty():
            at, number = due.get_nowait()
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            turn, table = number // TABLES, f"t{number % TABLES}"
            body: dict[str, Any] = {"revision": revisions.get(table, 0)}
            if turn % 2 == 0:
                body |= {"chips": 5, "lit": [{"seat": seat, "sensor": 1} for seat in range(1, 6)]}
            name = "end" if turn % 2 else "start"
            status, _, answer = await dealer.post(f"/tables/{table}/{name}", body, f"{tag}-{number}")
            found.steps.append(1e3 * (time.perf_counter() - at))
            found.refused += status != 200
            revisions[table] = answer.get("revision", 0)

    await asyncio.gather(*(work() for _ in range(WORKERS)))


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(count: int) -> Measured:
    """A new server for each count, so that none inherits another's log."""
    found = Measured()
    with serving() as site, streams_open(site, count, found):
        before, start = cpu_seconds(site.pid), time.perf_counter()
        asyncio.run(deal(site, f"of-{count}", found))
        found.server_cpu = (cpu_seconds(site.pid) - before) / (time.perf_counter() - start)
    return found


def lines(counts: tuple[int, ...] = STREAMS) -> list[str]:
    made = [
        f"{TABLES} tables, {PER_SECOND} dealers' steps a second for {SECONDS:g} s, streams of {len(KINDS)} kinds; "
        "server, readers and dealers on the same cores:",
        "",
        "| streams | steps | median, ms | 99%, ms | worst, ms | refused | server CPU | still open | kB/s to streams |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for count in counts:
        found = measure(count)
        last = quantiles(found.steps, n=100)[98]
        made.append(
            f"| {count:,} | {len(found.steps):,} | {median(found.steps):.1f} | {last:.1f} | "
            f"{max(found.steps):.0f} | {found.refused} | {found.server_cpu:.0%} | {found.open:,} | "
            f"{found.kilobytes / SECONDS:.0f} |"
        )
    return made


def main(arguments: list[str]) -> None:
    match arguments:
        case ["serve", path, port]:
            serve(path, int(port))
        case ["read", count, site]:
            port, *tokens = json.loads(site)
            read_streams(Site(port, 0, tuple(tokens)), int(count))
        case counts:
            sys.stdout.write("\n".join(lines(tuple(map(int, counts)) or STREAMS)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
