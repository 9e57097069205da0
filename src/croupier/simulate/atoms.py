"""Atoms as look-ups: tables filled from the rule itself, which a sampler reads faster than it computes."""

from __future__ import annotations

import numpy as np

from croupier.kernels.hands import COUNTS_AT, SUITS_AT, add_value, value_of

STATES = 64
"""Total and soft bit of a hand."""
NEXT = np.zeros(STATES * 16, np.uint8)
for _state in range(STATES):
    for _value in range(1, 11):
        NEXT[_state * 16 + _value] = add_value(_state, _value)
VALUE = np.array([value_of(card) for card in range(52)], np.uint8)
RANK_BIT = np.array([1 << COUNTS_AT + 4 * (card >> 2) for card in range(52)], np.int64)
SUIT_BIT = np.array([1 << SUITS_AT + (card & 3) for card in range(52)], np.int64)
U64 = np.uint64


def add_card_by_table(hand: int, card: int) -> int:
    """As `add_card`. Unsigned indices spare the check for negative ones."""
    at = U64(card)
    state = NEXT[U64((hand & STATES - 1) * 16 + VALUE[at])]
    changed: int = ((hand >> SUITS_AT << SUITS_AT) + RANK_BIT[at]) | SUIT_BIT[at] | np.int64(state)
    return changed
