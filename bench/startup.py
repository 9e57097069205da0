"""Whole commands, as a user waits for them: from an empty cache, and again when it is filled."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CROUPIER = str(Path(sys.executable).parent / "croupier")

ODDS = [
    ("blackjack", "lucky_lucky"),
    ("blackjack", "lucky_break"),
    ("double_down_madness", "push_22"),
    ("double_down_madness", "push_22_progressive"),
    ("double_barrel", "bonus"),
    ("blackjack_switch", "kings_bounty"),
    ("blackjack_switch", "first_four"),
    ("mini_baccarat", "banker"),
    ("mini_baccarat", "dragon_bonus_player"),
    ("mini_baccarat", "dragon_bonus_progressive"),
]
REPEATS = 5


def seconds(arguments: list[str], cache: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        [CROUPIER, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"CROUPIER_CACHE": cache},
    )
    return time.perf_counter() - start


def measure() -> list[tuple[str, float, float]]:
    """For each command: seconds with an empty cache, and the median of repeated runs after it."""
    rows = []
    commands = [["--help"], *(["odds", game, wager] for game, wager in ODDS), ["check"]]
    for command in commands:
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds(command, cache)
            warm = statistics.median(seconds(command, cache) for _ in range(REPEATS))
        rows.append((" ".join(command), cold, warm))
    return rows
