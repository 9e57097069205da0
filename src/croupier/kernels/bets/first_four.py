"""First four cards of Blackjack Switch: the player's four cards, ranks only."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import count_of
from croupier.kernels.scenes import Opening


def first_four(four: int, dealer: int, options: int) -> int:
    pairs = 0
    most = 0
    for rank in range(13):
        count = count_of(four, rank)
        most = max(most, count)
        if count == 2:
            pairs += 1
    if most == 4:
        return 0
    if pairs == 2:
        return 1
    if most == 3:
        return 2
    return 3 if pairs == 1 else LOSE


BET = Bet(
    classify=first_four,
    outcomes=("four_of_a_kind", "two_pair", "three_of_a_kind", "pair"),
    scene=Opening(own_cards=4),
    faces=True,
)
