"""Blackjack Switch: two hands whose second cards may be exchanged."""

from croupier.kernels.bets.kings_bounty import waits_for_the_dealer
from croupier.kernels.blackjack import (
    ASIDE_AT,
    COUNT_AT,
    ENDED,
    FIRST_CARD,
    HAND,
    OPENING_AT,
    SECOND_ASIDE_AT,
    SECOND_CARD,
    STAKE,
    STATUS,
    WAITING,
    BlackjackRules,
    dealers_turn,
    note_naturals,
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
)
from croupier.kernels.blackjack_family import MOST_SPLIT, declare, openings
from croupier.kernels.effects import (
    CHOICE_MASK,
    DEALER,
    HOLE,
    KEEP,
    OPENING_FOUR,
    OPENING_TWO_AND_DEALER,
    SWAPPED,
    SWITCH,
    SWITCH_CARDS,
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
from croupier.kernels.scenes import DealerHand, Opening, Scene


def offer_switch(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, seat: int) -> World:
    """The seat may exchange the second cards of its hands, unless one is settled or a natural may not be broken."""
    one, two = slot(seat, 0), slot(seat, 1)
    if hands[one + STATUS] == ENDED or hands[two + STATUS] == ENDED:
        return world
    has_natural = hands[one + STATUS] == WAITING or hands[two + STATUS] == WAITING
    if has_natural and rules.natural_may_be_broken == 0:
        return world
    answer, world = ask(world, table, seat, 0, SWITCH_CARDS, 1 << KEEP | 1 << SWITCH, up)
    if answer & CHOICE_MASK == SWITCH:
        from_one, from_two = hands[one + SECOND_CARD], hands[two + SECOND_CARD]
        set_hand(hands, one, hands[one + FIRST_CARD], from_two, hands[one + STAKE], 0, 0)
        set_hand(hands, two, hands[two + FIRST_CARD], from_one, hands[two + STAKE], 1, 0)
        if rules.switched_blackjack == 1:
            note_naturals(hands, seat)
        world = tell(world, table, SWAPPED, place_of(seat, 0), place_of(seat, 1))
    return world


def settle_bounty(
    world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, dealer: int, at_the_end: bool
) -> World:
    """King's Bounty on the hands as dealt: at once, or at the end of the round where the dealer's cards decide."""
    for turn in range(rules.seats):
        seat = settling_seat(rules, turn)
        for hand in range(1 + rules.bounty_on_each_hand):
            two = hands[ASIDE_AT + seat] if hand == 0 else hands[SECOND_ASIDE_AT + seat]
            if waits_for_the_dealer(two, up) == at_the_end:
                world = settle(world, table, seat, hand, OPENING_TWO_AND_DEALER, two, dealer)
    return world


def deal_two_hands(
    world: World, table: Table, hands: Memory, stakes: Stakes, rules: BlackjackRules
) -> tuple[int, int, World]:
    """Up card and hole card. A card on each hand of each seat, up card, a second card on each, hole card."""
    world = stake_hands(world, table, stakes, rules, 2)
    for seat in range(rules.seats):
        for hand in range(2):
            card, world = draw(world, table, place_of(seat, hand))
            hands[slot(seat, hand) + FIRST_CARD] = card
    up, world = draw(world, table, DEALER)
    for seat in range(rules.seats):
        dealt = 0
        for hand in range(2):
            at = slot(seat, hand)
            card, world = draw(world, table, place_of(seat, hand))
            dealt |= (hands[at + FIRST_CARD] | card << CARD_BITS) << 2 * CARD_BITS * hand
            set_hand(hands, at, hands[at + FIRST_CARD], card, stakes[seat], hand, 0)
        hands[OPENING_AT + seat] = dealt
        hands[COUNT_AT + seat] = 2
        hands[ASIDE_AT + seat] = hands[slot(seat, 0) + HAND]
        hands[SECOND_ASIDE_AT + seat] = hands[slot(seat, 1) + HAND]
        note_naturals(hands, seat)
    hole, world = draw(world, table, HOLE)
    return up, hole, world


def blackjack_switch_round(world: World, table: Table, hands: Memory, stakes: Stakes, rules: BlackjackRules) -> World:
    """Side bets; insurance; the switch before or after the dealer looks, by version; hands; dealer."""
    up, hole, world = deal_two_hands(world, table, hands, stakes, rules)
    two_cards = add_card(add_card(EMPTY, up), hole)
    for turn in range(rules.seats):
        seat = settling_seat(rules, turn)
        two = slot(seat, 1)
        four = add_card(add_card(hands[slot(seat, 0) + HAND], hands[two + FIRST_CARD]), hands[two + SECOND_CARD])
        world = settle(world, table, seat, 0, OPENING_FOUR, four, EMPTY)
        world = settle_opening(world, table, hands, seat, up, 2)
        world = settle_opening(world, table, hands, seat, up, 4)
    world = settle_bounty(world, table, hands, rules, up, two_cards, False)
    world = offer_insurance(world, table, hands, rules, up, 2)
    if rules.switch_first == 1:
        for seat in range(rules.seats):
            world = offer_switch(world, table, hands, rules, up, seat)
    if not is_blackjack(two_cards):
        world = settle_insurance(world, table, hands, rules, False, 2)
        if rules.natural_may_be_broken == 0 or rules.switch_first == 1:
            for seat in range(rules.seats):
                world = pay_naturals(world, table, hands, rules, seat)
        for seat in range(rules.seats):
            if rules.switch_first == 0:
                world = offer_switch(world, table, hands, rules, up, seat)
                world = pay_naturals(world, table, hands, rules, seat)
            world = play_seat(world, table, hands, rules, up, seat)
    world = dealers_turn(world, table, hands, rules, two_cards, 2)
    world = settle_bounty(world, table, hands, rules, up, two_cards, True)
    world = settle_with_hole(world, table, hands, rules, up, hole, 2)
    return settle_with_hole(world, table, hands, rules, up, hole, 4)


FIRST_TWO_AND_DEALER = Opening(own_cards=2, dealer_cards=2)


def scenes_on_each_hand(rules: BlackjackRules, scene: Scene) -> bool:
    """King's Bounty, where the house has it on each hand."""
    return rules.bounty_on_each_hand == 1 and scene == FIRST_TWO_AND_DEALER


ROUND = declare(
    blackjack_switch_round,
    (Opening(own_cards=4), FIRST_TWO_AND_DEALER, DealerHand(), *openings(2), *openings(4)),
    rules=BlackjackRules(pushes_22=1),
    program="switch",
    hands=2,
    most_hands=2 * MOST_SPLIT,
    asks=("switch",),
    scenes_on_each_hand=scenes_on_each_hand,
)
