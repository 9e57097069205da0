"""Atoms as look-ups: tables filled from the rule itself, which a sampler reads faster than it computes."""

from __future__ import annotations

from typing import Any

import numpy as np

from croupier.kernels.blackjack import compare
from croupier.kernels.hands import COUNTS_AT, SUITS_AT, TOTAL_MASK, add_point, add_value, total_of, value_of

HAND_STATES = 64
"""Total and soft bit of a hand."""
TOTALS = TOTAL_MASK + 1
CARD_CODES = 64
"""Cells of a row by cards, a power of two."""
NEXT = np.zeros(HAND_STATES * CARD_CODES, np.uint8)
for _state in range(HAND_STATES):
    for _card in range(52):
        NEXT[_state * CARD_CODES + _card] = add_value(_state, value_of(_card))
POINTS = np.zeros(TOTALS * CARD_CODES, np.uint8)
for _points in range(10):
    for _card in range(52):
        POINTS[_points * CARD_CODES + _card] = total_of(add_point(_points, _card))
COMPARED = np.zeros(2 * TOTALS * TOTALS, np.int8)
for _pushes in range(2):
    for _own in range(TOTALS):
        for _dealer in range(TOTALS):
            COMPARED[(_pushes * TOTALS + _own) * TOTALS + _dealer] = compare(_own, _dealer, _pushes)
RANK_BIT = np.array([1 << COUNTS_AT + 4 * (card >> 2) for card in range(52)], np.int64)
SUIT_BIT = np.array([1 << SUITS_AT + (card & 3) for card in range(52)], np.int64)
U64 = np.uint64


def _with_state(hand: int, card: int, state: int) -> int:
    """Unsigned indices spare the check for negative ones."""
    at = U64(card)
    changed: int = ((hand >> SUITS_AT << SUITS_AT) + RANK_BIT[at]) | SUIT_BIT[at] | np.int64(state)
    return changed


def add_card_by_table(hand: int, card: int) -> int:
    """As `add_card`."""
    return _with_state(hand, card, NEXT[U64((hand & HAND_STATES - 1) * CARD_CODES + card)])


def add_point_by_table(hand: int, card: int) -> int:
    """As `add_point`."""
    return _with_state(hand, card, POINTS[U64((hand & TOTAL_MASK) * CARD_CODES + card)])


def compare_by_table(own: int, dealer: int, pushes_22: int) -> int:
    """As `compare`."""
    ended: Any = np.int64(COMPARED[U64((pushes_22 * TOTALS + (own & TOTAL_MASK)) * TOTALS + (dealer & TOTAL_MASK))])
    return int(ended)


BY_TABLE = {"add_card": add_card_by_table, "add_point": add_point_by_table, "compare": compare_by_table}
"""For a CPU. A GPU computes faster than it reads."""
