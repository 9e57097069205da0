"""A hand as a row of cards, and the atoms that read it.

A counted hand (`hands.py`) does not know which card has which suit, and a set (`sets.py`) holds each card once. A row
is for bets that compare cards one by one, from a shoe of any number of decks: seven bits a card,

    bits 0-6    the lowest card + 1, bits 7-13 the next one, and so on up to nine cards; 0 where there is none

in the order of their numbers, `rank * 4 + suit` with the ace first, so that cards of one rank lie side by side and the
order in which they were dealt is forgotten: equal cards are equal integers.
"""

from collections.abc import Sequence
from functools import reduce

from croupier.kernels.hands import EMPTY, add_card, value_of

EMPTY_ROW = 0
MOST_IN_ROW = 9
CARD_BITS = 7
CARD_MASK = 127
ONES = 0x0102040810204081
"""A one in each place of a row."""
TOPS = ONES << 6
"""The highest bit of each place, which no card needs: it says how a comparison of two rows went, place by place."""


def add_to_row(row: int, card: int) -> int:
    """A row with one more card; all places are compared with it at once, so that there is nothing to branch on."""
    filled = (row | TOPS) - ONES
    not_higher = ((card + 1) * ONES | TOPS) - row
    before = filled & not_higher & TOPS  # the first places of the row, as it is in order
    all_before = (before << 1) - (before >> CARD_BITS - 1)
    lower = row & all_before
    return lower | (card + 1) * (all_before + 1) | row - lower << CARD_BITS


def row_of(cards: Sequence[int]) -> int:
    """The row of these cards; for people, and never compiled."""
    return reduce(add_to_row, cards, EMPTY_ROW)


def cards_in_row(row: int) -> list[int]:
    """The cards of a row; for people, and never compiled."""
    return [card_at(row, place) for place in range(row_size(row))]


def row_size(row: int) -> int:
    """How many cards: a number's remainder by 127 is the sum of its digits of seven bits."""
    return (((row | TOPS) - ONES & TOPS) >> CARD_BITS - 1) % CARD_MASK


def card_at(row: int, place: int) -> int:
    """The card at a place, from 0; -1 behind the last one."""
    return (row >> CARD_BITS * place & CARD_MASK) - 1


def rank_at(row: int, place: int) -> int:
    """The rank of that card, ACE to KING; -1 behind the last one."""
    return card_at(row, place) >> 2


def suit_at(row: int, place: int) -> int:
    """The suit of that card, CLUBS to SPADES. Only where there is a card."""
    return card_at(row, place) & 3


def count_of_card(row: int, card: int) -> int:
    """How often that very card is in the row."""
    count = 0
    for place in range(MOST_IN_ROW):
        if card_at(row, place) == card:
            count += 1
    return count


def hand_of_row(row: int) -> int:
    """The same cards as a counted blackjack hand: its total, ranks and suits are read with `croupier.kernels.hands`."""
    hand = EMPTY
    for place in range(MOST_IN_ROW):
        if card_at(row, place) >= 0:
            hand = add_card(hand, card_at(row, place))
    return hand


def points_of_row(row: int) -> int:
    """The points of the cards in baccarat."""
    points = 0
    for place in range(MOST_IN_ROW):
        if card_at(row, place) >= 0:
            points += value_of(card_at(row, place))
    return points % 10
