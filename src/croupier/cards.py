"""Cards as small integers, and their one text notation.

A card is `rank * 4 + suit`, 0..51. Ranks run from ace (0) to king (12), suits clubs, diamonds, hearts, spades (0..3).
Text is rank then suit: `As`, `Td`, `7c`. A joker, where a deck has one, is card 52, `Jk`.

>>> parse_card("As"), card_text(51)
(3, 'Ks')
"""

from __future__ import annotations

from croupier.errors import NotationError

RANKS = "A23456789TJQK"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"
RANK_WORDS = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
DECK_SIZE = 52
JOKER_CARD = DECK_SIZE
JOKER_TEXT = "Jk"
JOKER_SYMBOL = "★"
MOST_DECKS = 8
"""The largest shoe any of the letters knows."""


def make_card(rank: int, suit: int) -> int:
    return rank * 4 + suit


def card_text(card: int) -> str:
    """`As` for card 3. The opposite of `parse_card`."""
    if card == JOKER_CARD:
        return JOKER_TEXT
    if not 0 <= card < DECK_SIZE:
        raise NotationError(f"{card} is not a card: cards are numbered 0 to 51.", code="bad_card")
    return RANKS[card >> 2] + SUITS[card & 3]


def card_words(card: int) -> str:
    """As it is read out: `ace of spades`."""
    return "joker" if card == JOKER_CARD else f"{RANK_WORDS[card >> 2]} of {SUIT_WORDS[card & 3]}"


def parse_card(text: str) -> int:
    """3 for `As`. Also takes `10s`, any case, and suit symbols; the opposite of `card_text`."""
    plain = text.strip()
    if plain.lower() == JOKER_TEXT.lower():
        return JOKER_CARD
    rank = plain[:-1].upper().replace("10", "T")
    suit = plain[-1:].lower()
    suit = SUITS[SUIT_SYMBOLS.index(suit)] if suit and suit in SUIT_SYMBOLS else suit
    if len(rank) != 1 or rank not in RANKS or not suit or suit not in SUITS:
        raise NotationError(
            f'"{text}" is not a card. Write a rank ({RANKS}) and a suit ({SUITS}), as in As, Td or 7c.',
            code="bad_card",
        )
    return make_card(RANKS.index(rank), SUITS.index(suit))


def parse_cards(text: str) -> list[int]:
    """Cards separated by blanks or commas, in order: `"6h Ts Kd"`."""
    return [parse_card(word) for word in text.replace(",", " ").split()]


def cards_text(cards: list[int]) -> str:
    return " ".join(card_text(card) for card in cards)
