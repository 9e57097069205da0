"""A playing strategy as tables, and how a round's questions are answered from them, on any machine.

Most answers need no more than the total, so they are looked up by it, up card and legal actions (`answers`). Only where
hands of one total are played differently are the cards looked at.

What to do with a hand is one byte, its *code*: bits 0-1 say what to do when only standing and hitting are open, bit 2
whether to double instead, bits 3-5 whether to split or surrender instead. Codes are looked up by the up card, by a
context (the other hand's two cards where a seat has two hands, the two that it has thrown away, the number of doubles
in Double Down Madness) and by the cards of the hand, ten-values being one class.
"""

from typing import Any, NamedTuple

from croupier.kernels.blackjack import (
    ASIDE_AT,
    BASE,
    BEFORE_PLAY,
    COUNT_AT,
    DOUBLE_BARREL,
    FIRST_CARD,
    HAND,
    IS_SPLIT,
    NO_CARD,
    SECOND_ASIDE_AT,
    SECOND_CARD,
    STAKE,
    STATUS,
    BlackjackRules,
    most_added,
    slot,
)
from croupier.kernels.effects import (
    DECLINE,
    DOUBLE,
    FLEX_CARD,
    HIT,
    INSURANCE,
    INSURE,
    SPLIT,
    STAND,
    SURRENDER,
    SWITCH_CARDS,
    Memory,
    Stakes,
)
from croupier.kernels.hands import COUNTS_AT, SOFT, TEN, TOTAL_MASK, size_of

CLASSES = 10
"""Cards told apart: ace to nine, and one class for ten, jack, queen and king."""
DOUBLE_BIT = 4
SPECIAL_AT = 3
_BELOW_TEN = (1 << 4 * TEN) - 1
_HASH = 0x9E3779B97F4A7C1

NO_CONTEXT, OTHER_HAND, DOUBLES_MADE, PLAYED_FOR, THROWN_AWAY = range(5)
OWN, HOUSE, DOUBLED = range(3)
"""Contexts of PLAYED_FOR: the first wager, money of the house alone, a doubled wager."""
LOOK_AT_CARDS = -1
LEGAL_SETS = 1 << SURRENDER
STATES = TOTAL_MASK + 1 + SOFT


class StrategyTables(NamedTuple):
    """Everything a strategy says."""

    hands: Any
    """Open addressing: the cards of a hand (`cards_of`) and its index, -1 where there is none; a power of two long."""
    codes: Any
    """`codes[up, context, hand]`."""
    answers: Any
    """By up card, context, legal actions but standing, total and soft bit, in one row: the answer or LOOK_AT_CARDS."""
    contexts: int
    context: int
    switch: Any
    """Blackjack Switch: the answer by up card and the four cards as dealt, as one number."""
    flex: Any
    """Double Barrel: the answer by up card, the two first cards and the flex card, as one number."""
    tens: int
    """Ten-values in the fresh shoe, for insurance; 0 never insures."""
    cards: int
    insurance_returns: int
    """What an insurance that wins returns, the stake included, for each `insurance_stake`."""
    insurance_stake: int
    before_play: Any
    """The answer to a question of a round's own before the hands are played, by up card and the first two cards, as one
    number; a single 0 where there is none."""


def class_of(card: int) -> int:
    return min(card >> 2, TEN)


def cards_of(hand: int) -> int:
    """The cards of a hand as one number, four bits a class."""
    counts = hand >> COUNTS_AT
    tens = counts >> 4 * TEN
    return counts & _BELOW_TEN | ((tens & 15) + (tens >> 4 & 15) + (tens >> 8 & 15) + (tens >> 12 & 15)) << 4 * TEN


def first_slot(cards: int, slots: int) -> int:
    """Where the search for a hand begins; `slots` is a power of two."""
    return (cards * _HASH >> 24) & (slots - 1)


def index_of(hands: Any, hand: int) -> int:
    """The index of a hand, which must be among those of the strategy: 21 or less."""
    cards = cards_of(hand)
    at = first_slot(cards, len(hands))
    while hands[at, 0] != cards:
        at = (at + 1) & (len(hands) - 1)
    return int(hands[at, 1])


PAIRS = CLASSES * (CLASSES + 1) // 2
"""Hands of two cards, by their classes."""


def pair_index(first: int, second: int) -> int:
    """Where two classes of cards stand among the 55 pairs."""
    low, high = min(first, second), max(first, second)
    return low * CLASSES - low * (low - 1) // 2 + high - low


def other_hand(hands: Memory, seat: int, hand: int) -> int:
    """The two cards that the seat's other hand started with; a pair that has been split shows one of its cards."""
    other = 0 if hands[slot(seat, hand) + BASE] == 1 else hands[COUNT_AT + seat] - 1
    at = slot(seat, other)
    first = class_of(hands[at + FIRST_CARD])
    return pair_index(first, first if hands[at + IS_SPLIT] == 1 else class_of(hands[at + SECOND_CARD]))


