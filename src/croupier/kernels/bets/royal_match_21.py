"""Royal Match: the player's first two cards are of one suit, best king and queen."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import KING, QUEEN, one_suit, ranks_in, suits_in
from croupier.kernels.scenes import Opening

KING_AND_QUEEN = 1 << 4 * KING | 1 << 4 * QUEEN


def royal_match_21(two: int, dealer: int, options: int) -> int:
    if not one_suit(suits_in(two)):
        return LOSE
    return 0 if ranks_in(two) == KING_AND_QUEEN else 1


BET = Bet(
    classify=royal_match_21,
    outcomes=("royal_match", "easy_match"),
    scene=Opening(own_cards=2),
    suits="own",
    faces=True,
)
