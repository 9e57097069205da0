"""A hand of cards as one integer, and the atoms that read it.

Everything the letters ask of a hand is independent of the order of its cards, so a hand is

    bits 0-4    total (an ace counts 11 while that keeps the total at 21 or less; baccarat: points, 0-9)
    bit  5      soft: an ace is counted as 11
    bits 6-9    which suits are in it
    bits 10-61  how many of each rank are in it, four bits a rank, ace first

Equal hands are equal integers, which is what lets the exact engine merge the orders in which they can be drawn, and a
hand lives in one register of a CPU or GPU.
"""

EMPTY = 0
SOFT = 32
TOTAL_MASK = 31
SUITS_AT = 6
COUNTS_AT = 10
ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING = range(13)
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
RED = 1 << DIAMONDS | 1 << HEARTS
BLACK = 1 << CLUBS | 1 << SPADES
ALL_SUITS = RED | BLACK


def value_of(card: int) -> int:
    """Blackjack value: ace 1, face cards 10."""
    return min((card >> 2) + 1, 10)


def add_value(state: int, value: int) -> int:
    """The blackjack count: `state` is total and soft bit; an ace is 11 while it fits."""
    total = (state & TOTAL_MASK) + value
    soft = state & SOFT
    if value == 1 and total <= 11:
        return total + 10 | SOFT
    if soft and total > 21:
        return total - 10
    return min(total, TOTAL_MASK) | soft


def _with_card(hand: int, card: int, state: int) -> int:
    """`hand` and `card` together, with the total and soft bits given."""
    counted = (hand >> SUITS_AT << SUITS_AT) + (1 << (COUNTS_AT + 4 * (card >> 2)))
    return counted | 1 << (SUITS_AT + (card & 3)) | state


def add_card(hand: int, card: int) -> int:
    """A blackjack hand with one more card. A total beyond 31, which no hand in play can have, stays at 31."""
    return _with_card(hand, card, add_value(hand & (TOTAL_MASK | SOFT), value_of(card)))


def add_point(hand: int, card: int) -> int:
    """A baccarat hand with one more card: tens and faces count 0, only the last digit of the sum counts."""
    return _with_card(hand, card, ((hand & TOTAL_MASK) + value_of(card)) % 10)


def total_of(hand: int) -> int:
    return hand & TOTAL_MASK


def is_soft(hand: int) -> bool:
    return hand & SOFT != 0


def suits_in(hand: int) -> int:
    """The set of suits in the hand, one bit a suit."""
    return hand >> SUITS_AT & ALL_SUITS


def ranks_in(hand: int) -> int:
    """How many of each rank, four bits a rank; equal to a pattern such as `4-5-6-7` only if exactly those cards."""
    return hand >> COUNTS_AT


def count_of(hand: int, rank: int) -> int:
    return hand >> (COUNTS_AT + 4 * rank) & 15


def size_of(hand: int) -> int:
    """How many cards: the four-bit counts added up, two by two to bytes and the bytes by halves."""
    counts = hand >> COUNTS_AT
    counts = (counts & 0x0F0F0F0F0F0F0F) + (counts >> 4 & 0x0F0F0F0F0F0F0F)
    counts += counts >> 32
    counts += counts >> 16
    return counts + (counts >> 8) & 255


def is_blackjack(hand: int) -> bool:
    """Ace and ten-value as the only two cards: a soft 21 of an ace and one more card, which is a ten or higher."""
    but_one_ace = ranks_in(hand) - 1
    one_card = but_one_ace & (but_one_ace - 1) == 0
    return hand & (TOTAL_MASK | SOFT) == 21 | SOFT and one_card and but_one_ace >> 4 * TEN != 0


def one_suit(suits: int) -> bool:
    """Whether a non-empty set of suits is a single suit."""
    return suits & (suits - 1) == 0


def one_color(suits: int) -> bool:
    return suits & RED == 0 or suits & BLACK == 0


one_colour = one_color
"""The former name, which bets of game folders may still import."""


def with_suits(hand: int, suits: int) -> int:
    """The same hand with another set of suits; used by the exact engine, which walks ranks and adds suits after."""
    return hand & ~(ALL_SUITS << SUITS_AT) | suits << SUITS_AT
