"""Progressives of poker titles: five cards, three of a kind or better, a royal flush for the meter."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.poker_five import FROM_THE_TOP, TRIPS, place_from_top, rank_five
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import EMPTY_SET


def five_card_progressive(five: int, other: int, options: int) -> int:
    """Whoever's the five cards are. A dead wager is shown no cards."""
    return LOSE if five == EMPTY_SET else place_from_top(rank_five(five), TRIPS)


BET = Bet(classify=five_card_progressive, outcomes=FROM_THE_TOP[:7], scene=Dealt(own_cards=5))
