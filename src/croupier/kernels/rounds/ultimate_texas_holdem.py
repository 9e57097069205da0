"""Ultimate Texas Hold'em: two cards and a board against the dealer's, and the earlier a seat plays, the more it may."""

from typing import Annotated, NamedTuple

from croupier.kernels.against_dealer import (
    FOLD_CHOICE,
    HIDDEN_AND_BOARD,
    PUSH,
    WIN_OR_PUSH,
    described,
    showdown_outcome,
)
from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.declaration import (
    YES_NO,
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
    TURNED,
    Memory,
    Stakes,
    Table,
    World,
    ask,
    deal,
    may_stake,
    pay,
    set_moment,
    settle,
    stake,
    tell,
)
from croupier.kernels.holdem import (
    answer_by_board,
    board_cards,
    board_sight,
    describe_board_sight,
    hidden_ranks,
    own_cards,
    suit_of_four,
)
from croupier.kernels.poker import class_of, highest, make_rank
from croupier.kernels.poker_five import (
    FROM_THE_TOP,
    PAIR,
    STRAIGHT,
    TRIPS,
    TWO_PAIR,
    place_from_top,
    rank_five,
    rank_five_of_seven,
    rank_five_of_six,
)
from croupier.kernels.poker_words import exact_five_words, five_words
from croupier.kernels.scenes import Dealt
from croupier.kernels.sets import (
    ACE_BIT,
    EIGHT_BIT,
    EMPTY_SET,
    FIVE_BIT,
    JACK_BIT,
    JOKER_CARD,
    KING_BIT,
    QUEEN_BIT,
    SIX_BIT,
    TEN_BIT,
    THREE_BIT,
    TWO_BIT,
    ranks_of_set,
    ranks_of_suit,
    set_size,
    suits_of_set,
)

ANTE, BLIND, PLAY = range(3)
BLIND_PUSH = 6
BEFORE_FLOP, AFTER_FLOP, AFTER_RIVER = range(3)
CHECK, PLAY_3X, PLAY_4X = range(3)
PLAY_2X = 1
FOLD, PLAY_1X = range(2)
OPENS = make_rank(PAIR, 0, 0)
"""The dealer opens with any pair."""
OWN_AND_FLOP = set_moment(5)
ALL_SEVEN = set_moment(7)
TOO_MANY_OUTS = 21
"""Cards of which one is enough for the dealer to win, and with which a player folds who knows the rule of thumb."""
TIMES = HANDS_PER_SEAT
"""In memory: the seats' hands, then how many antes each has played, then what each has of the flop."""
WITH_FLOP = 2 * HANDS_PER_SEAT


class UltimateRules(NamedTuple):
    """Rules of a table."""

    seats: int = 1
    cap: int = 0
    """The most that a single wager may be, 0 for any amount."""
    takes_3x: Annotated[int, FilledBy("play_3x", YES_NO)] = 1
    """1: three antes may be played before the flop instead of four."""
    trips_dead: Annotated[int, FilledBy("trips_after_fold", {"alive": 0, "dead": 1}, "side wagers")] = 0
    """1: Trips is lost with a folded hand."""


