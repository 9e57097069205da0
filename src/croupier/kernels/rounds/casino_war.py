"""Casino War: the higher card wins; a tie is given up for half, or fought out with an equal wager."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.declaration import AnswerChoice, FilledBy, Place, Question, Round, RoundWager, RuleOfThumb
from croupier.kernels.effects import (
    BURNED,
    DEALER,
    HANDS_PER_SEAT,
    Memory,
    Stakes,
    Table,
    World,
    ask,
    draw,
    opening_moment,
    pay,
    row_moment,
    settle,
    stake,
)
from croupier.kernels.hands import EMPTY, add_card, ranks_in
from croupier.kernels.rows import EMPTY_ROW, add_to_row
from croupier.kernels.scenes import Opening

MAIN, WAR = range(2)
WIN, PUSH, SURRENDERED = range(3)
WAR_WON, TIE_AFTER_TIE = range(2)
WAR_OR_SURRENDER = 0
SURRENDER, GO_TO_WAR = range(2)
FIRST_CARDS = opening_moment(1, 1)
FIRST_ROWS = row_moment(1, 1)
BURNED_CARDS = 3
AT_WAR = HANDS_PER_SEAT
"""In memory: the seats' cards, then who goes to war."""
STRENGTHS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


class WarRules(NamedTuple):
    """Rules of a table."""

    seats: int = 1
    pays_second_tie: Annotated[int, FilledBy("bonus", {"none": 0, "one_unit": 1})] = 0
    """1: a tie after a tie pays one unit more."""


def strength(card: int) -> int:
    """By rank, the ace high."""
    return ((card >> 2) + 12) % 13


def casino_war_round(world: World, table: Table, memory: Memory, stakes: Stakes, rules: WarRules) -> World:
    """A card each; ties decide; the others are settled; wars are fought out together."""
    for seat in range(rules.seats):
        world = stake(world, table, seat, 0, MAIN, stakes[seat])
    for seat in range(rules.seats):
        memory[seat], world = draw(world, table, seat * HANDS_PER_SEAT)
    dealer, world = draw(world, table, DEALER)
    wars = 0
    for seat in range(rules.seats):
        memory[AT_WAR + seat] = 0
        if strength(memory[seat]) == strength(dealer):
            legal = 1 << SURRENDER | 1 << GO_TO_WAR
            answer, world = ask(world, table, seat, 0, WAR_OR_SURRENDER, legal, strength(dealer))
            if answer == GO_TO_WAR:
                world = stake(world, table, seat, 0, WAR, stakes[seat])
                memory[AT_WAR + seat] = 1
                wars += 1
    for seat in range(rules.seats):
        own, other = add_card(EMPTY, memory[seat]), add_card(EMPTY, dealer)
        world = settle(world, table, seat, 0, FIRST_CARDS, own, other)
        row, dealers_row = add_to_row(EMPTY_ROW, memory[seat]), add_to_row(EMPTY_ROW, dealer)
        world = settle(world, table, seat, 0, FIRST_ROWS, row, dealers_row)
        if memory[AT_WAR + seat] == 0:
            outcome = WIN if strength(memory[seat]) > strength(dealer) else LOSE
            if strength(memory[seat]) == strength(dealer):
                outcome = SURRENDERED
            world = pay(world, table, seat, 0, MAIN, outcome, stakes[seat])
    return fight(world, table, memory, stakes, rules) if wars > 0 else world


def fight(world: World, table: Table, memory: Memory, stakes: Stakes, rules: WarRules) -> World:
    """Three cards are burned once for the table; then one to each seat at war, and one to the dealer."""
    for _ in range(BURNED_CARDS):
        _, world = draw(world, table, BURNED)
    for seat in range(rules.seats):
        if memory[AT_WAR + seat] == 1:
            memory[seat], world = draw(world, table, seat * HANDS_PER_SEAT)
    dealer, world = draw(world, table, DEALER)
    for seat in range(rules.seats):
        if memory[AT_WAR + seat] == 1:
            if strength(memory[seat]) < strength(dealer):
                world = pay(world, table, seat, 0, MAIN, LOSE, stakes[seat])
                world = pay(world, table, seat, 0, WAR, LOSE, stakes[seat])
            else:
                is_paid_tie = rules.pays_second_tie == 1 and strength(memory[seat]) == strength(dealer)
                world = pay(world, table, seat, 0, MAIN, PUSH, stakes[seat])
                world = pay(world, table, seat, 0, WAR, TIE_AFTER_TIE if is_paid_tie else WAR_WON, stakes[seat])
    return world


def tie(own: int, other: int, options: int) -> int:
    """The first two cards are of one rank."""
    return 0 if ranks_in(own) == ranks_in(other) else LOSE


def describe(cards: Sequence[int]) -> str:
    """The last card: `jack`."""
    return STRENGTHS[strength(cards[-1])] if cards else ""


ROUND = Round(
    play=casino_war_round,
    family="war",
    printed=("On a tie, go to war or surrender half",),
    rules=WarRules(),
    memory=2 * HANDS_PER_SEAT,
    places=(
        Place(id="dealer", label="Dealer", number=DEALER),
        Place(id="seat", label="Your card"),
        Place(id="burnt", label="Burned cards", number=BURNED, face="down", is_burned=True),
    ),
    questions=(
        Question(
            id="war_or_surrender",
            text="A tie: go to war for an equal wager, or give up half?",
            deciding="decides whether to go to war",
            choices=(
                AnswerChoice(word="surrender", label="Surrender", key="u"),
                AnswerChoice(word="war", label="Go to war", key="w", adds="war"),
            ),
            default="surrender",
        ),
    ),
    wagers=(
        RoundWager(id="main", outcomes=("win", "push", "surrender")),
        RoundWager(
            id="war",
            outcomes=("win", "tie_after_tie"),
            is_asked=True,
            only_under={"tie_after_tie": "pays_second_tie"},
        ),
    ),
    scenes=(Opening(own_cards=1, dealer_cards=1), Opening(own_cards=1, dealer_cards=1, cards=True)),
    bets={
        "casino_war_tie": Bet(classify=tie, outcomes=("tie",), scene=Opening(own_cards=1, dealer_cards=1), faces=True)
    },
    exact="tree",
    rules_of_thumb=(
        RuleOfThumb(id="always_war", text="Go to war with every tie", answer=lambda question, sight: GO_TO_WAR),
        RuleOfThumb(id="always_surrender", text="Surrender every tie", answer=lambda question, sight: SURRENDER),
    ),
    suits_matter=False,
    most_cards=4 + BURNED_CARDS,
    most_burned=BURNED_CARDS,
    describe=describe,
    describe_sight=lambda question, sight: f"a tie of {STRENGTHS[sight]}{'es' if STRENGTHS[sight] == 'six' else 's'}",
)
