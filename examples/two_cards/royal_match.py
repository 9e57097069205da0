"""Royal Match: the player's first two cards are of one suit; king and queen of one suit pay more."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import KING, QUEEN, count_of, one_suit, suits_in
from croupier.kernels.scenes import Opening


def royal_match(two: int, dealer: int, options: int) -> int:
    if not one_suit(suits_in(two)):
        return LOSE
    return 0 if count_of(two, KING) == 1 and count_of(two, QUEEN) == 1 else 1


BET = Bet(
    classify=royal_match,
    outcomes=("royal_match", "easy_match"),
    scene=Opening(own_cards=2),
    suits="own",
    faces=True,
)
