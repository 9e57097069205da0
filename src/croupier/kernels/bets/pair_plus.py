"""Pair Plus and three-card bonuses: three cards, a pair or better."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.poker import class_of
from croupier.kernels.poker_three import MINI_ROYAL, THREE_CARD_HIGH, THREE_CARD_STRAIGHT_FLUSH, rank_three
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import EMPTY_SET


def pair_plus(three: int, other: int, options: int) -> int:
    """By three cards; best a suited ace-king-queen, where the pay table has it. A dead wager is shown no cards."""
    if three == EMPTY_SET:
        return LOSE
    rank = rank_three(three)
    if rank == MINI_ROYAL:
        return 0
    hand_class = class_of(rank)
    return LOSE if hand_class == THREE_CARD_HIGH else 1 + THREE_CARD_STRAIGHT_FLUSH - hand_class


BET = Bet(
    classify=pair_plus,
    outcomes=("mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", "pair"),
    scene=Dealt(own_cards=3),
)
