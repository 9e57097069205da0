"""The worked example of docs/own-side-bet.md end to end: every command of it, from an empty cache and again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench.startup import seconds

FOLDER = str(Path(__file__).parent.parent / "examples" / "twenty_one_plus_three")
WAGER = "21_plus_3"
STEPS = [
    ["odds", FOLDER, WAGER],
    ["check", "--game", FOLDER],
    ["sheet", FOLDER, WAGER, "--pdf", "{pdf}"],
    ["simulate", FOLDER, "--wagers", WAGER],
    ["play", FOLDER, "--seat", f"main=10 {WAGER}=5", "--cards", "8c 9d Th Ts", "--answers", "stand"],
]


def measure() -> list[tuple[str, float, float]]:
    """For each command, in the order of the page: seconds when it is run first, and when all have been run before."""
    with tempfile.TemporaryDirectory() as folder:
        pdf = str(Path(folder) / "sheet.pdf")
        steps = [[word.format(pdf=pdf) for word in step] for step in STEPS]
        first = [seconds(step, folder) for step in steps]
        again = [seconds(step, folder) for step in steps]
    return list(zip((step[0] for step in steps), first, again, strict=True))


def lines() -> list[str]:
    rows = measure()
    total = ("all", sum(row[1] for row in rows), sum(row[2] for row in rows))
    table = [f"| {name} | {first:.2f} | {again:.2f} |" for name, first, again in [*rows, total]]
    return ["| a side bet of one's own | first time, seconds | again |", "|---|---|---|", *table]


if __name__ == "__main__":
    print("\n".join(lines()))
