"""Mississippi Stud: two own cards and three of the community, and before each of these a fold or a wager."""

from typing import NamedTuple

from croupier.kernels.against_dealer import COMMUNITY, FOLD, FOLD_CHOICE, described, legal_plays
from croupier.kernels.declaration import AnswerChoice, Question, Round, RoundWager, RuleOfThumb
from croupier.kernels.effects import (
    DEALER,
    HANDS_PER_SEAT,
    LOSE,
    Memory,
    Stakes,
    Table,
    World,
    ask,
    deal,
    draw,
    pay,
    set_moment,
    settle,
    stake,
)
from croupier.kernels.poker import make_rank
from croupier.kernels.poker_draws import (
    FAR_APART,
    GAPS,
    count_from,
    counted,
    gaps_of,
    has_low_ace,
    has_pair,
    is_suited,
    ranks_text,
    straight_outs,
)
from croupier.kernels.poker_five import FROM_THE_TOP, PAIR, place_from_top, rank_five
from croupier.kernels.poker_words import five_words
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import (
    EIGHT_BIT,
    EMPTY_SET,
    FIVE_BIT,
    FOUR_BIT,
    JACK_BIT,
    SIX_BIT,
    add_to_set,
    canonical,
    ranks_of_set,
)

ANTE, THIRD = range(2)
"""The wagers of fourth and fifth street follow."""
STREETS = 3
MOST_TIMES = 3
OUTCOMES = (*FROM_THE_TOP[:-1], "high_pair", "middle_pair")
MIDDLE_PAIR = OUTCOMES.index("middle_pair")
PAID = make_rank(PAIR, JACK_BIT, 0)
"""The lowest pair of jacks."""
PUSHED = make_rank(PAIR, SIX_BIT, 0)
COMMUNITY_THREE = set_moment(3)
ALL_FIVE = set_moment(5)
TIMES = HANDS_PER_SEAT
"""In memory: the seats' hands, then for each street how many antes each seat wagers on it."""
STAKED = TIMES + STREETS * HANDS_PER_SEAT
"""How many antes each seat has wagered in all."""
FOLDED = STAKED + HANDS_PER_SEAT


class MississippiRules(NamedTuple):
    """Rules of a table."""

    seats: int = 1
    cap: int = 0
    """The most that a single wager may be, 0 for any amount."""


def mississippi_stud_round(
    world: World, table: Table, memory: Memory, stakes: Stakes, rules: MississippiRules
) -> World:
    """Two cards to each seat; three times a question and a community card; all is settled."""
    for seat in range(rules.seats):
        world = stake(world, table, seat, 0, ANTE, stakes[seat])
        memory[STAKED + seat] = 1
        memory[FOLDED + seat] = 0
        for street in range(STREETS):
            memory[TIMES + street * HANDS_PER_SEAT + seat] = 0
    for seat in range(rules.seats):
        memory[seat], world = deal(world, table, seat * HANDS_PER_SEAT, 2)
    board = EMPTY_SET
    for street in range(STREETS):
        for seat in range(rules.seats):
            world = ask_seat(world, table, memory, street, seat, board, stakes[seat], rules.cap)
        card, world = draw(world, table, DEALER)
        board = add_to_set(board, card)
    for seat in range(rules.seats):
        if memory[FOLDED + seat] == 0:
            world = pay_seat(world, table, memory, seat, outcome_of(rank_five(memory[seat] | board)), stakes[seat])
        world = settle(world, table, seat, 0, COMMUNITY_THREE, board, EMPTY_SET)
        world = settle(world, table, seat, 0, ALL_FIVE, memory[seat] | board, EMPTY_SET)
    return world


def ask_seat(
    world: World, table: Table, memory: Memory, street: int, seat: int, board: int, ante: int, cap: int
) -> World:
    """Whether a seat that is still in folds, or what it wagers."""
    if memory[FOLDED + seat] == 0:
        sight = canonical(memory[seat] | board) << MOST_TIMES | memory[STAKED + seat]
        times, world = ask(world, table, seat, 0, street, legal_plays(ante, MOST_TIMES, cap), sight)
        if times == FOLD:
            memory[FOLDED + seat] = 1
            world = pay_seat(world, table, memory, seat, LOSE, ante)
        else:
            memory[STAKED + seat] += times
            memory[TIMES + street * HANDS_PER_SEAT + seat] = times
            world = stake(world, table, seat, 0, THIRD + street, times * ante)
    return world


def pay_seat(world: World, table: Table, memory: Memory, seat: int, outcome: int, ante: int) -> World:
    """All wagers of a seat, which end alike."""
    world = pay(world, table, seat, 0, ANTE, outcome, ante)
    for street in range(STREETS):
        times = memory[TIMES + street * HANDS_PER_SEAT + seat]
        if times > 0:
            world = pay(world, table, seat, 0, THIRD + street, outcome, times * ante)
    return world


def outcome_of(rank: int) -> int:
    """How every wager of a seat that stayed ends."""
    if rank < PUSHED:
        return LOSE
    return MIDDLE_PAIR if rank < PAID else place_from_top(rank, PAIR)