def thrown_away(hands: Memory, seat: int) -> int:
    """The two cards that a seat has thrown away, of all pairs from 1; 0 if it has kept its hand."""
    first, second = hands[ASIDE_AT + seat], hands[SECOND_ASIDE_AT + seat]
    return 0 if first == NO_CARD else 1 + pair_index(class_of(first), class_of(second))


def doubles_made(stake: int, first_wager: int, cap: int) -> int:
    doubles = 0
    money = first_wager
    while money < stake:
        money += most_added(money, cap)
        doubles += 1
    return doubles


def played_for(stake: int, first_wager: int) -> int:
    """What lies on a hand, as far as a strategy tells it apart."""
    if stake == 0:
        return HOUSE
    return DOUBLED if stake > first_wager else OWN


def play_answer(
    tables: StrategyTables,
    hands: Memory,
    stakes: Stakes,
    rules: BlackjackRules,
    up: int,
    seat: int,
    hand: int,
    legal: int,
) -> int:
    at = slot(seat, hand)
    context = 0
    if tables.context == OTHER_HAND:
        context = other_hand(hands, seat, hand)
    elif tables.context == DOUBLES_MADE:
        context = doubles_made(hands[at + STAKE], stakes[seat], rules.cap)
    elif tables.context == PLAYED_FOR:
        context = played_for(hands[at + STAKE], stakes[seat])
    elif tables.context == THROWN_AWAY:
        context = thrown_away(hands, seat)
    row = (class_of(up) * tables.contexts + context) * LEGAL_SETS + (legal >> 1)
    answer = tables.answers[row * STATES + (hands[at + HAND] & STATES - 1)]
    if answer != LOOK_AT_CARDS:
        return int(answer)
    return answer_of_code(tables.codes[class_of(up), context, index_of(tables.hands, hands[at + HAND])], legal)


def answer_of_code(code: int, legal: int) -> int:
    """What a code says when these actions are legal."""
    special = code >> SPECIAL_AT & 7
    if special in (SPLIT, SURRENDER) and legal >> special & 1 == 1:
        return int(special)
    if code & DOUBLE_BIT != 0 and legal >> DOUBLE & 1 == 1:
        return DOUBLE
    return HIT if code & 3 == HIT and legal >> HIT & 1 == 1 else STAND


def insurance_answer(tables: StrategyTables, hands: Memory, rules: BlackjackRules, seat: int) -> int:
    """Insures when so many of the cards the seat has not seen are ten-values that it pays: at 2 to 1, over a third."""
    tens = 0
    seen = 1  # the up card, an ace
    for hand in range(hands[COUNT_AT + seat]):
        at = slot(seat, hand)
        tens += cards_of(hands[at + HAND]) >> 4 * TEN & 15
        seen += size_of(hands[at + HAND])
        if hand > 0 and hands[at + STATUS] == DOUBLE_BARREL:  # both hands show one flex card
            tens -= class_of(hands[at + SECOND_CARD]) == TEN
            seen -= 1
    if tables.flex.size > 1 and hands[slot(seat, 0) + SECOND_CARD] == NO_CARD:
        tens += class_of(hands[ASIDE_AT + seat]) == TEN
        seen += 1
    returned = tables.insurance_returns * (tables.tens - tens)
    return INSURE if tables.tens > 0 and returned > tables.insurance_stake * (tables.cards - seen) else DECLINE


def answer_by_tables(
    tables: StrategyTables,
    hands: Memory,
    stakes: Stakes,
    rules: BlackjackRules,
    up: int,
    seat: int,
    hand: int,
    question: int,
    legal: int,
) -> int:
    """What the strategy answers; `stakes` are the seats' first wagers, the sight is the dealer's up card."""
    if question == INSURANCE:
        return insurance_answer(tables, hands, rules, seat)
    one, two = slot(seat, 0), slot(seat, 1)
    first, second = class_of(hands[one + FIRST_CARD]), class_of(hands[two + FIRST_CARD])
    if question == FLEX_CARD:
        at = ((class_of(up) * CLASSES + first) * CLASSES + second) * CLASSES + class_of(hands[ASIDE_AT + seat])
        return int(tables.flex[at])
    if question == SWITCH_CARDS:
        four = (first * CLASSES + class_of(hands[one + SECOND_CARD])) * CLASSES + second
        at = (class_of(up) * CLASSES**3 + four) * CLASSES + class_of(hands[two + SECOND_CARD])
        return int(tables.switch[at])
    if question == BEFORE_PLAY:
        return int(tables.before_play[class_of(up) * PAIRS + pair_index(first, class_of(hands[one + SECOND_CARD]))])
    return play_answer(tables, hands, stakes, rules, up, seat, hand, legal)


def with_known_context(tables: StrategyTables) -> StrategyTables:
    """The tables with the numbers in them written out, for a program that is compiled for one strategy's shape."""
    hands, codes, answers, _contexts, _context, switch, flex, tens, cards, returns, insured, before_play = tables
    return StrategyTables(
        hands, codes, answers, KNOWN_CONTEXTS, KNOWN_CONTEXT, switch, flex, tens, cards, returns, insured, before_play
    )


KNOWN_CONTEXTS = KNOWN_CONTEXT = 0
"""Put in when such a program is linked."""
