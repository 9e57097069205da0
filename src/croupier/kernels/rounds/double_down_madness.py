"""Double Down Madness: one card to start with, hit or double after every card."""

from croupier.kernels.blackjack import (
    COUNT_AT,
    FIRST_CARD,
    HAND,
    NO_CARD,
    OPENING_AT,
    STAKE,
    BlackjackRules,
    dealers_turn,
    double_wager,
    draw_first_card,
    draw_hole_card,
    end_hand,
    offer_insurance,
    place_of,
    set_hand,
    settle_insurance,
    settle_opening,
    settle_with_hole,
    settling_seat,
    slot,
    stake_hands,
    take_card,
)
from croupier.kernels.blackjack_family import declare, openings
from croupier.kernels.effects import (
    ACTION,
    CHOICE_MASK,
    DOUBLE,
    HIT,
    LOSE,
    STAND,
    SUITED_BLACKJACK,
    UNSUITED_BLACKJACK,
    Memory,
    Stakes,
    Table,
    World,
    ask,
    draw,
)
from croupier.kernels.hands import EMPTY, add_card, is_blackjack, one_suit, suits_in, total_of, value_of
from croupier.kernels.scenes import DealerHand

STAND_OR_HIT = 1 << STAND | 1 << HIT
STAND_HIT_OR_DOUBLE = STAND_OR_HIT | 1 << DOUBLE


def counts_as_blackjack(hand: int, first: int, ten_then_ace: int) -> bool:
    """Ace and ten-value as the first two cards; in either order unless the switch says otherwise."""
    return is_blackjack(hand) and (value_of(first) == 1 or ten_then_ace == 1)


def play_madness(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, seat: int) -> World:
    """Stand, hit or double, any number of times in any order, each double up to all the money in play.

    A hand on 21 stands, unless the house asks it like any other.
    """
    at = slot(seat, 0)
    first = hands[at + FIRST_CARD]
    doubles = 0
    while total_of(hands[at + HAND]) < 21 + rules.asks_on_21:
        may_double = rules.max_doubles == 0 or doubles < rules.max_doubles
        legal = STAND_HIT_OR_DOUBLE if may_double else STAND_OR_HIT
        answer, world = ask(world, table, seat, 0, ACTION, legal, up)
        action = answer & CHOICE_MASK
        if action == STAND:
            return world
        if action == DOUBLE:
            doubles += 1
            world = double_wager(world, table, hands, rules, seat, 0, answer)
        world = take_card(world, table, hands, seat, 0)
        if counts_as_blackjack(hands[at + HAND], first, rules.ten_then_ace):
            outcome = SUITED_BLACKJACK if one_suit(suits_in(hands[at + HAND])) else UNSUITED_BLACKJACK
            return end_hand(world, table, hands, seat, 0, outcome, hands[at + STAKE])
        if value_of(first) == 1:  # an ace takes exactly one card
            return world
    if total_of(hands[at + HAND]) > 21:
        world = end_hand(world, table, hands, seat, 0, LOSE, hands[at + STAKE])
    return world


def double_down_madness_round(
    world: World, table: Table, hands: Memory, stakes: Stakes, rules: BlackjackRules
) -> World:
    """Up card, a card to each seat, or the other way round; hole card; insurance and peek; seats in order; dealer."""
    world = stake_hands(world, table, stakes, rules, 1)
    up = NO_CARD
    if rules.dealer_last == 0:
        up, world = draw_first_card(world, table, rules)
    for seat in range(rules.seats):
        card, world = draw(world, table, place_of(seat, 0))
        set_hand(hands, slot(seat, 0), card, NO_CARD, stakes[seat], 0, 0)
        hands[OPENING_AT + seat] = card
        hands[COUNT_AT + seat] = 1
    if rules.dealer_last == 1:
        up, world = draw_first_card(world, table, rules)
    hole, world = draw_hole_card(world, table, rules)
    dealer = add_card(add_card(EMPTY, up), hole)
    for turn in range(rules.seats):
        world = settle_opening(world, table, hands, settling_seat(rules, turn), up, 1)
    world = offer_insurance(world, table, hands, rules, up, 1)
    if not is_blackjack(dealer):
        world = settle_insurance(world, table, hands, rules, False, 1)
        for seat in range(rules.seats):
            world = play_madness(world, table, hands, rules, up, seat)
    world = dealers_turn(world, table, hands, rules, dealer, 1)
    return settle_with_hole(world, table, hands, rules, up, hole, 1)


ROUND = declare(
    double_down_madness_round,
    (DealerHand(), *openings(1)),
    rules=BlackjackRules(pushes_22=1),
    program="doubles",
    most_hands=1,
    blackjacks=("suited_blackjack", "unsuited_blackjack"),
)
