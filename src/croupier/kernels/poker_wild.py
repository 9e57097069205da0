"""Five-card hands with wild cards (DJ Wild) and with the half-wild joker of pai gow. Classes are in `poker_five.py`."""

from croupier.kernels.poker import class_of, highest, make_rank, ranks_by_count, without_lowest
from croupier.kernels.poker_five import (
    FIVE_ACES,
    FIVE_OF_A_KIND,
    FIVE_WILDS,
    FLUSH,
    FULL_HOUSE,
    PAIR,
    QUADS,
    STRAIGHT,
    TRIPS,
    rank_five,
    straight_flush_to,
)
from croupier.kernels.sets import (
    ACE_BIT,
    ACES,
    FIVE_BIT,
    JOKER,
    RANK_COUNT,
    SUIT,
    TWOS,
    count_bits,
    has_joker,
    ranks_of_set,
    split_suits,
)

WILDS = TWOS | JOKER
"""The wild cards of DJ Wild."""
LOWEST_STRAIGHT, SECOND_STRAIGHT = range(2)
"""What A-2-3-4-5 is among straights; many houses let it come right after A-K-Q-J-10 in pai gow."""
WHEEL = ACE_BIT | (FIVE_BIT << 1) - 1
BROADWAY = 0x1F << RANK_COUNT - 5


def rank_five_wild(hand: int) -> int:
    """The rank of exactly five of 53 cards where twos and the joker are any card, see `poker.py`.

    Five of a kind stands between straight flush and royal flush, five wild cards above all. In a flush a wild card is
    the highest one missing.
    """
    wilds = count_bits(hand & WILDS)
    if wilds == 0:
        return rank_five(hand)
    if wilds == 5:
        return make_rank(FIVE_WILDS, 0, 0)
    a, b, c, d = split_suits(hand & ~WILDS)
    ranks, two, three, _ = ranks_by_count(a, b, c, d)
    flush = two == 0 and ranks == max(a, b, c, d)  # one suit has all cards
    straight = straight_with(ranks, 5 - wilds, LOWEST_STRAIGHT) & SUIT  # a pair fills no straight: too few ranks
    if flush and straight == ACE_BIT:
        return straight_flush_to(straight)
    kinds = count_bits(ranks)
    if kinds == 1:
        return make_rank(FIVE_OF_A_KIND, ranks, 0)
    if flush and straight:
        return straight_flush_to(straight)
    if kinds == 2:
        two_pairs = wilds == 1 and three == 0
        most = three if three else two if two and not two_pairs else highest(ranks)
        return make_rank(FULL_HOUSE if two_pairs else QUADS, most, ranks ^ most)
    if flush:
        return make_rank(FLUSH, 0, with_highest_missing(ranks, wilds))
    if straight:
        return make_rank(STRAIGHT, 0, straight)
    most = two if two else highest(ranks)
    return make_rank(TRIPS if two or wilds == 2 else PAIR, most, ranks ^ most)


def is_natural(hand: int, rank: int) -> bool:
    """Whether five cards make the class of `rank`, their rank by `rank_five_wild`, without a wild card as such.

    A two that serves as that two is natural: 2-4-6-8-10 of one suit is a natural flush.
    """
    return not has_joker(hand) and class_of(rank_five(hand)) == class_of(rank)


def rank_five_joker(hand: int, wheel: int) -> int:
    """The rank of five cards or of the best five of six or seven, where the joker is an ace or completes a straight,
    a flush, a straight flush or a royal flush; in a flush it is the highest card missing. Five aces beat all.

    `wheel` says what A-2-3-4-5 is: LOWEST_STRAIGHT or SECOND_STRAIGHT. As the latter it has a two in the field of what
    decides first, A-K-Q-J-10 an ace.
    """
    joker = 1 if has_joker(hand) else 0
    cards = hand & ~JOKER
    missing_aces = ACES & ~cards
    if joker and missing_aces == 0:
        return make_rank(FIVE_ACES, ACE_BIT, 0)
    best = rank_five(cards | (missing_aces & -missing_aces) * joker)
    needed = 5 - joker
    for suit in range(4):
        suited = cards >> RANK_COUNT * suit & SUIT
        if count_bits(suited) >= needed:
            filled = with_highest_missing(suited, joker)
            best = max(best, make_rank(FLUSH, 0, without_lowest(filled, count_bits(filled) - 5)))
            straight = straight_with(suited, needed, wheel)
            if straight:
                best = max(best, straight_flush_to(straight & SUIT) | straight)
    straight = straight_with(ranks_of_set(cards), needed, wheel)
    return max(best, make_rank(STRAIGHT, 0, straight)) if straight else best


def straight_with(ranks: int, needed: int, wheel: int) -> int:
    """The best straight that has at least `needed` of its ranks there: its top card, 0 for none.

    With the wheel second the ace above A-K-Q-J-10 and the two of the wheel are added one field up, to put them first.
    """
    if count_bits(ranks & BROADWAY) >= needed:
        return ACE_BIT << RANK_COUNT | ACE_BIT if wheel == SECOND_STRAIGHT else ACE_BIT
    wheel_there = count_bits(ranks & WHEEL) >= needed
    if wheel_there and wheel == SECOND_STRAIGHT:
        return 1 << RANK_COUNT | FIVE_BIT
    for lower in range(1, RANK_COUNT - 4):
        if count_bits(ranks & BROADWAY >> lower) >= needed:
            return ACE_BIT >> lower
    return FIVE_BIT if wheel_there else 0


def with_highest_missing(ranks: int, number: int) -> int:
    """The ranks and so many more, the highest that are not there."""
    for lower in range(RANK_COUNT):
        if number > 0 and ranks & ACE_BIT >> lower == 0:
            ranks |= ACE_BIT >> lower
            number -= 1
    return ranks
