"""Bet the Set: the player's first two cards are of one rank, best also of one suit."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import count_of, one_suit, suits_in
from croupier.kernels.scenes import Opening


def bet_the_set(two: int, dealer: int, options: int) -> int:
    for rank in range(13):
        if count_of(two, rank) == 2:
            return 0 if one_suit(suits_in(two)) else 1
    return LOSE


BET = Bet(
    classify=bet_the_set,
    outcomes=("suited_pair", "pair"),
    scene=Opening(own_cards=2),
    suits="own",
    faces=True,
)
