"""What the rounds of the blackjack family share.

The hands of a round lie in one array of integers, `hands`: for each seat up to eight hands of seven fields, then the
number of hands of each seat. Hands are in the order in which they lie on the table, so a split hand stands right after
the hand it was split from, and hands are played in that order.
"""

from typing import Annotated, NamedTuple

from croupier.kernels.dealer import complete_dealer_hand
from croupier.kernels.declaration import LEFT_OPEN, YES_NO, FilledBy
from croupier.kernels.effects import (
    ACTION,
    AMOUNT_AT,
    BLACKJACK,
    CHOICE_MASK,
    DEALER,
    DEALER_BLACKJACK,
    DEALER_DONE,
    DEALER_DOWN,
    DOUBLE,
    DOUBLE_BARREL_BLACKJACK,
    HANDS_PER_SEAT,
    HIT,
    HOLE,
    INSURANCE,
    INSURANCE_WAGER,
    INSURE,
    LOSE,
    MAIN,
    MOST_SEATS,
    MOVED,
    OPENED,
    PUSH,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDERED,
    TURNED,
    WIN,
    Memory,
    Stakes,
    Table,
    World,
    ask,
    draw,
    pay,
    row_moment,
    settle,
    stake,
    tell,
)
from croupier.kernels.hands import EMPTY, add_card, is_blackjack, is_soft, total_of, value_of
from croupier.kernels.rows import CARD_BITS, CARD_MASK, EMPTY_ROW, add_to_row

HAND, FIRST_CARD, SECOND_CARD, STAKE, STATUS, IS_SPLIT, BASE = range(7)
FIELDS = 7
COUNT_AT = MOST_SEATS * HANDS_PER_SEAT * FIELDS
INSURED_AT = COUNT_AT + MOST_SEATS
ASIDE_AT = INSURED_AT + MOST_SEATS * 2
"""One number a seat to be kept for later: a flex card, an opening hand."""
SECOND_ASIDE_AT = ASIDE_AT + MOST_SEATS
OPENING_AT = SECOND_ASIDE_AT + MOST_SEATS
"""One number a seat: the cards that it is dealt at first, `CARD_BITS` each; splits and switches change its hands."""
THIRD_AT = OPENING_AT + MOST_SEATS
"""One number a seat, for rounds that look at its third card: THIRD_WANTED until it comes, then the card."""
HANDS_SIZE = THIRD_AT + MOST_SEATS
"""Integers that `hands` must hold."""
HOUSE_AT = HANDS_SIZE
"""Behind them, in rounds where the house puts up money for a seat: how much, by the place of a hand."""

BEFORE_PLAY = 4
"""The question of a round's own that comes before the hands are played, numbered after those of the family."""
MOST_DOUBLES = 20
"""No hand of 21 or less has more cards to double with."""
NO_CARD = -1
THIRD_WANTED = -1
EXCHANGE = 1
"""The answer by which a hand is thrown away for two new cards, beside KEEP: see `may_exchange` of such rounds."""
FIRST_HAND, LOWEST_HAND, HIGHEST_HAND = range(3)
IN_PLAY, WAITING, ENDED, DOUBLE_BARREL, GIVEN_UP = range(5)
"""Status of a hand: to be compared with the dealer; a blackjack waiting for the dealer's hole card; settled; a
blackjack by a shared flex card; surrendered before the dealer has looked at the hole card."""


