"""Three-card poker hands: a straight beats a flush, and three of a kind both."""

from croupier.kernels.poker import make_rank, ranks_by_count, straight_of_three
from croupier.kernels.sets import ACE_BIT, split_suits

(
    THREE_CARD_HIGH,
    THREE_CARD_PAIR,
    THREE_CARD_FLUSH,
    THREE_CARD_STRAIGHT,
    THREE_CARD_TRIPS,
    THREE_CARD_STRAIGHT_FLUSH,
) = range(6)
MINI_ROYAL = make_rank(THREE_CARD_STRAIGHT_FLUSH, 0, ACE_BIT)
"""The rank of suited ace, king and queen."""


def rank_three(hand: int) -> int:
    """The rank of exactly three cards, see `poker.py`."""
    a, b, c, d = split_suits(hand)
    ranks, two, three, _ = ranks_by_count(a, b, c, d)
    if three:
        return make_rank(THREE_CARD_TRIPS, three, 0)
    if two:
        return make_rank(THREE_CARD_PAIR, two, ranks ^ two)
    flush = ranks == max(a, b, c, d)  # one suit has all cards
    top = straight_of_three(ranks)
    if top:
        return make_rank(THREE_CARD_STRAIGHT_FLUSH if flush else THREE_CARD_STRAIGHT, 0, top)
    return make_rank(THREE_CARD_FLUSH if flush else THREE_CARD_HIGH, 0, ranks)
