"""Push 22: wins when the dealer's final hand is exactly 22, more when its cards share a suit or a color."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import one_color, one_suit, suits_in, total_of
from croupier.kernels.scenes import DealerHand


def push_22(dealer: int, player: int, options: int) -> int:
    if total_of(dealer) != 22:
        return LOSE
    suits = suits_in(dealer)
    if one_suit(suits):
        return 0
    return 1 if one_color(suits) else 2


BET = Bet(
    classify=push_22,
    outcomes=("suited_22", "same_colour_22", "other_22"),
    scene=DealerHand(),
    suits="own",
)
