"""Ranks of poker hands in words: "pair of nines", "ace-high flush". For people, and never compiled."""

from croupier.kernels.poker import class_of, first_of, second_of
from croupier.kernels.poker_five import (
    FIVE_ACES,
    FIVE_OF_A_KIND,
    FIVE_WILDS,
    FLUSH,
    FULL_HOUSE,
    PAIR,
    QUADS,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
)
from croupier.kernels.poker_four import (
    FOUR_CARD_FLUSH,
    FOUR_CARD_PAIR,
    FOUR_CARD_QUADS,
    FOUR_CARD_STRAIGHT,
    FOUR_CARD_STRAIGHT_FLUSH,
    FOUR_CARD_TRIPS,
    FOUR_CARD_TWO_PAIR,
)
from croupier.kernels.poker_three import (
    MINI_ROYAL,
    THREE_CARD_FLUSH,
    THREE_CARD_PAIR,
    THREE_CARD_STRAIGHT,
    THREE_CARD_STRAIGHT_FLUSH,
    THREE_CARD_TRIPS,
)

HIGH = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
"""A rank in front of "high"."""
MANY = (
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "sevens",
    "eights",
    "nines",
    "tens",
    "jacks",
    "queens",
    "kings",
    "aces",
)
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")

PAIR_KIND, TWO_PAIR_KIND, TRIPS_KIND, STRAIGHT_KIND, FLUSH_KIND, QUADS_KIND, STRAIGHT_FLUSH_KIND = range(7)
OF_THREE = {
    THREE_CARD_PAIR: PAIR_KIND,
    THREE_CARD_FLUSH: FLUSH_KIND,
    THREE_CARD_STRAIGHT: STRAIGHT_KIND,
    THREE_CARD_TRIPS: TRIPS_KIND,
    THREE_CARD_STRAIGHT_FLUSH: STRAIGHT_FLUSH_KIND,
}
OF_FOUR = {
    FOUR_CARD_PAIR: PAIR_KIND,
    FOUR_CARD_TWO_PAIR: TWO_PAIR_KIND,
    FOUR_CARD_STRAIGHT: STRAIGHT_KIND,
    FOUR_CARD_FLUSH: FLUSH_KIND,
    FOUR_CARD_TRIPS: TRIPS_KIND,
    FOUR_CARD_STRAIGHT_FLUSH: STRAIGHT_FLUSH_KIND,
    FOUR_CARD_QUADS: QUADS_KIND,
}
OF_FIVE = {
    PAIR: PAIR_KIND,
    TWO_PAIR: TWO_PAIR_KIND,
    TRIPS: TRIPS_KIND,
    STRAIGHT: STRAIGHT_KIND,
    FLUSH: FLUSH_KIND,
    QUADS: QUADS_KIND,
    STRAIGHT_FLUSH: STRAIGHT_FLUSH_KIND,
}
"""Which of the kinds a class is; a class that is none of them is told by its highest card."""


def three_words(rank: int) -> str:
    """A rank of `rank_three`."""
    return "mini royal" if rank == MINI_ROYAL else _words(OF_THREE.get(class_of(rank)), rank)


def four_words(rank: int) -> str:
    """A rank of the best four cards."""
    return _words(OF_FOUR.get(class_of(rank)), rank)


def five_words(rank: int) -> str:
    """A rank of the best five cards, with or without wild cards or a joker."""
    hand_class = class_of(rank)
    if hand_class == ROYAL_FLUSH:
        return "royal flush"
    if hand_class == FIVE_WILDS:
        return "five wild cards"
    if hand_class in (FIVE_ACES, FIVE_OF_A_KIND):
        return f"five {MANY[_top(first_of(rank))]}"
    if hand_class == FULL_HOUSE:
        return f"full house, {MANY[_top(first_of(rank))]} over {MANY[_top(second_of(rank))]}"
    return _words(OF_FIVE.get(hand_class), rank)


def longest_suit_words(rank: int) -> str:
    """A rank of `longest_suit`."""
    return f"{NUMBERS[class_of(rank)]} of a suit, {HIGH[_top(second_of(rank))]} high"


def _top(ranks: int) -> int:
    return ranks.bit_length() - 1


def _words(kind: int | None, rank: int) -> str:
    first, second = first_of(rank), second_of(rank)
    if kind == TWO_PAIR_KIND:
        return f"two pair, {MANY[_top(first)]} and {MANY[_top(first & ~(1 << _top(first)))]}"
    if kind == PAIR_KIND:
        return f"pair of {MANY[_top(first)]}"
    if kind == TRIPS_KIND:
        return f"three {MANY[_top(first)]}"
    if kind == QUADS_KIND:
        return f"four {MANY[_top(first)]}"
    high = HIGH[_top(second)]
    if kind == STRAIGHT_KIND:
        return f"{high}-high straight"
    if kind == FLUSH_KIND:
        return f"{high}-high flush"
    return f"{high}-high straight flush" if kind == STRAIGHT_FLUSH_KIND else f"{high} high"
