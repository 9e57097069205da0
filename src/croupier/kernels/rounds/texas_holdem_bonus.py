"""Texas Hold'em Bonus: two cards and a board against the dealer's, and a wager on every street."""

from typing import Annotated, NamedTuple

from croupier.kernels.against_dealer import (
    FOLD_CHOICE,
    HIDDEN_AND_BOARD,
    PUSH,
    WIN,
    WIN_OR_PUSH,
    described,
    showdown_outcome,
)
from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.declaration import (
    AnswerChoice,
    FilledBy,
    Question,
    Round,
    RoundWager,
    RuleOfThumb,
    Showdown,
)
from croupier.kernels.effects import (
    BOARD,
    DEALER_DOWN,
    HANDS_PER_SEAT,
    OPENING_TWO_AND_DEALER,
    TURNED,
    Memory,
    Stakes,
    Table,
    World,
    ask,
    deal,
    pay,
    settle,
    stake,
    tell,
)
from croupier.kernels.hands import ACE, EMPTY, JACK, KING, QUEEN, TEN, add_card, count_of, one_suit, ranks_in, suits_in
from croupier.kernels.holdem import (
    answer_by_board,
    board_cards,
    board_sight,
    describe_board_sight,
    hidden_ranks,
    own_cards,
    suit_of_four,
)
from croupier.kernels.poker import class_of, straight_of_four
from croupier.kernels.poker_five import FLUSH, PAIR, STRAIGHT, STRAIGHT_FLUSH, rank_five, rank_five_of_seven
from croupier.kernels.poker_words import exact_five_words, five_words
from croupier.kernels.scenes import Opening
from croupier.kernels.sets import (
    EMPTY_SET,
    SEVEN_BIT,
    SIX_BIT,
    TWO_BIT,
    card_of,
    count_bits,
    ranks_of_set,
    ranks_of_suit,
    set_size,
    suits_of_set,
)

ANTE, FLOP, TURN, RIVER = range(4)
BEFORE_FLOP, AFTER_FLOP, AFTER_TURN = range(3)
"""Each question is about the wager after its number."""
STREETS = 3
OTHERWISE, GO_ON = range(2)
"""Fold before the flop, check after it; or wager."""
TIMES = HANDS_PER_SEAT
"""In memory: the seats' hands, then for each street how many antes each seat has on it."""


class TexasBonusRules(NamedTuple):
    """Rules of a table."""

    seats: int = 1
    ante_from: Annotated[
        int,
        FilledBy(
            "ante_wins_with",
            {"straight": STRAIGHT, "flush": FLUSH},
            printed={STRAIGHT: "Ante pays with a straight or better", FLUSH: "Ante pays with a flush or better"},
        ),
    ] = STRAIGHT
    """The lowest class of a hand that wins with which the ante wins too."""
    bonus_dead: Annotated[int, FilledBy("bonus_after_fold", {"alive": 0, "dead": 1}, "side wagers")] = 0
    """1: the bonus is lost with a folded hand."""


def texas_holdem_bonus_round(
    world: World, table: Table, memory: Memory, stakes: Stakes, rules: TexasBonusRules
) -> World:
    """Two cards each; fold or wager, flop; check or wager, turn; check or wager, river; all is settled."""
    for seat in range(rules.seats):
        world = stake(world, table, seat, 0, ANTE, stakes[seat])
    for seat in range(rules.seats):
        memory[seat], world = deal(world, table, seat * HANDS_PER_SEAT, 2)
    dealer, world = deal(world, table, DEALER_DOWN, 2)
    board = EMPTY_SET
    for street in range(STREETS):
        for seat in range(rules.seats):
            world = ask_seat(world, table, memory, street, seat, board, stakes[seat])
        more, world = deal(world, table, BOARD, 3 if street == BEFORE_FLOP else 1)
        board |= more
    world = tell(world, table, TURNED, DEALER_DOWN, 0)
    theirs = rank_five_of_seven(dealer | board)
    for seat in range(rules.seats):
        folded = memory[TIMES + seat] == 0
        mine = rank_five_of_seven(memory[seat] | board)
        outcome = LOSE if folded else showdown_outcome(mine, theirs)
        ante = PUSH if outcome == WIN and class_of(mine) < rules.ante_from else outcome
        world = pay(world, table, seat, 0, ANTE, ante, stakes[seat])
        for street in range(STREETS):
            times = memory[TIMES + street * HANDS_PER_SEAT + seat]
            if times > 0:
                world = pay(world, table, seat, 0, FLOP + street, outcome, times * stakes[seat])
        own = EMPTY if folded and rules.bonus_dead == 1 else counted(memory[seat])
        world = settle(world, table, seat, 0, OPENING_TWO_AND_DEALER, own, counted(dealer))
    return world


def ask_seat(world: World, table: Table, memory: Memory, street: int, seat: int, board: int, ante: int) -> World:
    """A seat that is still in wagers or not: twice the ante before the flop, the ante after it."""
    times = 0
    if street == BEFORE_FLOP or memory[TIMES + seat] > 0:
        wagered = memory[TIMES + HANDS_PER_SEAT + seat] if street == AFTER_TURN else 0
        sight = board_sight(memory[seat], board, wagered)
        answer, world = ask(world, table, seat, 0, street, 1 << OTHERWISE | 1 << GO_ON, sight)
        if answer == GO_ON:
            times = 2 if street == BEFORE_FLOP else 1
            world = stake(world, table, seat, 0, FLOP + street, times * ante)
    memory[TIMES + street * HANDS_PER_SEAT + seat] = times
    return world


