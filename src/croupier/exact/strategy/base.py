"""Base blackjack: what the deal is worth under a strategy.

Splits follow the convention known as CDZ-: after a split each hand is played by the strategy that is optimal before
one, and that fixed play is evaluated exactly, with every card of the pair out of the shoe that has to be.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.account import LOSE_ENDING, StrategyAccount, chance_in_order, chance_of_dealer_blackjack
from croupier.exact.strategy.graph import NATURAL_START, START_CARDS
from croupier.exact.strategy.legal import against_blackjack
from croupier.exact.strategy.position import Position
from croupier.exact.strategy.view import ClassShoe, UpCard
from croupier.kernels.blackjack import BlackjackRules

Array = NDArray[Any]


class Ending(NamedTuple):
    """A way in which a blackjack is paid."""

    outcome: str
    share: float
    """Of all blackjacks."""
    pays: float


@dataclass(frozen=True)
class BaseGame:
    """One seat of base blackjack from one shoe."""

    shoe: ClassShoe
    rules: BlackjackRules
    blackjack_pays: float
    surrender_pays: float
    round_: str = "blackjack"
    """The round whose rules the hands are played by."""
    naturals: tuple[Ending, ...] = ()
    """How a blackjack is paid by its suits, where that is not alike."""
    by_cards: tuple[float, ...] = ()
    """What hands pay that are settled by the number of their cards."""

    def up_card(self, up: int) -> BaseUpCard:
        view = UpCard(
            self.shoe,
            up,
            self.rules,
            self.blackjack_pays,
            self.surrender_pays,
            round_=self.round_,
            by_cards=self.by_cards,
        )
        return BaseUpCard(view, self.naturals or (Ending("blackjack", 1.0, self.blackjack_pays),))

    def new_account(self) -> StrategyAccount:
        return StrategyAccount(wagers=1)


@dataclass(frozen=True)
class BaseUpCard:
    """The deals against one up card."""

    view: UpCard
    naturals: tuple[Ending, ...]

    @cached_property
    def positions(self) -> list[Position]:
        """A single hand: no cards are gone but its own."""
        return [self.view.position()]

    @cached_property
    def chances(self) -> Array:
        """Chance of each starting hand, in either order."""
        first, second = (np.array(cards) for cards in zip(*START_CARDS, strict=True))
        chance = chance_in_order(self.view.memo.shoe, self.view.shoe.endless, (first, second))
        return chance * np.where(first == second, 1, 2)

    @cached_property
    def dealer_blackjack(self) -> Array:
        """Chance of a dealer's blackjack for each starting hand."""
        first, second = (np.array(cards) for cards in zip(*START_CARDS, strict=True))
        view = self.view
        return chance_of_dealer_blackjack(view.memo.shoe, view.shoe.endless, view.up, (first, second))

    def weights(self, values: Array) -> tuple[Array, Array]:
        """How often each starting hand is played on; nothing is decided before."""
        weights = self.chances.copy()
        weights[NATURAL_START] = 0
        return np.zeros(0, np.int8), weights[None]

    def add_to(self, account: StrategyAccount, decision: Array, tallies: Array, chance: float) -> None:
        """Counts what all deals against this up card come to, the up card having this chance."""
        view = self.view
        _, weights = self.weights(np.zeros(0))
        natural, lost = self.chances[NATURAL_START], self.dealer_blackjack
        tally = chance * (weights[0] @ tallies[0])
        profit = account.add_tally(tally, view.blackjack_pays, view.surrender_pays)
        profit += account.add_special(tally, view.round_, view.by_cards)
        paid, met = chance * natural * (1 - lost[NATURAL_START]), chance * natural * lost[NATURAL_START]
        for ending in self.naturals:
            won, pays = ending.share * paid, ending.pays
            outcome, profit_then = against_blackjack(view.rules, pays, named=ending.outcome)
            profit += account.add(ending.outcome, won, 1, pays)
            profit += account.add(outcome, ending.share * met, 1, profit_then)
            account.square += won * pays**2 + ending.share * met * profit_then**2
        if view.rules.peek == 1:
            lost_at_once = chance * float(weights[0] @ lost)
            profit += account.add(LOSE_ENDING, lost_at_once, 1, -1)
            account.square += lost_at_once
        account.by_up_card[view.up] = profit / chance
