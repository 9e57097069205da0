"""Dragon Bonus Progressive, pay table 3: a win by nine points, best when all cards of both hands share a suit."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import one_suit, size_of, suits_in, total_of
from croupier.kernels.scenes import BaccaratResult


def dragon_suited_nine(own: int, other: int, options: int) -> int:
    if total_of(own) - total_of(other) != 9:
        return LOSE
    if one_suit(suits_in(own) | suits_in(other)):
        cards = size_of(own) + size_of(other)
        if cards == 6:
            return 0
        if cards == 4:
            return 1
    return 2


BET = Bet(
    classify=dragon_suited_nine,
    outcomes=("suited_six_cards", "suited_four_cards", "win_by_9"),
    scene=BaccaratResult(),
    suits="all",
)
