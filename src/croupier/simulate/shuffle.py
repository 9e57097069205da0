"""Two ways of dealing from a shuffled shoe.

From a *fresh* shoe each card is drawn by its slot: every round begins with the whole shoe in order, so a slot says
which card it is, and a slot that was drawn before in this round is drawn again. One random number makes four draws of
16 bits each; a draw that would favor some slots is drawn again as well, so all slots are exactly alike. What a card is
depends on nothing but the numbers, so a CPU makes slots ahead, several at a time, and a GPU needs no room for a shoe.

A shoe that is *played down* is shuffled in an array, as far as cards are drawn (Fisher-Yates).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from croupier.simulate.generator import GOLDEN, S32, U64, mix

DECK_CARDS = 52
"""Put in when linked with a deck that has a joker."""

DRAWS = 4
"""Of one random number, the lowest bits first."""
DRAW_BITS = 16
ALL_DRAWS = 1 << DRAW_BITS
S16, S48 = U64(DRAW_BITS), U64(3 * DRAW_BITS)
DRAW_MASK = U64(ALL_DRAWS - 1)
EVEN = U64(0x0000FFFF0000FFFF)
ODD = U64(0xFFFF0000FFFF0000)
ONES = U64(0x0001000100010001)
TOPS = U64(0x8000800080008000)


def spare_draws(cards: int) -> int:
    """How many values of a draw are too many for all slots to come equally often."""
    return ALL_DRAWS % cards


def slot_of(draw: Any, cards: int) -> int:
    """The slot that 16 random bits say, or -1 where they are to be drawn again."""
    product = int(draw) * cards
    return product >> DRAW_BITS if product & ALL_DRAWS - 1 >= spare_draws(cards) else -1


def draw_of(number: Any, position: int) -> Any:
    """The draw for a card's position in the round."""
    return number >> U64(position % DRAWS * DRAW_BITS) & DRAW_MASK


def drawn_again(number: Any) -> Any:
    """Where a draw of this number is to be made again: the number that has it."""
    return mix(number + GOLDEN)


# Four slots in one number, made and compared at once: what a CPU does ahead of the rounds.


def slots_of(number: Any, cards: Any) -> Any:
    """The slots of a number's four draws, if none is to be drawn again."""
    return ((number & EVEN) * cards >> S16 & EVEN) | ((number >> S16 & EVEN) * cards & ODD)


def has_spare(number: Any, cards: Any, spare: Any) -> Any:
    """Not zero if one of the four is to be drawn again: the remainder of its product is below `spare`."""
    rests = (number & EVEN) * cards & EVEN | ((number >> S16 & EVEN) * cards & EVEN) << S16
    return (rests - spare * ONES) & ~rests & TOPS


def in_common(slots: Any, others: Any) -> Any:
    """Not zero if a slot is the same as the other in its place: then their difference has a field that is zero."""
    apart = slots ^ others
    return (apart - ONES) & ~apart & TOPS


def turned(slots: Any, by: Any, back: Any) -> Any:
    """The four slots, each moved on by some places."""
    return slots << by | slots >> back


def repeats(slots: Any) -> Any:
    """Not zero if two of four slots are the same."""
    return in_common(slots, turned(slots, S16, S48)) | in_common(slots, turned(slots, S32, S32))


def overlap(slots: Any, others: Any) -> Any:
    """Not zero if one of four slots is among four others."""
    straight = in_common(slots, others) | in_common(slots, turned(others, S16, S48))
    return straight | in_common(slots, turned(others, S32, S32)) | in_common(slots, turned(others, S48, S16))


# A shoe that is played down.


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
