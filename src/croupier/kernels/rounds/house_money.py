"""Blackjack with House Money: what that wager has won may be moved onto the main wager."""

from croupier.kernels.bets.house_money import OUTCOMES, house_money
from croupier.kernels.blackjack import (
    ASIDE_AT,
    BEFORE_PLAY,
    SECOND_ASIDE_AT,
    STAKE,
    BlackjackRules,
    amount_in,
    may_have_blackjack,
    opening_row,
    slot,
)
from croupier.kernels.blackjack import settle_opening as settle_side_bets
from croupier.kernels.blackjack_family import declare
from croupier.kernels.declaration import AnswerChoice, Question, RoundWager
from croupier.kernels.effects import (
    CHOICE_MASK,
    LOSE,
    MAIN,
    MOST_SEATS,
    Memory,
    Stakes,
    Table,
    World,
    ask,
    pay,
    stake,
)
from croupier.kernels.proceeds import returned
from croupier.kernels.rounds.blackjack import ROUND as BLACKJACK
from croupier.kernels.rounds.blackjack import blackjack_round
from croupier.kernels.rows import EMPTY_ROW

HOUSE_MONEY = 2
"""After the main wager and insurance."""
COLLECT, CAP = range(2)
WAGERED_AT = ASIDE_AT
"""What each seat has put on House Money."""
WON_AT = SECOND_ASIDE_AT
"""What it has got back of it, stake and winnings."""


def settle_opening(world: World, table: Table, hands: Memory, seat: int, up: int, cards: int) -> World:
    """House Money is settled with the side wagers on a seat's first cards."""
    world = settle_side_bets(world, table, hands, seat, up, cards)
    wagered = hands[WAGERED_AT + seat]
    hands[WON_AT + seat] = 0
    if wagered > 0:
        outcome = house_money(opening_row(hands, seat, cards), EMPTY_ROW, 0)
        world = pay(world, table, seat, 0, HOUSE_MONEY, outcome, wagered)
        if outcome != LOSE:
            hands[WON_AT + seat] = returned(world, table, HOUSE_MONEY, outcome, wagered)
    return world


def most_moved(won: int, main: int, cap: int) -> int:
    """The most that may be moved: all that was won, within the limit for a single wager, which the hand's then is."""
    return min(won, max(cap - main, 0)) if cap > 0 else won


def ask_before_play(world: World, table: Table, hands: Memory, rules: BlackjackRules, up: int, seat: int) -> World:
    """Once it is known that the dealer has no blackjack, a seat may move what it has won onto its main wager."""
    at = slot(seat, 0)
    most = most_moved(hands[WON_AT + seat], hands[at + STAKE], rules.cap)
    if most > 0 and (rules.peek == 1 or not may_have_blackjack(up)):
        answer, world = ask(world, table, seat, 0, BEFORE_PLAY, 1 << COLLECT | 1 << CAP, up)
        if answer & CHOICE_MASK == CAP:
            moved = amount_in(answer, most)
            hands[at + STAKE] += moved
            world = stake(world, table, seat, 0, MAIN, moved)
    return world


def house_money_round(world: World, table: Table, hands: Memory, stakes: Stakes, rules: BlackjackRules) -> World:
    """Base blackjack; behind the main wagers of all seats lie their wagers on House Money."""
    for seat in range(rules.seats):
        hands[WAGERED_AT + seat] = stakes[MOST_SEATS + seat]
    return blackjack_round(world, table, hands, stakes, rules)


ROUND = declare(
    house_money_round,
    BLACKJACK.scenes,
    rules=BlackjackRules(),
    instead=(settle_opening, ask_before_play),
    wagers=(RoundWager(id="house_money", outcomes=OUTCOMES, decided_by="house_money"),),
    before_play=Question(
        id="house_money",
        text="Move your House Money onto the main wager?",
        deciding="decides what to do with House Money",
        choices=(
            AnswerChoice(word="collect", label="Collect", key="c"),
            AnswerChoice(word="cap", label="Move it", key="m", adds="main", takes_amount=True),
        ),
        default="collect",
        buttons=("cap", "collect"),
    ),
)
