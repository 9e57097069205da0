"""Blazing 7's by the player's cards alone: the third is the one that the seat draws first, if it draws."""

from croupier.kernels.bets import Bet
from croupier.kernels.bets.blazing_7s import SEVENS, blazing_7s
from croupier.kernels.scenes import ThirdCard

BET = Bet(classify=blazing_7s, outcomes=SEVENS, scene=ThirdCard(), suits="all")