def ultimate_texas_holdem_round(
    world: World, table: Table, memory: Memory, stakes: Stakes, rules: UltimateRules
) -> World:
    """Two cards each; three times the seats that have not played are asked; all is settled."""
    for seat in range(rules.seats):
        world = stake(world, table, seat, 0, ANTE, stakes[seat])
        world = stake(world, table, seat, 0, BLIND, stakes[seat])
    for seat in range(rules.seats):
        memory[seat], world = deal(world, table, seat * HANDS_PER_SEAT, 2)
        memory[TIMES + seat] = 0
    dealer, world = deal(world, table, DEALER_DOWN, 2)
    for seat in range(rules.seats):
        legal = 1 << CHECK | legal_play(PLAY_3X, 3 * stakes[seat], rules.cap) * rules.takes_3x
        legal |= legal_play(PLAY_4X, 4 * stakes[seat], rules.cap)
        world = ask_seat(world, table, memory, stakes, seat, BEFORE_FLOP, legal, EMPTY_SET)
    board, world = deal(world, table, BOARD, 3)
    for seat in range(rules.seats):
        memory[WITH_FLOP + seat] = memory[seat] | board
        legal = 1 << CHECK | legal_play(PLAY_2X, 2 * stakes[seat], rules.cap)
        world = ask_seat(world, table, memory, stakes, seat, AFTER_FLOP, legal, board)
    more, world = deal(world, table, BOARD, 2)
    board |= more
    for seat in range(rules.seats):
        world = ask_seat(world, table, memory, stakes, seat, AFTER_RIVER, 1 << FOLD | 1 << PLAY_1X, board)
    world = tell(world, table, TURNED, DEALER_DOWN, 0)
    theirs = rank_five_of_seven(dealer | board)
    for seat in range(rules.seats):
        own = memory[seat] | board
        times = memory[TIMES + seat]
        world = settle_seat(world, table, seat, rank_five_of_seven(own), theirs, stakes[seat], times)
        own = EMPTY_SET if times == 0 and rules.trips_dead == 1 else own
        world = settle(world, table, seat, 0, ALL_SEVEN, own, EMPTY_SET)
        world = settle(world, table, seat, 0, OWN_AND_FLOP, memory[WITH_FLOP + seat], EMPTY_SET)
    return world


def legal_play(answer: int, amount: int, cap: int) -> int:
    """The bit of an answer that plays so much, if the limit for a single wager lets it."""
    return 1 << answer if may_stake(amount, cap) else 0


def ask_seat(
    world: World, table: Table, memory: Memory, stakes: Stakes, seat: int, question: int, legal: int, board: int
) -> World:
    """A seat that has not played plays or not; where it may only check, nobody asks."""
    if memory[TIMES + seat] == 0 and legal & (legal - 1):
        answer, world = ask(world, table, seat, 0, question, legal, board_sight(memory[seat], board, 0))
        if answer > 0:
            times = answer + 2 if question == BEFORE_FLOP else 2 if question == AFTER_FLOP else 1
            memory[TIMES + seat] = times
            world = stake(world, table, seat, 0, PLAY, times * stakes[seat])
    return world


def settle_seat(world: World, table: Table, seat: int, mine: int, theirs: int, ante: int, times: int) -> World:
    """Ante, blind and play of a seat."""
    if times == 0:
        world = pay(world, table, seat, 0, ANTE, LOSE, ante)
        return pay(world, table, seat, 0, BLIND, LOSE, ante)
    outcome = showdown_outcome(mine, theirs)
    blind = LOSE
    if mine > theirs and class_of(mine) >= STRAIGHT:
        blind = place_from_top(mine, STRAIGHT)
    elif mine >= theirs:
        blind = BLIND_PUSH
    world = pay(world, table, seat, 0, ANTE, outcome if theirs >= OPENS else PUSH, ante)
    world = pay(world, table, seat, 0, BLIND, blind, ante)
    return pay(world, table, seat, 0, PLAY, outcome, times * ante)


def trips(seven: int, other: int, options: int) -> int:
    """The best five of the own two cards and the board, three of a kind or better."""
    return LOSE if seven == EMPTY_SET else place_from_top(rank_five_of_seven(seven), TRIPS)


def known_answer(question: int, sight: int) -> int:
    """The rule that players learn first; three antes are never played."""
    own, board = own_cards(sight), board_cards(sight)
    if question == BEFORE_FLOP:
        return PLAY_4X if opens_strong(own) else CHECK
    if question == AFTER_FLOP:
        return PLAY_2X if is_worth_two(own, board) else CHECK
    return PLAY_1X if is_worth_one(own, board) else FOLD


def opens_strong(own: int) -> bool:
    """Any ace, threes or better, and high cards with a second one that is high enough: 69 of 169 holdings."""
    ranks = ranks_of_set(own)
    high = highest(ranks)
    low = ranks ^ high
    if low == 0:
        return high >= THREE_BIT
    suited = set_size(suits_of_set(own)) == 1
    if high == KING_BIT:
        return suited or low >= FIVE_BIT
    if high == QUEEN_BIT:
        return low >= (SIX_BIT if suited else EIGHT_BIT)
    if high == JACK_BIT:
        return low >= (EIGHT_BIT if suited else TEN_BIT)
    return high == ACE_BIT


