"""What all poker hands share: how a rank is written, and the atoms of the evaluators.

The rank of a hand is one number; the better hand has the higher one and equal hands have the same:

    bits 26-    class: pair, straight ... ; each evaluator names its own
    bits 13-25  ranks that decide first: those of the pair, both pairs, three or four of a kind
    bits 0-12   ranks that decide next: kickers, all ranks of a flush, the top card of a straight

Evaluators are in `poker_three.py`, `poker_four.py`, `poker_five.py` and `poker_wild.py`.
"""

from croupier.kernels.sets import RANK_COUNT, SUIT, count_bits, split_suits

CLASS_AT = 26
FIRST_AT = 13


def make_rank(hand_class: int, first: int, second: int) -> int:
    """A rank of its parts; also the lowest rank with those cards, to compare with: a pair of queens or better."""
    return hand_class << CLASS_AT | first << FIRST_AT | second


def class_of(rank: int) -> int:
    return rank >> CLASS_AT


def first_of(rank: int) -> int:
    """The ranks that decide first, as a set."""
    return rank >> FIRST_AT & SUIT


def second_of(rank: int) -> int:
    """The ranks that decide next, as a set."""
    return rank & SUIT


def highest(ranks: int) -> int:
    """Only the highest of a set of ranks."""
    ranks |= ranks >> 1
    ranks |= ranks >> 2
    ranks |= ranks >> 4
    ranks |= ranks >> 8
    return ranks ^ ranks >> 1


def higher(ranks: int) -> int:
    """Only the higher of at most two ranks: less work than `highest`."""
    above = ranks & (ranks - 1)
    return above if above else ranks


def without_lowest(ranks: int, number: int) -> int:
    """The ranks without the lowest one or two, which is all that hands of up to two spare cards need."""
    if number > 0:
        ranks &= ranks - 1
    if number > 1:
        ranks &= ranks - 1
    return ranks


def with_low_ace(ranks: int) -> int:
    """The ranks one place up, with the ace below the two as well."""
    return ranks << 1 | ranks >> RANK_COUNT - 1


def top_of_run(starts: int) -> int:
    """The last of neighboring bits. Straights in one hand always are neighbors: two apart would need more cards."""
    return starts & ~(starts >> 1)


def straight_of_three(ranks: int) -> int:
    """The top card of the three in a row, 0 for none. Ace-two-three is the lowest."""
    low = with_low_ace(ranks)
    return top_of_run(low & low >> 1 & low >> 2) << 1


def straight_of_four(ranks: int) -> int:
    """The top card of the best four in a row of up to six cards, 0 for none."""
    low = with_low_ace(ranks)
    pairs = low & low >> 1
    return top_of_run(pairs & pairs >> 2) << 2


def straight_of_five(ranks: int) -> int:
    """The top card of the best five in a row of up to seven cards, 0 for none."""
    low = with_low_ace(ranks)
    pairs = low & low >> 1
    return top_of_run(pairs & pairs >> 2 & low >> 4) << 3


def ranks_by_count(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """Ranks held in at least one, two, three and in all four of the suits.

    The first suit is added last, so that a loop over its cards alone leaves the rest outside.
    """
    bc = b | c
    bcd = bc | d
    two = b & c | bc & d
    three = b & c & d
    return a | bcd, two | a & bcd, three | a & two, a & three


def longest_suit(hand: int) -> int:
    """The longest suit, then its cards from the top; its length is the class. Of two as long the better one."""
    a, b, c, d = split_suits(hand)
    return max(
        make_rank(count_bits(a), 0, a),
        make_rank(count_bits(b), 0, b),
        make_rank(count_bits(c), 0, c),
        make_rank(count_bits(d), 0, d),
    )


LONGEST_RUN = 7
"""No round looks at more than seven cards."""


def longest_run(hand: int) -> int:
    """The cards of the longest straight flush, 1 where no two neighbors are of one suit. The ace is high and low."""
    a, b, c, d = split_suits(hand)
    # Fifteen bits a suit, so that no run goes on into the next.
    runs = with_low_ace(a) | with_low_ace(b) << 15 | with_low_ace(c) << 30 | with_low_ace(d) << 45
    length = 0
    for _ in range(LONGEST_RUN):
        length += runs != 0
        runs &= runs >> 1
    return length
