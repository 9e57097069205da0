"""King's Bounty beside blackjack: the same bet, on first cards that are rows."""

from croupier.kernels.bets import Bet
from croupier.kernels.bets.kings_bounty import BET as OF_HANDS
from croupier.kernels.bets.kings_bounty import kings_bounty
from croupier.kernels.rows import hand_of_row
from croupier.kernels.scenes import Opening


def kings_bounty_beside_blackjack(two: int, dealer: int, options: int) -> int:
    return kings_bounty(hand_of_row(two), hand_of_row(dealer), options)


BET = Bet(
    classify=kings_bounty_beside_blackjack,
    outcomes=OF_HANDS.outcomes,
    scene=Opening(own_cards=2, dealer_cards=2, cards=True),
    suits="all",
    faces=True,
)
