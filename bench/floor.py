"""A large floor on PostgreSQL: `python -m bench.floor`, or a part of `make bench`.

A thousand linked tables start a round every 30 seconds, evenly spread, each through the whole desk: the dealer's right,
the table's state, its wagers, one durable transaction. Then the time from a lock to the notice that moves a sign, and
what a lock costs when the log is long already.
"""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median, quantiles
from typing import Any

import psycopg
from msgspec import structs
from tests.postgres import Server

from croupier.floor import Floor, Role, demo_floor, floor_data
from croupier.floor.ledger_commands import opening_commands
from croupier.floor.service import FLOOR, Ask, FloorService
from croupier.floor.terminal import Spot
from croupier.jackpot import RecordFact, Request
from croupier.store import Book, open_store

TABLES = 1000
EVERY_S = 30.0
SECONDS = 20.0
SEATS = 5
WORKERS = 24
NOTICES = 40
LENGTHS = (0, 100_000, 1_000_000, 10_000_000)
LOCKS = 100


@dataclass(frozen=True)
class Dealer:
    id: str = "dealer"
    role: Role = Role.DEALER


def large_floor() -> Floor:
    """The demonstration floor's first table a thousand times. No law allows it, so it is not checked."""
    demo = demo_floor()
    first = demo.table("ddm_1")
    tables = tuple(structs.replace(first, id=f"t{number}") for number in range(TABLES))
    link = structs.replace(demo.links[0], tables=tuple(table.id for table in tables))
    return structs.replace(demo, tables=tables, jackpots=demo.jackpots[:1], links=(link,))


def furnish(book: Book, floor: Floor) -> FloorService:
    """A desk on a floor that is put into the ledger as it is, without its checks."""
    now = datetime.now(UTC)
    commands: list[Any] = [
        *opening_commands(floor),
        RecordFact(subject=FLOOR, kind="set_up", body={"floor": floor_data(floor)}, based_on=0),
    ]
    for number, command in enumerate(commands):
        book.post(Request(id=f"open-{number}", actor="bench", at=now, command=command))
    return FloorService(book)


def lock(desk: FloorService, table: str, tag: str, seats: int = SEATS) -> float:
    """One START GAME; the seconds until it is answered."""
    lit = [Spot(seat, 1) for seat in range(1, seats + 1)]
    start = time.perf_counter()
    desk.start(Ask(id=f"{table}-{tag}", by=Dealer()), table, chips=seats, lit=lit)
    return time.perf_counter() - start


def busy_floor(desk: FloorService) -> tuple[int, float, float]:
    """Rounds started; median and 99th percentile of START GAME in milliseconds, waiting for a worker included."""
    starts = int(TABLES * SECONDS / EVERY_S)
    waits: list[float] = []

    def play(number: int, due: float) -> None:
        table = f"t{number}"
        lock(desk, table, "start")
        waits.append(time.perf_counter() - due)
        desk.end(Ask(id=f"{table}-end", by=Dealer()), table)

    with ThreadPoolExecutor(WORKERS) as pool:
        begin = time.perf_counter()
        for number in range(starts):
            due = begin + number * EVERY_S / TABLES
            time.sleep(max(0.0, due - time.perf_counter()))
            pool.submit(play, number, due)
    assert len(waits) == starts
    return starts, 1000 * median(waits), 1000 * quantiles(waits, n=100)[98]


def notices(desk: FloorService) -> tuple[float, float]:
    """Median and worst milliseconds from pressing START GAME to the entry arriving at a watcher."""
    arrived: dict[int, float] = {}
    after = desk.book.head()[0]
    stop = threading.Event()

    def watch() -> None:
        for found in desk.book.watch(after=after, idle_s=0.5):
            for sealed in found:
                arrived[sealed.entry.seq] = time.perf_counter()
            if stop.is_set():
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    time.sleep(0.5)
    pressed = {}
    for number in range(NOTICES):
        table = f"t{TABLES - 1 - number}"
        start = time.perf_counter()
        lock(desk, table, "notice")
        pressed[desk.book.head()[0]] = start
        time.sleep(0.02)
    time.sleep(1.0)
    stop.set()
    watcher.join()
    times = [1000 * (arrived[seq] - start) for seq, start in pressed.items()]
    return median(times), max(times)


def grow(url: str, length: int) -> None:
    """Fills the log to a length, with rows of the usual size that nobody will verify."""
    with psycopg.connect(url, autocommit=True) as raw:
        (seq,) = raw.execute("SELECT seq FROM head").fetchone() or (0,)
        raw.execute(
            "INSERT INTO entries (seq, id, kind, reason, at_micros, actor, table_id, round, text, hash) "
            "SELECT n, md5(n::text), 'filler', 'filler', n, 'bench', 'none', n, repeat('x', 900), md5(n::text) "
            "FROM generate_series(%s::bigint, %s::bigint) AS n",
            (seq + 1, length),
        )
        raw.execute("UPDATE head SET seq = %s", (max(seq, length),))
        raw.execute("ANALYZE entries")


def lengths(desk: FloorService, url: str) -> list[tuple[int, float]]:
    """Median milliseconds of START GAME by the length of the log."""
    found = []
    for step, length in enumerate(LENGTHS):
        if length:
            grow(url, length)
        times = []
        for number in range(LOCKS):
            table = f"t{700 + number}"
            times.append(lock(desk, table, f"length-{step}"))
            desk.end(Ask(id=f"{table}-length-end-{step}", by=Dealer()), table)
        found.append((desk.book.head()[0], 1000 * median(times)))
    return found


def lines() -> list[str]:
    """The tables, in Markdown."""
    server = Server()
    try:
        url = server.new_database()
        desk = furnish(open_store(url), large_floor())
        starts, usual, slow = busy_floor(desk)
        told, last = notices(desk)
        by_length = lengths(desk, url)
        desk.book.close()
    finally:
        server.remove()
    return [
        f"{TABLES:,} linked tables on PostgreSQL, each starting a round of {SEATS} wagers every {EVERY_S:.0f} s: "
        f"{starts} rounds in {SECONDS:.0f} s, START GAME answered in {usual:.1f} ms (median), {slow:.1f} ms (99%).",
        f"From START GAME to the notice that moves a sign: {told:.1f} ms (median), {last:.1f} ms (worst of {NOTICES}).",
        "",
        "| entries in the log | START GAME, median ms |",
        "|---|---|",
        *(f"| {length:,} | {milliseconds:.1f} |" for length, milliseconds in by_length),
    ]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()) + "\n")
