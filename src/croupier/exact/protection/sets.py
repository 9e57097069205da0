"""Effects of removal of bets on a set of cards from one deck: every set is dealt, and counted for each of its cards."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from croupier.exact.census import classify, move_on
from croupier.exact.keep import kept
from croupier.exact.protection.removal import Removal
from croupier.kernels.bets import Bet
from croupier.kernels.link import compile_cpu
from croupier.kernels.sets import EMPTY_SET


def count_by_card(size: int, deck_size: int, options: int, cards: Any, parts: Any, counts: Any) -> None:
    """Fills `counts[outcome + 1, card]` with the sets that hold the card; the last column counts all sets."""
    parts[0] = EMPTY_SET
    changed = 0
    for position in range(size):
        cards[position] = position
    while changed >= 0:
        for position in range(changed, size):
            parts[position + 1] = parts[position] | 1 << cards[position]
        outcome = classify(parts[size], EMPTY_SET, options)
        if outcome >= 0:  # what loses is all the rest
            counts[outcome + 1, deck_size] += 1
            for position in range(size):
                counts[outcome + 1, cards[position]] += 1
        changed = move_on(size, deck_size, cards)


def removal_of_sets(bet: Bet, name: str, options: int, profits: dict[str, Fraction]) -> Removal:
    """Of every card out of one deck; `profits` by the names of its outcomes, all others losing the wager."""
    size, deck = bet.scene.own_cards, bet.scene.deck_size

    def count() -> tuple[Any]:
        counts = np.zeros((len(bet.outcomes) + 1, deck + 1), np.int64)
        run = compile_cpu(count_by_card, f"removal-{name}", {"classify": bet.classify})
        run(size, deck, options, np.zeros(size, np.int64), np.zeros(size + 1, np.int64), counts)
        return (counts,)

    (counts,) = kept(f"removal-{name}-{options}", [count_by_card, bet.classify], count)
    returns = [profits.get(outcome, Fraction(-1)) + 1 for outcome in bet.outcomes]
    returned = [
        sum((worth * int(number) for worth, number in zip(returns, counts[1:, column], strict=True)), Fraction(0))
        for column in range(deck + 1)
    ]
    value = returned[deck] / comb(deck, size) - 1
    without = [(returned[deck] - returned[card]) / comb(deck - 1, size) - 1 for card in range(deck)]
    return Removal(decks=1, value=value, by_card=tuple(worth - value for worth in without))
