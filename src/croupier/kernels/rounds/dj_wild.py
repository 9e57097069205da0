"""DJ Wild: five cards each of 53, deuces and the joker wild; fold or play, and a blind paid by the winning hand."""

from typing import Annotated, NamedTuple

from croupier.kernels.against_dealer import (
    ALL_HIDDEN,
    FOLD,
    FOLD_OR_ONCE,
    ONCE,
    WIN_OR_PUSH,
    described,
    play_or_fold,
    showdown_outcome,
)
from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.declaration import (
    AnswerChoice,
    FilledBy,
    Round,
    RoundWager,
    RuleOfThumb,
    Showdown,
)
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
from croupier.kernels.poker_five import (
    FIVE_OF_A_KIND,
    FIVE_WILDS,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
)
from croupier.kernels.poker_wild import is_natural, rank_five_wild
from croupier.kernels.poker_words import exact_five_words, five_words
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import EMPTY_SET, FOUR_BIT, canonical

ANTE, BLIND, PLAY = range(3)
BLIND_OUTCOMES = (
    "five_wilds",
    "royal_flush",
    "five_of_a_kind",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "push",
)
BLIND_FIVE_WILDS, BLIND_ROYAL_FLUSH, BLIND_FIVE_OF_A_KIND = range(3)
BLIND_PUSH = 8
TRIPS_OUTCOMES = (
    "five_wilds",
    "natural_royal_flush",
    "wild_royal_flush",
    "five_of_a_kind",
    "natural_straight_flush",
    "wild_straight_flush",
    "natural_four_of_a_kind",
    "wild_four_of_a_kind",
    "natural_full_house",
    "wild_full_house",
    "natural_flush",
    "wild_flush",
    "natural_straight",
    "wild_straight",
    "natural_three_of_a_kind",
    "wild_three_of_a_kind",
)
TRIPS_FIVE_WILDS, TRIPS_ROYAL_FLUSH, _, TRIPS_FIVE_OF_A_KIND, TRIPS_STRAIGHT_FLUSH = range(5)
PLAY_OR_FOLD = 0
PLAY_TIMES = 2
"""A play wager is twice the ante."""
FOURS = make_rank(PAIR, FOUR_BIT, 0)
OWN_FIVE = set_moment(5)
ANSWERS = HANDS_PER_SEAT
"""In memory: the seats' hands, then their answers."""


class WildRules(NamedTuple):
    """Rules of a table."""

    seats: int = 1
    trips_dead: Annotated[int, FilledBy("trips_after_fold", {"dead": 1, "alive": 0}, "side wagers")] = 0
    """1: Trips is lost with a folded hand."""


def dj_wild_round(world: World, table: Table, memory: Memory, stakes: Stakes, rules: WildRules) -> World:
    """Five cards to each seat and to the dealer; each seat folds or plays; all is settled."""
    for seat in range(rules.seats):
        world = stake(world, table, seat, 0, ANTE, stakes[seat])
        world = stake(world, table, seat, 0, BLIND, stakes[seat])
    for seat in range(rules.seats):
        memory[seat], world = deal(world, table, seat * HANDS_PER_SEAT, 5)
    dealer, world = deal(world, table, DEALER_DOWN, 5)
    for seat in range(rules.seats):
        sight = canonical(memory[seat])
        answer, world = ask(world, table, seat, 0, PLAY_OR_FOLD, FOLD_OR_ONCE, sight)
        if answer == ONCE:
            world = stake(world, table, seat, 0, PLAY, PLAY_TIMES * stakes[seat])
        memory[ANSWERS + seat] = answer
    world = tell(world, table, TURNED, DEALER_DOWN, 0)
    for seat in range(rules.seats):
        folded = memory[ANSWERS + seat] == FOLD
        if folded:
            world = pay(world, table, seat, 0, ANTE, LOSE, stakes[seat])
            world = pay(world, table, seat, 0, BLIND, LOSE, stakes[seat])
        else:
            world = settle_play(world, table, seat, memory[seat], dealer, stakes[seat])
        own = EMPTY_SET if folded and rules.trips_dead == 1 else memory[seat]
        world = settle(world, table, seat, 0, OWN_FIVE, own, EMPTY_SET)
    return world


