"""The best four of five or six cards, as in Crazy 4 and Four Card Poker.

Four of a kind beats a straight flush there, and three of a kind a flush.
"""

from croupier.kernels.poker import (
    class_of,
    higher,
    highest,
    make_rank,
    ranks_by_count,
    straight_of_four,
    without_lowest,
)
from croupier.kernels.sets import ACE_BIT, count_bits, split_suits

(
    FOUR_CARD_HIGH,
    FOUR_CARD_PAIR,
    FOUR_CARD_TWO_PAIR,
    FOUR_CARD_STRAIGHT,
    FOUR_CARD_FLUSH,
    FOUR_CARD_TRIPS,
    FOUR_CARD_STRAIGHT_FLUSH,
    FOUR_CARD_QUADS,
) = range(8)
FOUR_ACES = make_rank(FOUR_CARD_QUADS, ACE_BIT, 0)


def rank_four_of_five(hand: int) -> int:
    """The rank of the best four of exactly five cards, see `poker.py`."""
    return best_four(hand, 1)


def rank_four_of_six(hand: int) -> int:
    """The rank of the best four of exactly six cards."""
    return best_four(hand, 2)


def best_four(hand: int, spare: int) -> int:
    """The same of four cards and 0 to 2 spare ones: no more than one suit has four cards, nor two ranks."""
    a, b, c, d = split_suits(hand)
    ranks, two, three, four = ranks_by_count(a, b, c, d)
    if four:
        return make_rank(FOUR_CARD_QUADS, four, 0)
    suited = suit_of_four(a, b, c, d)
    top = straight_of_four(suited)
    if top:
        return make_rank(FOUR_CARD_STRAIGHT_FLUSH, 0, top)
    if three:
        trips = higher(three)
        return make_rank(FOUR_CARD_TRIPS, trips, highest(ranks ^ trips))
    if suited:
        return make_rank(FOUR_CARD_FLUSH, 0, without_lowest(suited, count_bits(suited) - 4))
    top = straight_of_four(ranks)
    if top:
        return make_rank(FOUR_CARD_STRAIGHT, 0, top)
    pairs = count_bits(two)
    if pairs >= 2:
        return make_rank(FOUR_CARD_TWO_PAIR, without_lowest(two, pairs - 2), 0)
    return make_rank(pairs, two, without_lowest(ranks ^ two, spare))  # a pair or none, as the classes are numbered


def suit_of_four(a: int, b: int, c: int, d: int) -> int:
    """The ranks of the suit that has four cards or more, 0 if none has."""
    if count_bits(a) >= 4:
        return a
    if count_bits(b) >= 4:
        return b
    if count_bits(c) >= 4:
        return c
    return d if count_bits(d) >= 4 else 0


FOUR_FROM_THE_TOP = (
    "four_of_a_kind",
    "straight_flush",
    "three_of_a_kind",
    "flush",
    "straight",
    "two_pair",
    "pair",
)
"""The classes that pay tables name, best first."""


def four_from_the_top(rank: int) -> int:
    """Where the class of a rank, a pair or better, stands in `FOUR_FROM_THE_TOP`."""
    return FOUR_CARD_QUADS - class_of(rank)
