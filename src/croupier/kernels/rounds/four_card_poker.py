"""Four Card Poker: the best four of five cards against the best four of the dealer's six, one of them face up."""

from typing import NamedTuple

from croupier.kernels.against_dealer import (
    FOLD,
    ONCE,
    ONE_SHOWN,
    PLAY_ONE_TO_THREE_OR_FOLD,
    WIN,
    SideWagersDead,
    described,
    described_beside,
    legal_plays,
)
from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.declaration import Round, RoundWager, RuleOfThumb, Showdown
from croupier.kernels.effects import (
    DEALER,
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
from croupier.kernels.poker import class_of, make_rank
from croupier.kernels.poker_four import (
    FOUR_CARD_PAIR,
    FOUR_CARD_TRIPS,
    FOUR_FROM_THE_TOP,
    four_from_the_top,
    rank_four_of_five,
    rank_four_of_six,
)
from croupier.kernels.poker_words import exact_four_words, four_words
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import ACE_BIT, EMPTY_SET, FOUR_BIT, TEN_BIT
from croupier.kernels.sights import own_of_sight, sight_beside

ANTE, PLAY, ANTE_BONUS = range(3)
PLAY_OR_FOLD = 0
MOST_TIMES = 3
ACES = make_rank(FOUR_CARD_PAIR, ACE_BIT, 0)
TENS = make_rank(FOUR_CARD_PAIR, TEN_BIT, 0)
FOURS = make_rank(FOUR_CARD_PAIR, FOUR_BIT, 0)
OWN_FIVE = set_moment(5)
ANSWERS = HANDS_PER_SEAT
"""In memory: the seats' hands, then their answers."""


class FourCardRules(NamedTuple):
    """Rules of a table."""

    seats: int = 1
    cap: int = 0
    """The most a single wager may be, 0 for no limit."""
    side_wagers_dead: SideWagersDead = 0
    """1: Aces Up and the progressive are lost with a folded hand."""


def four_card_poker_round(world: World, table: Table, memory: Memory, stakes: Stakes, rules: FourCardRules) -> World:
    """Five cards to each seat and six to the dealer, who shows one; each seat with an ante folds or plays."""
    for seat in range(rules.seats):
        if stakes[seat] > 0:
            world = stake(world, table, seat, 0, ANTE, stakes[seat])
    for seat in range(rules.seats):
        memory[seat], world = deal(world, table, seat * HANDS_PER_SEAT, 5)
    up, world = deal(world, table, DEALER, 1)
    down, world = deal(world, table, DEALER_DOWN, 5)
    for seat in range(rules.seats):
        answer = ONCE
        if stakes[seat] > 0:
            legal = legal_plays(stakes[seat], MOST_TIMES, rules.cap)
            answer, world = ask(world, table, seat, 0, PLAY_OR_FOLD, legal, sight_beside(memory[seat], up))
            if answer != FOLD:
                world = stake(world, table, seat, 0, PLAY, answer * stakes[seat])
        memory[ANSWERS + seat] = answer
    world = tell(world, table, TURNED, DEALER_DOWN, 0)
    for seat in range(rules.seats):
        times = memory[ANSWERS + seat]
        if stakes[seat] > 0:
            world = settle_ante(world, table, seat, memory[seat], up | down, stakes[seat], times)
        own = EMPTY_SET if times == FOLD and rules.side_wagers_dead == 1 else memory[seat]
        world = settle(world, table, seat, 0, OWN_FIVE, own, EMPTY_SET)
    return world


def settle_ante(world: World, table: Table, seat: int, own: int, dealer: int, ante: int, times: int) -> World:
    """Ante, play and ante bonus of a seat; equal hands win."""
    if times == FOLD:
        return pay(world, table, seat, 0, ANTE, LOSE, ante)
    mine, theirs = rank_four_of_five(own), rank_four_of_six(dealer)
    outcome = WIN if mine >= theirs else LOSE
    world = pay(world, table, seat, 0, ANTE, outcome, ante)
    world = pay(world, table, seat, 0, PLAY, outcome, times * ante)
    if class_of(mine) >= FOUR_CARD_TRIPS:
        world = pay(world, table, seat, 0, ANTE_BONUS, four_from_the_top(mine), ante)
    return world


def aces_up(own: int, other: int, options: int) -> int:
    """By the best four of the own five cards, a pair of aces or better."""
    if own == EMPTY_SET:
        return LOSE
    mine = rank_four_of_five(own)
    return four_from_the_top(mine) if mine >= ACES else LOSE


def tens_and_fours(question: int, sight: int) -> int:
    """Three antes with a pair of tens or better, one with a pair of fours or better."""
    mine = rank_four_of_five(own_of_sight(sight))
    return MOST_TIMES if mine >= TENS else ONCE if mine >= FOURS else FOLD


ROUND = Round(
    play=four_card_poker_round,
    family="poker",
    printed=("Every dealer's hand plays", "Equal hands win"),
    rules=FourCardRules(),
    memory=2 * HANDS_PER_SEAT,
    places=ONE_SHOWN,
    questions=(PLAY_ONE_TO_THREE_OR_FOLD,),
    wagers=(
        RoundWager(id="ante", outcomes=("win",)),
        RoundWager(id="play", outcomes=("win",), is_asked=True),
        RoundWager(id="ante_bonus", outcomes=FOUR_FROM_THE_TOP[:3], pays_on="ante"),
    ),
    scenes=(Dealt(own_cards=5),),
    bets={"aces_up": Bet(classify=aces_up, outcomes=FOUR_FROM_THE_TOP, scene=Dealt(own_cards=5))},
    needs_first_wager=False,
    exact="showdown",
    showdown=Showdown(
        words=exact_four_words, strength=rank_four_of_five, dealer_strength=rank_four_of_six, own=5, up=1, hidden=5
    ),
    most_cards=11,
    rules_of_thumb=(
        RuleOfThumb(
            id="tens_and_fours",
            text="Play 3x with a pair of tens or better, 1x with a pair of fours or better, fold the rest",
            answer=tens_and_fours,
        ),
    ),
    describe=described(four_words, {5: rank_four_of_five, 6: rank_four_of_six}),
    describe_exactly=described(exact_four_words, {5: rank_four_of_five, 6: rank_four_of_six}),
    describe_sight=described_beside(four_words, rank_four_of_five),
)
