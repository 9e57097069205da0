"""Zappit Blackjack: a stiff hand may be thrown away once for two new cards."""

from croupier.kernels.blackjack import (
    ASIDE_AT,
    BEFORE_PLAY,
    EXCHANGE,
    FIRST_CARD,
    HAND,
    NO_CARD,
    SECOND_ASIDE_AT,
    SECOND_CARD,
    STAKE,
    BlackjackRules,
    end_hand,
    place_of,
    set_hand,
    slot,
)
from croupier.kernels.blackjack import play_seat as play_hands
from croupier.kernels.blackjack_family import declare
from croupier.kernels.declaration import AnswerChoice, Place, Question
from croupier.kernels.effects import (
    CHOICE_MASK,
    KEEP,
    MOVED,
    SEAT_PLACES,
    WIN,
    Memory,
    Stakes,
    Table,
    World,
    ask,
    draw,
    tell,
)
from croupier.kernels.hands import is_blackjack, is_soft, total_of
from croupier.kernels.rounds.blackjack import ROUND as BLACKJACK
from croupier.kernels.rounds.blackjack import blackjack_round

ZAPPED = SEAT_PLACES
"""A seat's zapped cards are at ZAPPED + seat."""
LEAST_ZAPPED = 15
QUESTION = Question(
    id="zap",
    text="Zap these two cards for two new ones?",
    deciding="decides whether to zap the hand",
    choices=(AnswerChoice(word="keep", label="Keep", key="k"), AnswerChoice(word="zap", label="Zap", key="z")),
    default="keep",
    buttons=("zap", "keep"),
)


def may_exchange(hand: int, rules: BlackjackRules) -> bool:
    """Whether a hand of two cards may be thrown away: a hard 15, 16 or 17, by house 18 too."""
    return not is_soft(hand) and LEAST_ZAPPED <= total_of(hand) <= rules.zapped_to


def exchange(world: World, table: Table, hands: Memory, rules: BlackjackRules, seat: int) -> World:
    """The two cards are laid aside and two new ones dealt. A-10 is 21 then, or wins at once."""
    at = slot(seat, 0)
    hands[ASIDE_AT + seat], hands[SECOND_ASIDE_AT + seat] = hands[at + FIRST_CARD], hands[at + SECOND_CARD]
    for _ in range(2):
        world = tell(world, table, MOVED, place_of(seat, 0), ZAPPED + seat)
    first, world = draw(world, table, place_of(seat, 0))
    second, world = draw(world, table, place_of(seat, 0))
    set_hand(hands, at, first, second, hands[at + STAKE], 0, 0)
    if rules.zapped_wins == 1 and is_blackjack(hands[at + HAND]):
        world = end_hand(world, table, hands, seat, 0, WIN, hands[at + STAKE])
    return world


def offer_exchange(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, seat: int) -> World:
    """A seat is asked before anything else."""
    if may_exchange(hands[slot(seat, 0) + HAND], rules):
        answer, world = ask(world, table, seat, 0, BEFORE_PLAY, 1 << KEEP | 1 << EXCHANGE, up)
        if answer & CHOICE_MASK == EXCHANGE:
            world = exchange(world, table, hands, rules, seat)
    return world


def before_check(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int) -> World:
    """Where the house has it so, all seats are asked before the dealer looks."""
    if rules.zap_first == 1:
        for seat in range(rules.seats):
            world = offer_exchange(world, table, hands, rules, up, seat)
    return world


def play_seat(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, seat: int) -> World:
    """Otherwise each seat in turn, right before it plays."""
    if rules.zap_first == 0:
        world = offer_exchange(world, table, hands, rules, up, seat)
    return play_hands(world, table, hands, rules, up, seat)


def zappit_round(world: World, table: Table, hands: Memory, stakes: Stakes, rules: BlackjackRules) -> World:
    """Base blackjack, with nothing thrown away yet."""
    for seat in range(rules.seats):
        hands[ASIDE_AT + seat] = NO_CARD
    return blackjack_round(world, table, hands, stakes, rules)


ROUND = declare(
    zappit_round,
    BLACKJACK.scenes,
    rules=BlackjackRules(pushes_22=1),
    instead=(before_check, play_seat, may_exchange),
    places=(Place(id="zapped", label="Zapped", number=ZAPPED, is_out=True),),
    before_play=QUESTION,
)
