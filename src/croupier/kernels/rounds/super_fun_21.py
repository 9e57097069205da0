"""Super Fun 21: surrender at any time, doubles on any number of cards, hands that win by the number of their cards."""

from croupier.kernels.blackjack import (
    ENDED,
    HAND,
    NO_CARD,
    SECOND_CARD,
    STAKE,
    STATUS,
    BlackjackRules,
    double_wager,
    slot,
    split_hand,
    take_card,
)
from croupier.kernels.blackjack import legal_actions as usual_actions
from croupier.kernels.blackjack_family import declare
from croupier.kernels.effects import (
    ACTION,
    BLACKJACK,
    CHOICE_MASK,
    DOUBLE,
    LOSE,
    MAIN,
    MAIN_OUTCOMES,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDERED,
    Memory,
    Table,
    World,
    ask,
    pay,
)
from croupier.kernels.hands import DIAMONDS, size_of, suits_in, total_of
from croupier.kernels.rounds.blackjack import ROUND as BLACKJACK_ROUND
from croupier.kernels.rounds.blackjack import blackjack_round

OUTCOMES = ("diamond_blackjack", "five_card_21", "six_cards")
DIAMOND_BLACKJACK = len(MAIN_OUTCOMES)
FIVE_CARD_21, SIX_CARDS = DIAMOND_BLACKJACK + 1, DIAMOND_BLACKJACK + 2
NOT_ENDED = -1
STAND_OR_GIVE_UP = 1 << STAND | 1 << SURRENDER


def ended_by_cards(hand: int) -> int:
    """How a hand that is not doubled is paid at once by the number of its cards, or NOT_ENDED."""
    if total_of(hand) == 21 and size_of(hand) >= 5:
        return FIVE_CARD_21
    return SIX_CARDS if total_of(hand) < 21 and size_of(hand) >= 6 else NOT_ENDED


def natural_outcome(hand: int) -> int:
    """A blackjack in diamonds, or another."""
    return DIAMOND_BLACKJACK if suits_in(hand) == 1 << DIAMONDS else BLACKJACK


def may_rescue(rules: BlackjackRules) -> bool:
    """Whether a doubled hand may be given up."""
    return rules.surrender == 1


def legal_actions(hands: Memory, rules: BlackjackRules, seat: int, hand: int, fresh: bool) -> int:
    """Any number of cards may be doubled or given up, split hands too."""
    return usual_actions(hands, rules, seat, hand, fresh) | 1 << DOUBLE | 1 << SURRENDER


def end_hand(world: World, table: Table, hands: Memory, seat: int, hand: int, outcome: int, staked: int) -> World:
    """The hand's wager is settled now; a blackjack by its suits."""
    at = slot(seat, hand)
    hands[at + STATUS] = ENDED
    if outcome == BLACKJACK:
        outcome = natural_outcome(hands[at + HAND])
    return pay(world, table, seat, hand, MAIN, outcome, staked)


def play_doubled(world: World, table: Table, hands: Memory, up: int, seat: int, hand: int) -> World:
    """A doubled hand stands, unless it busts or is given up."""
    at = slot(seat, hand)
    if total_of(hands[at + HAND]) > 21:
        return end_hand(world, table, hands, seat, hand, LOSE, hands[at + STAKE])
    if total_of(hands[at + HAND]) < 21:
        answer, world = ask(world, table, seat, hand, ACTION, STAND_OR_GIVE_UP, up)
        if answer & CHOICE_MASK == SURRENDER:
            return end_hand(world, table, hands, seat, hand, SURRENDERED, hands[at + STAKE])
    return world


def play_hand(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, seat: int, hand: int) -> World:
    """One hand, until it stands, is given up, busts, or wins by the number of its cards."""
    at = slot(seat, hand)
    fresh = True
    if hands[at + SECOND_CARD] == NO_CARD:
        world = take_card(world, table, hands, seat, hand)
    while total_of(hands[at + HAND]) < 21 and ended_by_cards(hands[at + HAND]) == NOT_ENDED:
        legal = legal_actions(hands, rules, seat, hand, fresh)
        answer, world = ask(world, table, seat, hand, ACTION, legal, up)
        action = answer & CHOICE_MASK
        if action == STAND:
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
            return play_doubled(world, table, hands, up, seat, hand)
    outcome = LOSE if total_of(hands[at + HAND]) > 21 else ended_by_cards(hands[at + HAND])
    if total_of(hands[at + HAND]) > 21 or outcome != NOT_ENDED:
        return end_hand(world, table, hands, seat, hand, outcome, hands[at + STAKE])
    return world


ROUND = declare(
    blackjack_round,
    BLACKJACK_ROUND.scenes,
    rules=BlackjackRules(resplit_aces=1, play_split_aces=1, surrender=1, blackjack_beats_blackjack=1),
    instead=(legal_actions, play_hand, end_hand, ended_by_cards, natural_outcome, may_rescue),
    outcomes=OUTCOMES,
)
