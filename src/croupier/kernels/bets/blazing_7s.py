"""Blazing 7's by the dealer's up card: sevens among the player's first two cards, three with the up card."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import DIAMONDS, SEVEN, count_of, one_color, one_suit, suits_in
from croupier.kernels.rows import hand_of_row, rank_at
from croupier.kernels.scenes import Opening

SEVENS = ("three_diamonds", "three_suited", "three_of_a_color", "three_sevens", "two_sevens", "one_seven")


def three_sevens(suits: int) -> int:
    """Three sevens by the suits that they have."""
    if one_suit(suits):
        return 0 if suits == 1 << DIAMONDS else 1
    return 2 if one_color(suits) else 3


def blazing_7s(two: int, third: int, options: int) -> int:
    sevens = count_of(hand_of_row(two), SEVEN)
    if sevens == 2:
        suits = suits_in(hand_of_row(two)) | suits_in(hand_of_row(third))
        return three_sevens(suits) if rank_at(third, 0) == SEVEN else 4
    return 5 if sevens == 1 else LOSE


BET = Bet(classify=blazing_7s, outcomes=SEVENS, scene=Opening(own_cards=2, dealer_cards=1, cards=True), suits="all")
