"""Blackjack Switch: the switch decided with all four cards known, then two hands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from croupier.exact.strategy.account import StrategyAccount, chance_in_order, chance_of_dealer_blackjack, four_cards
from croupier.exact.strategy.dealer import MANY_ROWS
from croupier.exact.strategy.legal import against_blackjack
from croupier.exact.strategy.two_hands import Arrangement, Array, TwoHandsUpCard, natural, starts_of
from croupier.exact.strategy.view import ClassShoe, UpCard
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import KEEP, SWITCH


@dataclass(frozen=True)
class SwitchGame:
    """One seat of Blackjack Switch from one shoe."""

    shoe: ClassShoe
    rules: BlackjackRules
    blackjack_pays: float
    surrender_pays: float

    def up_card(self, up: int, rows: int = MANY_ROWS) -> SwitchUpCard:
        return SwitchUpCard(UpCard(self.shoe, up, self.rules, self.blackjack_pays, self.surrender_pays, rows))

    def new_account(self) -> StrategyAccount:
        return StrategyAccount(wagers=2)


@dataclass(frozen=True)
class SwitchUpCard(TwoHandsUpCard):
    """All deals of first and second card of hand one, first and second card of hand two."""

    @cached_property
    def chance(self) -> Array:
        return chance_in_order(self.view.memo.shoe, self.view.shoe.endless, four_cards())

    @cached_property
    def dealer_blackjack(self) -> Array:
        view = self.view
        return chance_of_dealer_blackjack(view.memo.shoe, view.shoe.endless, view.up, four_cards())

    @cached_property
    def kept(self) -> Arrangement:
        """As dealt: naturals are blackjacks."""
        a, b, c, d = four_cards()
        first, second = starts_of(a, b), starts_of(c, d)
        return Arrangement(first, second, natural(first), natural(second))

    @cached_property
    def switched(self) -> Arrangement:
        """With the second cards exchanged: what makes A-10 then is a blackjack by version only."""
        a, b, c, d = four_cards()
        first, second = starts_of(a, d), starts_of(c, b)
        counts = self.view.rules.switched_blackjack == 1
        return Arrangement(first, second, natural(first) & counts, natural(second) & counts)

    def options(self, values: Array) -> tuple[Array, Array]:
        """The value of keeping and of switching, for every deal."""
        rules, pays = self.view.rules, self.view.blackjack_pays
        safe = 1 - self.dealer_blackjack
        keep, switch = self.kept.value(values, safe, pays), self.switched.value(values, safe, pays)
        if rules.switch_first == 1:  # decided before the dealer looks: what a dealer's blackjack takes counts too
            _, won = against_blackjack(rules, pays)
            keep = keep + self.dealer_blackjack * self.kept.against_blackjack(won)
            switch = switch + self.dealer_blackjack * self.switched.against_blackjack(won)
        return keep, switch

    def weights(self, values: Array) -> tuple[Array, Array]:
        keep, switch = self.options(values)
        has_natural = self.kept.one_blackjack | self.kept.other_blackjack
        better = (switch > keep) & (~has_natural | (self.view.rules.natural_may_be_broken == 1))
        decision = np.where(better, SWITCH, KEEP).astype(np.int8)
        return decision, self.kept.choose(better, self.switched).weights(self.chance)

    def add_to(self, account: StrategyAccount, decision: Array, tallies: Array, chance: float) -> None:
        arrangement = self.kept.choose(decision == SWITCH, self.switched)
        total = self.add_arranged(account, arrangement, tallies, chance * self.chance, self.dealer_blackjack)
        at_blackjack = arrangement if self.view.rules.switch_first == 1 else self.kept
        total += self.add_dealer_blackjack(account, at_blackjack, chance * self.chance * self.dealer_blackjack)
        account.by_up_card[self.view.up] = total / chance / account.wagers
