"""The banker hand without commission: a win with a seven of three cards is told apart. It pushes the main wager, and
Dragon 7 is a wager on it."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import size_of, total_of
from croupier.kernels.scenes import BaccaratResult


def banker_without_commission(own: int, other: int, options: int) -> int:
    if total_of(own) <= total_of(other):
        return 1 if total_of(own) == total_of(other) else LOSE
    return 2 if size_of(own) == 3 and total_of(own) == 7 else 0


BET = Bet(
    classify=banker_without_commission,
    outcomes=("win", "tie", "three_card_seven"),
    scene=BaccaratResult(),
)
