"""What a start and every read of the ledger take as it grows: `python -m bench.growth [ENTRIES ...]`.

Real entries, a wager of three seats each, fifteen tables, an award now and then; 10,000 to a million of them if nothing
is said, as ten million take an hour and 20 GB. Everything should stay flat: what grows with the log is `verify`, and
the check in the background. The plot goes to `bench/results/growth.svg`.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from statistics import median

from tests.ledger import locked

from bench.reports import BEGIN, SECONDS_BETWEEN, fill
from croupier.floor.meters import read_meters
from croupier.jackpot import Request
from croupier.store import Book, open_store
from croupier.store.sums import sums_between

SIZES = (10_000, 100_000, 1_000_000)
TIMES = 7
PLOT = Path(__file__).parent / "results" / "growth.svg"


def started(file: str) -> None:
    """What a server does with the ledger before it serves."""
    book = open_store(file)
    book.check()
    book.close()


def works(book: Book, file: str, entries: int) -> dict[str, Callable[[], object]]:
    middle = BEGIN + timedelta(seconds=SECONDS_BETWEEN * entries // 2)
    hour = (middle, middle + timedelta(hours=1))
    award = book.awards(limit=1)[0].id
    tables = iter(range(10**9))
    return {
        "start": lambda: started(file),
        "a wager": lambda: book.post(
            Request(
                id=f"late-{entries}-{(number := next(tables))}",
                actor="dealer",
                at=BEGIN + timedelta(seconds=SECONDS_BETWEEN * entries),
                command=locked(1, 1, table=f"late-{entries}-{number}", jackpot="push_22"),
            )
        ),
        "an entry by its id": lambda: book.entry(f"lock-{entries // 2}"),
        "the latest 50 entries": lambda: book.entries(after=book.head()[0] - 50, limit=50),
        "an hour's sums": lambda: sums_between(book, *hour),
        "sums of all": lambda: sums_between(book, None, None),
        "meters": lambda: read_meters(book),
        "an award": lambda: book.award(award),
        "claims that wait": lambda: book.count_awards("pending"),
        "latest awards": lambda: book.awards(limit=25),
        "a table's round": lambda: book.round("t7"),
    }


def measure(sizes: tuple[int, ...]) -> dict[str, list[float]]:
    """Median milliseconds of each work, for each size."""
    found: dict[str, list[float]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / "floor.db")
            book = open_store(file)
            fill(book, size)
            book.add_up(at_least=1)
            for name, work in works(book, file, size).items():
                work()
                times = []
                for _ in range(TIMES):
                    start = time.perf_counter()
                    work()
                    times.append(1000 * (time.perf_counter() - start))
                found.setdefault(name, []).append(median(times))
            book.close()
    return found


def plot(found: dict[str, list[float]], sizes: tuple[int, ...], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    mpl.rcParams["svg.hashsalt"] = "croupier"
    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    for name, milliseconds in found.items():
        axes.plot(sizes, milliseconds, marker="o", label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("entries in the ledger")
    axes.set_ylabel("milliseconds")
    axes.legend(fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def lines(sizes: tuple[int, ...] = SIZES) -> list[str]:
    found = measure(sizes)
    plot(found, sizes, PLOT)
    return [
        "| milliseconds with so many entries | " + " | ".join(f"{size:,}" for size in sizes) + " |",
        "|---|" + "---|" * len(sizes),
        *(f"| {name} | " + " | ".join(f"{one:.2f}" for one in times) + " |" for name, times in found.items()),
        "",
        f"![milliseconds by entries]({PLOT.name})",
    ]


if __name__ == "__main__":
    print("\n".join(lines(tuple(int(float(text)) for text in sys.argv[1:]) or SIZES)))
