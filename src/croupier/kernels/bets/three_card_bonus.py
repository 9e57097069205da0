"""Double Barrel bonus: the player's first three cards as a three-card poker hand, a flush or better."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import ACE, QUEEN, count_of, one_suit, ranks_in, suits_in
from croupier.kernels.scenes import Opening

ACE_KING_QUEEN = 1 << 4 * ACE | 0x11 << 4 * QUEEN


def is_straight(ranks: int) -> bool:
    """Three ranks in a row, ace low or high: A-2-3 up to J-Q-K, and Q-K-A."""
    for low in range(11):
        if ranks == 0x111 << 4 * low:
            return True
    return ranks == ACE_KING_QUEEN


def is_three_of_a_kind(hand: int) -> bool:
    for rank in range(13):  # noqa: SIM110 - the kernel subset has no generators
        if count_of(hand, rank) == 3:
            return True
    return False


def three_card_bonus(three: int, dealer: int, options: int) -> int:
    suited = one_suit(suits_in(three))
    ranks = ranks_in(three)
    if suited and ranks == ACE_KING_QUEEN:
        return 0
    if is_straight(ranks):
        return 1 if suited else 3
    if is_three_of_a_kind(three):
        return 2
    return 4 if suited else LOSE


BET = Bet(
    classify=three_card_bonus,
    outcomes=("mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush"),
    scene=Opening(own_cards=3),
    suits="own",
    faces=True,
)
