"""Answers as words: `stand`, `double:5`, `insure`, `first`, `switch`."""

from __future__ import annotations

from functools import cache

from croupier.errors import IllegalActionError, NotationError
from croupier.kernels.effects import (
    ACTION,
    AMOUNT_AT,
    CHOICE_MASK,
    DOUBLE,
    FLEX_CARD,
    INSURANCE,
    INSURE,
    SWITCH_CARDS,
)
from croupier.money import MICROS_PER_CENT, dollars, dollars_for_people, parse_dollars

QUESTIONS = {INSURANCE: "insurance", ACTION: "action", FLEX_CARD: "flex", SWITCH_CARDS: "switch"}
WORDS = {
    INSURANCE: ("decline", "insure"),
    ACTION: ("stand", "hit", "double", "split", "surrender"),
    FLEX_CARD: ("first", "second", "both"),
    SWITCH_CARDS: ("keep", "switch"),
}
_TAKES_AMOUNT = {(INSURANCE, INSURE), (ACTION, DOUBLE)}


@cache
def legal_texts(question: int, legal: int) -> tuple[str, ...]:
    return tuple(word for choice, word in enumerate(WORDS[question]) if legal >> choice & 1)


def answer_text(question: int, answer: int) -> str:
    """The opposite of `parse_answer`."""
    word = WORDS[question][answer & CHOICE_MASK]
    amount = answer >> AMOUNT_AT
    return f"{word}:{dollars(amount)}" if amount else word


def parse_answer(text: str, question: int, legal: int, most: int) -> int:
    """An answer as the round reads it, or an error that lists what is legal here."""
    word, colon, amount_part = text.strip().lower().partition(":")
    words = WORDS[question]
    texts = ", ".join(legal_texts(question, legal))
    where = f"The question is {QUESTIONS[question]}"
    if word not in words or not legal >> words.index(word) & 1:
        raise IllegalActionError(f'{where}, the answers are {texts}; "{text}" is none.', code="illegal_answer")
    choice = words.index(word)
    if not colon:
        return choice
    if (question, choice) not in _TAKES_AMOUNT:
        raise NotationError(f'"{text}" names an amount, but "{word}" takes none.', code="bad_answer")
    amount = parse_dollars(amount_part)
    if amount % MICROS_PER_CENT or not 0 < amount <= most:
        raise IllegalActionError(
            f'{where}: "{text}" is not possible; whole cents, up to {dollars_for_people(most)}.', code="illegal_amount"
        )
    return choice | amount << AMOUNT_AT