class BlackjackRules(NamedTuple):
    """Rules of the family, as integers. Yes is 1; `cap` is in the unit of the stakes."""

    seats: int = 1
    soft17: Annotated[
        int,
        FilledBy("soft17", {"hit": 1, "stand": 0}, printed={1: "Dealer hits soft 17", 0: "Dealer stands on soft 17"}),
    ] = 1
    """1: the dealer hits soft 17."""
    peek: Annotated[int, FilledBy("peek", YES_NO)] = 1
    """Base blackjack: 0 if the dealer looks at the hole card only at the end."""
    double_from: Annotated[int, FilledBy("double_on", {"any": 0, "9-11": 9, "10-11": 10})] = 0
    """The lowest hard total that may be doubled, up to 11; 0 for any two cards."""
    double_after_split: Annotated[int, FilledBy("double_after_split", YES_NO)] = 1
    max_hands: Annotated[int, FilledBy("max_hands", {"1": 1, "2": 2, "3": 3, "4": 4})] = 4
    resplit_aces: Annotated[int, FilledBy("resplit_aces", YES_NO)] = 0
    split_by_rank: Annotated[int, FilledBy("split_by", {"value": 0, "rank": 1})] = 0
    """1: only two cards of the same rank may be split."""
    play_split_aces: Annotated[int, FilledBy("split_aces", {"one_card": 0, "play_on": 1})] = 0
    """1: split aces are played on instead of getting one card each."""
    split_blackjack: Annotated[int, FilledBy("split_ace_ten", {"21": 0, "blackjack": 1})] = 0
    """1: A-10 on a split hand is a blackjack."""
    insurance: Annotated[int, FilledBy("insurance", YES_NO)] = 1
    surrender: Annotated[int, FilledBy("surrender", {"none": 0, "late": 1})] = 0
    pushes_22: Annotated[int, FilledBy("dealer_22", {"bust": 0, "push": 1}, printed={1: "Dealer's 22 pushes"})] = 0
    """1: a dealer's 22 pushes every hand that has not bust."""
    dealer_bets: int = 0
    """Seats, one bit each, with a side wager on the dealer's final hand."""
    cap: int = 0
    """The most that one added wager may be; 0 for no limit."""
    unit: int = 1
    """The smallest amount that can be wagered."""
    ten_then_ace: Annotated[int, FilledBy("ten_then_ace", {"21": 0, "blackjack": 1})] = 1
    """Double Down Madness: 1 if ten-then-ace is a blackjack."""
    dealer_checks_first: Annotated[int, FilledBy("dealer_checks", {"after_flex": 0, "first": 1})] = 0
    """Double Barrel: 1 if the dealer looks for blackjack before the flex cards are placed."""
    blackjack_beats_blackjack: Annotated[int, FilledBy("against_dealer_blackjack", {"wins": 1, "pushes": 0})] = 0
    """1 if a player's blackjack wins against the dealer's."""
    next_card_blackjack: Annotated[int, FilledBy("ace_ten_by_next_card", {"21": 0, "blackjack": 1})] = 1
    """Double Barrel: 1 if A-10 by the next card of the shoe is a blackjack."""
    switch_first: Annotated[int, FilledBy("switching", {"after_check": 0, "before_check": 1})] = 0
    """Blackjack Switch: 1 if cards are switched before the dealer looks for blackjack."""
    switched_blackjack: Annotated[int, FilledBy("switched_ace_ten", {"21": 0, "blackjack": 1})] = 0
    """Blackjack Switch: 1 if a switched A-10 is a blackjack."""
    bounty_on_each_hand: Annotated[int, FilledBy("kings_bounty_on", {"first_hand": 0, "each_hand": 1})] = 0
    """Blackjack Switch: 1 if King's Bounty is a wager on each hand."""
    natural_may_be_broken: Annotated[
        int, FilledBy("natural_may_be_broken", {"by_version": LEFT_OPEN, "yes": 1, "no": 0})
    ] = 0
    """Blackjack Switch: 1 if a natural may be broken by a switch."""
    max_doubles: Annotated[
        int, FilledBy("max_doubles", {"any": 0, **{str(times): times for times in range(1, MOST_DOUBLES + 1)}})
    ] = 0
    """Double Down Madness: how often a hand may be doubled; 0 for any number of times."""
    asks_on_21: Annotated[int, FilledBy("on_21", {"stands": 0, "asked": 1})] = 0
    """Double Down Madness: 1 if a hand on 21 that is no blackjack is asked like any other."""
    hand_after_split: Annotated[
        int, FilledBy("after_split", {"first": FIRST_HAND, "lowest": LOWEST_HAND, "each": HIGHEST_HAND}, "side wagers")
    ] = 0
    """The hand of a seat that counts for side wagers on the dealer's hand."""
    dealer_last: Annotated[int, FilledBy("deal_order", {"dealer_first": 0, "dealer_last": 1}, "side wagers")] = 0
    """Double Down Madness: 1 if the dealer's first card comes after the players' cards."""
    first_face_down: Annotated[int, FilledBy("first_card", {"face_up": 0, "face_down": 1}, "nobody")] = 0
    """1 if the dealer's first card lies face down until the hole card is dealt."""
    from_right: Annotated[int, FilledBy("settled_from", {"left": 0, "right": 1}, "nobody")] = 0
    """1 if wagers are settled from the dealer's right, the last seat first."""
    zapped_to: Annotated[int, FilledBy("zap", {"15-17": 17, "15-18": 18})] = 17
    """Zappit: the highest hard total that may be thrown away for two new cards."""
    zap_first: Annotated[int, FilledBy("zapping", {"after_check": 0, "before_check": 1})] = 0
    """Zappit: 1 if hands are thrown away before the dealer looks for blackjack."""
    zapped_wins: Annotated[int, FilledBy("zapped_ace_ten", {"21": 0, "wins_at_once": 1})] = 0
    """Zappit: 1 if A-10 on the new cards is paid even money at once."""


