"""Rounds from short shoes, as the tree runs them: one seat, for one unit on each first wager."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from croupier.exact.decide import TREE_WAGER, Deck, OneSeatGame
from croupier.kernels.rounds import find_round

Counts = tuple[int, ...]


def by_class(shoe: Counts) -> Deck:
    """A deck of so many cards of each class, ace to nine and ten-values: a card of one suit stands for a class."""
    return Deck(
        tuple(4 * card for card, number in enumerate(shoe) if number), tuple(number for number in shoe if number)
    )


def short_game(
    round_: str,
    deck: Deck,
    rules: Any,
    pays: Mapping[str, float],
    cap: float = 0.0,
    insurance: Fraction = Fraction(2),
) -> OneSeatGame:
    """`pays` are profits of the main wager, as they are written; `cap` is in first wagers."""
    declared = find_round(round_)
    assert declared is not None
    profits = {("main", outcome): Fraction(str(profit)) for outcome, profit in {"win": 1, "push": 0, **pays}.items()}
    for wager in declared.wagers[1:]:  # paid by the main wager's pay table
        profits |= {(wager.id, name): profits["main", name] for name in wager.outcomes if wager.pays_on == "main"}
    profits["insurance", "dealer_blackjack"] = insurance
    return OneSeatGame(declared, round_, rules._replace(cap=int(cap * TREE_WAGER)), deck, profits)
