"""What a round comes to in expectation: hands by outcome, profit, square, money at risk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.graph import NO_CLASS, completing
from croupier.exact.strategy.legal import MONEY, PLAIN_MONEY, endings_by_cards
from croupier.exact.strategy.tally import (
    BY_CARDS,
    LOST,
    PUSHED,
    RESCUED,
    SPLIT_BLACKJACK,
    SQUARE,
    SURRENDERED,
    WIN,
)
from croupier.kernels.strategy import CLASSES

Array = NDArray[Any]

LOSE_ENDING = "lose"
HOUSE_WAGER = "free_bet"
HOUSE_ENDINGS = ("win", "push", "free_bet_lost")
"""The house's wager, and how it ends, by the columns of a tally."""


@dataclass
class Ending:
    """Hands of a round that end alike, in expectation."""

    hands: float = 0.0
    staked: float = 0.0
    """Money on them at the end, in units of the first wager of one hand."""
    profit: float = 0.0


@dataclass
class StrategyAccount:
    """A round under one strategy, for one unit on each of its first wagers. Filled up card by up card."""

    wagers: int
    """First wagers of a round."""
    endings: dict[str, Ending] = field(default_factory=dict)
    square: float = 0.0
    """Mean square of the profit of a round."""
    by_up_card: dict[int, float] = field(default_factory=dict)
    """Mean profit of a round for each unit of the first wagers, by up card."""

    def add(self, outcome: str, hands: float, units: float, pays: float) -> float:
        """Counts hands that end so with these units each; returns their profit."""
        if hands == 0:
            return 0.0
        ending = self.endings.setdefault(outcome, Ending())
        ending.hands += hands
        ending.staked += hands * units
        ending.profit += hands * units * pays
        return hands * units * pays

    def add_tally(self, tally: Array, blackjack_pays: float, surrender_pays: float) -> float:
        """Counts a tally of `tally.py`, already weighted; returns its profit."""
        profit = 0.0
        for column, units in ((0, 1), (3, 2)):
            profit += self.add("win", tally[column + WIN], units, 1)
            profit += self.add("push", tally[column + PUSHED], units, 0)
            profit += self.add(LOSE_ENDING, tally[column + LOST], units, -1)
        if tally[SPLIT_BLACKJACK]:
            profit += self.add("blackjack", tally[SPLIT_BLACKJACK], 1, blackjack_pays)
        if tally[SURRENDERED]:
            profit += self.add("surrender", tally[SURRENDERED], 1, surrender_pays)
        if tally[RESCUED]:
            profit += self.add("surrender", tally[RESCUED], 2, surrender_pays)
        self.square += tally[SQUARE]
        return float(profit)

    def add_special(self, tally: Array, round_: str, by_cards: Sequence[float]) -> float:
        """Counts what `add_tally` does not: the house's money, and hands settled by the number of their cards."""
        profit: float = 0.0
        for money in range(PLAIN_MONEY, len(MONEY)):
            won, staked = MONEY[money]
            for column, name, pays, house in (
                (WIN, "win", 1.0, won - staked),
                (PUSHED, "push", 0.0, 0.0),
                (LOST, LOSE_ENDING, -1.0, 0.0),
            ):
                hands = tally[3 * money + column]
                profit += self.add(name, hands, staked, pays) if staked else 0.0
                profit += self.add_house(f"{HOUSE_WAGER}.{HOUSE_ENDINGS[column]}", hands, house)
        for number, (name, pays) in enumerate(zip(endings_by_cards(round_), by_cards, strict=True)):
            profit += self.add(name, tally[BY_CARDS + number], 1, pays)
        return float(profit)

    def add_house(self, outcome: str, hands: float, profit: float) -> float:
        """Counts wagers of the house's that end so, which cost nothing."""
        if hands == 0:
            return 0.0
        ending = self.endings.setdefault(outcome, Ending())
        ending.hands += hands
        ending.profit += hands * profit
        return hands * profit

    def merge(self, other: StrategyAccount) -> None:
        """Counts what another account of the same game has counted."""
        for outcome, ending in other.endings.items():
            mine = self.endings.setdefault(outcome, Ending())
            mine.hands += ending.hands
            mine.staked += ending.staked
            mine.profit += ending.profit
        self.square += other.square
        self.by_up_card |= other.by_up_card

    def to_arrays(self) -> tuple[Array, Array, Array]:
        """Names, endings, and the square followed by the values by up card."""
        names = np.array(list(self.endings), "U32")
        endings = np.array([(ending.hands, ending.staked, ending.profit) for ending in self.endings.values()])
        values = [self.by_up_card.get(up, np.nan) for up in range(CLASSES)]
        return names, endings, np.array([self.square, *values])

    @classmethod
    def from_arrays(cls, wagers: int, names: Array, endings: Array, values: Array) -> StrategyAccount:
        return cls(
            wagers=wagers,
            endings={str(name): Ending(*map(float, row)) for name, row in zip(names, endings, strict=True)},
            square=float(values[0]),
            by_up_card={up: float(value) for up, value in enumerate(values[1:]) if not np.isnan(value)},
        )

    @property
    def value(self) -> float:
        """Mean profit for each unit of the first wagers."""
        return sum(ending.profit for ending in self.endings.values()) / self.wagers

    @property
    def mean_final_wager(self) -> float:
        """Money at risk in the end for each unit of the first wagers."""
        return sum(ending.staked for ending in self.endings.values()) / self.wagers

    @property
    def standard_deviation(self) -> float:
        """Of the profit of a round for each unit of the first wagers."""
        mean = self.value * self.wagers
        return sqrt(self.square - mean * mean) / self.wagers


def four_cards() -> tuple[Array, Array, Array, Array]:
    """All ordered draws of four classes of cards, as four vectors."""
    cards = np.indices((10, 10, 10, 10)).reshape(4, -1)
    return cards[0], cards[1], cards[2], cards[3]


def chance_in_order(left: Array, endless: bool, cards: Sequence[Array]) -> Array:
    """Chance that these cards come one after another, for every element of the vectors."""
    chance = np.ones(cards[0].shape)
    total = left.sum()
    for position, card in enumerate(cards):
        if endless:
            chance = chance * left[card] / total
            continue
        before = sum((earlier == card for earlier in cards[:position]), np.zeros(card.shape))
        chance = chance * np.maximum(left[card] - before, 0) / max(total - position, 1)
    return chance


def chance_of_dealer_blackjack(left: Array, endless: bool, up: int, cards: tuple[Array, ...]) -> Array:
    """Chance that the hole card makes a blackjack once these cards have gone; `left` is without the up card."""
    needed = completing(up)
    if needed == NO_CLASS:
        return np.zeros(cards[0].shape)
    gone = sum((card == needed for card in cards), np.zeros(cards[0].shape))
    if endless:
        return np.full(cards[0].shape, left[needed] / left.sum())
    return np.asarray(np.maximum(left[needed] - gone, 0) / (left.sum() - len(cards)))
