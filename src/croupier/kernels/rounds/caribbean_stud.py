"""Caribbean Stud: five cards each, one of the dealer's face up; fold or raise, and a dealer who needs ace-king."""

from typing import NamedTuple

from croupier.kernels.against_dealer import (
    FOLD,
    FOLD_CHOICE,
    FOLD_OR_ONCE,
    ONCE,
    ONE_SHOWN,
    PUSH,
    WIN,
    WIN_OR_PUSH,
    SideWagersDead,
    described,
    described_beside,
)
from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.declaration import (
    AnswerChoice,
    Question,
    Round,
    RoundWager,
    RuleOfThumb,
    Showdown,
)
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
from croupier.kernels.poker import class_of, make_rank, second_of
from croupier.kernels.poker_five import FLUSH, FROM_THE_TOP, HIGH_CARD, TWO_PAIR, place_from_top, rank_five
from croupier.kernels.poker_words import exact_five_words, five_words, ranks_text
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import (
    ACE_BIT,
    EIGHT_BIT,
    EMPTY_SET,
    FOUR_BIT,
    JACK_BIT,
    KING_BIT,
    QUEEN_BIT,
    THREE_BIT,
    TWO_BIT,
    ranks_of_set,
)
from croupier.kernels.sights import own_of_sight, sight_beside, up_of_sight

ANTE, RAISED = range(2)
RAISE_OUTCOMES = (*FROM_THE_TOP[:8], "pair_or_less", "push")
PAIR_OR_LESS, RAISE_PUSH = 8, 9
RAISE_OR_FOLD = 0
RAISE = ONCE
RAISE_TIMES = 2
"""A raise is twice the ante."""
QUALIFIES = make_rank(HIGH_CARD, 0, ACE_BIT | KING_BIT | FOUR_BIT | THREE_BIT | TWO_BIT)
"""The lowest ace-king."""
ACE_KING_JACK = make_rank(HIGH_CARD, 0, ACE_BIT | KING_BIT | JACK_BIT | EIGHT_BIT | THREE_BIT)
OWN_FIVE = set_moment(5)
ANSWERS = HANDS_PER_SEAT
"""In memory: the seats' hands, then their answers."""


class CaribbeanRules(NamedTuple):
    """Rules of a table."""

    seats: int = 1
    side_wagers_dead: SideWagersDead = 0
    """1: the progressives are lost with a folded hand."""


def caribbean_stud_round(world: World, table: Table, memory: Memory, stakes: Stakes, rules: CaribbeanRules) -> World:
    """Five cards to each seat and to the dealer, who shows one; each seat folds or raises; all is settled."""
    for seat in range(rules.seats):
        world = stake(world, table, seat, 0, ANTE, stakes[seat])
    for seat in range(rules.seats):
        memory[seat], world = deal(world, table, seat * HANDS_PER_SEAT, 5)
    up, world = deal(world, table, DEALER, 1)
    down, world = deal(world, table, DEALER_DOWN, 4)
    for seat in range(rules.seats):
        sight = sight_beside(memory[seat], up)
        answer, world = ask(world, table, seat, 0, RAISE_OR_FOLD, FOLD_OR_ONCE, sight)
        if answer == RAISE:
            world = stake(world, table, seat, 0, RAISED, RAISE_TIMES * stakes[seat])
        memory[ANSWERS + seat] = answer
    world = tell(world, table, TURNED, DEALER_DOWN, 0)
    for seat in range(rules.seats):
        folded = memory[ANSWERS + seat] == FOLD
        if folded:
            world = pay(world, table, seat, 0, ANTE, LOSE, stakes[seat])
        else:
            world = settle_raise(world, table, seat, memory[seat], up | down, stakes[seat])
        own = EMPTY_SET if folded and rules.side_wagers_dead == 1 else memory[seat]
        world = settle(world, table, seat, 0, OWN_FIVE, own, EMPTY_SET)
    return world