def is_worth_two(own: int, board: int) -> bool:
    """Two pair or better, a hidden pair but no pocket deuces, or four to a flush with a hidden ten or better of it."""
    if class_of(rank_five(own | board)) >= TWO_PAIR or hidden_ranks(own, board) > TWO_BIT:
        return True
    if hidden_ranks(own, board) and set_size(ranks_of_set(own)) > 1:
        return True
    suit = suit_of_four(own, board)
    return suit >= 0 and ranks_of_suit(own, suit) >= TEN_BIT


def is_worth_one(own: int, board: int) -> bool:
    """A hidden pair or better, or a hand that few single cards in the dealer's hand beat."""
    mine = rank_five_of_seven(own | board)
    if hidden_ranks(own, board) or class_of(mine) > class_of(rank_five(board)):
        return True
    outs = 0
    for place in range(JOKER_CARD):
        card = 1 << place & ~(own | board)
        outs += 1 if card and rank_five_of_six(board | card) > mine else 0
    return outs < TOO_MANY_OUTS


ROUND = Round(
    play=ultimate_texas_holdem_round,
    family="poker",
    printed=("Dealer opens with a pair or better", "Blind pays with a straight or better"),
    rules=UltimateRules(),
    memory=3 * HANDS_PER_SEAT,
    places=HIDDEN_AND_BOARD,
    dealer=DEALER_DOWN,
    questions=(
        Question(
            id="before_flop",
            text="Check, or make the play wager?",
            deciding="decides before the flop",
            choices=(
                AnswerChoice(word="check", label="Check", key="c"),
                AnswerChoice(word="play_3x", label="Play 3\N{MULTIPLICATION SIGN} ante", key="3", adds="play"),
                AnswerChoice(word="play_4x", label="Play 4\N{MULTIPLICATION SIGN} ante", key="4", adds="play"),
            ),
            default="check",
        ),
        Question(
            id="after_flop",
            text="Check again, or play twice the ante?",
            deciding="decides after the flop",
            choices=(
                AnswerChoice(word="check", label="Check", key="c"),
                AnswerChoice(word="play_2x", label="Play 2\N{MULTIPLICATION SIGN} ante", key="2", adds="play"),
            ),
            default="check",
        ),
        Question(
            id="after_river",
            text="Fold, or play a wager equal to the ante?",
            deciding="decides after the river",
            choices=(
                FOLD_CHOICE,
                AnswerChoice(word="play_1x", label="Play 1\N{MULTIPLICATION SIGN} ante", key="1", adds="play"),
            ),
            default="fold",
        ),
    ),
    wagers=(
        RoundWager(id="ante", outcomes=WIN_OR_PUSH),
        RoundWager(id="blind", outcomes=(*FROM_THE_TOP[:BLIND_PUSH], "push"), equals="ante"),
        RoundWager(id="play", outcomes=WIN_OR_PUSH, is_asked=True),
    ),
    scenes=(Dealt(own_cards=5), Dealt(own_cards=7)),
    bets={"trips": Bet(classify=trips, outcomes=FROM_THE_TOP[:7], scene=Dealt(own_cards=7))},
    exact="showdown",
    showdown=Showdown(strength=rank_five_of_seven, qualifies=OPENS, own=2, hidden=2, board=5),
    most_asked=3,
    most_cards=9,
    answer=answer_by_board,
    rules_of_thumb=(
        RuleOfThumb(
            id="hidden_pair_and_outs",
            text="Play 4x with any ace, K-2 suited or K-5, Q-6 suited or Q-8, J-8 suited or J-10, and pairs from "
            "threes on; 2x with two pair or better, a hidden pair but no pocket deuces, or four to a flush with a "
            "hidden ten or better of it; 1x with a hidden pair or better, or where fewer than 21 cards in the "
            "dealer's hand win",
            answer=known_answer,
        ),
    ),
    describe=described(five_words, dict.fromkeys((5, 6, 7), rank_five)),
    describe_exactly=described(exact_five_words, {7: rank_five_of_seven}),
    describe_sight=describe_board_sight,
)
