"""Let It Ride: three equal wagers on five cards, two of which may be taken back while cards are still to come."""

from typing import NamedTuple

from croupier.kernels.against_dealer import COMMUNITY, described
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
from croupier.kernels.sets import EMPTY_SET, TEN_BIT, add_to_set, canonical

BET, BET_1, BET_2 = range(3)
FIRST_BET, SECOND_BET = range(2)
TAKE_BACK, LET_IT_RIDE = range(2)
PAID = make_rank(PAIR, TEN_BIT, 0)
"""The lowest pair of tens."""
OWN_THREE = set_moment(3)
ALL_FIVE = set_moment(5)
RIDES = HANDS_PER_SEAT
"""In memory: the seats' hands, then which of their wagers stay: one bit for each that was asked about."""


class LetItRideRules(NamedTuple):
    """Rules of a table."""

    seats: int = 1


def let_it_ride_round(world: World, table: Table, memory: Memory, stakes: Stakes, rules: LetItRideRules) -> World:
    """Three wagers and three cards to each seat; a question, a card, a question, a card."""
    for seat in range(rules.seats):
        memory[RIDES + seat] = 0
        for wager in range(BET_2 + 1):
            world = stake(world, table, seat, 0, wager, stakes[seat])
    for seat in range(rules.seats):
        memory[seat], world = deal(world, table, seat * HANDS_PER_SEAT, 3)
    board = EMPTY_SET
    for question in range(SECOND_BET + 1):
        for seat in range(rules.seats):
            sight = canonical(memory[seat] | board) << 1 | memory[RIDES + seat]
            answer, world = ask(world, table, seat, 0, question, 1 << TAKE_BACK | 1 << LET_IT_RIDE, sight)
            if answer == LET_IT_RIDE:
                memory[RIDES + seat] |= 1 << question
            else:
                world = stake(world, table, seat, 0, BET_1 + question, -stakes[seat])
        card, world = draw(world, table, DEALER)
        board = add_to_set(board, card)
    for seat in range(rules.seats):
        outcome = outcome_of(rank_five(memory[seat] | board))
        world = pay(world, table, seat, 0, BET, outcome, stakes[seat])
        for question in range(SECOND_BET + 1):
            if memory[RIDES + seat] >> question & 1:
                world = pay(world, table, seat, 0, BET_1 + question, outcome, stakes[seat])
        world = settle(world, table, seat, 0, OWN_THREE, memory[seat], EMPTY_SET)
        world = settle(world, table, seat, 0, ALL_FIVE, memory[seat] | board, EMPTY_SET)
    return world


def outcome_of(rank: int) -> int:
    """How every wager that stayed ends."""
    return place_from_top(rank, PAIR) if rank >= PAID else LOSE


def kind_of_sight(question: int, sight: int) -> tuple[str, ...]:
    """`("three to a straight flush", "one gap", "2 high cards", "K-J-9")`; the highs are tens and above."""
    cards = sight >> 1
    if rank_five(cards) >= PAID:
        return ("a hand that is paid already",)
    high = counted(count_from(cards, TEN_BIT), "high card")
    if has_pair(cards):
        return ("a lower pair",)
    if is_suited(cards) and question == SECOND_BET:
        return ("four to a flush",)
    gaps = gaps_of(cards)
    if is_suited(cards) and gaps < FAR_APART:
        if count_from(cards, TEN_BIT) == 3:
            return ("three to a royal flush",)
        return ("three to a straight flush", GAPS[gaps], high, ranks_text(cards))
    if question == SECOND_BET and straight_outs(cards):
        return ("four to a straight", "open at both ends" if straight_outs(cards) == 2 else "one rank", high)
    return ("nothing of these",)


def known_answer(question: int, sight: int) -> int:
    """The rules that analysts print."""
    cards = sight >> 1
    high, gaps = count_from(cards, TEN_BIT) - has_low_ace(cards), gaps_of(cards)
    if rank_five(cards) >= PAID:
        return LET_IT_RIDE
    if has_pair(cards):
        return TAKE_BACK
    if question == SECOND_BET:
        rides = is_suited(cards) or (straight_outs(cards) == 2 and high >= 1)
        return LET_IT_RIDE if rides else TAKE_BACK
    in_row = gaps == 0 and ranks_text(cards) not in ("A-3-2", "4-3-2")
    rides = is_suited(cards) and (in_row or (gaps == 1 and high >= 1) or (gaps == 2 and high >= 2))
    return LET_IT_RIDE if rides else TAKE_BACK


ROUND = Round(
    play=let_it_ride_round,
    family="poker",
    printed=("Pair of tens or better wins",),
    rules=LetItRideRules(),
    memory=2 * HANDS_PER_SEAT,
    places=COMMUNITY,
    questions=(
        Question(
            id="first_bet",
            text="Take the first wager back, or let it ride?",
            deciding="decides about the first wager",
            choices=(
                AnswerChoice(word="take_back", label="Take it back", key="b"),
                AnswerChoice(word="let_it_ride", label="Let it ride", key="l"),
            ),
            default="take_back",
        ),
        Question(
            id="second_bet",
            text="Take the second wager back, or let it ride?",
            deciding="decides about the second wager",
            choices=(
                AnswerChoice(word="take_back", label="Take it back", key="b"),
                AnswerChoice(word="let_it_ride", label="Let it ride", key="l"),
            ),
            default="take_back",
        ),
    ),
    wagers=(
        RoundWager(id="bet", outcomes=FROM_THE_TOP),
        RoundWager(id="bet_1", outcomes=FROM_THE_TOP, equals="bet", table_of="bet"),
        RoundWager(id="bet_2", outcomes=FROM_THE_TOP, equals="bet", table_of="bet"),
    ),
    scenes=(Dealt(own_cards=3), Dealt(own_cards=5)),
    exact="tree",
    sight_tells_all=True,
    most_cards=5,
    most_asked=2,
    describe=described(five_words, dict.fromkeys(range(1, 6), rank_five)),
    kind_of_sight=kind_of_sight,
    rules_of_thumb=(
        RuleOfThumb(
            id="printed",
            text="Ride on a paid hand; on three suited cards in a row but A-2-3 and 2-3-4, with one gap and a high "
            "card, or with two gaps and two; then on four to a flush, or to an open straight with a high card",
            answer=known_answer,
        ),
        RuleOfThumb(
            id="paid_hands_only",
            text="Ride on a hand that is paid already, and on nothing else",
            answer=lambda question, sight: LET_IT_RIDE if rank_five(sight >> 1) >= PAID else TAKE_BACK,
        ),
    ),
)
