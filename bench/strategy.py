"""The solver, warm and on one core: seconds for each game, and as the number of decks grows."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from croupier.cards import parse_cards
from croupier.exact.strategy.sheet import game_of
from croupier.exact.strategy.solve import solve_anew
from croupier.reports.rounds.advice import advise
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.table.replay import replay
from croupier.table.setup import make_rules

GAMES = ("blackjack", "double_down_madness", "blackjack_switch", "double_barrel")
DECKS = range(1, 9)
REPEATS = 3
ADVICE = {
    "blackjack, pair of eights": ("blackjack", "8s Td 8h 9c"),
    "double_down_madness, first card": ("double_down_madness", "6h Ts 9c"),
    "blackjack_switch, the switch": ("blackjack_switch", "Ts 2d 9h Tc 2s 5d"),
    "double_barrel, the flex card": ("double_barrel", "2s 2d 9h 2c 5d"),
}


@dataclass(frozen=True)
class Solved:
    """How long it took, and what came out."""

    game: str
    seconds: float
    edge: float
    by_total: float


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps all threads of this process on one core."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _seconds(game: str, decks: int | None = None) -> Solved:
    choice = choose(find_game(game), "main", decks=str(decks) if decks else None)
    start = time.perf_counter()
    solution = solve_anew(game_of(choice))
    seconds = time.perf_counter() - start
    return Solved(game, seconds, -solution.best.account.value, -solution.by_total.account.value)


def measure() -> list[Solved]:
    """Every game with its default rules, optimal play and chart; the best of a few times, or once where it is long."""
    found = []
    with one_core():
        for game in GAMES:
            _seconds(game, 1) if game in GAMES[:2] else None  # compiles
            times = [_seconds(game) for _ in range(REPEATS if game in GAMES[:2] else 1)]
            found.append(min(times, key=lambda one: one.seconds))
    return found


def by_decks() -> dict[str, list[float]]:
    """Seconds of the one-hand games for one to eight decks."""
    with one_core():
        return {
            game: [min(_seconds(game, decks).seconds for _ in range(REPEATS)) for decks in DECKS] for game in GAMES[:2]
        }


def plot_by_decks(times: dict[str, list[float]], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    mpl.rcParams["svg.hashsalt"] = "croupier"
    figure, axes = pyplot.subplots(figsize=(6, 3.5))
    for game, seconds in times.items():
        axes.plot(list(DECKS), seconds, marker="o", label=game)
    axes.set_xlabel("decks")
    axes.set_ylabel("seconds, one core")
    axes.set_ylim(bottom=0)
    axes.set_title("Optimal play and best chart, solved from scratch")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def advice() -> list[tuple[str, float]]:
    """Median milliseconds of one piece of advice."""
    found = []
    for name, (game, cards) in ADVICE.items():
        rules = make_rules(find_game(game), day=date(2026, 1, 1))
        state = replay(rules, [{"main": 10_000_000}], parse_cards(cards), [])
        times = []
        for _ in range(9):
            start = time.perf_counter()
            advise(state)
            times.append(time.perf_counter() - start)
        found.append((name, 1000 * sorted(times)[len(times) // 2]))
    return found