def settle_raise(world: World, table: Table, seat: int, own: int, dealer: int, ante: int) -> World:
    """Ante and raise of a seat that has not folded."""
    mine, theirs = rank_five(own), rank_five(dealer)
    outcome, raised = WIN, RAISE_PUSH
    if theirs >= QUALIFIES:
        if mine > theirs:
            place = place_from_top(mine, TWO_PAIR)
            raised = PAIR_OR_LESS if place < 0 else place
        elif mine == theirs:
            outcome = PUSH
        else:
            outcome, raised = LOSE, LOSE
    world = pay(world, table, seat, 0, ANTE, outcome, ante)
    return pay(world, table, seat, 0, RAISED, raised, RAISE_TIMES * ante)


def caribbean_progressive(own: int, other: int, options: int) -> int:
    """By the own five cards, a flush or better."""
    return LOSE if own == EMPTY_SET else place_from_top(rank_five(own), FLUSH)


def words_with_second(rank: int) -> str:
    """A hand in words; of one without a pair the second card as well, as ace-king qualifies and ace-queen does not."""
    if class_of(rank) > HIGH_CARD:
        return five_words(rank)
    first, second = ranks_text(second_of(rank)).split("-")[:2]
    return f"{first}-{second} high"


def ace_king_jack(question: int, sight: int) -> int:
    """A-K-J-8-3 or better."""
    return RAISE if rank_five(own_of_sight(sight)) >= ACE_KING_JACK else FOLD


def ace_king_by_up_card(question: int, sight: int) -> int:
    """With ace-king by the dealer's card: one that matches; an ace or king against a queen or jack; or lower than the
    fourth card of a hand with a queen."""
    mine, theirs = rank_five(own_of_sight(sight)), ranks_of_set(up_of_sight(sight))
    if class_of(mine) > HIGH_CARD:
        return RAISE
    ranks = second_of(mine)
    if mine < QUALIFIES:
        return FOLD
    if theirs & (ACE_BIT | KING_BIT):
        return RAISE if ranks & (QUEEN_BIT | JACK_BIT) else FOLD
    four = ranks & (ranks - 1)
    is_low = theirs < four & -four and ranks & QUEEN_BIT != 0
    return RAISE if theirs & ranks or is_low else FOLD


ROUND = Round(
    play=caribbean_stud_round,
    family="poker",
    printed=("Dealer qualifies with ace-king",),
    rules=CaribbeanRules(),
    memory=2 * HANDS_PER_SEAT,
    places=ONE_SHOWN,
    questions=(
        Question(
            id="raise_or_fold",
            text="Raise, for a wager of two antes, or fold?",
            deciding="decides whether to raise",
            choices=(
                FOLD_CHOICE,
                AnswerChoice(word="raise", label="Raise", key="r", adds="raise"),
            ),
            default="fold",
        ),
    ),
    wagers=(
        RoundWager(id="ante", outcomes=WIN_OR_PUSH),
        RoundWager(id="raise", outcomes=RAISE_OUTCOMES, is_asked=True, least_times=RAISE_TIMES),
    ),
    scenes=(Dealt(own_cards=5),),
    bets={
        "caribbean_progressive": Bet(
            classify=caribbean_progressive, outcomes=FROM_THE_TOP[:5], scene=Dealt(own_cards=5)
        )
    },
    exact="showdown",
    showdown=Showdown(words=exact_five_words, strength=rank_five, qualifies=QUALIFIES, own=5, up=1, hidden=4),
    most_cards=10,
    rules_of_thumb=(
        RuleOfThumb(id="ace_king_jack", text="Raise with A-K-J-8-3 or better, fold the rest", answer=ace_king_jack),
        RuleOfThumb(
            id="ace_king_by_up_card",
            text="Raise with a pair or better, and with ace-king if the dealer's card is a queen or lower and matches "
            "one's own; is an ace or king and one has a queen or jack; or is lower than the fourth card of a hand with "
            "a queen",
            answer=ace_king_by_up_card,
        ),
    ),
    describe=described(words_with_second, {5: rank_five}),
    describe_exactly=described(exact_five_words, {5: rank_five}),
    describe_sight=described_beside(five_words, rank_five),
)
