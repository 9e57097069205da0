"""I Luv Suits: seven cards each, of which the longest suit counts; a dealer who needs three of a suit, nine high."""

from typing import NamedTuple

from croupier.kernels.against_dealer import (
    ALL_HIDDEN,
    FOLD,
    PLAY_ONE_TO_THREE_OR_FOLD,
    PUSH,
    WIN,
    WIN_OR_PUSH,
    SideWagersDead,
    described,
    legal_plays,
    showdown_outcome,
)
from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.declaration import Round, RoundWager, RuleOfThumb, Showdown
from croupier.kernels.effects import (
    DEALER_DOWN,
    HANDS_PER_SEAT,
    TURNED,
    Memory,
    Stakes,
    Table,
    World,
    ask,
    deal,
    pay,
    set_moment,
    settle,
    stake,
    tell,
)
from croupier.kernels.poker import class_of, longest_run, longest_suit, make_rank
from croupier.kernels.poker_words import exact_suit_words, longest_suit_words
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import EIGHT_BIT, EMPTY_SET, NINE_BIT, SIX_BIT, TEN_BIT, canonical

ANTE, PLAY = range(2)
PLAY_OR_FOLD = 0
QUALIFIES = make_rank(3, 0, NINE_BIT)
"""Three of a suit, nine high: the lowest is higher."""
TEN_EIGHT_SIX = make_rank(3, 0, TEN_BIT | EIGHT_BIT | SIX_BIT)
RUN_OUTCOMES = ("seven_cards", "six_cards", "five_cards", "four_cards", "three_cards")
FLUSH_CARDS, RUN_CARDS = 4, 3
"""The fewest cards that Flush Rush and Super Flush Rush are paid for."""
OWN_SEVEN = set_moment(7)
ANSWERS = HANDS_PER_SEAT
"""In memory: the seats' hands, then their answers."""


class SuitsRules(NamedTuple):
    """Rules of a table."""

    seats: int = 1
    cap: int = 0
    """The most a single wager may be, 0 for no limit."""
    side_wagers_dead: SideWagersDead = 0
    """1: Flush Rush and Super Flush Rush are lost with a folded hand."""


def i_luv_suits_round(world: World, table: Table, memory: Memory, stakes: Stakes, rules: SuitsRules) -> World:
    """Seven cards to each seat and to the dealer; each seat folds or plays; all is settled."""
    for seat in range(rules.seats):
        world = stake(world, table, seat, 0, ANTE, stakes[seat])
    for seat in range(rules.seats):
        memory[seat], world = deal(world, table, seat * HANDS_PER_SEAT, 7)
    dealer, world = deal(world, table, DEALER_DOWN, 7)
    for seat in range(rules.seats):
        legal = legal_plays(stakes[seat], most_times(class_of(longest_suit(memory[seat]))), rules.cap)
        answer, world = ask(world, table, seat, 0, PLAY_OR_FOLD, legal, canonical(memory[seat]))
        if answer != FOLD:
            world = stake(world, table, seat, 0, PLAY, answer * stakes[seat])
        memory[ANSWERS + seat] = answer
    world = tell(world, table, TURNED, DEALER_DOWN, 0)
    for seat in range(rules.seats):
        times = memory[ANSWERS + seat]
        world = settle_ante(world, table, seat, memory[seat], dealer, stakes[seat], times)
        own = EMPTY_SET if times == FOLD and rules.side_wagers_dead == 1 else memory[seat]
        world = settle(world, table, seat, 0, OWN_SEVEN, own, EMPTY_SET)
    return world


def most_times(length: int) -> int:
    """How many times the ante may be played with so many cards of a suit."""
    return 3 if length >= 6 else 2 if length == 5 else 1


def settle_ante(world: World, table: Table, seat: int, own: int, dealer: int, ante: int, times: int) -> World:
    """Ante and play of a seat."""
    if times == FOLD:
        return pay(world, table, seat, 0, ANTE, LOSE, ante)
    mine, theirs = longest_suit(own), longest_suit(dealer)
    if theirs < QUALIFIES:
        world = pay(world, table, seat, 0, ANTE, WIN, ante)
        return pay(world, table, seat, 0, PLAY, PUSH, times * ante)
    outcome = showdown_outcome(mine, theirs)
    world = pay(world, table, seat, 0, ANTE, outcome, ante)
    return pay(world, table, seat, 0, PLAY, outcome, times * ante)


def flush_rush(own: int, other: int, options: int) -> int:
    """By the length of the longest suit of the own seven cards."""
    length = class_of(longest_suit(own))
    return 7 - length if length >= FLUSH_CARDS else LOSE


def super_flush_rush(own: int, other: int, options: int) -> int:
    """By the longest straight flush among the own seven cards, in any suit."""
    length = longest_run(own)
    return 7 - length if length >= RUN_CARDS else LOSE


def ten_eight_six(question: int, sight: int) -> int:
    """As much as is allowed with three of a suit, T-8-6, or better."""
    mine = longest_suit(sight)
    return most_times(class_of(mine)) if mine >= TEN_EIGHT_SIX else FOLD


ROUND = Round(
    play=i_luv_suits_round,
    family="poker",
    printed=("Dealer qualifies with three of a suit, nine high",),
    rules=SuitsRules(),
    memory=2 * HANDS_PER_SEAT,
    places=ALL_HIDDEN,
    dealer=DEALER_DOWN,
    questions=(PLAY_ONE_TO_THREE_OR_FOLD,),
    wagers=(
        RoundWager(id="ante", outcomes=WIN_OR_PUSH),
        RoundWager(id="play", outcomes=WIN_OR_PUSH, is_asked=True),
    ),
    scenes=(Dealt(own_cards=7),),
    bets={
        "flush_rush": Bet(classify=flush_rush, outcomes=RUN_OUTCOMES[:4], scene=Dealt(own_cards=7)),
        "super_flush_rush": Bet(classify=super_flush_rush, outcomes=RUN_OUTCOMES, scene=Dealt(own_cards=7)),
    },
    exact="showdown",
    hands_per_deck=6,
    showdown=Showdown(
        words=exact_suit_words, strength=longest_suit, qualifies=QUALIFIES, own=7, hidden=7, by_suit=True
    ),
    most_cards=14,
    rules_of_thumb=(
        RuleOfThumb(
            id="ten_eight_six",
            text="Play as much as is allowed with three of a suit, T-8-6, or better, fold the rest",
            answer=ten_eight_six,
        ),
    ),
    describe=described(longest_suit_words, {7: longest_suit}),
    describe_exactly=described(exact_suit_words, {7: longest_suit}),
    describe_sight=lambda question, sight: longest_suit_words(longest_suit(sight)),
)
