"""How many presses a second a server carries: `python -m bench.actions`, or a part of `make bench`.

A thousand tables of blackjack, each of somebody at an address of their own, on connections that stay open. So many
presses as are asked for are under way at any time: chips, deal, answers, one table after the other. The clients speak
plain HTTP over sockets, so that they take little of the cores that they share with the server.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from tests.postgres import Server

from bench.web import serve

TABLES = 1000
SECONDS = 20.0
UNDER_WAY = (1, 16, 64)
GAME = "blackjack"
HIDDEN = re.compile(rb'name="(csrf|revision)"[^>]*value="([^"]*)"')
ANSWER = re.compile(rb'value="(answer \d+ (?:stand|decline|keep))"')
COOKIE = re.compile(rb"croupier_player=([^;\r\n]+)")
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Measured:
    """Seconds of each press that was answered, and how many were refused."""

    seconds: list[float] = field(default_factory=list)
    refused: int = 0


class Player:
    """Somebody at a table of their own, as a browser plays there."""

    def __init__(self, number: int, port: int) -> None:
        self.number = number
        self.port = port
        self.address = f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}"
        self.cookie = self.csrf = b""
        self.page = b""
        self.presses = 0
        self.is_laid = False
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def arrive(self) -> None:
        status, head, body = await self._ask("GET", b"")
        assert status == 200, (status, body[:200])
        found = COOKIE.search(head)
        assert found is not None
        self.cookie = found[1]
        self.page, self.csrf = body, dict(HIDDEN.findall(body))[b"csrf"]

    async def press(self, found: Measured) -> None:
        """The next thing to do: an answer if one is asked for, chips, or the deal."""
        answer = ANSWER.search(self.page)
        do = answer[1].decode() if answer else "deal" if self.is_laid else "lay 1 main"
        self.presses += 1
        fields = {
            "do": do,
            "chip": "5",
            "csrf": self.csrf.decode(),
            "command": f"bench-{self.number}-{self.presses}",
            "revision": dict(HIDDEN.findall(self.page)).get(b"revision", b"0").decode(),
        }
        start = time.perf_counter()
        status, _, self.page = await self._ask("POST", urlencode(fields).encode())
        found.seconds.append(time.perf_counter() - start)
        self.is_laid = do == "lay 1 main" and status == 200
        if status >= 400:
            found.refused += 1
            _, _, self.page = await self._ask("GET", b"")

    async def _ask(self, method: str, body: bytes) -> tuple[int, bytes, bytes]:
        """As a browser does: a connection that was idle for so long that the server has closed it is opened again."""
        try:
            return await self._ask_once(method, body)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.leave()
            self.streams = None
            return await self._ask_once(method, body)

    async def _ask_once(self, method: str, body: bytes) -> tuple[int, bytes, bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))
        reader, writer = self.streams
        lines = [f"{method} /play/{GAME} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(body)}"]
        if self.cookie:
            lines.append(f"Cookie: croupier_player={self.cookie.decode()}")
        if body:
            lines += ["HX-Request: true", "Content-Type: application/x-www-form-urlencoded"]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        head = await reader.readuntil(b"\r\n\r\n")
        length = LENGTH.search(head)
        assert length is not None, head
        return int(head[9:12]), head, await reader.readexactly(int(length[1]))

    def leave(self) -> None:
        if self.streams is not None:
            self.streams[1].close()


def processor_seconds(pid: int) -> float:
    """What a process and its children have used so far."""
    used = 0.0
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        used = (int(fields[11]) + int(fields[12])) / TICKS
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                used += processor_seconds(int(child))
    return used


async def load(players: list[Player], under_way: int, seconds: float) -> Measured:
    found = Measured()
    waiting = asyncio.Queue[Player]()
    for player in players:
        waiting.put_nowait(player)
    until = time.perf_counter() + seconds

    async def press_on() -> None:
        while time.perf_counter() < until:
            player = waiting.get_nowait()
            await player.press(found)
            waiting.put_nowait(player)

    await asyncio.gather(*(press_on() for _ in range(under_way)))
    return found


async def measure(port: int, pid: int, tables: int, under_way: Sequence[int], seconds: float) -> list[str]:
    players = [Player(number, port) for number in range(tables)]
    rows = []
    for player in players:
        await player.arrive()
    await load(players, 8, 3.0)  # so that everybody is known and the code is warm
    for count in under_way:
        used, start = processor_seconds(pid), time.perf_counter()
        found = await load(players, count, seconds)
        took = time.perf_counter() - start
        times = sorted(found.seconds)
        each = 1000 * (processor_seconds(pid) - used) / len(times)
        rows.append(
            f"| {count} | {len(times) / took:,.0f} | {1000 * median(times):.1f} | "
            f"{1000 * quantiles(times, n=100)[98]:.1f} | {each:.2f} | {found.refused} |"
        )
    for player in players:
        player.leave()
    return rows


@contextmanager
def database(kind: str) -> Iterator[str]:
    with ExitStack() as stack:
        if kind == "sqlite":
            yield f"{stack.enter_context(TemporaryDirectory())}/bench.db"
            return
        server = Server()
        stack.callback(server.remove)
        yield server.new_database()


def lines(
    kind: str,
    *options: str,
    tables: int = TABLES,
    under_way: Sequence[int] = UNDER_WAY,
    seconds: float = SECONDS,
) -> list[str]:
    """The table, in Markdown; `options` are those of `croupier serve`."""
    with database(kind) as url, serve(url, *options) as (port, pid):
        rows = asyncio.run(measure(port, pid, tables, under_way, seconds))
    head = f"{tables:,} tables on {kind}, croupier serve {' '.join(options)}".rstrip() + ":"
    return [
        head,
        "",
        "| presses under way | presses/s | median, ms | 99%, ms | processor of the server, ms each | refused |",
        "|---|---|---|---|---|---|",
        *rows,
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", default="sqlite", choices=("sqlite", "postgresql"))
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--under-way", type=int, nargs="*", default=list(UNDER_WAY))
    parser.add_argument("--seconds", type=float, default=SECONDS)
    given, options = parser.parse_known_args()
    print("\n".join(lines(given.kind, *options, tables=given.tables, under_way=given.under_way, seconds=given.seconds)))


if __name__ == "__main__":
    main()
