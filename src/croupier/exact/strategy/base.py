"""Base blackjack: optimal composition-dependent play and its exact value.

Splits follow the convention known as CDZ-: after a split each hand is played by the strategy that is optimal before
one, and that fixed play is evaluated exactly, with every card of the pair out of the shoe that has to be.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from croupier.exact.strategy.graph import CLASSES, hand_graph
from croupier.exact.strategy.program import DOUBLE, STAND
from croupier.exact.strategy.view import Array, UpCard, chance_of, full_shoe
from croupier.kernels.blackjack import BlackjackRules, may_double

ACE, TEN = 0, 9


@dataclass(frozen=True)
class TwoCards:
    """Values of the actions open to a starting hand, joint with no dealer's blackjack; None where not allowed."""

    first: int
    second: int
    no_blackjack: float
    values: dict[str, float]

    @property
    def best(self) -> str:
        return max(self.values, key=lambda action: self.values[action])


def solve_up_card(decks: int | None, up: int, rules: BlackjackRules) -> dict[tuple[int, int], TwoCards]:
    """The values of every action of every starting hand against one up card."""
    shoe, endless = full_shoe(decks), decks is None
    everything = np.ones(len(hand_graph().total), bool)
    view = UpCard(shoe, endless, up, rules.soft17, rules.pushes_22, everything, everything)
    best, action = view.hit_or_stand()
    pre_split = action.copy()
    hands: dict[tuple[int, int], TwoCards] = {}
    doubled: dict[int, float] = {}
    for first in range(CLASSES):
        for second in range(first, CLASSES):
            hand = hand_graph().of(first, second)
            if view.no_blackjack[hand] <= 0:
                continue
            values = {"stand": float(view.stand[hand])}
            if hand_graph().total[hand] < 21:
                values["hit"] = view.next_card(hand, best)
                if may_double(int(hand_graph().hands[hand]), rules.double_from):
                    values["double"] = doubled[hand] = 2 * view.next_card(hand, view.stand)
                if rules.surrender == 1:
                    values["surrender"] = -0.5 * float(view.no_blackjack[hand])
            if "double" in values and values["double"] > best[hand]:
                pre_split[hand] = DOUBLE
            hands[first, second] = TwoCards(first, second, float(view.no_blackjack[hand]), values)
    if rules.max_hands > 1:
        after_split = pre_split if rules.double_after_split == 1 else action
        for pair in range(CLASSES):
            if (pair, pair) in hands:
                hands[pair, pair].values["split"] = split_value(shoe, endless, up, rules, pair, after_split)
    return hands


def split_value(shoe: Array, endless: bool, up: int, rules: BlackjackRules, pair: int, action: Array) -> float:
    """Exact value of splitting a pair and playing every hand by the given actions."""
    most = rules.max_hands if pair != ACE or rules.resplit_aces == 1 else 2
    reachable = _reachable(pair, action)
    removed: dict[int, tuple[float, float]] = {}

    def one_hand(extra: int) -> tuple[float, float]:
        """Value of one split hand with so many more of the pair's cards gone: any second card, and none of the pair."""
        if extra not in removed:
            removed[extra] = _split_hand(shoe, endless, up, rules, pair, action, reachable, extra)
        return removed[extra]

    left = shoe.copy()
    if not endless:
        left[pair] -= 2
        left[up] -= 1
    value = 0.0
    for splits, clean, any_card in _split_patterns(most):
        for hands, others, which in ((clean, clean - 1, 1), (any_card, clean, 0)):
            if hands == 0:
                continue
            for also in range(others + 1):
                chance = _all_of_pair(left, endless, pair, splits + also)
                if chance > 0:
                    sign = (-1) ** also * comb(others, also)
                    value += hands * sign * chance * one_hand(1 + splits + also)[which]
    return value


def _split_patterns(most: int) -> list[tuple[int, int, int]]:
    """Ways a split can go: (cards of the pair drawn and split, hands whose second card is none, hands with any)."""
    patterns = []

    def go(hands: int, waiting: int, splits: int, clean: int) -> None:
        if waiting == 0:
            patterns.append((splits, clean, 0))
        elif hands == most:
            patterns.append((splits, clean, waiting))
        else:
            go(hands + 1, waiting + 1, splits + 1, clean)
            go(hands, waiting - 1, splits, clean + 1)

    go(2, 2, 0, 0)
    return patterns


def _all_of_pair(left: Array, endless: bool, pair: int, number: int) -> float:
    """Chance that so many given cards are all of the pair's rank."""
    chance, of_pair, total = 1.0, float(left[pair]), float(left.sum())
    for _ in range(number):
        if of_pair <= 0:
            return 0.0
        chance *= of_pair / total
        if not endless:
            of_pair, total = of_pair - 1, total - 1
    return chance


def _reachable(pair: int, action: Array) -> tuple[Array, Array]:
    """Hands that can come up when one card of the pair is played on by the given actions, and where play stands."""
    graph = hand_graph()
    wanted, standing = np.zeros(len(action), bool), np.zeros(len(action), bool)
    start = graph.of(pair)
    wanted[start] = True
    for hand in range(start, len(action)):
        if not wanted[hand]:
            continue
        following = graph.after[hand][graph.after[hand] >= 0]
        if graph.size[hand] == 1:
            wanted[following] = True
            standing[following] |= pair == ACE  # a split ace takes one card
        elif pair == ACE or action[hand] == STAND:
            standing[hand] = True
        else:
            wanted[following] = True
            standing[following] |= action[hand] == DOUBLE
    return wanted, standing


def _split_hand(
    shoe: Array,
    endless: bool,
    up: int,
    rules: BlackjackRules,
    pair: int,
    action: Array,
    reachable: tuple[Array, Array],
    extra: int,
) -> tuple[float, float]:
    """Value of a split hand with `extra` more cards of the pair gone: any second card, and none of the pair."""
    fewer = shoe.copy()
    if not endless:
        fewer[pair] -= extra
    view = UpCard(fewer, endless, up, rules.soft17, rules.pushes_22, *reachable)
    values = view.stand if pair == ACE else view.follow(action)
    chances = view.chances(pair)
    following = hand_graph().after[hand_graph().of(pair)]
    parts = [chances[card] * values[following[card]] if chances[card] > 0 else 0.0 for card in range(CLASSES)]
    return float(sum(parts)), float(sum(parts) - parts[pair])


@dataclass(frozen=True)
class Solution:
    """Base blackjack solved."""

    value: float
    """Expected profit of a round for each unit of the first wager."""
    by_up_card: dict[int, float]
    hands: dict[int, dict[tuple[int, int], TwoCards]]


def solve(decks: int | None, rules: BlackjackRules, blackjack_pays: float) -> Solution:
    """The value of a round under optimal play, peek assumed."""
    shoe, endless = full_shoe(decks), decks is None
    total = shoe.sum()
    value, by_up, all_hands = 0.0, {}, {}
    for up in range(CLASSES):
        hands = solve_up_card(decks, up, rules)
        all_hands[up] = hands
        here = 0.0
        for (first, second), two in hands.items():
            chance = chance_of(shoe, endless, up, first, second)
            if (first, second) == (ACE, TEN):
                here += chance * blackjack_pays * two.no_blackjack
            else:
                here += chance * (two.values[two.best] - (1 - two.no_blackjack))
        by_up[up] = here
        value += shoe[up] / total * here
    return Solution(value, by_up, all_hands)