def stake_hands(world: World, table: Table, stakes: Stakes, rules: BlackjackRules, bases: int) -> World:
    """The main wager of each seat goes onto each hand that it starts with."""
    for seat in range(rules.seats):
        for hand in range(bases):
            world = stake(world, table, seat, hand, MAIN, stakes[seat])
    return world


def settling_seat(rules: BlackjackRules, turn: int) -> int:
    """The seat whose wagers are settled in this turn."""
    return rules.seats - 1 - turn if rules.from_right == 1 else turn


def slot(seat: int, hand: int) -> int:
    """Where a hand's fields begin."""
    return (seat * HANDS_PER_SEAT + hand) * FIELDS


def place_of(seat: int, hand: int) -> int:
    return seat * HANDS_PER_SEAT + hand


def set_hand(hands: Memory, at: int, first: int, second: int, staked: int, base: int, is_split: int) -> None:
    """Writes a hand of one or two cards; `second` is NO_CARD while it is to come."""
    state = add_card(EMPTY, first)
    hands[at + HAND] = add_card(state, second) if second != NO_CARD else state
    hands[at + FIRST_CARD] = first
    hands[at + SECOND_CARD] = second
    hands[at + STAKE] = staked
    hands[at + STATUS] = IN_PLAY
    hands[at + IS_SPLIT] = is_split
    hands[at + BASE] = base


def may_have_blackjack(up: int) -> bool:
    """An ace or ten-value card shows."""
    return value_of(up) == 1 or value_of(up) == 10


def most_added(staked: int, cap: int) -> int:
    """The most a double may add: the wager, within the limit for a single wager."""
    return min(staked, cap) if cap > 0 else staked


