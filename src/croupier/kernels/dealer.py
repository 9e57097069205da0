"""The dealer's hand in the blackjack family."""

from croupier.kernels.effects import DEALER, DEALER_DONE, HOLE, Table, World, draw, settle
from croupier.kernels.hands import EMPTY, SOFT, TOTAL_MASK, add_card, total_of

STANDS_ON_SOFT_17 = 0
HITS_SOFT_17 = 1


def dealer_draws(hand: int, soft17: int) -> bool:
    """The dealer draws to 16, stands on hard 17 and more; soft 17 by the house's rule."""
    return total_of(hand) < 17 or (soft17 == HITS_SOFT_17 and hand & (TOTAL_MASK | SOFT) == 17 | SOFT)


def complete_dealer_hand(world: World, table: Table, hand: int, soft17: int) -> tuple[int, World]:
    """Draws until the rule says stand."""
    while dealer_draws(hand, soft17):
        card, world = draw(world, table, DEALER)
        hand = add_card(hand, card)
    return hand, world


def play_dealer_alone(world: World, table: Table, soft17: int) -> tuple[int, int, World]:
    """Up card, hole card, the hand played out: the up card by itself as a hand, and the final hand."""
    card, world = draw(world, table, DEALER)
    up = add_card(EMPTY, card)
    hole, world = draw(world, table, HOLE)
    hand, world = complete_dealer_hand(world, table, add_card(up, hole), soft17)
    return up, hand, world


def dealer_round(world: World, table: Table, soft17: int) -> World:
    """The dealer alone, for bets on the dealer's hand.

    With players at the table the same cards come later in the shoe. Which cards go to the players before is decided by
    rules that do not look ahead, and cards after such a stop are distributed like the first ones: so this round gives
    the exact odds of every bet on the dealer's hand (docs/method.md).
    """
    _up, hand, world = play_dealer_alone(world, table, soft17)
    return settle(world, table, 0, 0, DEALER_DONE, hand, EMPTY)
