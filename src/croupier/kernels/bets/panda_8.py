"""Panda 8, or Golden 8: the player hand wins with an eight of three cards."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import size_of, total_of
from croupier.kernels.scenes import BaccaratResult


def panda_8(own: int, other: int, options: int) -> int:
    return 0 if size_of(own) == 3 and total_of(own) == 8 and total_of(other) < 8 else LOSE


BET = Bet(classify=panda_8, outcomes=("three_card_eight",), scene=BaccaratResult())
