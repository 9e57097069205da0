"""Two own cards and a board: what a seat sees, as one number, and a strategy that holds an answer for every such sight.

A sight is the board and the own cards under one exchange of suits, six bits a card (its place in a set and one, 0 for
none), the own cards last, with whatever else the round puts in front. There are 123 million sights on a full board, too
many to list: a strategy has a row for each board up to exchange of suits, and in it an answer for each two cards.
"""

from typing import Any, NamedTuple

from croupier.kernels.effects import Memory, Stakes
from croupier.kernels.poker_words import LETTERS
from croupier.kernels.sets import RANK_COUNT, canonical_with, count_bits, ranks_of_set, ranks_of_suit, set_size
from croupier.kernels.sights import place_among

CARD_BITS = 6
CARD = (1 << CARD_BITS) - 1
OWN_BITS = 2 * CARD_BITS
OWN_CARDS = (1 << OWN_BITS) - 1
MOST_BOARD = 5
BOARD_CARDS = (1 << MOST_BOARD * CARD_BITS) - 1
HISTORY_AT = OWN_BITS + MOST_BOARD * CARD_BITS
"""Where a sight has what else it depends on: answers before it."""
PAIRS = 52 * 51 // 2
ANSWER_BITS = 2
"""Bits of an answer in a strategy's row; four answers in all."""
ROW_BYTES = (PAIRS * ANSWER_BITS + 7) // 8
SUIT_MARKS = "cdhs"


class BoardTables(NamedTuple):
    """Everything a strategy says."""

    keys: Any
    """By question and what came before it: the boards under an exchange of suits, each packed, in rising order."""
    starts: Any
    """Where the rows of each question and history begin; one more at the end."""
    answers: Any
    """For each of these a row of answers, `ANSWER_BITS` for each two cards by `pair_index`."""


def pack_cards(cards: int) -> int:
    """A set of few cards as a number of six bits a card, the lowest first."""
    packed = 0
    while cards:
        lowest = cards & -cards
        packed = packed << CARD_BITS | count_bits(lowest - 1) + 1
        cards ^= lowest
    return packed


def unpack_cards(packed: int) -> int:
    """The opposite of `pack_cards`."""
    cards = 0
    while packed:
        cards |= 1 << (packed & CARD) - 1
        packed >>= CARD_BITS
    return cards


def board_sight(own: int, board: int, history: int) -> int:
    """What a seat sees: the same for all that differ by an exchange of suits only."""
    shared, mine = canonical_with(board, own)
    return history << HISTORY_AT | pack_cards(shared) << OWN_BITS | pack_cards(mine)


def own_cards(sight: int) -> int:
    """The own cards of a sight, as a set."""
    return unpack_cards(sight & OWN_CARDS)


def board_cards(sight: int) -> int:
    """The board of a sight, as a set."""
    return unpack_cards(sight >> OWN_BITS & BOARD_CARDS)


def pair_index(lower: int, higher: int) -> int:
    """Two cards as one number below `PAIRS`, by their places in a set."""
    return higher * (higher - 1) // 2 + lower


def table_of(question: int, history: int) -> int:
    """Where a question's rows begin, in `starts`; `history` is 0 or 1."""
    return question << 1 | history


def read_answer(rows: Any, row: int, pair: int) -> int:
    """The answer that a strategy's row holds for two cards."""
    at = pair * ANSWER_BITS
    return int(rows[row, at >> 3]) >> (at & 7) & (1 << ANSWER_BITS) - 1


def answer_by_board(
    tables: BoardTables,
    memory: Memory,
    stakes: Stakes,
    rules: Any,
    sight: int,
    seat: int,
    hand: int,
    question: int,
    legal: int,
) -> int:
    """What the strategy answers."""
    table = table_of(question, sight >> HISTORY_AT)
    board = sight >> OWN_BITS & BOARD_CARDS
    row = place_among(tables.keys, board, int(tables.starts[table]), int(tables.starts[table + 1]) - 1)
    return read_answer(tables.answers, row, pair_index((sight >> CARD_BITS & CARD) - 1, (sight & CARD) - 1))


# What rules of thumb ask about a sight.


def hidden_ranks(own: int, board: int) -> int:
    """The ranks of pairs or better in which the seat has a card: a dealer's hand does not have them by itself."""
    shared = ranks_of_set(own) & ranks_of_set(board)
    return shared if set_size(ranks_of_set(own)) > 1 else ranks_of_set(own)


def suit_of_four(own: int, board: int) -> int:
    """The first suit of which there are four or more, one of the seat's among them; -1 if there is none."""
    for suit in range(4):
        if ranks_of_suit(own, suit) and count_bits(ranks_of_suit(own | board, suit)) >= 4:
            return suit
    return -1


def describe_board_sight(question: int, sight: int) -> str:
    """`Kh Ks on 2c 7d 9h`, with suits as they may be exchanged; for people, and never compiled."""

    def words(packed: int) -> str:
        places = [(packed >> shift & CARD) - 1 for shift in range(0, MOST_BOARD * CARD_BITS, CARD_BITS)]
        by_rank = sorted((place for place in places if place >= 0), key=lambda place: -(place % RANK_COUNT))
        return " ".join(LETTERS[place % RANK_COUNT] + SUIT_MARKS[place // RANK_COUNT] for place in by_rank)

    board = words(sight >> OWN_BITS & BOARD_CARDS)
    own = words(sight & OWN_CARDS)
    return f"{own} on {board}" if board else own
