"""A hand as a set of cards from one deck, and the atoms that read it.

Poker looks at suit and rank together, so its hands are sets: one bit a card,

    bits 0-51   suit * 13 + rank, suits as everywhere (clubs first), ranks by strength: two 0 ... ace 12
    bit  52     the joker

so that each suit is a set of ranks, 13 bits, in which a higher number is a better one. Cards keep their numbers,
`rank * 4 + suit` with the ace first; the joker is card 52.
"""

from collections.abc import Sequence
from functools import reduce

EMPTY_SET = 0
RANK_COUNT = 13
SUIT = 0x1FFF
"""All ranks of one suit."""
JOKER_CARD = 52
JOKER = 1 << JOKER_CARD
(
    TWO_BIT,
    THREE_BIT,
    FOUR_BIT,
    FIVE_BIT,
    SIX_BIT,
    SEVEN_BIT,
    EIGHT_BIT,
    NINE_BIT,
    TEN_BIT,
    JACK_BIT,
    QUEEN_BIT,
    KING_BIT,
    ACE_BIT,
) = (1 << rank for rank in range(RANK_COUNT))
ONE_OF_EACH_SUIT = 1 | 1 << RANK_COUNT | 1 << 2 * RANK_COUNT | 1 << 3 * RANK_COUNT
TWOS = TWO_BIT * ONE_OF_EACH_SUIT
ACES = ACE_BIT * ONE_OF_EACH_SUIT


def bit_of(card: int) -> int:
    """Where a card is in a set."""
    if card == JOKER_CARD:
        return JOKER_CARD
    return (card & 3) * RANK_COUNT + ((card >> 2) + RANK_COUNT - 1) % RANK_COUNT


def card_of(bit: int) -> int:
    """The card at that place: the opposite of `bit_of`."""
    if bit == JOKER_CARD:
        return JOKER_CARD
    return (bit % RANK_COUNT + 1) % RANK_COUNT * 4 + bit // RANK_COUNT


def add_to_set(hand: int, card: int) -> int:
    return hand | 1 << bit_of(card)


def set_of(cards: Sequence[int]) -> int:
    """The set of these cards; for people, and never compiled."""
    return reduce(add_to_set, cards, EMPTY_SET)


def cards_of(hand: int) -> list[int]:
    """The cards of a set, the opposite of `set_of`; for people, and never compiled."""
    return [card_of(bit) for bit in range(JOKER_CARD + 1) if hand >> bit & 1]


def count_bits(bits: int) -> int:
    """How many bits are set; compilers know this way to count and make one instruction of it."""
    bits = bits - (bits >> 1 & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return bits * 0x0101010101010101 >> 56 & 255


def set_size(hand: int) -> int:
    """How many cards, the joker among them."""
    return count_bits(hand)


def has_joker(hand: int) -> bool:
    return hand & JOKER != 0


def ranks_of_suit(hand: int, suit: int) -> int:
    """The ranks held in one suit."""
    return hand >> RANK_COUNT * suit & SUIT


def split_suits(hand: int) -> tuple[int, int, int, int]:
    """The ranks held in each suit. The joker has none."""
    return hand & SUIT, hand >> 13 & SUIT, hand >> 26 & SUIT, hand >> 39 & SUIT


def join_suits(clubs: int, diamonds: int, hearts: int, spades: int) -> int:
    return clubs | diamonds << 13 | hearts << 26 | spades << 39


def ranks_of_set(hand: int) -> int:
    """The ranks held in any suit."""
    return (hand | hand >> 13 | hand >> 26 | hand >> 39) & SUIT


def suits_of_set(hand: int) -> int:
    """The suits held, one bit a suit, as `suits_in` of a counted hand."""
    suits = 0
    for suit in range(4):
        if hand >> RANK_COUNT * suit & SUIT:
            suits |= 1 << suit
    return suits


def canonical(hand: int) -> int:
    """The same for all hands that differ by an exchange of suits only: suits in falling order."""
    return canonical_with(hand, EMPTY_SET)[0]


def canonical_with(hand: int, other: int) -> tuple[int, int]:
    """Two sets under one exchange of suits, such as own cards and the board, whose suits have to stay matched.

    Jokers stay where they are.
    """
    a, b, c, d = split_suits(hand)
    e, f, g, h = split_suits(other)
    a, b, c, d = a << RANK_COUNT | e, b << RANK_COUNT | f, c << RANK_COUNT | g, d << RANK_COUNT | h
    a, b, c, d = max(a, b), min(a, b), max(c, d), min(c, d)
    a, b, c, d = max(a, c), max(b, d), min(a, c), min(b, d)
    b, c = max(b, c), min(b, c)
    first = join_suits(a >> RANK_COUNT, b >> RANK_COUNT, c >> RANK_COUNT, d >> RANK_COUNT)
    second = join_suits(a & SUIT, b & SUIT, c & SUIT, d & SUIT)
    return first | hand & JOKER, second | other & JOKER
