"""Every hand a player can hold without having bust, and what each card makes of it. The shoe has no say in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.kernels.hands import COUNTS_AT, EMPTY, TEN, add_card, is_blackjack, is_soft, total_of
from croupier.kernels.strategy import CLASSES

Array = NDArray[Any]

RANKS_IN_CLASS = np.array([1] * TEN + [4])
BUST = -1
KEY_BITS = 5
"""A multiset of cards is a key: the number of each class in so many bits. Keys of disjoint cards add up."""


def key_of(cards: Iterable[int]) -> int:
    """The key of these classes of cards."""
    return sum(1 << KEY_BITS * card for card in cards)


@dataclass(frozen=True)
class HandGraph:
    """Hands in an order in which each comes before all hands made from it; hand 0 is empty."""

    hands: Array
    """The hands as integers, without suits."""
    counts: Array
    """Cards of each class in each hand."""
    size: Array
    total: Array
    soft: Array
    after: Array
    """`after[hand, card]`: the hand with that card more, or BUST."""
    index: dict[int, int]
    """Where a hand is."""
    key: Array
    """The cards of each hand as a key."""
    starts: Array
    """The 55 starting hands of two cards, in the order of `pair_index`."""

    def of(self, *cards: int) -> int:
        """The hand of these classes of cards."""
        hand = 0
        for card in cards:
            hand = int(self.after[hand, card])
        return hand


def _without_suits(hand: int) -> int:
    return hand & ~(15 << 6)


START_CARDS = tuple((first, second) for first in range(CLASSES) for second in range(first, CLASSES))
"""The classes of the 55 starting hands, in the order of `pair_index`."""
STARTS = len(START_CARDS)
NO_CLASS = -1


@cache
def completing(card: int) -> int:
    """The class of card that makes a blackjack of this one, or NO_CLASS."""
    hand = add_card(EMPTY, card * 4)
    return next((following for following in range(CLASSES) if is_blackjack(add_card(hand, following * 4))), NO_CLASS)


NATURAL_START = next(start for start, (first, second) in enumerate(START_CARDS) if completing(first) == second)
"""The starting hand that is a blackjack."""


@cache
def hand_graph() -> HandGraph:
    """Walks from the empty hand by adding cards, as long as the total is 21 or less.

    Hands of more than 15 aces are left out, as a hand's integer cannot count them; they come up once in 10^20 rounds.
    """
    index: dict[int, int] = {EMPTY: 0}
    order = [EMPTY]
    for hand in order:  # grows while it is walked: hands come in order of their size
        for card_class in range(CLASSES):
            bigger = _without_suits(add_card(hand, card_class * 4))
            fits = hand >> (COUNTS_AT + 4 * card_class) & 15 < 15
            if total_of(bigger) <= 21 and fits and bigger not in index:
                index[bigger] = len(order)
                order.append(bigger)
    after = np.full((len(order), CLASSES), BUST, np.int32)
    for position, hand in enumerate(order):
        for card_class in range(CLASSES):
            if hand >> (COUNTS_AT + 4 * card_class) & 15 < 15:
                after[position, card_class] = index.get(_without_suits(add_card(hand, card_class * 4)), BUST)
    hands = np.array(order, np.int64)
    counts = hands[:, None] >> (COUNTS_AT + 4 * np.arange(CLASSES)) & 15
    key = (counts << KEY_BITS * np.arange(CLASSES)).sum(1)
    return HandGraph(
        hands=hands,
        counts=counts,
        size=counts.sum(1),
        total=np.array([total_of(hand) for hand in order]),
        soft=np.array([is_soft(hand) for hand in order]),
        after=after,
        index=index,
        key=key,
        starts=np.array([after[after[0, first], second] for first, second in START_CARDS]),
    )


@cache
def hands_from(hand: int) -> Array:
    """A hand and all hands that more cards can make of it, as a mask."""
    graph = hand_graph()
    reachable = np.zeros(len(graph.total), bool)
    reachable[hand] = True
    for bigger in range(hand, len(reachable)):
        if reachable[bigger]:
            reachable[graph.after[bigger][graph.after[bigger] >= 0]] = True
    return reachable
