"""Double Barrel Blackjack: the flex card placed with the up card known, then two hands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from croupier.exact.strategy.account import (
    LOSE_ENDING,
    StrategyAccount,
    chance_in_order,
    chance_of_dealer_blackjack,
    four_cards,
)
from croupier.exact.strategy.dealer import MANY_ROWS
from croupier.exact.strategy.legal import against_blackjack
from croupier.exact.strategy.two_hands import Arrangement, Array, TwoHandsUpCard, natural, starts_of
from croupier.exact.strategy.view import ClassShoe, UpCard
from croupier.kernels.blackjack import DOUBLE_BARREL, BlackjackRules
from croupier.kernels.effects import BOTH, FIRST, SECOND
from croupier.kernels.strategy import CLASSES


@dataclass(frozen=True)
class BarrelGame:
    """One seat of Double Barrel from one shoe."""

    shoe: ClassShoe
    rules: BlackjackRules
    blackjack_pays: float
    double_barrel_pays: float
    surrender_pays: float

    def up_card(self, up: int, rows: int = MANY_ROWS) -> BarrelUpCard:
        view = UpCard(self.shoe, up, self.rules, self.blackjack_pays, self.surrender_pays, rows)
        return BarrelUpCard(view, self.double_barrel_pays)

    def new_account(self) -> StrategyAccount:
        return StrategyAccount(wagers=2)


@dataclass(frozen=True)
class BarrelUpCard(TwoHandsUpCard):
    """All deals of first card of hand one and of hand two, flex card, next card of the shoe."""

    double_barrel_pays: float

    @cached_property
    def chance(self) -> Array:
        return chance_in_order(self.view.memo.shoe, self.view.shoe.endless, four_cards())

    @cached_property
    def chance_of_three(self) -> Array:
        """The same before the next card is known."""
        return np.asarray(self.chance.reshape(-1, CLASSES).sum(1))

    @cached_property
    def dealer_blackjack(self) -> Array:
        view = self.view
        return chance_of_dealer_blackjack(view.memo.shoe, view.shoe.endless, view.up, four_cards())

    @cached_property
    def dealer_blackjack_at_three(self) -> Array:
        view = self.view
        three = tuple(cards.reshape(-1, CLASSES)[:, 0] for cards in four_cards()[:3])
        return chance_of_dealer_blackjack(view.memo.shoe, view.shoe.endless, view.up, three)

    def _placed(self, chosen: Array, spare: Array) -> Arrangement:
        """The flex card on the hand that starts with `chosen`, the next card on the other."""
        _, _, flex, following = four_cards()
        first, second = starts_of(chosen, flex), starts_of(spare, following)
        counts = self.view.rules.next_card_blackjack == 1
        return Arrangement(first, second, natural(first), natural(second) & counts)

    @cached_property
    def on_first(self) -> Arrangement:
        first, second, _, _ = four_cards()
        return self._placed(first, second)

    @cached_property
    def on_second(self) -> Arrangement:
        first, second, _, _ = four_cards()
        return self._placed(second, first)

    @cached_property
    def both_blackjack(self) -> Array:
        """Deals of three cards in which the flex card makes a blackjack with either hand."""
        first, second, flex, _ = (cards.reshape(-1, CLASSES)[:, 0] for cards in four_cards())
        return natural(starts_of(first, flex)) & natural(starts_of(second, flex))

    def _value(self, arrangement: Arrangement, values: Array) -> Array:
        """Value of a placement for each deal of three cards, times their chance."""
        rules, pays = self.view.rules, self.view.blackjack_pays
        value = arrangement.value(values, 1 - self.dealer_blackjack, pays)
        if rules.dealer_checks_first == 0:  # placed before the dealer looks
            value = value + self.dealer_blackjack * arrangement.against_blackjack(against_blackjack(rules, pays)[1])
        return np.asarray(np.where(self.chance > 0, self.chance * value, 0).reshape(-1, CLASSES).sum(1))

    def _both_value(self) -> Array:
        """Value of using the flex card for both hands, times the chance of the three cards."""
        lost = self.dealer_blackjack_at_three
        won = self.double_barrel_pays * (1 - lost)
        if self.view.rules.dealer_checks_first == 0:
            won = won + self._shared_against_blackjack[1] * lost
        return np.asarray(2 * won * self.chance_of_three)

    @property
    def _shared_against_blackjack(self) -> tuple[str, float]:
        return against_blackjack(self.view.rules, self.double_barrel_pays, DOUBLE_BARREL)

    def options(self, values: Array) -> tuple[Array, Array, Array]:
        """The value of each way to place the flex card, times the chance of the three cards, for every deal."""
        return self._value(self.on_first, values), self._value(self.on_second, values), self._both_value()

    def weights(self, values: Array) -> tuple[Array, Array]:
        on_first, on_second, on_both = self.options(values)
        decision = np.where(on_second > on_first, SECOND, FIRST).astype(np.int8)
        shared = self.both_blackjack & (on_both >= np.maximum(on_first, on_second))
        decision[shared] = BOTH
        return decision, self._lay(decision).weights(self._placed_chance(decision))

    def _lay(self, decision: Array) -> Arrangement:
        return self.on_first.choose(np.repeat(decision == SECOND, CLASSES), self.on_second)

    def _placed_chance(self, decision: Array) -> Array:
        """Chance of each deal of four cards, without those in which both hands use the flex card."""
        return np.where(np.repeat(decision == BOTH, CLASSES), 0, self.chance)

    def add_to(self, account: StrategyAccount, decision: Array, tallies: Array, chance: float) -> None:
        rules, pays = self.view.rules, self.double_barrel_pays
        arrangement, placed = self._lay(decision), chance * self._placed_chance(decision)
        total = self.add_arranged(account, arrangement, tallies, placed, self.dealer_blackjack)
        three = chance * np.where(decision == BOTH, self.chance_of_three, 0)
        lost = self.dealer_blackjack_at_three
        shared = float(three @ (1 - lost))
        if rules.dealer_checks_first == 1:
            lost_at_once = float((chance * self.chance_of_three) @ lost)
            total += account.add(LOSE_ENDING, 2 * lost_at_once, 1, -1)
            account.square += 4 * lost_at_once
        else:
            total += self.add_dealer_blackjack(account, arrangement, placed * self.dealer_blackjack)
            met, (outcome, profit) = float(three @ lost), self._shared_against_blackjack
            total += account.add(outcome, 2 * met, 1, profit)
            account.square += met * (2 * profit) ** 2
        total += account.add("double_barrel_blackjack", 2 * shared, 1, pays)
        account.square += shared * (2 * pays) ** 2
        account.by_up_card[self.view.up] = total / chance / account.wagers