def counted(cards: int) -> int:
    """Two cards of a set as a hand of `hands.py`, which is how bets on both hands see them."""
    hand = EMPTY
    while cards:
        lowest = cards & -cards
        hand = add_card(hand, card_of(count_bits(lowest - 1)))
        cards ^= lowest
    return hand


def pair_of(rank: int) -> int:
    """`ranks_in` of a pair."""
    return 2 << 4 * rank


def texas_bonus(two: int, dealer: int, options: int) -> int:
    """By the own two cards; the dealer's count only where both have aces."""
    ranks = ranks_in(two)
    if ranks == pair_of(ACE):
        return 0 if ranks_in(dealer) == ranks else 1
    for rank in range(1, KING + 1):
        if ranks == pair_of(rank):
            return 5 if rank > TEN else 7
    if count_of(two, ACE) == 0:
        return LOSE
    suited = one_suit(suits_in(two))
    if count_of(two, KING) > 0:
        return 2 if suited else 4
    if count_of(two, QUEEN) + count_of(two, JACK) > 0:
        return 3 if suited else 6
    return LOSE


def known_answer(question: int, sight: int) -> int:
    """What is told of this game as a simple way to play."""
    own, board = own_cards(sight), board_cards(sight)
    if question == BEFORE_FLOP:
        is_low = in_two_suits(own) and ranks_of_set(own) & TWO_BIT != 0 and ranks_of_set(own) <= SEVEN_BIT | TWO_BIT
        return OTHERWISE if is_low and set_size(ranks_of_set(own)) > 1 else GO_ON
    hand, hidden = class_of(rank_five(own | board)), hidden_ranks(own, board)
    is_made = hand in (STRAIGHT, FLUSH) or hand >= STRAIGHT_FLUSH
    if question == AFTER_FLOP:
        draws = suit_of_four(own, board) >= 0 or straight_of_four(ranks_of_set(own | board)) > 0
        return GO_ON if is_made or hidden or draws else OTHERWISE
    is_high = hidden >= SIX_BIT or (hidden and hand > PAIR)
    return GO_ON if is_made or is_high or draws_straight_flush(own, board) else OTHERWISE


def in_two_suits(own: int) -> bool:
    return set_size(suits_of_set(own)) > 1


def draws_straight_flush(own: int, board: int) -> bool:
    """Whether four in a row of one suit are held, one of the seat's among them."""
    suit = suit_of_four(own, board)
    return suit >= 0 and straight_of_four(ranks_of_suit(own | board, suit)) > straight_of_four(
        ranks_of_suit(board, suit)
    )


ROUND = Round(
    play=texas_holdem_bonus_round,
    family="poker",
    rules=TexasBonusRules(),
    memory=(1 + STREETS) * HANDS_PER_SEAT,
    places=HIDDEN_AND_BOARD,
    dealer=DEALER_DOWN,
    questions=(
        Question(
            id="before_flop",
            text="Fold, or make the flop wager of two antes?",
            deciding="decides before the flop",
            choices=(
                FOLD_CHOICE,
                AnswerChoice(word="flop", label="Flop wager", key="w", adds="flop"),
            ),
            default="fold",
        ),
        Question(
            id="after_flop",
            text="Check, or make the turn wager of one ante?",
            deciding="decides after the flop",
            choices=(
                AnswerChoice(word="check", label="Check", key="c"),
                AnswerChoice(word="turn", label="Turn wager", key="w", adds="turn"),
            ),
            default="check",
        ),
        Question(
            id="after_turn",
            text="Check, or make the river wager of one ante?",
            deciding="decides after the turn",
            choices=(
                AnswerChoice(word="check", label="Check", key="c"),
                AnswerChoice(word="river", label="River wager", key="w", adds="river"),
            ),
            default="check",
        ),
    ),
    wagers=(
        RoundWager(id="ante", outcomes=WIN_OR_PUSH),
        RoundWager(id="flop", outcomes=WIN_OR_PUSH, is_asked=True, least_times=2),
        RoundWager(id="turn", outcomes=WIN_OR_PUSH, is_asked=True),
        RoundWager(id="river", outcomes=WIN_OR_PUSH, is_asked=True),
    ),
    scenes=(Opening(own_cards=2, dealer_cards=2),),
    bets={
        "texas_bonus": Bet(
            classify=texas_bonus,
            outcomes=(
                "both_aces",
                "aces",
                "ace_king_suited",
                "ace_queen_or_jack_suited",
                "ace_king",
                "high_pair",
                "ace_queen_or_jack",
                "low_pair",
            ),
            scene=Opening(own_cards=2, dealer_cards=2),
            suits="own",
            faces=True,
        )
    },
    exact="showdown",
    showdown=Showdown(strength=rank_five_of_seven, own=2, hidden=2, board=5),
    most_asked=3,
    most_cards=9,
    answer=answer_by_board,
    rules_of_thumb=(
        RuleOfThumb(
            id="hidden_pair_and_draws",
            text="Fold 2-3 to 2-7 of two suits before the flop; after it wager with a hidden pair or better, four of a "
            "suit or four in a row; after the turn with a hidden pair of sixes or better, or four in a row of a suit",
            answer=known_answer,
        ),
    ),
    describe=described(five_words, dict.fromkeys((5, 6, 7), rank_five)),
    describe_exactly=described(exact_five_words, {7: rank_five_of_seven}),
    describe_sight=describe_board_sight,
)
