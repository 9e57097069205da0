"""The floor in a browser under load: `python -m bench.web`, or a part of `make bench`.

A hundred players, each at a table of their own, lay chips, deal and answer every two seconds or so over HTTP, while
streams of signs and tables are open; the server runs beside, as `croupier serve` starts it. Then what a browser loads.
The clients take their share of the same cores.
"""

from __future__ import annotations

import asyncio
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx2
from tests.browser import open_browser

PLAYERS = 100
SECONDS = 30.0
THINK_S = 2.0
STREAMS = (0, 500)
ADDRESSES = 50
PAGES = ("/", "/play/blackjack", "/play/mini_baccarat", "/sign/push_22", "/rules/blackjack", "/sign-in")
FIELDS = re.compile(r'<input[^>]*name="(csrf|command|revision)"[^>]*value="([^"]*)"')
ANSWERS = re.compile(r'value="(answer \d+ (?:stand|decline|keep|first))"')


@dataclass
class Measured:
    """Milliseconds of every action, and events that streams got."""

    actions: list[float] = field(default_factory=list)
    refused: int = 0
    events: int = 0


@contextmanager
def serving() -> Iterator[int]:
    """`croupier serve --demo` on an empty database; gives its port."""
    with started() as (port, _):
        yield port


@contextmanager
def started() -> Iterator[tuple[int, int]]:
    """The same; gives its port and its process."""
    with tempfile.TemporaryDirectory() as folder, serve(f"{folder}/bench.db") as server:
        yield server


@contextmanager
def serve(database: str, *options: str) -> Iterator[tuple[int, int]]:
    """`croupier serve --demo` on this database; gives its port and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    croupier = str(Path(sys.executable).parent / "croupier")
    process = subprocess.Popen(
        [croupier, "serve", "--demo", "--port", str(port), "--database", database, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(200):
            try:
                httpx2.get(f"http://127.0.0.1:{port}/api/v1/health").raise_for_status()
                break
            except httpx2.HTTPError:
                time.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(20)


async def arrive(port: int) -> tuple[Any, str]:
    """A player with a seat: the client and the page."""
    client = httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", follow_redirects=True, timeout=30, verify=False)
    return client, (await client.get("/play/blackjack")).text


async def play(client: Any, html: str, number: int, until: float, found: Measured) -> None:
    """One player: chips, deal, stand on everything, again."""
    think = random.Random(number)
    await asyncio.sleep(think.random() * 2 * THINK_S)
    csrf = dict(FIELDS.findall(html))["csrf"]
    while time.perf_counter() < until:
        for do in ("lay 1 main", "deal"):
            html = await act(client, csrf, html, do, found)
            await asyncio.sleep(think.uniform(0.5, 1.5) * THINK_S)
        while (answer := ANSWERS.search(html)) and time.perf_counter() < until:
            html = await act(client, csrf, html, answer.group(1), found)
            await asyncio.sleep(think.uniform(0.5, 1.5) * THINK_S)


async def act(client: Any, csrf: str, html: str, do: str, found: Measured) -> str:
    fields = dict(FIELDS.findall(html))
    body = {"do": do, "chip": "5", "csrf": csrf, "command": fields["command"], "revision": fields.get("revision", "0")}
    start = time.perf_counter()
    answer = await client.post("/play/blackjack", data=body, headers={"HX-Request": "true"})
    found.actions.append(1e3 * (time.perf_counter() - start))
    if answer.status_code >= 400:
        found.refused += 1
        return str((await client.get("/play/blackjack")).text)
    return str(answer.text)


async def stream(port: int, address: str, of: str, until: float, found: Measured) -> None:
    """From an address of the loopback network, as one address may have only so many."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    writer.write(f"GET /events?{of} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    try:
        while (left := until - time.perf_counter()) > 0:
            line = await asyncio.wait_for(reader.readline(), left)
            found.events += line.startswith(b"event: ")
    except TimeoutError:
        pass
    finally:
        writer.close()


async def load(port: int, streams: int) -> Measured:
    """All players are there, and all streams are open, before the first action is timed."""
    found = Measured()
    players = [await arrive(port) for _ in range(PLAYERS)]
    until = time.perf_counter() + SECONDS + streams * 0.02
    tasks = []
    for number in range(streams):
        of = "of=meters&of=claims" if number % 2 else f"of=play:ddm_3&of=play:own-{number}"
        tasks.append(asyncio.create_task(stream(port, f"127.0.0.{2 + number % ADDRESSES}", of, until, found)))
        await asyncio.sleep(0.02)
    tasks += [
        asyncio.create_task(play(client, html, number, until, found)) for number, (client, html) in enumerate(players)
    ]
    await asyncio.gather(*tasks)
    for client, _ in players:
        await client.aclose()
    return found


def weights(port: int) -> Iterator[tuple[str, float, float]]:
    """Each page with its kilobytes on the wire, everything it loads included, and seconds until it has loaded."""
    with open_browser() as browser:
        for path in PAGES:
            context = browser.new_context(base_url=f"http://127.0.0.1:{port}")
            page = context.new_page()
            session = context.new_cdp_session(page)
            session.send("Network.enable")
            sizes: list[float] = []
            session.on("Network.loadingFinished", lambda event, to=sizes: to.append(event["encodedDataLength"]))
            start = time.perf_counter()
            page.goto(path, wait_until="load")
            seconds = time.perf_counter() - start
            page.wait_for_timeout(200)
            yield path, sum(sizes) / 1024, seconds
            context.close()


def lines() -> list[str]:
    made = [
        f"{PLAYERS} tables in play, an action of each about every {THINK_S:g} s, server and clients on the same cores:",
        "",
        "| open streams | actions | median, ms | 99%, ms | refused | events heard |",
        "|---|---|---|---|---|---|",
    ]
    with serving() as port:
        for streams in STREAMS:
            found = asyncio.run(load(port, streams))
            last = quantiles(found.actions, n=100)[98]
            made.append(
                f"| {streams} | {len(found.actions):,} | {median(found.actions):.1f} | {last:.1f} | {found.refused} | "
                f"{found.events:,} |"
            )
        made += ["", "| first load of | kB | s |", "|---|---|---|"]
        made += [f"| `{path}` | {size:.0f} | {seconds:.2f} |" for path, size, seconds in weights(port)]
    return made


if __name__ == "__main__":
    print("\n".join(lines()))
