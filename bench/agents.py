"""Steps of agents a second on one core, beside the blackjack of Gymnasium and of EnvPool, in turns of one run.

    python -m bench.agents

All play by the toss of a coin, hit or stand, drawn beforehand, so that nothing but the environments is measured, by the
time of the processor. Gymnasium comes with the tests; EnvPool is measured if it is installed: `pip install envpool`.
"""

from __future__ import annotations

import importlib
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from bench.strategy import one_core

TABLES = 4096
TURNS = 7
SECONDS = 0.7
BATCHES = 64
"""Batches of coins drawn beforehand."""
Turn = Callable[[int], tuple[int, int]]
"""One batch of steps, by its number: how many steps, and how many rounds ended."""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """An environment, with its steps and rounds a second in each turn."""

    title: str
    steps: list[float]
    rounds: list[float]


def coins(tables: int = TABLES) -> Any:
    return np.random.default_rng(1).integers(0, 2, (BATCHES, tables))


def croupier_tables() -> Turn:
    gymnasium: Any = importlib.import_module("gymnasium")
    envs = gymnasium.make_vec("croupier.agents:croupier/Blackjack-v0", num_envs=TABLES)
    stand, hit = envs.actions.index("action.stand"), envs.actions.index("action.hit")
    actions = np.where(coins() == 1, hit, stand)  # where neither is legal, they count as no answer
    envs.reset(seed=1)

    def turn(number: int) -> tuple[int, int]:
        _, _, over, _, _ = envs.step(actions[number % BATCHES])
        return TABLES, int(over.sum())

    return turn


def croupier_table() -> Turn:
    gymnasium: Any = importlib.import_module("gymnasium")
    env = gymnasium.make("croupier.agents:croupier/Blackjack-v0").unwrapped
    return _one_by_one(env, env.actions.index("action.stand"))


def gymnasium_table() -> Turn:
    gymnasium: Any = importlib.import_module("gymnasium")
    return _one_by_one(gymnasium.make("Blackjack-v1").unwrapped, 0)


def _one_by_one(env: Any, stand: int) -> Turn:
    """Hitting is the action after standing, there as here."""
    actions = (coins()[0] + stand).tolist()
    env.reset(seed=1)

    def turn(number: int) -> tuple[int, int]:
        rounds = 0
        for action in actions[:256]:
            if env.step(action)[2]:
                env.reset()
                rounds += 1
        return 256, rounds

    return turn


def envpool_tables(tables: int = TABLES) -> Turn:
    envpool: Any = importlib.import_module("envpool")
    envs = envpool.make_gymnasium("Blackjack-v1", num_envs=tables, num_threads=1)
    actions = coins(tables).astype(np.int32)
    envs.reset()

    def turn(number: int) -> tuple[int, int]:
        _, _, over, _, _ = envs.step(actions[number % BATCHES])
        return tables, int(over.sum())

    return turn


PLAYERS: dict[str, tuple[str, Callable[[], Turn]]] = {
    "Croupier, 4,096 tables": ("gymnasium", croupier_tables),
    "Croupier, one table in plain Python": ("gymnasium", croupier_table),
    "Gymnasium Blackjack-v1, one table": ("gymnasium", gymnasium_table),
    "EnvPool Blackjack-v1, 4,096 tables, one thread": ("envpool", envpool_tables),
    "EnvPool Blackjack-v1, 256 tables, where it is fastest": ("envpool", partial(envpool_tables, 256)),
}


def speed_of(turn: Turn, first: int) -> tuple[float, float]:
    """Steps and rounds a second of processor time."""
    steps = rounds = 0
    number, start = first, time.process_time()
    while time.process_time() - start < SECONDS:
        more_steps, more_rounds = turn(number)
        steps, rounds, number = steps + more_steps, rounds + more_rounds, number + 1
    took = time.process_time() - start
    return steps / took, rounds / took


def measure() -> list[Measured]:
    """All that are installed, in turns."""
    with one_core():
        players = {
            title: make() for title, (needs, make) in PLAYERS.items() if importlib.util.find_spec(needs) is not None
        }
        speeds = [{title: speed_of(turn, 7 * at) for title, turn in players.items()} for at in range(TURNS)]
    return [
        Measured(title=title, steps=[of[title][0] for of in speeds], rounds=[of[title][1] for of in speeds])
        for title in players
    ]


def lines() -> list[str]:
    rows = measure()
    text = [
        "| environment | steps/s | rounds/s | Croupier's tables: times its steps | its rounds |",
        "|---|---|---|---|---|",
    ]
    first = rows[0]
    for row in rows:
        steps = statistics.median(one / other for one, other in zip(first.steps, row.steps, strict=True))
        rounds = statistics.median(one / other for one, other in zip(first.rounds, row.rounds, strict=True))
        speeds = f"{statistics.median(row.steps):,.0f} | {statistics.median(row.rounds):,.0f}"
        text.append(f"| {row.title} | {speeds} | {steps:,.1f} | {rounds:,.1f} |")
    missing = [title for title in PLAYERS if title not in {row.title for row in rows}]
    return [*text, *(f"| {title} | not installed | | | |" for title in missing)]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()) + "\n")
