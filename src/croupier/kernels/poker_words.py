"""Ranks of poker hands in words: "pair of nines", "ace-high flush". For people, and never compiled."""

from collections.abc import Callable

from croupier.kernels.poker import class_of, first_of, second_of
from croupier.kernels.poker_five import (
    FIVE_ACES,
    FIVE_OF_A_KIND,
    FIVE_WILDS,
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
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
from croupier.kernels.sets import ranks_of_set
from croupier.kernels.sights import own_of_sight, up_of_sight

LETTERS = "23456789TJQKA"
"""A rank in a list of cards."""
HIGH = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
"""A rank in front of "high"."""
LETTERS = "23456789TJQKA"
"""A rank in a row of them."""
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


def exact_three_words(rank: int) -> str:
    """A rank of `rank_three`, with the cards that decide next: `K-9-2`, `pair of nines, A`."""
    return "mini royal" if rank == MINI_ROYAL else _exact_words(OF_THREE.get(class_of(rank)), rank)


def exact_four_words(rank: int) -> str:
    """A rank of the best four cards, with the cards that decide next: `pair of nines, A-7`."""
    return _exact_words(OF_FOUR.get(class_of(rank)), rank)


def exact_five_words(rank: int) -> str:
    """A rank of the best five cards, likewise."""
    hand_class = class_of(rank)
    kind = OF_FIVE.get(hand_class)
    return five_words(rank) if kind is None and hand_class != HIGH_CARD else _exact_words(kind, rank)


def exact_suit_words(rank: int) -> str:
    """A rank of `longest_suit` with its cards: `three of a suit, K-9-2`."""
    return f"{NUMBERS[class_of(rank)]} of a suit, {ranks_text(second_of(rank))}"


def ranks_text(ranks: int) -> str:
    """A set of ranks from the top: `A-7-2`."""
    return "-".join(LETTERS[place] for place in range(len(LETTERS) - 1, -1, -1) if ranks >> place & 1)


def beside_words(sight: int, words: Callable[[int], str]) -> str:
    """A sight with an up card: the own cards in these words, and the dealer's rank: `pair of nines against an ace`."""
    rank = HIGH[_top(ranks_of_set(up_of_sight(sight)))]
    article = "an" if rank in ("ace", "8") else "a"
    return f"{words(own_of_sight(sight))} against {article} {rank}"


def _top(ranks: int) -> int:
    return ranks.bit_length() - 1


def _exact_words(kind: int | None, rank: int) -> str:
    second = second_of(rank)
    if kind is None:
        return ranks_text(second)
    if kind == FLUSH_KIND:
        return f"flush, {ranks_text(second)}"
    more = kind not in (STRAIGHT_KIND, STRAIGHT_FLUSH_KIND) and second
    return f"{_words(kind, rank)}, {ranks_text(second)}" if more else _words(kind, rank)


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