def settle_play(world: World, table: Table, seat: int, own: int, dealer: int, ante: int) -> World:
    """Ante, blind and play of a seat that has not folded."""
    mine, theirs = rank_five_wild(own), rank_five_wild(dealer)
    outcome = showdown_outcome(mine, theirs)
    blind = blind_outcome(mine) if mine > theirs else BLIND_PUSH if mine == theirs else LOSE
    world = pay(world, table, seat, 0, ANTE, outcome, ante)
    world = pay(world, table, seat, 0, BLIND, blind, ante)
    return pay(world, table, seat, 0, PLAY, outcome, PLAY_TIMES * ante)


def blind_outcome(rank: int) -> int:
    """What a hand that wins is paid on the blind."""
    hand_class = class_of(rank)
    if hand_class == FIVE_WILDS:
        return BLIND_FIVE_WILDS
    if hand_class == ROYAL_FLUSH:
        return BLIND_ROYAL_FLUSH
    return BLIND_PUSH if hand_class < STRAIGHT else BLIND_FIVE_OF_A_KIND + FIVE_OF_A_KIND - hand_class


def trips(own: int, other: int, options: int) -> int:
    """By the own five cards, three of a kind or better, with wild cards or without."""
    if own == EMPTY_SET:
        return LOSE
    rank = rank_five_wild(own)
    hand_class = class_of(rank)
    if hand_class == FIVE_WILDS:
        return TRIPS_FIVE_WILDS
    if hand_class == FIVE_OF_A_KIND:
        return TRIPS_FIVE_OF_A_KIND
    if hand_class < TRIPS:
        return LOSE
    wild = 0 if is_natural(own, rank) else 1
    if hand_class == ROYAL_FLUSH:
        return TRIPS_ROYAL_FLUSH + wild
    return TRIPS_STRAIGHT_FLUSH + 2 * (STRAIGHT_FLUSH - hand_class) + wild


def pair_of_fours(question: int, sight: int) -> int:
    """A pair of fours or better."""
    return ONCE if rank_five_wild(sight) >= FOURS else FOLD


ROUND = Round(
    play=dj_wild_round,
    family="poker",
    printed=("Deuces and joker are wild", "Blind pays with a straight or better"),
    rules=WildRules(),
    memory=2 * HANDS_PER_SEAT,
    has_joker=True,
    places=ALL_HIDDEN,
    dealer=DEALER_DOWN,
    questions=(
        play_or_fold(
            "Play, for a wager of two antes, or fold?", AnswerChoice(word="play", label="Play", key="p", adds="play")
        ),
    ),
    wagers=(
        RoundWager(id="ante", outcomes=WIN_OR_PUSH),
        RoundWager(id="blind", outcomes=BLIND_OUTCOMES, equals="ante"),
        RoundWager(id="play", outcomes=WIN_OR_PUSH, is_asked=True, least_times=PLAY_TIMES),
    ),
    scenes=(Dealt(own_cards=5, joker=True),),
    bets={"dj_wild_trips": Bet(classify=trips, outcomes=TRIPS_OUTCOMES, scene=Dealt(own_cards=5, joker=True))},
    exact="showdown",
    showdown=Showdown(words=exact_five_words, strength=rank_five_wild, own=5, hidden=5),
    most_cards=10,
    rules_of_thumb=(
        RuleOfThumb(
            id="pair_of_fours", text="Play with a pair of fours or better, fold the rest", answer=pair_of_fours
        ),
    ),
    describe=described(five_words, {5: rank_five_wild}),
    describe_exactly=described(exact_five_words, {5: rank_five_wild}),
    describe_sight=lambda question, sight: five_words(rank_five_wild(sight)),
)
