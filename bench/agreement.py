"""Exact odds against 10^8 simulated rounds, for every side bet under its default choice, and the sampler's speed."""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass

from croupier.exact.odds import bet_of, distribution
from croupier.rules import find_game, game_ids
from croupier.rules.choice import SOFT17, choose
from croupier.simulate.sampler import sample

CHUNKS = 100
SEED = 20250211


@dataclass
class Agreement:
    """One wager: the largest distance of an outcome's frequency from its exact probability, in standard errors."""

    wager: str
    rounds: int
    rounds_per_second: float
    outcomes: int
    worst: float


def measure() -> list[Agreement]:
    results = []
    for game in map(find_game, game_ids()):
        for wager in game.wagers:
            if not wager.classifiers:
                continue
            for table in wager.pay_tables[:: 1 if len(wager.classifiers) > 1 else len(wager.pay_tables)]:
                choice = choose(game, wager.id, pay_table=table.id)
                name, bet = choice.bet_name, bet_of(choice)
                arguments = {
                    "decks": choice.decks or game.default_decks,
                    "options": bet.pack(choice.switches),
                    "soft17": choice.switches.get(SOFT17, "hit"),
                    "side": choice.side,
                }
                sample(bet, name, chunks=1, seed=SEED, **arguments)  # type: ignore[arg-type]  # compiles
                start = time.perf_counter()
                counts = sample(
                    bet,
                    name,
                    chunks=CHUNKS,
                    seed=SEED,
                    threads=os.cpu_count() or 1,
                    **arguments,  # type: ignore[arg-type]
                )
                elapsed = time.perf_counter() - start
                exact = distribution(choice)
                worst = 0.0
                for outcome in range(-1, len(bet.outcomes)):
                    chance = exact.ways.get(outcome, 0) / exact.denominator
                    error = math.sqrt(chance * (1 - chance) / counts.rounds)
                    if error:
                        worst = max(worst, abs(counts.frequency(outcome) - chance) / error)
                    else:
                        assert counts.frequency(outcome) == 0, (wager.id, outcome)
                results.append(
                    Agreement(
                        f"{game.id} {wager.id} {table.id}",
                        counts.rounds,
                        counts.rounds / elapsed,
                        len(bet.outcomes) + 1,
                        worst,
                    )
                )
    return results
