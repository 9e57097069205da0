"""A main game played from real shoes with a counter watching: how often each true count comes, how rounds end then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.kernels.link import compile_cpu
from croupier.simulate.counted_shoes import (
    MIDDLE,
    ROUNDS,
    SHOES,
    TRUE_COUNTS,
    Return,
    Room,
    Watch,
    Watched,
    dealing_effects,
    watch_chunks,
)
from croupier.simulate.generator import seed_key
from croupier.simulate.run import Spec
from croupier.simulate.shuffle import DECK_CARDS

Array = NDArray[Any]

# What is added up for each whole true count: exact in floating point, as all but the third are whole numbers.
OFTEN, PROFIT, SQUARE, TRUE_COUNT_SUM, UNSEEN_SUM = range(5)
SUMS = 5
CELL_NOTED = 1
"""Where in the room the true count of the round that is played is noted."""


def note_count(watch: Watch, room: Room, unseen: int, depth: int, chunk: int, watched: Watched) -> None:
    """`consider`: the true count before a round, by the first of the counts."""
    true_count = room.running[0] * DECK_CARDS / unseen
    cell = min(max(int(np.floor(true_count)) + MIDDLE, 0), TRUE_COUNTS - 1)
    room.shoe_gain[CELL_NOTED] = cell
    watched.true_counts[chunk, 0, cell, OFTEN] += 1.0
    watched.true_counts[chunk, 0, cell, TRUE_COUNT_SUM] += true_count
    watched.true_counts[chunk, 0, cell, UNSEEN_SUM] += unseen


def note_result(watch: Watch, room: Room, result: Any, chunk: int, watched: Watched) -> None:
    """`conclude`: the seat's profit, with the true count that the round began with."""
    cell = int(room.shoe_gain[CELL_NOTED])
    watched.true_counts[chunk, 0, cell, PROFIT] += result[0]
    watched.true_counts[chunk, 0, cell, SQUARE] += result[0] * result[0]


class Cell(NamedTuple):
    """Rounds that begin with one whole true count, in first wagers of the seat."""

    true_count: int
    """The true count lies from here to below the next whole one."""
    share: float
    """Of all rounds."""
    mean_true_count: float
    mean: float
    """Profit of a round; by the strategy that was played."""
    error: float


class CountedRounds(NamedTuple):
    """What came of it."""

    shoes: int
    rounds: int
    unseen: float
    """Cards that nobody has seen when a round begins, on average."""
    mean: float
    error: float
    cells: tuple[Cell, ...]


def count_rounds(
    spec: Spec,
    tags: Sequence[float],
    cut: int,
    extra_rounds: int,
    seed: int,
    chunks: int,
    *,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> CountedRounds:
    """So many chunks of shoes for one seat. The number of threads changes nothing."""
    effects = dealing_effects(spec) | {"consider": note_count, "conclude": note_result}
    run = compile_cpu(watch_chunks, f"count-{spec.program}", effects)
    watch = _watch(tags, cut, extra_rounds)
    watched = Watched(
        shoes=np.zeros((chunks, 4)),
        counters=np.zeros((chunks, 2, 4)),
        true_counts=np.zeros((chunks, 1, TRUE_COUNTS, SUMS)),
        depths=np.zeros((chunks, 3, 40)),
    )
    with np.errstate(over="ignore"):  # 64-bit numbers wrap on purpose
        key = seed_key(seed)
    done = 0

    def play(chunk: int) -> None:
        nonlocal done
        run(key, chunk, chunk + 1, spec.setting(), spec.scratch(), watch, _room(), watched)
        done += 1
        if progress is not None:
            progress(done / chunks)

    play(0)
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(play, range(1, chunks)):
            pass
    return _counted(watched, spec.unit)


def _watch(tags: Sequence[float], cut: int, extra_rounds: int) -> Watch:
    """Nobody bets on the side."""
    nothing = np.zeros(0, np.int64)
    return Watch(
        wager=Return(
            class_of_card=np.full(DECK_CARDS, -1),
            suit_sets=nothing,
            factor_class=nothing,
            factor_painted=nothing,
            factor_free=nothing,
            depths=nothing,
            factors=nothing,
            nexts=nothing,
            sizes=nothing,
            coefficients=np.zeros((0, 0)),
        ),
        tags=np.array([tags], float),
        by_suit=np.zeros(1, np.int64),
        triggers=np.zeros(1),
        effects=np.zeros(DECK_CARDS),
        value=0.0,
        cut=cut,
        extra_rounds=extra_rounds,
        burns=False,
    )


def _room() -> Room:
    return Room(
        left=np.zeros(DECK_CARDS, np.int64),
        within=np.zeros(0, np.int64),
        every=np.zeros(0, np.int64),
        table=np.zeros(0),
        values=np.zeros(2),
        by_size=np.zeros(1),
        running=np.zeros(2),
        shoe_gain=np.zeros(2),
    )


def _counted(watched: Watched, unit: int) -> CountedRounds:
    sums = watched.true_counts[:, 0].sum(0)
    rounds = sums[:, OFTEN].sum()

    def mean_and_error(row: Array) -> tuple[float, float]:
        mean = row[PROFIT] / row[OFTEN]
        return mean / unit, sqrt(max(row[SQUARE] / row[OFTEN] - mean**2, 0.0) / row[OFTEN]) / unit

    cells = tuple(
        Cell(place - MIDDLE, row[OFTEN] / rounds, row[TRUE_COUNT_SUM] / row[OFTEN], *mean_and_error(row))
        for place, row in enumerate(sums)
        if row[OFTEN] > 0
    )
    return CountedRounds(
        int(watched.shoes[:, SHOES].sum()),
        int(watched.shoes[:, ROUNDS].sum()),
        float(sums[:, UNSEEN_SUM].sum() / rounds),
        *mean_and_error(sums.sum(0)),
        cells,
    )
