"""The exact engine inside a warm process."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from croupier.exact.odds import compute_odds, distribution
from croupier.exact.outcomes import kept_distribution
from croupier.rules import find_game
from croupier.rules.choice import Choice, choose

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
        rows.append((f"{game} {wager}", _milliseconds(distribution, choice), _milliseconds(compute_odds, choice)))
    return rows


def _milliseconds(work: Callable[[Choice], object], choice: Choice) -> float:
    times = []
    for _ in range(REPEATS):
        kept_distribution.cache_clear()
        start = time.perf_counter()
        work(choice)
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)
