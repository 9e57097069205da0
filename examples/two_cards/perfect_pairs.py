"""Perfect Pairs: the player's first two cards are of one rank, and best also of one suit, then of one color."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import count_of, one_color, one_suit, suits_in
from croupier.kernels.scenes import Opening


def perfect_pairs(two: int, dealer: int, options: int) -> int:
    suits = suits_in(two)
    for rank in range(13):
        if count_of(two, rank) == 2:
            if one_suit(suits):
                return 0
            return 1 if one_color(suits) else 2
    return LOSE


BET = Bet(
    classify=perfect_pairs,
    outcomes=("perfect_pair", "colored_pair", "mixed_pair"),
    scene=Opening(own_cards=2),
    suits="own",
    faces=True,
)
