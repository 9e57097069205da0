"""Buster Blackjack: the dealer busts; the more cards it takes, the more it pays."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import size_of, total_of
from croupier.kernels.scenes import DealerHand


def buster(dealer: int, player: int, options: int) -> int:
    if total_of(dealer) <= 21:
        return LOSE
    return 8 - min(size_of(dealer), 8)


BET = Bet(
    classify=buster,
    outcomes=("bust_8", "bust_7", "bust_6", "bust_5", "bust_4", "bust_3"),
    scene=DealerHand(),
)
