"""The main wager on a tie."""

from croupier.kernels.bets import LOSE, BaccaratResult, Bet
from croupier.kernels.hands import total_of


def baccarat_tie(own: int, other: int, options: int) -> int:
    return 0 if total_of(own) == total_of(other) else LOSE


BET = Bet(classify=baccarat_tie, outcomes=("tie",), scene=BaccaratResult())
