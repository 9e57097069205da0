"""Base blackjack: what the deal is worth under a strategy, also where a hand may first be thrown away for a new one.

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
from croupier.exact.strategy.graph import NATURAL_START, START_CARDS, STARTS, key_of
from croupier.exact.strategy.legal import against_blackjack, exchangeable
from croupier.exact.strategy.position import Position
from croupier.exact.strategy.view import ClassShoe, UpCard
from croupier.kernels.blackjack import EXCHANGE, BlackjackRules
from croupier.kernels.blackjack_drills import row_of_two
from croupier.kernels.effects import KEEP

Array = NDArray[Any]

FIRSTS, SECONDS = (np.array(cards) for cards in zip(*START_CARDS, strict=True))
IN_EITHER_ORDER = np.where(FIRSTS == SECONDS, 1, 2)


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

    @property
    def exchangeable(self) -> tuple[int, ...]:
        """The starting hands that may be thrown away."""
        return exchangeable(self.round_, self.rules)

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
    """The deals against one up card.

    Arrays by position have a row for hands as dealt, then one for each starting hand that may be thrown away, with the
    two cards that then take its place.
    """

    view: UpCard
    naturals: tuple[Ending, ...]

    @cached_property
    def thrown(self) -> tuple[int, ...]:
        """The starting hands that may be thrown away."""
        return exchangeable(self.view.round_, self.view.rules)

    @cached_property
    def positions(self) -> list[Position]:
        """No cards are gone but a hand's own, or the two that were thrown away before."""
        return [self.view.position(), *(self.view.position(key_of(START_CARDS[start])) for start in self.thrown)]

    @cached_property
    def _left(self) -> list[Array]:
        """Cards of each class in each position."""
        left, endless = self.view.memo.shoe, self.view.shoe.endless
        gone = [np.bincount(START_CARDS[start], minlength=len(left)) for start in self.thrown]
        return [left, *(left if endless else left - cards for cards in gone)]

    @cached_property
    def chances(self) -> Array:
        """Chance of each hand of two cards in each position, in either order."""
        endless = self.view.shoe.endless
        return np.array([chance_in_order(left, endless, (FIRSTS, SECONDS)) * IN_EITHER_ORDER for left in self._left])

    @cached_property
    def dealer_blackjack(self) -> Array:
        """Chance of a dealer's blackjack for each of them."""
        endless, up = self.view.shoe.endless, self.view.up
        return np.array([chance_of_dealer_blackjack(left, endless, up, (FIRSTS, SECONDS)) for left in self._left])

    @property
    def has_looked(self) -> bool:
        """Whether the dealer has looked for blackjack before a hand may be thrown away."""
        return self.view.rules.peek == 1 and self.view.rules.zap_first == 0

    def options(self, values: Array) -> tuple[Array, Array]:
        """What keeping each hand is worth, and what throwing away each that may be: a dealer's blackjack counts, also
        one that has been looked for. `values` are joint values by position."""
        rules, lost = self.view.rules, self.dealer_blackjack
        whole = values - lost if rules.peek == 1 else values.copy()
        if rules.zapped_wins == 1:
            whole[1:, NATURAL_START] = 1 - 2 * lost[1:, NATURAL_START] if self.has_looked else 1.0
        return whole[0], np.where(self.chances > 0, self.chances * whole, 0)[1:].sum(1)

    def worth(self, values: Array) -> Array:
        """What each hand as dealt is worth, kept or thrown away, a dealer's blackjack counted."""
        keep, exchange = self.options(values)
        best = keep.copy()
        best[list(self.thrown)] = np.maximum(keep[list(self.thrown)], exchange)
        return best

    def weights(self, values: Array) -> tuple[Array, Array]:
        """Which hands are better thrown away, and how often each hand is then played on in each position."""
        keep, exchange = self.options(values)
        return self._decided(exchange > keep[list(self.thrown)])

    def weights_by_chart(self, values: Array) -> tuple[Array, Array]:
        """The same for all hands of one total alike, pairs apart."""
        keep, exchange = self.options(values)
        rows = [row_of_start(start) for start in self.thrown]
        gains: dict[str, float] = dict.fromkeys(rows, 0.0)
        for row, start, gain in zip(rows, self.thrown, exchange - keep[list(self.thrown)], strict=True):
            gains[row] += self.chances[0, start] * gain if self.chances[0, start] > 0 else 0.0
        return self._decided(np.array([gains[row] > 0 for row in rows], bool))

    def _decided(self, better: Array) -> tuple[Array, Array]:
        decision = np.full(STARTS if self.thrown else 0, KEEP, np.int8)
        decision[np.array(self.thrown, np.int64)[better]] = EXCHANGE
        return decision, self.played(decision)

    def played(self, decision: Array) -> Array:
        """How often each hand is played on in each position, a blackjack or what is paid at once apart."""
        weights = self._met(decision)
        weights[:1, NATURAL_START] = 0
        if self.view.rules.zapped_wins == 1:
            weights[1:, NATURAL_START] = 0
        return weights

    def _met(self, decision: Array) -> Array:
        """How often each hand comes up in each position."""
        weights = np.zeros(self.chances.shape)
        weights[0] = self.chances[0]
        for position, start in enumerate(self.thrown, 1):
            if decision[start] == EXCHANGE:
                weights[position] = self.chances[0, start] * self.chances[position]
                weights[0, start] = 0
        return weights

    def add_to(self, account: StrategyAccount, decision: Array, tallies: Array, chance: float) -> None:
        """Counts what all deals against this up card come to, the up card having this chance."""
        view = self.view
        weights, lost = self.played(decision), self.dealer_blackjack
        tally = chance * np.einsum("ij,ijk->k", weights, tallies)
        profit = account.add_tally(tally, view.blackjack_pays, view.surrender_pays)
        profit += account.add_special(tally, view.round_, view.by_cards)
        profit += self._add_naturals(account, chance * self.chances[0, NATURAL_START])
        lost_at_once = chance * float((weights * lost).sum()) if view.rules.peek == 1 else 0.0
        if view.rules.zapped_wins == 1:
            at_once = chance * self._met(decision)[1:, NATURAL_START]
            won = float(at_once @ (1 - lost[1:, NATURAL_START])) if self.has_looked else float(at_once.sum())
            lost_at_once += float(at_once.sum()) - won
            profit += account.add("win", won, 1, 1)
            account.square += won
        profit += account.add(LOSE_ENDING, lost_at_once, 1, -1)
        account.square += lost_at_once
        account.by_up_card[view.up] = profit / chance

    def _add_naturals(self, account: StrategyAccount, natural: float) -> float:
        """Counts blackjacks as dealt, which come up so often; returns their profit."""
        lost, profit = self.dealer_blackjack[0, NATURAL_START], 0.0
        for ending in self.naturals:
            won, met, pays = ending.share * natural * (1 - lost), ending.share * natural * lost, ending.pays
            outcome, profit_then = against_blackjack(self.view.rules, pays, named=ending.outcome)
            profit += account.add(ending.outcome, won, 1, pays)
            profit += account.add(outcome, met, 1, profit_then)
            account.square += won * pays**2 + met * profit_then**2
        return profit


def row_of_start(start: int) -> str:
    """The row of a chart that says whether a starting hand is thrown away: its total, pairs by their cards."""
    return row_of_two([4 * card for card in START_CARDS[start]])
