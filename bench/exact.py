"""The exact engine inside a warm process."""

from __future__ import annotations

import statistics
import time

from croupier.exact.odds import compute_odds, distribution
from croupier.rules import find_game
from croupier.rules.choice import choose

REPEATS = 200
WAGERS = [
    ("mini_baccarat", "banker"),
    ("mini_baccarat", "dragon_bonus_player"),
    ("mini_baccarat", "dragon_bonus_progressive"),
    ("double_down_madness", "push_22"),
    ("blackjack", "lucky_break"),
    ("blackjack", "lucky_lucky"),
]


def measure() -> list[tuple[str, float, float]]:
    """For each wager: median milliseconds of its distribution from 8 decks, and of its whole odds sheet."""
    rows = []
    for game, wager in WAGERS:
        choice = choose(find_game(game), wager, decks="8")
        times: list[list[float]] = [[], []]
        for _ in range(REPEATS):
            for slot, work in zip(times, (distribution, compute_odds), strict=True):
                start = time.perf_counter()
                work(choice)
                slot.append(time.perf_counter() - start)
        rows.append((f"{game} {wager}", *(1000 * statistics.median(slot) for slot in times)))
    return rows
