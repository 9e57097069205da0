"""Crazy 4 Poker: the best four of five cards each, a Super Bonus beside the ante, and a dealer who needs king high."""

from typing import NamedTuple

from croupier.kernels.against_dealer import (
    ALL_HIDDEN,
    FOLD,
    ONCE,
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
from croupier.kernels.poker import class_of, make_rank
from croupier.kernels.poker_four import (
    FOUR_ACES,
    FOUR_CARD_HIGH,
    FOUR_CARD_PAIR,
    FOUR_CARD_STRAIGHT,
    FOUR_FROM_THE_TOP,
    four_from_the_top,
    rank_four_of_five,
)
from croupier.kernels.poker_words import exact_four_words, four_words
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import ACE_BIT, EIGHT_BIT, EMPTY_SET, FOUR_BIT, KING_BIT, QUEEN_BIT, canonical

ANTE, PLAY, SUPER_BONUS = range(3)
SUPER_BONUS_OUTCOMES = ("four_aces", *FOUR_FROM_THE_TOP[:5], "push")
BONUS_FOUR_ACES, BONUS_PUSH = 0, 6
PLAY_OR_FOLD = 0
MOST_TIMES = 3
ACES_OR_BETTER = make_rank(FOUR_CARD_PAIR, ACE_BIT, 0)
"""From here on up to three times the ante may be played."""
QUALIFIES = make_rank(FOUR_CARD_HIGH, 0, KING_BIT)
"""King high: the lowest is higher."""
KING_QUEEN_EIGHT = make_rank(FOUR_CARD_HIGH, 0, KING_BIT | QUEEN_BIT | EIGHT_BIT | FOUR_BIT)
QUEENS = make_rank(FOUR_CARD_PAIR, QUEEN_BIT, 0)
OWN_FIVE = set_moment(5)
ANSWERS = HANDS_PER_SEAT
"""In memory: the seats' hands, then their answers."""


class CrazyRules(NamedTuple):
    """Rules of a table."""

    seats: int = 1
    cap: int = 0
    """The most a single wager may be, 0 for no limit."""
    side_wagers_dead: SideWagersDead = 0
    """1: Queens Up and the progressive are lost with a folded hand."""


def crazy_4_poker_round(world: World, table: Table, memory: Memory, stakes: Stakes, rules: CrazyRules) -> World:
    """Five cards to each seat and to the dealer; each seat folds or plays; all is settled."""
    for seat in range(rules.seats):
        world = stake(world, table, seat, 0, ANTE, stakes[seat])
        world = stake(world, table, seat, 0, SUPER_BONUS, stakes[seat])
    for seat in range(rules.seats):
        memory[seat], world = deal(world, table, seat * HANDS_PER_SEAT, 5)
    dealer, world = deal(world, table, DEALER_DOWN, 5)
    for seat in range(rules.seats):
        most = MOST_TIMES if rank_four_of_five(memory[seat]) >= ACES_OR_BETTER else ONCE
        legal = legal_plays(stakes[seat], most, rules.cap)
        answer, world = ask(world, table, seat, 0, PLAY_OR_FOLD, legal, canonical(memory[seat]))
        if answer != FOLD:
            world = stake(world, table, seat, 0, PLAY, answer * stakes[seat])
        memory[ANSWERS + seat] = answer
    world = tell(world, table, TURNED, DEALER_DOWN, 0)
    for seat in range(rules.seats):
        folded = memory[ANSWERS + seat] == FOLD
        if folded:
            world = pay(world, table, seat, 0, ANTE, LOSE, stakes[seat])
            world = pay(world, table, seat, 0, SUPER_BONUS, LOSE, stakes[seat])
        else:
            world = settle_play(world, table, seat, memory[seat], dealer, stakes[seat], memory[ANSWERS + seat])
        own = EMPTY_SET if folded and rules.side_wagers_dead == 1 else memory[seat]
        world = settle(world, table, seat, 0, OWN_FIVE, own, EMPTY_SET)
    return world


def settle_play(world: World, table: Table, seat: int, own: int, dealer: int, ante: int, times: int) -> World:
    """Ante, play and Super Bonus of a seat that has not folded."""
    mine, theirs = rank_four_of_five(own), rank_four_of_five(dealer)
    result = showdown_outcome(mine, theirs)
    qualified = theirs >= QUALIFIES
    world = pay(world, table, seat, 0, ANTE, result if qualified else PUSH, ante)
    world = pay(world, table, seat, 0, PLAY, result if qualified else WIN, times * ante)
    return pay(world, table, seat, 0, SUPER_BONUS, super_bonus_outcome(mine, theirs), ante)


def super_bonus_outcome(mine: int, theirs: int) -> int:
    """A straight or better is paid even if it loses; any other hand gets it back unless it loses."""
    if mine == FOUR_ACES:
        return BONUS_FOUR_ACES
    if class_of(mine) >= FOUR_CARD_STRAIGHT:
        return 1 + four_from_the_top(mine)
    return BONUS_PUSH if mine >= theirs else LOSE


def queens_up(own: int, other: int, options: int) -> int:
    """By the best four of the own five cards, a pair of queens or better."""
    if own == EMPTY_SET:
        return LOSE
    mine = rank_four_of_five(own)
    return four_from_the_top(mine) if mine >= QUEENS else LOSE


def king_queen_eight(question: int, sight: int) -> int:
    """Three antes with a pair of aces or better, one with K-Q-8-4 or better."""
    mine = rank_four_of_five(sight)
    return MOST_TIMES if mine >= ACES_OR_BETTER else ONCE if mine >= KING_QUEEN_EIGHT else FOLD


ROUND = Round(
    play=crazy_4_poker_round,
    family="poker",
    printed=("Dealer qualifies with king high",),
    rules=CrazyRules(),
    memory=2 * HANDS_PER_SEAT,
    places=ALL_HIDDEN,
    dealer=DEALER_DOWN,
    questions=(PLAY_ONE_TO_THREE_OR_FOLD,),
    wagers=(
        RoundWager(id="ante", outcomes=WIN_OR_PUSH),
        RoundWager(id="play", outcomes=WIN_OR_PUSH, is_asked=True),
        RoundWager(id="super_bonus", outcomes=SUPER_BONUS_OUTCOMES, equals="ante"),
    ),
    scenes=(Dealt(own_cards=5),),
    bets={"queens_up": Bet(classify=queens_up, outcomes=FOUR_FROM_THE_TOP, scene=Dealt(own_cards=5))},
    exact="showdown",
    showdown=Showdown(words=exact_four_words, strength=rank_four_of_five, qualifies=QUALIFIES, own=5, hidden=5),
    most_cards=10,
    rules_of_thumb=(
        RuleOfThumb(
            id="king_queen_eight",
            text="Play 3x with a pair of aces or better, 1x with K-Q-8-4 or better, fold the rest",
            answer=king_queen_eight,
        ),
    ),
    describe=described(four_words, {5: rank_four_of_five}),
    describe_exactly=described(exact_four_words, {5: rank_four_of_five}),
    describe_sight=lambda question, sight: four_words(rank_four_of_five(sight)),
)