def points_of(cards: int) -> int:
    """Two for a jack or better, one for a six to a ten."""
    return count_from(cards, JACK_BIT) + count_from(cards, SIX_BIT)


def kind_of_sight(question: int, sight: int) -> tuple[str, ...]:
    """`("suited", "one gap", "3 points", "J-9-8", "3 antes on the table")`."""
    cards, staked = sight >> MOST_TIMES, counted(sight & (1 << MOST_TIMES) - 1, "ante") + " on the table"
    rank = rank_five(cards)
    if rank >= PAID:
        return ("a hand that is paid already",)
    if has_pair(cards):
        return ("a pair of sixes to tens" if rank >= PUSHED else "a lower pair", staked)
    points = counted(points_of(cards), "point")
    if question == 0:
        return (points, "suited" if is_suited(cards) else "offsuit", ranks_text(cards), staked)
    if is_suited(cards) and question == STREETS - 1:
        return ("four to a flush", points, staked)
    gaps = gaps_of(cards)
    near = GAPS[gaps] if gaps < FAR_APART else "no straight"
    if is_suited(cards):
        return ("suited", near, points, ranks_text(cards), staked)
    if question == STREETS - 1:
        outs = straight_outs(cards)
        near = ("no straight", "one rank to a straight", "two ranks to a straight")[outs]
        return (near, points, ranks_text(cards) if outs else counted(count_from(cards, JACK_BIT), "high card"), staked)
    return (points, near, ranks_text(cards), staked)


def known_answer(question: int, sight: int) -> int:
    """The rules that analysts print; answers are antes."""
    cards, staked = sight >> MOST_TIMES, sight & (1 << MOST_TIMES) - 1
    rank, points, high = rank_five(cards), points_of(cards), count_from(cards, JACK_BIT)
    middle, gaps, suited = count_from(cards, SIX_BIT) - high, gaps_of(cards), is_suited(cards)
    if question == 0:
        if has_pair(cards):
            return MOST_TIMES
        return 1 if points >= 2 or (suited and ranks_text(cards) == "6-5") else FOLD
    if rank >= PUSHED:
        return MOST_TIMES
    if has_pair(cards):
        return 1
    if question == 1:
        lowest = cards_lowest(cards)
        above = high - has_low_ace(cards)
        draws = (gaps == 0 and lowest >= FIVE_BIT) or (gaps in (1, 2) and above >= gaps)
        if suited:
            return MOST_TIMES if draws else 1
        straight = (gaps == 0 and lowest >= FOUR_BIT) or (gaps == 1 and middle >= 2)
        return 1 if points >= 3 or straight else FOLD
    if suited or (straight_outs(cards) == 2 and count_from(cards, EIGHT_BIT) >= 1):
        return MOST_TIMES
    raised = staked > 3
    return 1 if straight_outs(cards) or points >= 4 or (middle == 3 and raised) else FOLD


def cards_lowest(cards: int) -> int:
    """The bit of the lowest rank, aces high."""
    ranks = ranks_of_set(cards)
    return ranks & -ranks


def street_question(street: str, text: str) -> Question:
    """The same question on each street."""
    times = (
        AnswerChoice(word=f"{number}x", label=f"{number}\N{MULTIPLICATION SIGN} ante", key=str(number), adds=street)
        for number in range(1, MOST_TIMES + 1)
    )
    return Question(
        id=street,
        text=text,
        deciding=f"decides about {street.replace('_', ' ')}",
        choices=(FOLD_CHOICE, *times),
        default="fold",
    )


ROUND = Round(
    play=mississippi_stud_round,
    family="poker",
    printed=("Pair of jacks or better wins", "Sixes to tens push"),
    rules=MississippiRules(),
    memory=FOLDED + HANDS_PER_SEAT,
    places=COMMUNITY,
    questions=(
        street_question("third_street", "Fold, or wager on third street?"),
        street_question("fourth_street", "Fold, or wager on fourth street?"),
        street_question("fifth_street", "Fold, or wager on fifth street?"),
    ),
    wagers=(
        RoundWager(id="ante", outcomes=OUTCOMES),
        RoundWager(id="third_street", outcomes=OUTCOMES, is_asked=True, table_of="ante"),
        RoundWager(id="fourth_street", outcomes=OUTCOMES, is_asked=True, table_of="ante"),
        RoundWager(id="fifth_street", outcomes=OUTCOMES, is_asked=True, table_of="ante"),
    ),
    scenes=(Dealt(own_cards=3), Dealt(own_cards=5)),
    exact="tree",
    sight_tells_all=True,
    limit_binds_later=True,
    most_cards=5,
    most_asked=3,
    describe=described(five_words, dict.fromkeys(range(1, 6), rank_five)),
    kind_of_sight=kind_of_sight,
    rules_of_thumb=(
        RuleOfThumb(
            id="points",
            text="By points, two for a jack or better and one for a six to a ten, as analysts print it",
            answer=known_answer,
        ),
    ),
)
