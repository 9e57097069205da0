"""Durable wagers a second against the raw database: `python -m bench.ledger`, or a part of `make bench`.

The raw database commits one row of an entry's size at a time with the same durability. All take short turns, and the
median turn counts, so that a disk that others use at the same time is as slow for each of them.
A START GAME of a table locks its wagers in one entry; through the desk it is that and the table's new state.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median, quantiles

import psycopg
from tests.ledger import locked, opened
from tests.postgres import Server

from bench.floor import Dealer, furnish, lock
from croupier.floor import demo_floor
from croupier.floor.service import Ask, FloorService
from croupier.jackpot import Request
from croupier.store import Book, open_store, verify

SEATS = 7
LIT = 5
ROW = "x" * 600
TURNS = 40
COMMITS = 10
"""In one turn."""
TABLES = 64
ROUNDS = 5
CROWDS = 5


@dataclass(frozen=True, kw_only=True)
class Speed:
    """One database."""

    database: str
    raw: float
    """Rows a second, each committed alone."""
    alone: float
    """START GAMEs a second of one table with one wager."""
    full: float
    """START GAMEs a second of one table with `SEATS` wagers."""
    desk_one_ms: float
    """START GAME through the desk, one seat lit."""
    desk_ms: float
    """The same with `LIT` seats."""
    together: float
    """START GAMEs a second of `TABLES` tables at once with `SEATS` wagers each."""
    slow_ms: float
    """99% of those were answered within this time."""
    verified: float
    """Entries a second that `verify` checks."""


def _start(book: Book, table: str, seats: int, first: int, number: int = 0) -> None:
    played = first + number
    command = locked(played, *range(1, seats + 1), table=table)
    book.post(Request(id=f"{table}/{played}", actor="dealer", at=datetime.now(UTC), command=command))


def _rate(commits: int, work: Callable[[int], object]) -> float:
    start = time.perf_counter()
    for number in range(commits):
        work(number)
    return commits / (time.perf_counter() - start)


def _desk_turn(desk: FloorService, table: str, turn: int, seats: int) -> float:
    """Median milliseconds of START GAME through the desk; the end of each round is not counted."""
    times = []
    for number in range(COMMITS):
        tag = f"{turn}-{number}"
        times.append(lock(desk, table, tag, seats))
        desk.end(Ask(id=f"{table}-end-{tag}", by=Dealer()), table)
    return 1000 * median(times)


def _together(book: Book, crowd: int) -> tuple[float, list[float]]:
    waits: list[float] = []

    def play(table: str) -> None:
        for played in range(crowd * ROUNDS + 1, (crowd + 1) * ROUNDS + 1):
            start = time.perf_counter()
            _start(book, table, SEATS, played)
            waits.append(time.perf_counter() - start)

    threads = [threading.Thread(target=play, args=(f"together-{number}",)) for number in range(TABLES)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return TABLES * ROUNDS / (time.perf_counter() - start), waits


def _measure(database: str, url: str, commit: Callable[[int], object]) -> Speed:
    book = open_store(url)
    book.post(Request(id="open", actor="manager", at=datetime.now(UTC), command=opened(reserve_ppm=12_345)))
    desk = furnish(book, demo_floor())
    raw, alone, full, desk_one, desk_lit, together = (list[float]() for _ in range(6))
    waits: list[float] = []
    for turn in range(TURNS):
        first = turn * COMMITS + 1
        raw.append(_rate(COMMITS, commit))
        alone.append(_rate(COMMITS, partial(_start, book, "alone", 1, first)))
        full.append(_rate(COMMITS, partial(_start, book, "full", SEATS, first)))
        desk_one.append(_desk_turn(desk, "ddm_1", turn, 1))
        desk_lit.append(_desk_turn(desk, "ddm_2", turn, LIT))
        if turn % (TURNS // CROWDS) == 0:
            rate, waited = _together(book, turn * CROWDS // TURNS)
            together.append(rate)
            waits += waited
    start = time.perf_counter()
    found = verify(book)
    assert found.is_good
    verified = found.entries / (time.perf_counter() - start)
    book.close()
    return Speed(
        database=database,
        raw=median(raw),
        alone=median(alone),
        full=median(full),
        desk_one_ms=median(desk_one),
        desk_ms=median(desk_lit),
        together=median(together),
        slow_ms=1000 * quantiles(waits, n=100)[98],
        verified=verified,
    )


@contextmanager
def _raw_sqlite(path: Path) -> Iterator[Callable[[int], object]]:
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("CREATE TABLE raw (number INTEGER PRIMARY KEY, text TEXT)")

    def commit(_: int) -> None:
        raw.execute("BEGIN IMMEDIATE")
        raw.execute("INSERT INTO raw (text) VALUES (?)", (ROW,))
        raw.execute("COMMIT")

    yield commit
    raw.close()


def measure() -> list[Speed]:
    """Both databases, one after the other."""
    with tempfile.TemporaryDirectory() as folder, _raw_sqlite(Path(folder) / "raw.db") as commit:
        speeds = [_measure("SQLite", str(Path(folder) / "ledger.db"), commit)]
    server = Server()
    try:
        url = server.new_database()
        with psycopg.connect(url, autocommit=True) as raw:
            raw.execute("CREATE TABLE raw (number bigserial PRIMARY KEY, text text)")
            speeds.append(
                _measure("PostgreSQL", url, lambda _: raw.execute("INSERT INTO raw (text) VALUES (%s)", (ROW,)))
            )
    finally:
        server.remove()
    return speeds


def lines() -> list[str]:
    """The table, in Markdown. Ratios are wagers a second over raw rows a second."""
    head = (
        f"| database | raw rows/s | 1 wager alone | {SEATS} wagers alone | {TABLES} tables together | 99% within | "
        f"through the desk, 1 / {LIT} wagers | verify, entries/s |"
    )
    return [
        head,
        "|---|---|---|---|---|---|---|---|",
        *(
            f"| {one.database} | {one.raw:,.0f} | {one.alone:,.0f}/s ({one.alone / one.raw:.2f}) | "
            f"{one.full * SEATS:,.0f}/s ({one.full * SEATS / one.raw:.2f}) | "
            f"{one.together * SEATS:,.0f}/s ({one.together * SEATS / one.raw:.1f}) | {one.slow_ms:.0f} ms | "
            f"{one.desk_one_ms:.2f} / {one.desk_ms:.2f} ms | {one.verified:,.0f} |"
            for one in measure()
        ),
    ]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()) + "\n")
