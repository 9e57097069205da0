"""The rounds a game file can name."""

from croupier.kernels.baccarat import baccarat_round
from croupier.kernels.blackjack import blackjack_round
from croupier.kernels.blackjack_switch import blackjack_switch_round
from croupier.kernels.double_barrel import double_barrel_round
from croupier.kernels.double_down_madness import double_down_madness_round
from croupier.kernels.link import Kernel
from croupier.kernels.scenes import BaccaratResult, DealerHand, Opening, Scene

ROUNDS: dict[str, Kernel] = {
    "blackjack": blackjack_round,
    "double_down_madness": double_down_madness_round,
    "double_barrel": double_barrel_round,
    "blackjack_switch": blackjack_switch_round,
    "mini_baccarat": baccarat_round,
}
TWO_HANDS = ("double_barrel", "blackjack_switch")
"""Rounds in which each seat starts with two hands and two equal wagers."""
SCENES: dict[str, tuple[Scene, ...]] = {
    "blackjack": (Opening(own_cards=2), Opening(own_cards=3), DealerHand()),
    "double_down_madness": (DealerHand(),),
    "double_barrel": (Opening(own_cards=3), DealerHand()),
    "blackjack_switch": (Opening(own_cards=4), Opening(own_cards=2, dealer_cards=2), DealerHand()),
    "mini_baccarat": (BaccaratResult(),),
}
"""What a round shows to side bets. Two cards are the player's first two; three are those and the up card, in Double
Barrel, whose hands begin with one card each, the player's first three."""
