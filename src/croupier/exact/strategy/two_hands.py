"""What the two games with two hands share.

Each hand is played by its own cards, the up card and the two cards the other hand started with. Cards that the other
hand drew later are not used; drawn by a rule that does not look ahead, they change nothing in what this hand expects.
So the value of a round is exactly the sum of the two hands' values, each with the other's two cards out of the shoe.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.account import LOSE_ENDING, StrategyAccount, chance_in_order
from croupier.exact.strategy.dealer import DEALER_ENDS
from croupier.exact.strategy.graph import NATURAL_START, START_CARDS, key_of
from croupier.exact.strategy.legal import against_blackjack
from croupier.exact.strategy.position import Position
from croupier.exact.strategy.tally import BY_END, END_CHANCE, profit
from croupier.exact.strategy.view import UpCard
from croupier.kernels.strategy import CLASSES

Array = NDArray[Any]

_PAIRS = np.zeros((CLASSES, CLASSES), np.int64)
for _index, (_one, _other) in enumerate(START_CARDS):
    _PAIRS[_one, _other] = _PAIRS[_other, _one] = _index


def starts_of(first: Array, second: Array) -> Array:
    """Indices of starting hands, for vectors of cards."""
    return np.asarray(_PAIRS[first, second])


@dataclass(frozen=True)
class Arrangement:
    """How the four cards can lie, for vectors of deals: the two hands, and which of them are blackjacks."""

    one: Array
    other: Array
    one_blackjack: Array
    other_blackjack: Array

    def value(self, values: Array, safe: Array, pays: float) -> Array:
        """Joint value of both hands: a blackjack is paid, others are worth what playing them is worth."""
        return np.where(self.one_blackjack, pays * safe, values[self.other, self.one]) + np.where(
            self.other_blackjack, pays * safe, values[self.one, self.other]
        )

    def against_blackjack(self, profit: float) -> Array:
        """Profit of both hands against a dealer's blackjack, against which a blackjack wins `profit`."""
        return np.asarray(np.where(self.one_blackjack, profit, -1.0) + np.where(self.other_blackjack, profit, -1.0))

    def choose(self, mask: Array, instead: Arrangement) -> Arrangement:
        """This arrangement, or the other one where the mask is set."""
        return Arrangement(
            np.where(mask, instead.one, self.one),
            np.where(mask, instead.other, self.other),
            np.where(mask, instead.one_blackjack, self.one_blackjack),
            np.where(mask, instead.other_blackjack, self.other_blackjack),
        )

    def weights(self, chance: Array) -> Array:
        """How often each hand is played on beside each other hand."""
        weights = np.zeros((len(START_CARDS), len(START_CARDS)))
        np.add.at(weights, (self.other, self.one), np.where(self.one_blackjack, 0, chance))
        np.add.at(weights, (self.one, self.other), np.where(self.other_blackjack, 0, chance))
        return weights

    def cross_products(self, tallies: Array, safe: Array, pays: float, given_up: float) -> Array:
        """Mean product of the two hands' profits, the dealer having no blackjack."""
        one, other = tallies[self.other, self.one], tallies[self.one, self.other]
        ends = one[:, END_CHANCE : END_CHANCE + DEALER_ENDS]
        shared = one[:, BY_END : BY_END + DEALER_ENDS] * other[:, BY_END : BY_END + DEALER_ENDS]
        both = np.divide(shared, ends, out=np.zeros_like(ends), where=ends > 0).sum(1)
        played = np.where(self.one_blackjack, profit(other.T, pays, given_up), profit(one.T, pays, given_up))
        either = self.one_blackjack | self.other_blackjack
        result = np.where(either, played * pays, both)
        return np.asarray(np.where(self.one_blackjack & self.other_blackjack, pays * pays * safe, result))


def natural(starts: Array) -> Array:
    return np.asarray(starts == NATURAL_START)


@dataclass(frozen=True)
class TwoHandsUpCard(ABC):
    """The deals of a game with two hands against one up card."""

    view: UpCard

    @cached_property
    def positions(self) -> list[Position]:
        """One for each pair of cards that the other hand may have started with."""
        return [self.view.position(key_of(cards)) for cards in START_CARDS]

    @abstractmethod
    def weights(self, values: Array) -> tuple[Array, Array]:
        """The best decision for each deal by the values of played hands, and how often each hand is then played."""

    def weights_by_chart(self, values: Array) -> tuple[Array, Array]:
        """The same, for hands that are played by a chart: four cards are not charted."""
        return self.weights(values)

    @abstractmethod
    def add_to(self, account: StrategyAccount, decision: Array, tallies: Array, chance: float) -> None:
        """Counts what all deals against this up card come to."""

    def ratings(self, values: Array, tallies: Array) -> tuple[Array, Array]:
        """What each starting hand is worth on average, and values as if that were so beside every other hand."""
        left, endless = self.view.memo.shoe, self.view.shoe.endless
        first, second = (np.array(cards) for cards in zip(*START_CARDS, strict=True))
        both = np.where(first == second, 1.0, 2.0)
        grid = np.ix_(np.arange(len(first)), np.arange(len(first)))
        cards = (first[grid[1]], second[grid[1]], first[grid[0]], second[grid[0]])
        chance = chance_in_order(left, endless, np.broadcast_arrays(*cards)) * both[:, None]
        safe = 1 - tallies[:, :, END_CHANCE + DEALER_ENDS]
        worth = np.where(chance > 0, chance * values, 0).sum(0)
        ratings = np.divide(worth, (chance * safe).sum(0), out=np.zeros(len(first)), where=worth != 0)
        return ratings, ratings * safe

    def add_arranged(
        self, account: StrategyAccount, arrangement: Arrangement, tallies: Array, chance: Array, dealer_blackjack: Array
    ) -> float:
        """Counts deals that end up so arranged, the dealer having no blackjack."""
        pays, given_up = self.view.blackjack_pays, self.view.surrender_pays
        safe = 1 - dealer_blackjack
        weighted = np.einsum("ij,ijk->k", arrangement.weights(chance), tallies)
        total = account.add_tally(weighted, pays, given_up)
        paid = float((chance * safe) @ (arrangement.one_blackjack.astype(float) + arrangement.other_blackjack))
        total += account.add("blackjack", paid, 1, pays)
        account.square += paid * pays * pays
        account.square += 2 * float(chance @ arrangement.cross_products(tallies, safe, pays, given_up))
        return total

    def add_dealer_blackjack(self, account: StrategyAccount, arrangement: Arrangement, chance: Array) -> float:
        """Counts deals so arranged when the dealer turns a blackjack, with the chance of that."""
        outcome, profit = against_blackjack(self.view.rules, self.view.blackjack_pays)
        naturals = float(chance @ (arrangement.one_blackjack.astype(float) + arrangement.other_blackjack))
        total = account.add(outcome, naturals, 1, profit)
        total += account.add(LOSE_ENDING, 2 * float(chance.sum()) - naturals, 1, -1)
        account.square += float(chance @ arrangement.against_blackjack(profit) ** 2)
        return total
