"""Base blackjack."""

from croupier.kernels.blackjack import (
    COUNT_AT,
    FIRST_CARD,
    HAND,
    OPENING_AT,
    BlackjackRules,
    ask_before_play,
    before_check,
    dealers_turn,
    may_have_blackjack,
    note_naturals,
    offer_insurance,
    opening_row,
    pay_naturals,
    place_of,
    play_seat,
    set_hand,
    settle_insurance,
    settle_opening,
    settle_with_hole,
    settling_seat,
    slot,
    stake_hands,
)
from croupier.kernels.blackjack_family import declare, openings
from croupier.kernels.effects import (
    DEALER,
    HOLE,
    OPENING_THREE,
    OPENING_TWO,
    Memory,
    Stakes,
    Table,
    World,
    draw,
    row_moment,
    settle,
)
from croupier.kernels.hands import EMPTY, add_card, is_blackjack
from croupier.kernels.rows import CARD_BITS, EMPTY_ROW, add_to_row
from croupier.kernels.scenes import DealerHand, Opening

ROW_OF_THREE = row_moment(3, 0)


def blackjack_round(world: World, table: Table, hands: Memory, stakes: Stakes, rules: BlackjackRules) -> World:
    """Base blackjack for one to seven seats."""
    world = stake_hands(world, table, stakes, rules, 1)
    for seat in range(rules.seats):
        card, world = draw(world, table, place_of(seat, 0))
        hands[slot(seat, 0) + FIRST_CARD] = card
    up, world = draw(world, table, DEALER)
    for seat in range(rules.seats):
        card, world = draw(world, table, place_of(seat, 0))
        first = hands[slot(seat, 0) + FIRST_CARD]
        set_hand(hands, slot(seat, 0), first, card, stakes[seat], 0, 0)
        hands[OPENING_AT + seat] = first | card << CARD_BITS
        hands[COUNT_AT + seat] = 1
    hole, world = draw(world, table, HOLE)
    dealer = add_card(add_card(EMPTY, up), hole)
    for turn in range(rules.seats):
        seat = settling_seat(rules, turn)
        world = settle(world, table, seat, 0, OPENING_TWO, hands[slot(seat, 0) + HAND], EMPTY)
        world = settle(world, table, seat, 0, OPENING_THREE, add_card(hands[slot(seat, 0) + HAND], up), EMPTY)
        world = settle_opening(world, table, hands, seat, up, 2)
        world = settle(world, table, seat, 0, ROW_OF_THREE, add_to_row(opening_row(hands, seat, 2), up), EMPTY_ROW)
        note_naturals(hands, seat)
    world = offer_insurance(world, table, hands, rules, up, 1)
    world = before_check(world, table, hands, rules, up)
    known = rules.peek == 1 or not may_have_blackjack(up)
    if not (known and is_blackjack(dealer)):
        if known:
            world = settle_insurance(world, table, hands, rules, False, 1)
        for seat in range(rules.seats):
            world = ask_before_play(world, table, hands, rules, up, seat)
        for seat in range(rules.seats):
            if known:
                world = pay_naturals(world, table, hands, rules, seat)
            world = play_seat(world, table, hands, rules, up, seat)
    world = dealers_turn(world, table, hands, rules, dealer, 1)
    return settle_with_hole(world, table, hands, rules, up, hole, 2)


ROUND = declare(
    blackjack_round,
    (Opening(own_cards=2), Opening(own_cards=3), DealerHand(), *openings(2), Opening(own_cards=3, cards=True)),
    rules=BlackjackRules(),
)
