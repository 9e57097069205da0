"""The main wager on a tie."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import total_of
from croupier.kernels.scenes import BaccaratResult


def baccarat_tie(own: int, other: int, options: int) -> int:
    return 0 if total_of(own) == total_of(other) else LOSE


BET = Bet(classify=baccarat_tie, outcomes=("tie",), scene=BaccaratResult())
