"""House Money: the player's first two cards are a pair, or neighbors, ace high or low, of one suit for more."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import ACE, KING
from croupier.kernels.rows import rank_at, suit_at
from croupier.kernels.scenes import Opening

SUITED_ACE_KING, STRAIGHT_FLUSH, PAIR, STRAIGHT = range(4)
OUTCOMES = ("suited_ace_king", "straight_flush", "pair", "straight")


def house_money(two: int, other: int, options: int) -> int:
    low, high = rank_at(two, 0), rank_at(two, 1)
    if low == high:
        return PAIR
    ace_king = low == ACE and high == KING
    if high - low != 1 and not ace_king:
        return LOSE
    if suit_at(two, 0) != suit_at(two, 1):
        return STRAIGHT
    return SUITED_ACE_KING if ace_king else STRAIGHT_FLUSH


BET = Bet(classify=house_money, outcomes=OUTCOMES, scene=Opening(own_cards=2, cards=True), suits="own")