def most_insured(staked: int, rules: BlackjackRules) -> int:
    """The most an insurance may be: half the wager in whole units, within the limit for a single wager."""
    return most_added(staked // 2 // rules.unit * rules.unit, rules.cap)


def amount_in(answer: int, most: int) -> int:
    """The amount an answer names, or the most."""
    amount = answer >> AMOUNT_AT
    return min(amount, most) if amount > 0 else most


def offer_insurance(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, bases: int) -> World:
    """With an ace up each hand may be insured for up to half its wager, in seat order."""
    for seat in range(rules.seats):
        for hand in range(bases):
            hands[INSURED_AT + seat * 2 + hand] = 0
            most = most_insured(hands[slot(seat, hand) + STAKE], rules)
            if value_of(up) == 1 and rules.insurance == 1 and most > 0:
                answer, world = ask(world, table, seat, hand, INSURANCE, 3, up)
                if answer & CHOICE_MASK == INSURE:
                    hands[INSURED_AT + seat * 2 + hand] = amount_in(answer, most)
                    world = stake(world, table, seat, hand, INSURANCE_WAGER, amount_in(answer, most))
    return world


def settle_insurance(
    world: World, table: Table, hands: Memory, rules: BlackjackRules, dealer_blackjack: bool, bases: int
) -> World:
    """Every insurance that is still open."""
    for turn in range(rules.seats):
        seat = settling_seat(rules, turn)
        for hand in range(bases):
            insured = hands[INSURED_AT + seat * 2 + hand]
            if insured > 0:
                hands[INSURED_AT + seat * 2 + hand] = 0
                outcome = DEALER_BLACKJACK if dealer_blackjack else LOSE
                world = pay(world, table, seat, hand, INSURANCE_WAGER, outcome, insured)
    return world


def before_check(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int) -> World:
    """What seats decide before the dealer looks for blackjack besides insurance: nothing, unless a round has it."""
    return world


def ask_before_play(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, seat: int) -> World:
    """What a seat is asked once the dealer has looked for blackjack and before the first hand is played: nothing, but
    in rounds that have a rule of their own here."""
    return world


def hands_of_base(hands: Memory, seat: int, base: int) -> int:
    """How many hands stem from one starting hand."""
    count = 0
    for hand in range(hands[COUNT_AT + seat]):
        if hands[slot(seat, hand) + BASE] == base:
            count += 1
    return count


def may_double(hand: int, lowest: int) -> bool:
    """Any two cards, or a hard total from `lowest` to 11."""
    return lowest == 0 or (not is_soft(hand) and lowest <= total_of(hand) <= 11)


def legal_actions(hands: Memory, rules: BlackjackRules, seat: int, hand: int, fresh: bool) -> int:
    """What a hand below 21 may do, one bit an action; `fresh` while it has its first two cards."""
    at = slot(seat, hand)
    first, second = hands[at + FIRST_CARD], hands[at + SECOND_CARD]
    is_split = hands[at + IS_SPLIT]
    split_ace = is_split == 1 and value_of(first) == 1
    frozen = split_ace and rules.play_split_aces == 0
    legal = 1 << STAND
    if not frozen:
        legal |= 1 << HIT
    if not fresh:
        return legal
    if (
        not frozen
        and (is_split == 0 or rules.double_after_split == 1)
        and may_double(hands[at + HAND], rules.double_from)
    ):
        legal |= 1 << DOUBLE
    is_pair = first >> 2 == second >> 2 or (value_of(first) == value_of(second) and rules.split_by_rank == 0)
    may_split = is_pair and (not split_ace or rules.resplit_aces == 1)
    if may_split and hands_of_base(hands, seat, hands[at + BASE]) < rules.max_hands:
        legal |= 1 << SPLIT
    if rules.surrender == 1 and is_split == 0:
        legal |= 1 << SURRENDER
    return legal


def split_pair(hands: Memory, seat: int, hand: int) -> None:
    """Moves the second card to a new hand right after this one, with an equal wager; both wait for a card."""
    for later in range(hands[COUNT_AT + seat] - 1, hand, -1):
        for field in range(FIELDS):
            hands[slot(seat, later + 1) + field] = hands[slot(seat, later) + field]
    at = slot(seat, hand)
    first, second = hands[at + FIRST_CARD], hands[at + SECOND_CARD]
    staked, base = hands[at + STAKE], hands[at + BASE]
    set_hand(hands, at, first, NO_CARD, staked, base, 1)
    set_hand(hands, slot(seat, hand + 1), second, NO_CARD, staked, base, 1)
    hands[COUNT_AT + seat] += 1


def split_hand(world: World, table: Table, hands: Memory, seat: int, hand: int) -> World:
    """The pair is split, and its wagers and cards are moved."""
    split_pair(hands, seat, hand)
    world = tell(world, table, OPENED, place_of(seat, hand + 1), 0)
    world = stake(world, table, seat, hand + 1, MAIN, hands[slot(seat, hand + 1) + STAKE])
    return tell(world, table, MOVED, place_of(seat, hand), place_of(seat, hand + 1))


def take_card(world: World, table: Table, hands: Memory, seat: int, hand: int) -> World:
    """The hand gets the next card of the shoe."""
    at = slot(seat, hand)
    card, world = draw(world, table, place_of(seat, hand))
    if hands[at + SECOND_CARD] == NO_CARD:
        hands[at + SECOND_CARD] = card
    hands[at + HAND] = add_card(hands[at + HAND], card)
    if hands[THIRD_AT + seat] == THIRD_WANTED:
        hands[THIRD_AT + seat] = card
    return world


def end_hand(world: World, table: Table, hands: Memory, seat: int, hand: int, outcome: int, staked: int) -> World:
    """The hand's wager is settled now."""
    hands[slot(seat, hand) + STATUS] = ENDED
    return pay(world, table, seat, hand, MAIN, outcome, staked)


def double_wager(
    world: World, table: Table, hands: Memory, rules: BlackjackRules, seat: int, hand: int, answer: int
) -> World:
    """Adds to a hand's wager what the answer says, up to as much again."""
    at = slot(seat, hand)
    added = amount_in(answer, most_added(hands[at + STAKE], rules.cap))
    hands[at + STAKE] += added
    return stake(world, table, seat, hand, MAIN, added)


def play_hand(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, seat: int, hand: int) -> World:
    """One hand by base rules, until it stands, busts or is given up. A hand on 21 stands and is not asked."""
    at = slot(seat, hand)
    fresh = True
    if hands[at + SECOND_CARD] == NO_CARD:
        world = take_card(world, table, hands, seat, hand)
    while total_of(hands[at + HAND]) < 21:
        legal = legal_actions(hands, rules, seat, hand, fresh)
        if legal == 1 << STAND:
            return world
        answer, world = ask(world, table, seat, hand, ACTION, legal, up)
        action = answer & CHOICE_MASK
        if action == STAND:
            return world
        if action == SURRENDER and rules.peek == 0:
            hands[at + STATUS] = GIVEN_UP
            return world
        if action == SURRENDER:
            return end_hand(world, table, hands, seat, hand, SURRENDERED, hands[at + STAKE])
        if action == SPLIT:
            world = split_hand(world, table, hands, seat, hand)
        elif action == DOUBLE:
            world = double_wager(world, table, hands, rules, seat, hand, answer)
        fresh = action == SPLIT
        world = take_card(world, table, hands, seat, hand)
        if action == DOUBLE:
            break
    if total_of(hands[at + HAND]) > 21:
        return end_hand(world, table, hands, seat, hand, LOSE, hands[at + STAKE])
    if hands[at + IS_SPLIT] == 1 and rules.split_blackjack == 1 and is_blackjack(hands[at + HAND]):
        hands[at + STATUS] = WAITING
    return world


def play_seat(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, seat: int) -> World:
    """All hands of a seat that are in play, in order; splitting adds hands on the way."""
    hand = 0
    while hand < hands[COUNT_AT + seat]:
        if hands[slot(seat, hand) + STATUS] == IN_PLAY:
            world = play_hand(world, table, hands, rules, up, seat, hand)
        hand += 1
    return world


def any_hand_in_play(hands: Memory, seats: int) -> bool:
    for seat in range(seats):
        for hand in range(hands[COUNT_AT + seat]):
            if hands[slot(seat, hand) + STATUS] == IN_PLAY:
                return True
    return False


def waits_for_dealer(hands: Memory, rules: BlackjackRules) -> bool:
    """Whether a wager needs the dealer's hand to be completed."""
    return rules.dealer_bets != 0 or any_hand_in_play(hands, rules.seats)


def compare(own: int, dealer: int, pushes_22: int) -> int:
    """How a hand of 21 or less ends against the dealer's final hand."""
    mine, theirs = total_of(own), total_of(dealer)
    if theirs == 22 and pushes_22 == 1:
        return PUSH
    if theirs > 21 or mine > theirs:
        return WIN
    return PUSH if mine == theirs else LOSE


def blackjack_outcome(rules: BlackjackRules, status: int, dealer: int) -> int:
    """How a blackjack that waits for the dealer's cards ends."""
    if is_blackjack(dealer) and rules.blackjack_beats_blackjack == 0:
        return PUSH
    return DOUBLE_BARREL_BLACKJACK if status == DOUBLE_BARREL else BLACKJACK


def settle_hands(world: World, table: Table, hands: Memory, rules: BlackjackRules, dealer: int) -> World:
    """Every hand still open against the dealer's final hand, seat by seat."""
    dealer_blackjack = is_blackjack(dealer)
    for turn in range(rules.seats):
        seat = settling_seat(rules, turn)
        for hand in range(hands[COUNT_AT + seat]):
            at = slot(seat, hand)
            status = hands[at + STATUS]
            if status != ENDED:
                outcome = LOSE
                if status in (WAITING, DOUBLE_BARREL):
                    outcome = blackjack_outcome(rules, status, dealer)
                elif not dealer_blackjack:
                    beaten = compare(hands[at + HAND], dealer, rules.pushes_22)
                    outcome = SURRENDERED if status == GIVEN_UP else beaten
                world = end_hand(world, table, hands, seat, hand, outcome, hands[at + STAKE])
    return world


def shown_hand(hands: Memory, rules: BlackjackRules, seat: int) -> int:
    """The hand of a seat that counts for side wagers on the dealer's hand, by the house's rule for split hands."""
    shown = hands[slot(seat, 0) + HAND]
    if rules.hand_after_split != FIRST_HAND:
        for hand in range(1, hands[COUNT_AT + seat]):
            other = hands[slot(seat, hand) + HAND]
            is_lower = total_of(other) < total_of(shown)
            if is_lower == (rules.hand_after_split == LOWEST_HAND):
                shown = other
    return int(shown)


def settle_dealer_bets(world: World, table: Table, hands: Memory, rules: BlackjackRules, dealer: int) -> World:
    """Side wagers on the dealer's final hand, with the player's hand that counts beside it."""
    for turn in range(rules.seats):
        seat = settling_seat(rules, turn)
        world = settle(world, table, seat, 0, DEALER_DONE, dealer, shown_hand(hands, rules, seat))
    return world


def dealers_turn(world: World, table: Table, hands: Memory, rules: BlackjackRules, dealer: int, bases: int) -> World:
    """The hole card is turned, insurance still open is settled, the dealer draws if a wager needs it, all is settled.

    `bases` is how many hands each seat started with.
    """
    world = tell(world, table, TURNED, HOLE, 0)
    world = settle_insurance(world, table, hands, rules, is_blackjack(dealer), bases)
    if not is_blackjack(dealer) and waits_for_dealer(hands, rules):
        dealer, world = complete_dealer_hand(world, table, dealer, rules.soft17)
    world = settle_hands(world, table, hands, rules, dealer)
    return settle_dealer_bets(world, table, hands, rules, dealer)


def draw_first_card(world: World, table: Table, rules: BlackjackRules) -> tuple[int, World]:
    """The dealer's first card, which is the up card, by the house's habit face down at first."""
    return draw(world, table, DEALER_DOWN if rules.first_face_down == 1 else DEALER)


def draw_hole_card(world: World, table: Table, rules: BlackjackRules) -> tuple[int, World]:
    """The dealer's second card, face down; a first card that is face down is turned now."""
    hole, world = draw(world, table, HOLE)
    if rules.first_face_down == 1:
        world = tell(world, table, TURNED, DEALER_DOWN, 0)
    return hole, world


def note_naturals(hands: Memory, seat: int) -> None:
    """A-10 on the first two cards waits for the dealer's cards."""
    for hand in range(hands[COUNT_AT + seat]):
        at = slot(seat, hand)
        if hands[at + STATUS] == IN_PLAY and is_blackjack(hands[at + HAND]):
            hands[at + STATUS] = WAITING


def pay_naturals(world: World, table: Table, hands: Memory, rules: BlackjackRules, seat: int) -> World:
    """Waiting blackjacks of a seat are paid: the dealer has none."""
    for hand in range(hands[COUNT_AT + seat]):
        at = slot(seat, hand)
        if hands[at + STATUS] == WAITING or hands[at + STATUS] == DOUBLE_BARREL:
            outcome = blackjack_outcome(rules, hands[at + STATUS], EMPTY)
            world = end_hand(world, table, hands, seat, hand, outcome, hands[at + STAKE])
    return world


def opening_row(hands: Memory, seat: int, cards: int) -> int:
    """The first cards of a seat as a row."""
    row = EMPTY_ROW
    for place in range(cards):
        row = add_to_row(row, hands[OPENING_AT + seat] >> CARD_BITS * place & CARD_MASK)
    return row


def settle_opening(world: World, table: Table, hands: Memory, seat: int, up: int, cards: int) -> World:
    """Side wagers on a seat's first cards, alone and with the up card."""
    row = opening_row(hands, seat, cards)
    world = settle(world, table, seat, 0, row_moment(cards, 0), row, EMPTY_ROW)
    return settle(world, table, seat, 0, row_moment(cards, 1), row, add_to_row(EMPTY_ROW, up))


def settle_with_hole(
    world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, hole: int, cards: int
) -> World:
    """Side wagers on the first cards of seats and dealer: settled before the end, they would tell the hole card."""
    dealer = add_to_row(add_to_row(EMPTY_ROW, up), hole)
    for turn in range(rules.seats):
        seat = settling_seat(rules, turn)
        world = settle(world, table, seat, 0, row_moment(cards, 2), opening_row(hands, seat, cards), dealer)
    return world
