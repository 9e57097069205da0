"""A shuffle made only as far as cards are drawn (Fisher-Yates), in two forms that give the same cards.

In an array the shoe is shuffled in place; after a round from a fresh shoe the few slots that were picked are put in
order again. A thread of a GPU has no room for an array. But a fresh shoe lies in order, so what a slot holds follows
from the picks made so far alone. The latest 12, the *trail*, stay in two 64-bit words that live in registers, ten bits
a pick: whether a slot was picked before is asked of six picks at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from croupier.simulate.generator import S32, U64, mix

DECK_CARDS = 52
"""Put in when linked with a deck that has a joker."""

PICK_BITS = 10
PICKS_OF_WORD = 6
TRAIL = 2 * PICKS_OF_WORD
"""Picks that the trail holds; older ones are kept in an array."""
_FIELDS = range(0, PICK_BITS * PICKS_OF_WORD, PICK_BITS)
ONES = U64(sum(1 << at for at in _FIELDS))
GUARDS = U64(sum(1 << at + PICK_BITS - 1 for at in _FIELDS))
"""The top bit of each field, which no slot needs."""
NO_PICKS = U64(sum((1 << PICK_BITS - 1) - 1 << at for at in _FIELDS))
WHOLE_WORD = U64((1 << PICK_BITS * PICKS_OF_WORD) - 1)
ONE_PICK = U64(PICK_BITS)
LAST_PICK = U64(PICK_BITS * (PICKS_OF_WORD - 1))
PICK_MASK = U64((1 << PICK_BITS) - 1)
ONE_WORD = 0
"""Put in as 1 when linked with a round of at most six cards: then the first word holds them all."""


def pick_below(number: Any, position: int, cards: int) -> Any:
    """The slot whose card comes to `position`, among those from there on; `number` has 32 random bits.

    They pick by multiplication; the bias is below 416 / 2**32, a ten-millionth.
    """
    return U64(position) + (number * U64(cards - position) >> S32)


def pick_card(counter: Any, position: int, shoe: Any) -> Any:
    """One step of the shuffle in an array: a card of those left comes to `position`."""
    pick = pick_below(mix(counter) >> S32, position, len(shoe))
    card = shoe[pick]
    shoe[pick] = shoe[position]
    shoe[position] = card
    return np.int64(card)


def was_picked(word: Any, slot: Any) -> Any:
    """Not zero if the slot is one of a word's six picks: a field that is equal loses its guard bit."""
    return ~((word ^ slot * ONES | GUARDS) - ONES) & GUARDS


def with_pick(trail: Any, pick: Any) -> Any:
    """The trail after another pick: the oldest of its first word moves to the second."""
    new, old = trail
    if ONE_WORD == 0:
        old = (old << ONE_PICK | new >> LAST_PICK) & WHOLE_WORD
    return (new << ONE_PICK | pick) & WHOLE_WORD, old


def pick_of_step(step: int, position: int, trail: Any, older: Any) -> int:
    """The slot picked when `step` cards had been drawn."""
    age = position - 1 - step
    if age >= TRAIL:
        return int(older[step])
    word = trail[0] if age < PICKS_OF_WORD else trail[1]
    return int(word >> U64(age % PICKS_OF_WORD * PICK_BITS) & PICK_MASK)


def traced(slot: int, position: int, trail: Any, older: Any) -> int:
    """The slot of an ordered shoe whose card lies in `slot` now.

    The step that last picked a slot put there what lay at the front of the shoe then, and so on backwards.
    """
    step = position - 1
    while step >= 0:
        if pick_of_step(step, position, trail, older) == slot:
            slot = step
        step -= 1
    return slot


def trace(pick: Any, position: int, trail: Any, older: Any) -> Any:
    """As `traced`, without a search in the usual case that nobody has picked the slot before."""
    picked = was_picked(trail[0], pick)
    if ONE_WORD == 0:
        picked |= was_picked(trail[1], pick)
    if picked != U64(0) or (ONE_WORD == 0 and position > TRAIL):
        return U64(traced(int(pick), position, trail, older))
    return pick


def keep_oldest(position: int, trail: Any, older: Any) -> None:
    """Before a pick that the full trail has no room for, its oldest goes to the array."""
    if ONE_WORD == 0 and position >= TRAIL:
        older[U64(position - TRAIL)] = np.int64(trail[1] >> LAST_PICK)
