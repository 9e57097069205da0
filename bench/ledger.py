"""Durable wagers a second against the raw database: `python -m bench.ledger`, or a part of `make bench`.

The raw database commits one row of an entry's size at a time with the same durability, in the same run.
A START GAME locks `SEATS` wagers in one entry.
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
from pathlib import Path
from statistics import quantiles

import psycopg
from tests.ledger import locked, opened
from tests.postgres import Server

from croupier.jackpot import Request
from croupier.store import Book, open_store, verify

SEATS = 7
ROW = "x" * 600
COMMITS = 400
TABLES = 64
ROUNDS = 25


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
    together: float
    """START GAMEs a second of `TABLES` tables at once with `SEATS` wagers each."""
    slow_ms: float
    """99 % of those were answered within this time."""
    verified: float
    """Entries a second that `verify` checks."""


def _rate(times: int, work: Callable[[int], object]) -> float:
    start = time.perf_counter()
    for number in range(times):
        work(number)
    return times / (time.perf_counter() - start)


def _start(book: Book, table: str, played: int, seats: int) -> None:
    command = locked(played, *range(1, seats + 1), table=table)
    book.post(Request(id=f"{table}/{played}", actor="dealer", at=datetime.now(UTC), command=command))


def _together(book: Book) -> tuple[float, float]:
    waits: list[float] = []

    def play(table: str) -> None:
        for played in range(1, ROUNDS + 1):
            start = time.perf_counter()
            _start(book, table, played, SEATS)
            waits.append(time.perf_counter() - start)

    threads = [threading.Thread(target=play, args=(f"together-{number}",)) for number in range(TABLES)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return TABLES * ROUNDS / (time.perf_counter() - start), 1000 * quantiles(waits, n=100)[98]


def _measure(database: str, url: str, commit: Callable[[int], object]) -> Speed:
    book = open_store(url)
    book.post(Request(id="open", actor="manager", at=datetime.now(UTC), command=opened(reserve_ppm=12_345)))
    before = _rate(COMMITS, commit)
    alone = _rate(COMMITS, lambda number: _start(book, "alone", number + 1, 1))
    full = _rate(COMMITS, lambda number: _start(book, "full", number + 1, SEATS))
    together, slow_ms = _together(book)
    raw = (before + _rate(COMMITS, commit)) / 2
    start = time.perf_counter()
    found = verify(book)
    assert found.is_good
    verified = found.entries / (time.perf_counter() - start)
    book.close()
    return Speed(
        database=database, raw=raw, alone=alone, full=full, together=together, slow_ms=slow_ms, verified=verified
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
        f"| database | raw rows/s | 1 wager alone | {SEATS} wagers alone | {TABLES} tables together | "
        "99 % within | verify, entries/s |"
    )
    return [
        head,
        "|---|---|---|---|---|---|---|",
        *(
            f"| {one.database} | {one.raw:,.0f} | {one.alone:,.0f}/s ({one.alone / one.raw:.2f}) | "
            f"{one.full * SEATS:,.0f}/s ({one.full * SEATS / one.raw:.2f}) | "
            f"{one.together * SEATS:,.0f}/s ({one.together * SEATS / one.raw:.1f}) | {one.slow_ms:.0f} ms | "
            f"{one.verified:,.0f} |"
            for one in measure()
        ),
    ]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()) + "\n")
