"""Blackjack in which a seat that has seen the up card may wager that the dealer goes over 21."""

from croupier.kernels.blackjack import (
    ASIDE_AT,
    BEFORE_PLAY,
    SECOND_ASIDE_AT,
    STAKE,
    BlackjackRules,
    amount_in,
    any_hand_in_play,
    most_added,
    settling_seat,
    slot,
)
from croupier.kernels.blackjack import settle_dealer_bets as settle_side_bets
from croupier.kernels.blackjack_family import declare
from croupier.kernels.declaration import AnswerChoice, Question, RoundWager
from croupier.kernels.effects import (
    CHOICE_MASK,
    LOSE,
    Memory,
    Stakes,
    Table,
    World,
    ask,
    pay,
    stake,
)
from croupier.kernels.hands import total_of, value_of
from croupier.kernels.rounds.blackjack import ROUND as BLACKJACK
from croupier.kernels.rounds.blackjack import blackjack_round

BUST_WAGER = 2
"""After the main wager and insurance."""
DECLINE, BET = range(2)
BET_AT = ASIDE_AT
"""What each seat has wagered on a bust."""
UP_AT = SECOND_ASIDE_AT
"""The up card that it saw then."""
UNDER = ("ace", *(str(value) for value in range(2, 11)))


def bust_outcome(total: int, up: int) -> int:
    """How the wager ends by the dealer's total and the value of the up card, of which each has a pay of its own."""
    return up - 1 if total > 21 else LOSE


def ask_before_play(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, seat: int) -> World:
    """A seat may wager on the dealer's bust, as much as its main wager is."""
    answer, world = ask(world, table, seat, 0, BEFORE_PLAY, 1 << DECLINE | 1 << BET, up)
    if answer & CHOICE_MASK == BET:
        wagered = amount_in(answer, most_added(hands[slot(seat, 0) + STAKE], rules.cap))
        hands[BET_AT + seat] = wagered
        hands[UP_AT + seat] = up
        world = stake(world, table, seat, 0, BUST_WAGER, wagered)
    return world


def waits_for_dealer(hands: Memory, rules: BlackjackRules) -> bool:
    """The dealer completes the hand for a wager on a bust, too."""
    for seat in range(rules.seats):
        if hands[BET_AT + seat] > 0:
            return True
    return rules.dealer_bets != 0 or any_hand_in_play(hands, rules.seats)


def settle_dealer_bets(world: World, table: Table, hands: Memory, rules: BlackjackRules, dealer: int) -> World:
    """Side wagers on the dealer's final hand, and those on a bust."""
    world = settle_side_bets(world, table, hands, rules, dealer)
    for turn in range(rules.seats):
        seat = settling_seat(rules, turn)
        wagered = hands[BET_AT + seat]
        if wagered > 0:
            outcome = bust_outcome(total_of(dealer), value_of(hands[UP_AT + seat]))
            world = pay(world, table, seat, 0, BUST_WAGER, outcome, wagered)
    return world


def bet_the_bust_round(world: World, table: Table, hands: Memory, stakes: Stakes, rules: BlackjackRules) -> World:
    """Base blackjack in which nobody has wagered on a bust yet."""
    for seat in range(rules.seats):
        hands[BET_AT + seat] = 0
    return blackjack_round(world, table, hands, stakes, rules)


ROUND = declare(
    bet_the_bust_round,
    BLACKJACK.scenes,
    rules=BlackjackRules(),
    instead=(ask_before_play, waits_for_dealer, settle_dealer_bets),
    wagers=(
        RoundWager(
            id="bet_the_bust",
            outcomes=tuple(f"bust_{card}" for card in UNDER),
            is_asked=True,
            is_apart=True,
            by_dealer=bust_outcome,
        ),
    ),
    before_play=Question(
        id="bet_the_bust",
        text="Bet that the dealer busts?",
        deciding="decides whether to bet on the dealer's bust",
        choices=(
            AnswerChoice(word="decline", label="No bet", key="n"),
            AnswerChoice(word="bet", label="Bet the bust", key="b", adds="bet_the_bust", takes_amount=True),
        ),
        default="decline",
        buttons=("bet", "decline"),
    ),
)
