"""What hands may do, and how blackjacks meet, asked of the rounds' own rules."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.graph import START_CARDS, hand_graph
from croupier.kernels.blackjack import (
    COUNT_AT,
    HANDS_SIZE,
    WAITING,
    BlackjackRules,
    blackjack_outcome,
    legal_actions,
    set_hand,
    slot,
    split_pair,
)
from croupier.kernels.effects import MAIN_OUTCOMES, PUSH, STAND
from croupier.kernels.hands import EMPTY, TEN, add_card
from croupier.kernels.strategy import CLASSES

Array = NDArray[Any]

DEALT = 0
"""The kind of a hand as it was dealt; that of a split hand is SPLIT_FROM and the class of the card it began with."""
SPLIT_FROM = 1
KINDS = SPLIT_FROM + CLASSES
BLACKJACK_HAND = add_card(add_card(EMPTY, 0), 4 * TEN)


@lru_cache(maxsize=512)
def legal_table(rules: BlackjackRules) -> Array:
    """`legal[kind, hand]`: the actions open, one bit each. A hand on 21 is not asked, so it stands.

    A second ten-value is of another rank than the first: where only equal ranks may be split, the solver leaves them
    alone (see `check_tens`).
    """
    graph = hand_graph()
    legal = np.full((KINDS, len(graph.hands)), 1 << STAND, np.int8)
    for kind in range(KINDS):
        split = kind >= SPLIT_FROM
        pairs = [(kind - SPLIT_FROM, card) for card in range(CLASSES)] if split else START_CARDS
        for first, second in pairs:
            hands = _scratch(4 * first, 4 * second + 4 * (second == TEN), split)
            legal[kind, graph.of(first, second)] = legal_actions(hands, rules, 0, 0, True)
        legal[kind, graph.size != 2] = legal_actions(hands, rules, 0, 0, False)
    legal[:, graph.total == 21] = 1 << STAND
    return legal


def _scratch(first: int, second: int, split: bool) -> list[int]:
    """The hands of a round in which the first seat holds these two cards, as dealt or on the first hand of a split."""
    hands = [0] * HANDS_SIZE
    set_hand(hands, slot(0, 0), first, first if split else second, 1, 0, 0)
    hands[COUNT_AT] = 1
    if split:
        split_pair(hands, 0, 0)
        set_hand(hands, slot(0, 0), first, second, 1, 0, 1)
    return hands


def against_blackjack(rules: BlackjackRules, pays: float, status: int = WAITING) -> tuple[str, float]:
    """How a player's blackjack that pays so much ends against the dealer's, and what it wins then."""
    outcome = blackjack_outcome(rules, status, BLACKJACK_HAND)
    return MAIN_OUTCOMES[outcome], 0.0 if outcome == PUSH else pays
