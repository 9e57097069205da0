"""Bets on a set of cards from one deck: every set is dealt and classified."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from croupier.errors import NotComputedError
from croupier.exact.keep import kept
from croupier.kernels.bets import Bet
from croupier.kernels.effects import LOSE
from croupier.kernels.link import compile_cpu
from croupier.kernels.sets import EMPTY_SET


def classify(own: int, other: int, options: int) -> int:
    """The bet's classifier, replaced when linked."""
    raise NotImplementedError("linked with a bet before use")


def count_sets(size: int, deck_size: int, options: int, cards: Any, parts: Any, counts: Any) -> None:
    """Fills `counts[outcome + 1]` from a deck of so many cards.

    `cards` are the positions of the cards in the deck, rising; `parts` the sets of the first of them, so that only what
    changed is put together anew.
    """
    parts[0] = EMPTY_SET
    changed = 0
    for position in range(size):
        cards[position] = position
    while changed >= 0:
        for position in range(changed, size):
            parts[position + 1] = parts[position] | 1 << cards[position]
        counts[classify(parts[size], EMPTY_SET, options) + 1] += 1
        changed = move_on(size, deck_size, cards)


def move_on(size: int, deck_size: int, cards: Any) -> int:
    """Goes on to the next set; the first position that changed, -1 after the last set."""
    changed = size - 1
    while changed >= 0 and cards[changed] == deck_size - size + changed:
        changed -= 1
    if changed >= 0:
        cards[changed] += 1
        for position in range(changed + 1, size):
            cards[position] = cards[position - 1] + 1
    return changed


def list_sets(size: int, deck_size: int, options: int, cards: Any, parts: Any, found: Any) -> None:
    """Fills `found` with the outcome of every set, in the order of `count_sets`."""
    parts[0] = EMPTY_SET
    changed = 0
    at = 0
    for position in range(size):
        cards[position] = position
    while changed >= 0:
        for position in range(changed, size):
            parts[position + 1] = parts[position] | 1 << cards[position]
        found[at] = classify(parts[size], EMPTY_SET, options)
        at += 1
        changed = move_on(size, deck_size, cards)


def classify_sets(bet: Bet, name: str, options: int) -> Any:
    """The outcome of every set of cards from one deck, in rising order of their cards."""
    size = bet.scene.own_cards
    found = np.zeros(comb(bet.scene.deck_size, size), np.int64)
    run = compile_cpu(list_sets, f"sets-{name}", {"classify": bet.classify})
    run(size, bet.scene.deck_size, options, np.zeros(size, np.int64), np.zeros(size + 1, np.int64), found)
    return found


def census(bet: Bet, name: str, decks: int | None, options: int) -> tuple[dict[int, int], int]:
    """In how many ways each outcome comes, and the number of all sets."""
    if decks != 1:
        raise NotComputedError(
            f'"{name}" looks at a set of cards from one deck; write --decks 1.', code="one_deck_only"
        )
    size = bet.scene.own_cards

    def count() -> tuple[Any]:
        counts = np.zeros(len(bet.outcomes) + 1, np.int64)
        run = compile_cpu(count_sets, f"census-{name}", {"classify": bet.classify})
        run(size, bet.scene.deck_size, options, np.zeros(size, np.int64), np.zeros(size + 1, np.int64), counts)
        return (counts,)

    (counts,) = kept(f"census-{name}-{options}", [count_sets, bet.classify], count)
    return {outcome: int(number) for outcome, number in enumerate(counts, LOSE) if number}, comb(
        bet.scene.deck_size, size
    )
