"""Bets decided by the opening deal: so many cards for the hand the bet looks at, so many for the dealer."""

from typing import Any

from croupier.kernels.effects import (
    DEALER,
    OPENING_FOUR,
    OPENING_THREE,
    OPENING_TWO,
    OPENING_TWO_AND_DEALER,
    draw,
    settle,
)
from croupier.kernels.hands import EMPTY, add_card


def opening_round(world: Any, table: Any, own_cards: int, dealer_cards: int) -> Any:
    """Deals the cards such a bet looks at. In the real order other cards lie between them, which changes no odds."""
    own = EMPTY
    for _ in range(own_cards):
        card, world = draw(world, table, 0)
        own = add_card(own, card)
    dealer = EMPTY
    for _ in range(dealer_cards):
        card, world = draw(world, table, DEALER)
        dealer = add_card(dealer, card)
    moment = OPENING_THREE
    if own_cards == 4:
        moment = OPENING_FOUR
    elif dealer_cards > 0:
        moment = OPENING_TWO_AND_DEALER
    elif own_cards == 2:
        moment = OPENING_TWO
    return settle(world, table, 0, 0, moment, own, dealer)
