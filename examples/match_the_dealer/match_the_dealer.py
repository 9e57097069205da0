"""Match the Dealer: the player's first two cards compared with the dealer's up card."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.rows import card_at, rank_at
from croupier.kernels.scenes import Opening


def match_the_dealer(own: int, dealer: int, options: int) -> int:
    suited = 0
    other = 0
    for place in range(2):
        if card_at(own, place) == card_at(dealer, 0):
            suited += 1
        elif rank_at(own, place) == rank_at(dealer, 0):
            other += 1
    if suited == 2:
        return 0
    if suited == 1:
        return 1 if other == 1 else 2
    if other == 2:
        return 3
    return 4 if other == 1 else LOSE


BET = Bet(
    classify=match_the_dealer,
    outcomes=("two_suited", "suited_and_other", "suited", "two_others", "other"),
    scene=Opening(own_cards=2, dealer_cards=1, cards=True),
)
