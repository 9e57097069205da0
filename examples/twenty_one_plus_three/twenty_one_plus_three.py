"""21+3: the player's first two cards and the dealer's up card as a three-card poker hand."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import ACE, QUEEN, count_of, one_suit, ranks_in, suits_in
from croupier.kernels.scenes import Opening

ACE_KING_QUEEN = 1 << 4 * ACE | 0x11 << 4 * QUEEN


def is_straight(ranks: int) -> bool:
    for low in range(11):
        if ranks == 0x111 << 4 * low:
            return True
    return ranks == ACE_KING_QUEEN


def most_of_a_rank(hand: int) -> int:
    most = 0
    for rank in range(13):
        most = max(most, count_of(hand, rank))
    return most


def twenty_one_plus_three(three: int, dealer: int, options: int) -> int:
    flush = one_suit(suits_in(three))
    same = most_of_a_rank(three)
    if same == 3:
        return 0 if flush else 2
    if is_straight(ranks_in(three)):
        return 1 if flush else 3
    if flush:
        return 4
    return 5 if same == 2 else LOSE


BET = Bet(
    classify=twenty_one_plus_three,
    outcomes=("suited_trips", "straight_flush", "trips", "straight", "flush", "pair"),
    scene=Opening(own_cards=3),
    suits="own",
    faces=True,
)
