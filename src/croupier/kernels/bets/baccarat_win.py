"""The main wagers on player or banker: the own hand is the one wagered on."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import total_of
from croupier.kernels.scenes import BaccaratResult


def baccarat_win(own: int, other: int, options: int) -> int:
    if total_of(own) == total_of(other):
        return 1
    return 0 if total_of(own) > total_of(other) else LOSE


BET = Bet(classify=baccarat_win, outcomes=("win", "tie"), scene=BaccaratResult())
