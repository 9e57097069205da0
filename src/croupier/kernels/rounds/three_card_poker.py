"""Three Card Poker: three cards each, fold or play, and a dealer who needs queen high."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.declaration import AnswerChoice, FilledBy, Place, Question, Round, RoundWager
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
from croupier.kernels.poker import class_of, make_rank, second_of
from croupier.kernels.poker_five import (
    ROYAL_FLUSH,
    STRAIGHT_FLUSH,
    TRIPS,
    rank_five_of_six,
)
from croupier.kernels.poker_three import (
    MINI_ROYAL,
    THREE_CARD_HIGH,
    THREE_CARD_STRAIGHT,
    THREE_CARD_STRAIGHT_FLUSH,
    rank_three,
)
from croupier.kernels.poker_words import three_words
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import EMPTY_SET, QUEEN_BIT, THREE_BIT, TWO_BIT, set_of

ANTE, PLAY, ANTE_BONUS = range(3)
WIN, PUSH = range(2)
BONUS_STRAIGHT, BONUS_TRIPS, BONUS_STRAIGHT_FLUSH = range(3)
PLAY_OR_FOLD = 0
FOLD, RAISE = range(2)
QUALIFIES = make_rank(THREE_CARD_HIGH, 0, QUEEN_BIT | THREE_BIT | TWO_BIT)
"""The lowest queen high."""
OWN_THREE = set_moment(3)
ALL_SIX = set_moment(6)
LETTERS = "23456789TJQKA"
PLAYED = HANDS_PER_SEAT
"""In memory: the seats' hands, then who plays."""


class ThreeCardRules(NamedTuple):
    """Rules of a table."""

    seats: int = 1
    pair_plus_dead: Annotated[int, FilledBy("pair_plus_after_fold", {"dead": 1, "alive": 0}, "side wagers")] = 1
    """1: Pair Plus is lost with a folded hand."""
    six_card_dead: Annotated[int, FilledBy("six_card_bonus_after_fold", {"dead": 1, "alive": 0}, "side wagers")] = 0
    """1: so is the Six Card Bonus."""


def three_card_poker_round(world: World, table: Table, memory: Memory, stakes: Stakes, rules: ThreeCardRules) -> World:
    """Three cards to each seat and to the dealer; each seat with an ante folds or plays; all is settled."""
    for seat in range(rules.seats):
        if stakes[seat] > 0:
            world = stake(world, table, seat, 0, ANTE, stakes[seat])
    for seat in range(rules.seats):
        memory[seat], world = deal(world, table, seat * HANDS_PER_SEAT, 3)
    dealer, world = deal(world, table, DEALER_DOWN, 3)
    for seat in range(rules.seats):
        answer = RAISE
        if stakes[seat] > 0:
            answer, world = ask(world, table, seat, 0, PLAY_OR_FOLD, 1 << FOLD | 1 << RAISE, rank_three(memory[seat]))
            if answer == RAISE:
                world = stake(world, table, seat, 0, PLAY, stakes[seat])
        memory[PLAYED + seat] = answer
    world = tell(world, table, TURNED, DEALER_DOWN, 0)
    for seat in range(rules.seats):
        if stakes[seat] > 0:
            world = settle_ante(world, table, seat, memory[PLAYED + seat], memory[seat], dealer, stakes[seat])
        folded = memory[PLAYED + seat] == FOLD
        own = EMPTY_SET if folded and rules.pair_plus_dead == 1 else memory[seat]
        world = settle(world, table, seat, 0, OWN_THREE, own, EMPTY_SET)
        six = EMPTY_SET if folded and rules.six_card_dead == 1 else memory[seat] | dealer
        world = settle(world, table, seat, 0, ALL_SIX, six, EMPTY_SET)
    return world


def settle_ante(world: World, table: Table, seat: int, answer: int, own: int, dealer: int, ante: int) -> World:
    """Ante, play and ante bonus of a seat."""
    if answer == FOLD:
        return pay(world, table, seat, 0, ANTE, LOSE, ante)
    mine, theirs = rank_three(own), rank_three(dealer)
    if class_of(mine) >= THREE_CARD_STRAIGHT:
        world = pay(world, table, seat, 0, ANTE_BONUS, class_of(mine) - THREE_CARD_STRAIGHT, ante)
    if theirs < QUALIFIES:
        world = pay(world, table, seat, 0, ANTE, WIN, ante)
        return pay(world, table, seat, 0, PLAY, PUSH, ante)
    outcome = WIN if mine > theirs else PUSH if mine == theirs else LOSE
    world = pay(world, table, seat, 0, ANTE, outcome, ante)
    return pay(world, table, seat, 0, PLAY, outcome, ante)


def pair_plus(own: int, other: int, options: int) -> int:
    """By the own three cards; best a suited ace-king-queen, where the pay table has it."""
    if own == EMPTY_SET:
        return LOSE
    rank = rank_three(own)
    if rank == MINI_ROYAL:
        return 0
    hand_class = class_of(rank)
    return LOSE if hand_class == THREE_CARD_HIGH else 1 + THREE_CARD_STRAIGHT_FLUSH - hand_class


def six_card_bonus(six: int, other: int, options: int) -> int:
    """The best five of the own and the dealer's cards, three of a kind or better."""
    if six == EMPTY_SET:
        return LOSE
    hand_class = class_of(rank_five_of_six(six))
    if hand_class == ROYAL_FLUSH:
        return 0
    return LOSE if hand_class < TRIPS else 1 + STRAIGHT_FLUSH - hand_class


def describe(cards: Sequence[int]) -> str:
    """`pair of nines`."""
    return three_words(rank_three(set_of(cards))) if len(cards) == 3 else ""


def describe_sight(question: int, sight: int) -> str:
    """`Q-6-4`, where no word says it all."""
    if class_of(sight) != THREE_CARD_HIGH:
        return three_words(sight)
    return "-".join(letter for place, letter in reversed(list(enumerate(LETTERS))) if second_of(sight) >> place & 1)


ROUND = Round(
    play=three_card_poker_round,
    family="poker",
    rules=ThreeCardRules(),
    memory=2 * HANDS_PER_SEAT,
    places=(
        Place(id="dealer", label="Dealer", number=DEALER_DOWN, face="down"),
        Place(id="seat", label="Your hand", face="owner"),
    ),
    dealer=DEALER_DOWN,
    questions=(
        Question(
            id="play_or_fold",
            text="Play, for a wager equal to the ante, or fold?",
            deciding="decides whether to play",
            choices=(
                AnswerChoice(word="fold", label="Fold", key="f"),
                AnswerChoice(word="play", label="Play", key="p"),
            ),
            default="fold",
        ),
    ),
    wagers=(
        RoundWager(id="ante", outcomes=("win", "push")),
        RoundWager(id="play", outcomes=("win", "push"), is_asked=True),
        RoundWager(id="ante_bonus", outcomes=("straight", "three_of_a_kind", "straight_flush"), pays_on="ante"),
    ),
    scenes=(Dealt(own_cards=3), Dealt(own_cards=6)),
    bets={
        "pair_plus": Bet(
            classify=pair_plus,
            outcomes=("mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", "pair"),
            scene=Dealt(own_cards=3),
        ),
        "six_card_bonus": Bet(
            classify=six_card_bonus,
            outcomes=(
                "royal_flush",
                "straight_flush",
                "four_of_a_kind",
                "full_house",
                "flush",
                "straight",
                "three_of_a_kind",
            ),
            scene=Dealt(own_cards=6),
        ),
    },
    needs_first_wager=False,
    exact="tree",
    most_cards=6,
    describe=describe,
    describe_sight=describe_sight,
)
