"""Six Card Bonus: the best five of six cards, three of a kind or better."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.poker_five import FROM_THE_TOP, TRIPS, place_from_top, rank_five_of_six
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import EMPTY_SET


def six_card_bonus(six: int, other: int, options: int) -> int:
    """The best five of the own and the dealer's cards. A dead wager is shown no cards."""
    return LOSE if six == EMPTY_SET else place_from_top(rank_five_of_six(six), TRIPS)


BET = Bet(classify=six_card_bonus, outcomes=FROM_THE_TOP[:7], scene=Dealt(own_cards=6))
