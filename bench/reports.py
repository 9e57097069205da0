"""Reports on a long log: `python -m bench.reports [ENTRIES]`, a million by default, or a part of `make bench`.

Prints how long each report of the floor takes once the sums are made, how long making them took, and the same report by
reading every entry, which is what the sums save.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.ledger import community, locked, opened

from croupier.floor import demo_floor
from croupier.jackpot import PayAward, Request
from croupier.jackpot.sums import Sums, Versions, add_entry
from croupier.reports.books.accrual import accrual
from croupier.reports.books.achieved import achieved
from croupier.reports.books.audit import audit
from croupier.reports.books.awards import hits
from croupier.reports.books.deposit import deposit
from croupier.reports.books.reconciliation import reconciliation
from croupier.store import Book, open_store

ENTRIES = 1_000_000
TOGETHER = 64
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
SECONDS_BETWEEN = 30


def fill(book: Book, entries: int) -> None:
    """A year of rounds at fifteen tables, with an award now and then."""
    book.post(Request(id="open", actor="boss", at=BEGIN, command=opened("push_22")))
    waiting: list[Request] = []
    for number in range(1, entries):
        at = BEGIN + timedelta(seconds=SECONDS_BETWEEN * number)
        table, played = f"t{number % 15}", number // 15 + 1
        lock = locked(played, 1, 2, 3, table=table, jackpot="push_22")
        waiting.append(Request(id=f"lock-{number}", actor="dealer", at=at, command=lock))
        if number % 5_000 == 0:
            award = f"hit-{number}"
            hit = community(played, 100_000, table=table, jackpot="push_22")
            waiting.append(Request(id=award, actor="dealer", at=at, command=hit))
            paid = PayAward(award=award, approved_by=("boss",))
            waiting.append(Request(id=f"pay-{number}", actor="boss", at=at, command=paid))
        if len(waiting) >= TOGETHER - 2:
            book.post_all(waiting)
            waiting.clear()
    if waiting:
        book.post_all(waiting)


def read_every_entry(book: Book) -> Sums:
    total, versions = Sums(), Versions()
    for sealed in book.entries_between(None, None):
        add_entry(total, sealed.entry, versions)
        versions.take(sealed.entry)
    return total


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(entries: int) -> list[tuple[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        book = open_store(str(Path(folder) / "floor.db"))
        fill(book, entries)
        floor = demo_floor()
        middle = BEGIN + timedelta(seconds=SECONDS_BETWEEN * entries // 2, minutes=17)
        week = (middle, middle + timedelta(days=7))
        found = [("make the sums", timed(lambda: book.add_up(at_least=1)))]
        works: dict[str, Callable[[], object]] = {
            "accrual": lambda: accrual(book),
            "accrual of a week": lambda: accrual(book, *week),
            "reconciliation": lambda: reconciliation(book),
            "reconciliation of a week": lambda: reconciliation(book, *week),
            "achieved": lambda: achieved(book, floor),
            "achieved of a week": lambda: achieved(book, floor, *week),
            "deposit": lambda: deposit(book, floor, last_deposit=middle, day=middle.date(), account_micros=0),
            "audit without play": lambda: audit(book, leave_out=("table:",)),
            "hits": lambda: hits(book),
        }
        achieved(book, floor, *week)  # its exact odds are computed once
        found += [(name, timed(work)) for name, work in works.items()]
        found.append(("every entry read", timed(lambda: read_every_entry(book))))
        book.close()
    return found


def lines(entries: int = ENTRIES) -> list[str]:
    found = [f"{entries:,} entries.", "", "| work | seconds |", "|---|---|"]
    return found + [f"| {name} | {seconds:.2f} |" for name, seconds in measure(entries)]


if __name__ == "__main__":
    print("\n".join(lines(int(float(sys.argv[1])) if len(sys.argv) > 1 else ENTRIES)))
