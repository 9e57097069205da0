"""The interpreter that plays rounds at random and counts outcomes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.kernels.baccarat import own_hand_first
from croupier.kernels.bets import Bet
from croupier.kernels.effects import RESULT
from croupier.kernels.link import Kernel, compile_cpu
from croupier.kernels.scenes import SIDES, scene_round
from croupier.simulate.generator import U64, draw_from_shoe, put_back, stream_key

Array = NDArray[Any]

CHUNK_ROUNDS = 1_000_000
"""Rounds of one chunk; a run is a number of chunks, each with its own stream."""
MOST_CARDS = 64


@dataclass(frozen=True)
class Counts:
    """How often each outcome came in so many rounds; index 0 is losing, 1 the first outcome, and so on."""

    outcomes: Array
    rounds: int

    def frequency(self, outcome: int) -> float:
        return float(self.outcomes[outcome + 1]) / self.rounds


# Replaced when the sampler is linked with a round and a bet.


def play(world: Any, table: Any, first: int, second: int) -> Any:
    """The round to sample."""
    raise NotImplementedError("linked with a round before use")


def classify(own: int, other: int, options: int) -> int:
    """The bet to count."""
    raise NotImplementedError("linked with a bet before use")


def count_outcome(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    """`settle`: the outcome's cell is one up."""
    counts, options, side = table[2], table[3], table[4]
    if moment == RESULT:
        own, other = own_hand_first(own, other, side)
    counts[classify(own, other, options) + 1] += 1
    return world


def run_chunk(rounds: int, counter: Any, table: Any, first: int, second: int) -> None:
    """Plays so many rounds, each from the full shoe."""
    for _ in range(rounds):
        counter, drawn = play((counter, 0), table, first, second)
        put_back(table, drawn)


@cache
def make_sampler(name: str, round_: Kernel, classifier: Kernel) -> Callable[..., None]:
    """The sampler of one round and one bet, compiled."""
    replace: dict[str, Kernel] = {
        "play": round_,
        "draw": draw_from_shoe,
        "settle": count_outcome,
        "classify": classifier,
    }
    return compile_cpu(run_chunk, f"sample-{name}", replace)  # type: ignore[no-any-return]


def sample(
    bet: Bet,
    name: str,
    *,
    decks: int,
    chunks: int,
    seed: int = 1,
    options: int = 0,
    soft17: str = "hit",
    side: str = "",
    threads: int = 1,
) -> Counts:
    """Counts of a bet's outcomes over `chunks` times a million rounds. The number of threads changes nothing."""
    scene = scene_round(bet.scene, soft17)
    sampler = make_sampler(f"{scene.name}-{name}", scene.round, bet.classify)

    def one(chunk: int) -> Array:
        counts = np.zeros(len(bet.outcomes) + 1, np.int64)
        shoe = np.arange(52 * decks, dtype=np.int64) % 52
        table = (shoe, np.zeros(MOST_CARDS, np.int64), counts, options, SIDES[side])
        with np.errstate(over="ignore"):  # 64-bit numbers wrap on purpose
            sampler(CHUNK_ROUNDS, U64(stream_key(seed, chunk)), table, scene.first, scene.second)
        return counts

    with ThreadPoolExecutor(threads) as pool:
        totals = sum(pool.map(one, range(chunks)), np.zeros(len(bet.outcomes) + 1, np.int64))
    return Counts(totals, chunks * CHUNK_ROUNDS)
