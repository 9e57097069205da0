"""Lucky Lucky: the player's first two cards and the dealer's up card as one three-card hand."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import SEVEN, SIX, one_suit, ranks_in, suits_in, total_of
from croupier.kernels.scenes import Opening

THREE_SEVENS = 3 << 4 * SEVEN
SIX_SEVEN_EIGHT = 0x111 << 4 * SIX


def lucky_lucky(three: int, dealer: int, options: int) -> int:
    suited = one_suit(suits_in(three))
    ranks = ranks_in(three)
    if ranks == THREE_SEVENS:
        return 0 if suited else 2
    if ranks == SIX_SEVEN_EIGHT:
        return 1 if suited else 3
    total = total_of(three)
    if total == 21:
        return 4 if suited else 5
    if total == 20:
        return 6
    return 7 if total == 19 else LOSE


BET = Bet(
    classify=lucky_lucky,
    outcomes=("suited_777", "suited_678", "777", "678", "suited_21", "total_21", "total_20", "total_19"),
    scene=Opening(own_cards=3),
    suits="own",
)
