"""King's Bounty: a first hand of 20, best two kings of spades while the dealer has blackjack."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import (
    JACK,
    KING,
    QUEEN,
    SPADES,
    TEN,
    is_blackjack,
    one_suit,
    ranks_in,
    suits_in,
    total_of,
    value_of,
)
from croupier.kernels.scenes import Opening

TWO_KINGS = 2 << 4 * KING


def is_pair_of_ten_jack_queen(ranks: int) -> bool:
    return ranks == 2 << 4 * TEN or ranks == 2 << 4 * JACK or ranks == 2 << 4 * QUEEN


def kings_bounty(two: int, dealer: int, options: int) -> int:
    """`two` is the first hand's two cards as dealt; `dealer` the dealer's two cards, which decide only the top row."""
    if total_of(two) != 20:
        return LOSE
    suits = suits_in(two)
    ranks = ranks_in(two)
    if ranks == TWO_KINGS:
        if suits == 1 << SPADES:
            return 0 if is_blackjack(dealer) else 1
        return 2 if one_suit(suits) else 5
    if one_suit(suits):
        return 3 if is_pair_of_ten_jack_queen(ranks) else 4
    return 6


def waits_for_the_dealer(two: int, up: int) -> bool:
    """Two kings of spades are settled at the end of the round if the dealer may have blackjack."""
    kings_of_spades = ranks_in(two) == TWO_KINGS and suits_in(two) == 1 << SPADES
    return kings_of_spades and (value_of(up) == 1 or value_of(up) == 10)


BET = Bet(
    classify=kings_bounty,
    outcomes=(
        "kings_of_spades_dealer_blackjack",
        "kings_of_spades",
        "suited_kings",
        "suited_queens_jacks_tens",
        "suited_20",
        "kings",
        "unsuited_20",
    ),
    scene=Opening(own_cards=2, dealer_cards=2),
    suits="own",
    faces=True,
)
