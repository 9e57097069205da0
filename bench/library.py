"""The library as its users wait for it: the import, a sweep of pay tables, a small install."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import croupier

REPEATS = 9
TABLES = 500
SOURCE = Path(__file__).parent.parent
IMPORT = "import time; start = time.perf_counter(); import croupier; print(time.perf_counter() - start)"


def import_seconds() -> float:
    """The median of fresh processes."""
    runs = [
        subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
        for _ in range(REPEATS)
    ]
    return statistics.median(float(run.stdout) for run in runs)


def wheel_bytes() -> int:
    """The wheel, built from this tree."""
    build = "from hatchling.build import build_wheel; import sys; print(build_wheel(sys.argv[1]))"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", build, folder], cwd=SOURCE, check=True, capture_output=True)
        return sum(path.stat().st_size for path in Path(folder).glob("*.whl"))


def sweep_seconds() -> float:
    """So many pay tables of Lucky Lucky into a frame; outcomes are counted once, as on a first call."""
    game = croupier.game("blackjack")
    pays = game.pays("lucky_lucky")
    start = time.perf_counter()
    frame = croupier.frame(game.odds("lucky_lucky", pay_table=pays | {"suited_777": top}) for top in range(TABLES))
    assert len(frame) == TABLES
    return time.perf_counter() - start


def lines() -> list[str]:
    return [
        "| what | measured |",
        "|---|---|",
        f"| `import croupier`, median of {REPEATS} | {import_seconds() * 1000:.0f} ms |",
        f"| {TABLES} pay tables of Lucky Lucky into a frame | {sweep_seconds():.2f} s |",
        f"| the wheel | {wheel_bytes() / 1e6:.2f} MB |",
    ]


if __name__ == "__main__":
    print("\n".join(lines()))
