"""Odds sheets as PDF, warm: whole commands, and in a process that has made one before. The aim is two seconds."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from bench.startup import REPEATS, seconds
from croupier.reports.sheet.files import sheet_pdf
from croupier.reports.sheet.fill import make_sheet
from croupier.rules import find_game
from croupier.rules.choice import choose

SHEETS = [
    ("double_down_madness", "push_22_progressive"),
    ("double_down_madness", "main"),
    ("blackjack", "main"),
    ("blackjack", "lucky_break"),
    ("mini_baccarat", "dragon_bonus_progressive"),
]


def measure() -> list[tuple[str, float, float]]:
    """For each sheet: median seconds of the whole command, and of making and setting it in this process."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for game, wager in SHEETS:
            command = ["sheet", game, wager, "--pdf", str(Path(folder) / "sheet.pdf")]
            seconds(command, folder)  # fills the cache
            whole = statistics.median(seconds(command, folder) for _ in range(REPEATS))
            rows.append((f"{game} {wager}", whole, statistics.median(_in_process(game, wager) for _ in range(REPEATS))))
    return rows


def _in_process(game: str, wager: str) -> float:
    start = time.perf_counter()
    sheet_pdf(make_sheet(choose(find_game(game), wager)))
    return time.perf_counter() - start


def lines() -> list[str]:
    table = [f"| {name} | {whole:.2f} | {warm:.3f} |" for name, whole, warm in measure()]
    return ["| odds sheet as PDF | command, seconds | in process, seconds |", "|---|---|---|", *table]


if __name__ == "__main__":
    print("\n".join(lines()))
