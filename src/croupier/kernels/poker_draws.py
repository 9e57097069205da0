"""Incomplete poker hands in words and numbers: how near to a straight, how many high cards. Never compiled."""

from croupier.kernels import poker_words
from croupier.kernels.poker import straight_of_five, with_low_ace
from croupier.kernels.sets import ACE_BIT, RANK_COUNT, SIX_BIT, count_bits, ranks_of_set, split_suits

FAR_APART = 99
GAPS = ("no gap", "one gap", "two gaps", "three gaps")


def is_suited(cards: int) -> bool:
    """Whether all cards are of one suit."""
    return ranks_of_set(cards) in split_suits(cards)


def has_pair(cards: int) -> bool:
    return count_bits(ranks_of_set(cards)) < count_bits(cards)


def gaps_of(cards: int) -> int:
    """How many ranks are missing between the lowest and the highest card of a straight; FAR_APART where none can be.
    An ace is high or low."""
    ranks = ranks_of_set(cards)
    low = with_low_ace(ranks) & (1 << RANK_COUNT) - 1  # the ace below the two only
    spread = min(_spread(ranks), _spread(low))
    return FAR_APART if spread > 5 else spread - count_bits(ranks)


def _spread(ranks: int) -> int:
    return ranks.bit_length() - (ranks & -ranks).bit_length() + 1


def has_low_ace(cards: int) -> bool:
    """Whether there is an ace that can only be the lowest of a straight."""
    ranks = ranks_of_set(cards)
    return ranks & ACE_BIT != 0 and gaps_of(cards) < FAR_APART and ranks & ~(ACE_BIT | SIX_BIT - 1) == 0


def straight_outs(cards: int) -> int:
    """How many ranks make a straight of four cards: two from the outside, one inside or at an end."""
    ranks = ranks_of_set(cards)
    return sum(straight_of_five(ranks | 1 << rank) != 0 for rank in range(RANK_COUNT))


def count_from(cards: int, lowest: int) -> int:
    """How many cards are of a rank, given by its bit, or above it."""
    return count_bits(ranks_of_set(cards) & ~(lowest - 1))


def ranks_text(cards: int) -> str:
    """`Q-6-4`."""
    return poker_words.ranks_text(ranks_of_set(cards))


def counted(number: int, word: str) -> str:
    """`1 point`, `2 points`."""
    return f"{number} {word}{'' if number == 1 else 's'}"
