"""Statistical tests of the generator on what the games use: cards, pairs of cards, hands, runs, neighboring streams.

Each test gives a p-value: the chance that a perfect generator does worse. Over all tests together none should be
smaller than a thousandth divided by their number. `python -m bench.battery` runs them; it exits with 1 if one fails.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from croupier.kernels.link import compile_cpu
from croupier.simulate.generator import GOLDEN, chunk_counter, mix, seed_key
from croupier.simulate.shuffle import DECK_CARDS, DRAWS, draw_of, drawn_again, slot_of

Array = NDArray[Any]

DEALT = 6
"""Cards of a deal that are looked at: a baccarat round has no more."""
PER_CHUNK = 4096
SMALLEST = 1e-3
"""Of all p-values together, before it is divided by their number."""


@dataclass(frozen=True)
class Tested:
    """One test and its p-value."""

    name: str
    p: float


def deal(key: Any, first: int, last: int, per_chunk: int, drawn: Any, cards: Any) -> None:
    """The first cards of fresh shoes, chunk by chunk, as the sampler deals them. `drawn` holds for each slot of a shoe
    the last row that had it."""
    row = 0
    for chunk in range(first, last):
        counter = chunk_counter(key, chunk)
        for _ in range(per_chunk):
            for position in range(cards.shape[1]):
                if position % DRAWS == 0:
                    counter += GOLDEN
                number = mix(counter)
                slot = slot_of(draw_of(number, position), len(drawn))
                while slot < 0 or drawn[slot] == row + 1:
                    number = drawn_again(number)
                    slot = slot_of(draw_of(number, position), len(drawn))
                drawn[slot] = row + 1
                cards[row, position] = slot % DECK_CARDS
            row += 1


def numbers(key: Any, chunk: int, out: Any) -> None:
    """The generator's own numbers, in order."""
    counter = chunk_counter(key, chunk)
    for index in range(len(out)):
        counter += GOLDEN
        out[index] = mix(counter)


def dealt(seed: int, chunks: int, decks: int) -> Array:
    cards = np.zeros((chunks * PER_CHUNK, DEALT), np.uint8)
    drawn = np.zeros(DECK_CARDS * decks, np.int64)
    compile_cpu(deal, "battery-deal")(seed_key(seed), 0, chunks, PER_CHUNK, drawn, cards)
    return cards


def battery(seed: int = 1, chunks: int = 500, decks: int = 6) -> Iterator[Tested]:
    """Every test, for deals from so many chunks."""
    with np.errstate(over="ignore"):
        cards = dealt(seed, chunks, decks)
        stream = np.zeros(chunks * PER_CHUNK, np.uint64)
        compile_cpu(numbers, "battery-numbers")(seed_key(seed), 0, stream)
    for position in range(DEALT):
        yield Tested(
            f"card {position + 1}: 52 cards alike", _chi_square(np.bincount(cards[:, position], minlength=DECK_CARDS))
        )
    yield from pairs(cards, decks)
    yield from _hands(cards, decks)
    yield from _streams(cards, stream)


def _chi_square(counts: Array, chances: Array | None = None) -> float:
    expected = None if chances is None else chances * counts.sum()
    return float(stats.chisquare(counts, expected).pvalue)


def pairs(cards: Array, decks: int) -> Iterator[Tested]:
    """Two cards of one deal: the same card again is rarer than another."""
    total = DECK_CARDS * decks
    chances = np.full((DECK_CARDS, DECK_CARDS), decks / total * decks / (total - 1))
    np.fill_diagonal(chances, decks / total * (decks - 1) / (total - 1))
    for first, second in ((0, 1), (1, 2), (0, 3), (2, 5)):
        joint = np.bincount(
            cards[:, first].astype(np.int64) * DECK_CARDS + cards[:, second], minlength=DECK_CARDS * DECK_CARDS
        )
        yield Tested(f"cards {first + 1} and {second + 1}: all pairs", _chi_square(joint, chances.ravel()))


def _hands(cards: Array, decks: int) -> Iterator[Tested]:
    """Blackjack values of two cards, and suits of three."""
    values = np.minimum(cards // 4 + 1, 10).astype(np.int64)
    per_value = np.array([0, *[4 * decks] * 9, 16 * decks], float)
    total = DECK_CARDS * decks
    chances = np.outer(per_value, per_value) / (total * (total - 1))
    np.fill_diagonal(chances, per_value * (per_value - 1) / (total * (total - 1)))
    joint = np.bincount(values[:, 0] * 11 + values[:, 2], minlength=121)
    seen = chances.ravel() > 0
    yield Tested("first and third card: blackjack values", _chi_square(joint[seen], chances.ravel()[seen]))
    suits = cards % 4
    same = int(((suits[:, 0] == suits[:, 1]) & (suits[:, 1] == suits[:, 2])).sum())
    of_suit = 13 * decks
    chance = (of_suit - 1) * (of_suit - 2) / ((total - 1) * (total - 2))
    yield Tested(
        "three cards of one suit", _chi_square(np.array([same, len(cards) - same]), np.array([chance, 1 - chance]))
    )


def _streams(cards: Array, stream: Array) -> Iterator[Tested]:
    """Runs above and below the middle, correlation with the number before, and with the next chunk."""
    high = stream >> np.uint64(63)
    runs = 1 + int((high[1:] != high[:-1]).sum())
    size, ones = len(high), int(high.sum())
    mean = 1 + 2 * ones * (size - ones) / size
    deviation = np.sqrt((mean - 1) * (mean - 2) / (size - 1))
    yield Tested("runs above and below the middle", float(2 * stats.norm.sf(abs(runs - mean) / deviation)))
    for lag in (1, 2, 5, 312):
        scaled = stream.astype(np.float64)
        yield Tested(f"correlation at distance {lag}", float(stats.pearsonr(scaled[:-lag], scaled[lag:]).pvalue))
    by_chunk = cards[:, 0].reshape(-1, PER_CHUNK).astype(np.float64)
    before, after = by_chunk[:-1].ravel(), by_chunk[1:].ravel()
    yield Tested("neighboring chunks", float(stats.pearsonr(before, after).pvalue))


def passes(results: list[Tested]) -> bool:
    """No p-value is smaller than chance allows among so many tests."""
    return min(one.p for one in results) > SMALLEST / len(results)


if __name__ == "__main__":
    results = list(battery())
    for one in results:
        print(f"{one.p:.4f}  {one.name}")
    sys.exit(0 if passes(results) else 1)
