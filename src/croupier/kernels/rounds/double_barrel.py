"""Double Barrel Blackjack: two hands of one card and a flex card that the player places."""

from croupier.kernels.blackjack import (
    ASIDE_AT,
    COUNT_AT,
    DOUBLE_BARREL,
    FIRST_CARD,
    HAND,
    NO_CARD,
    OPENING_AT,
    SECOND_CARD,
    STATUS,
    WAITING,
    BlackjackRules,
    dealers_turn,
    draw_first_card,
    draw_hole_card,
    offer_insurance,
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
    take_card,
)
from croupier.kernels.blackjack_family import MOST_SPLIT, declare, openings
from croupier.kernels.declaration import Place
from croupier.kernels.effects import (
    BOTH,
    CHOICE_MASK,
    COPIED,
    FIRST,
    FLEX,
    FLEX_CARD,
    MOVED,
    OPENING_THREE,
    SECOND,
    Memory,
    Stakes,
    Table,
    World,
    ask,
    draw,
    settle,
    tell,
)
from croupier.kernels.hands import EMPTY, add_card, is_blackjack
from croupier.kernels.rows import CARD_BITS
from croupier.kernels.scenes import DealerHand, Opening


def makes_blackjack(one: int, other: int) -> bool:
    return is_blackjack(add_card(add_card(EMPTY, one), other))


def place_flex_card(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, seat: int) -> World:
    """The seat puts the flex card on one hand; the next card of the shoe goes on the other."""
    one, two, flex = slot(seat, 0), slot(seat, 1), hands[ASIDE_AT + seat]
    legal = 1 << FIRST | 1 << SECOND
    if makes_blackjack(hands[one + FIRST_CARD], flex) and makes_blackjack(hands[two + FIRST_CARD], flex):
        legal |= 1 << BOTH
    answer, world = ask(world, table, seat, 0, FLEX_CARD, legal, up)
    choice = answer & CHOICE_MASK
    if choice == BOTH:
        for at in (one, two):
            hands[at + SECOND_CARD] = flex
            hands[at + HAND] = add_card(hands[at + HAND], flex)
            hands[at + STATUS] = DOUBLE_BARREL
        world = tell(world, table, COPIED, FLEX + seat, place_of(seat, 0))
        return tell(world, table, MOVED, FLEX + seat, place_of(seat, 1))
    chosen = 0 if choice == FIRST else 1
    at = slot(seat, chosen)
    hands[at + SECOND_CARD] = flex
    hands[at + HAND] = add_card(hands[at + HAND], flex)
    world = tell(world, table, MOVED, FLEX + seat, place_of(seat, chosen))
    world = take_card(world, table, hands, seat, 1 - chosen)
    for hand in range(2):
        counts = hand == chosen or rules.next_card_blackjack == 1
        if counts and is_blackjack(hands[slot(seat, hand) + HAND]):
            hands[slot(seat, hand) + STATUS] = WAITING
    return world


def double_barrel_round(world: World, table: Table, hands: Memory, stakes: Stakes, rules: BlackjackRules) -> World:
    """Two cards to each seat, up card, flex cards, hole card; bonus; flex cards placed; check; hands; dealer."""
    world = stake_hands(world, table, stakes, rules, 2)
    for seat in range(rules.seats):
        for hand in range(2):
            card, world = draw(world, table, place_of(seat, hand))
            set_hand(hands, slot(seat, hand), card, NO_CARD, stakes[seat], hand, 0)
        hands[COUNT_AT + seat] = 2
    up, world = draw_first_card(world, table, rules)
    for seat in range(rules.seats):
        card, world = draw(world, table, FLEX + seat)
        hands[ASIDE_AT + seat] = card
        both = hands[slot(seat, 0) + FIRST_CARD] | hands[slot(seat, 1) + FIRST_CARD] << CARD_BITS
        hands[OPENING_AT + seat] = both | card << 2 * CARD_BITS
    hole, world = draw_hole_card(world, table, rules)
    dealer = add_card(add_card(EMPTY, up), hole)
    for turn in range(rules.seats):
        seat = settling_seat(rules, turn)
        flex = hands[ASIDE_AT + seat]
        three = add_card(add_card(hands[slot(seat, 0) + HAND], hands[slot(seat, 1) + FIRST_CARD]), flex)
        world = settle(world, table, seat, 0, OPENING_THREE, three, EMPTY)
        world = settle_opening(world, table, hands, seat, up, 3)
    if rules.dealer_checks_first == 1:
        world = offer_insurance(world, table, hands, rules, up, 2)
    if rules.dealer_checks_first == 0 or not is_blackjack(dealer):
        for seat in range(rules.seats):
            world = place_flex_card(world, table, hands, rules, up, seat)
    if rules.dealer_checks_first == 0:
        world = offer_insurance(world, table, hands, rules, up, 2)
    if not is_blackjack(dealer):
        world = settle_insurance(world, table, hands, rules, False, 2)
        for seat in range(rules.seats):
            world = pay_naturals(world, table, hands, rules, seat)
        for seat in range(rules.seats):
            world = play_seat(world, table, hands, rules, up, seat)
    world = dealers_turn(world, table, hands, rules, dealer, 2)
    return settle_with_hole(world, table, hands, rules, up, hole, 3)


ROUND = declare(
    double_barrel_round,
    (Opening(own_cards=3), DealerHand(), *openings(3)),
    rules=BlackjackRules(pushes_22=1),
    program="flex",
    hands=2,
    most_hands=2 * MOST_SPLIT,
    asks=("flex",),
    blackjacks=("double_barrel_blackjack", "blackjack"),
    places=(Place(id="flex", label="Flex card", number=FLEX),),
)
