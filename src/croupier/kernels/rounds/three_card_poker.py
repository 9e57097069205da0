"""Three Card Poker: three cards each, fold or play, and a dealer who needs queen high."""

from typing import Annotated, NamedTuple

from croupier.kernels.against_dealer import (
    ALL_HIDDEN,
    FOLD,
    FOLD_OR_ONCE,
    ONCE,
    PUSH,
    WIN,
    WIN_OR_PUSH,
    described,
    play_or_fold,
    showdown_outcome,
)
from croupier.kernels.declaration import AnswerChoice, FilledBy, Round, RoundWager, RuleOfThumb, Showdown
from croupier.kernels.effects import (
    DEALER_DOWN,
    HANDS_PER_SEAT,
    LOSE,
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
from croupier.kernels.poker_three import THREE_CARD_HIGH, THREE_CARD_STRAIGHT, rank_three
from croupier.kernels.poker_words import exact_three_words, ranks_text, three_words
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import EMPTY_SET, FOUR_BIT, QUEEN_BIT, SIX_BIT, THREE_BIT, TWO_BIT

ANTE, PLAY, ANTE_BONUS = range(3)
PLAY_OR_FOLD = 0
QUALIFIES = make_rank(THREE_CARD_HIGH, 0, QUEEN_BIT | THREE_BIT | TWO_BIT)
"""The lowest queen high."""
QUEEN_SIX_FOUR = make_rank(THREE_CARD_HIGH, 0, QUEEN_BIT | SIX_BIT | FOUR_BIT)
OWN_THREE = set_moment(3)
ALL_SIX = set_moment(6)
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
        answer = ONCE
        if stakes[seat] > 0:
            answer, world = ask(world, table, seat, 0, PLAY_OR_FOLD, FOLD_OR_ONCE, rank_three(memory[seat]))
            if answer == ONCE:
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
    outcome = showdown_outcome(mine, theirs)
    world = pay(world, table, seat, 0, ANTE, outcome, ante)
    return pay(world, table, seat, 0, PLAY, outcome, ante)


def describe_sight(question: int, sight: int) -> str:
    """`Q-6-4`, where no word says it all."""
    return three_words(sight) if class_of(sight) != THREE_CARD_HIGH else ranks_text(second_of(sight))


def queen_six_four(question: int, sight: int) -> int:
    """Play Q-6-4 or better."""
    return ONCE if sight >= QUEEN_SIX_FOUR else FOLD


def as_the_dealer(question: int, sight: int) -> int:
    """Play what would qualify."""
    return ONCE if sight >= QUALIFIES else FOLD


ROUND = Round(
    play=three_card_poker_round,
    family="poker",
    printed=("Dealer qualifies with queen high",),
    rules=ThreeCardRules(),
    memory=2 * HANDS_PER_SEAT,
    places=ALL_HIDDEN,
    dealer=DEALER_DOWN,
    questions=(
        play_or_fold("Play, for a wager equal to the ante, or fold?", AnswerChoice(word="play", label="Play", key="p")),
    ),
    wagers=(
        RoundWager(id="ante", outcomes=WIN_OR_PUSH),
        RoundWager(id="play", outcomes=WIN_OR_PUSH, is_asked=True),
        RoundWager(id="ante_bonus", outcomes=("straight", "three_of_a_kind", "straight_flush"), pays_on="ante"),
    ),
    scenes=(Dealt(own_cards=3), Dealt(own_cards=6)),
    needs_first_wager=False,
    exact="tree",
    rules_of_thumb=(
        RuleOfThumb(id="queen_six_four", text="Play with Q-6-4 or better, fold the rest", answer=queen_six_four),
        RuleOfThumb(
            id="as_the_dealer",
            text="Play with what qualifies the dealer, queen high or better, fold the rest",
            answer=as_the_dealer,
        ),
        RuleOfThumb(id="never_fold", text="Play with everything", answer=lambda question, sight: ONCE),
    ),
    most_cards=6,
    describe=described(three_words, {3: rank_three}),
    describe_exactly=described(exact_three_words, {3: rank_three}),
    showdown=Showdown(words=exact_three_words, strength=rank_three, qualifies=QUALIFIES, own=3, hidden=3),
    describe_sight=describe_sight,
)
