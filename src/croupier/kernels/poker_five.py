"""Poker hands of five cards, and the best five of six or seven."""

from croupier.kernels.poker import (
    class_of,
    higher,
    highest,
    make_rank,
    ranks_by_count,
    straight_of_five,
    without_lowest,
)
from croupier.kernels.sets import ACE_BIT, count_bits, split_suits

# One scale for all games of five cards: without a joker or wild cards some of these do not come up.
(
    HIGH_CARD,
    PAIR,
    TWO_PAIR,
    TRIPS,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    QUADS,
    STRAIGHT_FLUSH,
    FIVE_OF_A_KIND,
    ROYAL_FLUSH,
    FIVE_ACES,
    FIVE_WILDS,
) = range(13)


def rank_five(hand: int) -> int:
    """The rank of five cards or of the best five of six or seven, see `poker.py`."""
    return best_five(hand, count_bits(hand) - 5)


def rank_five_of_six(hand: int) -> int:
    """`rank_five` of exactly six cards: faster, as nobody counts them."""
    return best_five(hand, 1)


def rank_five_of_seven(hand: int) -> int:
    """`rank_five` of exactly seven cards."""
    return best_five(hand, 2)


def best_five(hand: int, spare: int) -> int:
    """The rank of five cards and 0 to 2 spare ones.

    A flush leaves no room for four of a kind or a full house among seven cards, so it is settled first. The frequent
    classes, up to two pair, take the same way: a branch between them would be guessed wrong most of the time.
    """
    a, b, c, d = split_suits(hand)
    # Five or more make bit 3 of a count that is three higher.
    if (count_bits(a) + 3 | (count_bits(b) + 3 | count_bits(c) + 3 | count_bits(d) + 3)) & 8:
        return best_flush(a, b, c, d)
    ranks, two, three, four = ranks_by_count(a, b, c, d)
    straight = straight_of_five(ranks)
    if straight | three:
        return best_of_rare(ranks, two, three, four, straight, spare)
    pairs = count_bits(two)
    if pairs > 2:
        two &= two - 1
        return make_rank(TWO_PAIR, two, without_lowest(ranks ^ two, spare - 1))
    return make_rank(pairs, two, without_lowest(ranks ^ two, spare))  # as these classes are numbered


def best_flush(a: int, b: int, c: int, d: int) -> int:
    """The best flush; one suit has five cards or more."""
    suited = a
    if count_bits(b) >= 5:
        suited = b
    if count_bits(c) >= 5:
        suited = c
    if count_bits(d) >= 5:
        suited = d
    top = straight_of_five(suited)
    if top:
        return straight_flush_to(top)
    return make_rank(FLUSH, 0, without_lowest(suited, count_bits(suited) - 5))


def straight_flush_to(top: int) -> int:
    """The rank of a straight flush with that top card."""
    return make_rank(ROYAL_FLUSH if top == ACE_BIT else STRAIGHT_FLUSH, 0, top)


def best_of_rare(ranks: int, two: int, three: int, four: int, straight: int, spare: int) -> int:
    """The best of four of a kind, full house, straight and three of a kind, one of which there is."""
    if four:
        return make_rank(QUADS, four, highest(ranks ^ four))
    trips = higher(three)
    if three and two != trips:
        return make_rank(FULL_HOUSE, trips, higher(two ^ trips))
    if straight:
        return make_rank(STRAIGHT, 0, straight)
    return make_rank(TRIPS, trips, without_lowest(ranks ^ trips, spare))


FROM_THE_TOP = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "pair",
)
"""The classes that pay tables name, best first."""


def place_from_top(rank: int, lowest: int) -> int:
    """Where the class of a rank without wild cards stands in `FROM_THE_TOP`, -1 for a class below `lowest`."""
    hand_class = class_of(rank)
    if hand_class < lowest:
        return -1
    return 0 if hand_class == ROYAL_FLUSH else 1 + STRAIGHT_FLUSH - hand_class
