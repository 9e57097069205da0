"""Answers as words: `stand`, `double:5`, `insure`, `play`."""

from __future__ import annotations

from functools import cache

from croupier.errors import IllegalActionError, NotationError
from croupier.kernels.declaration import Question
from croupier.kernels.effects import AMOUNT_AT, CHOICE_MASK
from croupier.money import MICROS_PER_CENT, dollars, dollars_for_people, parse_dollars


@cache
def legal_texts(question: Question, legal: int) -> tuple[str, ...]:
    return tuple(word for number, word in enumerate(question.words) if legal >> number & 1)


def answer_text(question: Question, answer: int) -> str:
    """The opposite of `parse_answer`."""
    word = question.words[answer & CHOICE_MASK]
    amount = answer >> AMOUNT_AT
    return f"{word}:{dollars(amount)}" if amount else word


def parse_answer(text: str, question: Question, legal: int) -> int:
    """An answer as the round reads it, or an error that lists what is legal here."""
    word, colon, amount_part = text.strip().lower().partition(":")
    words = question.words
    texts = ", ".join(legal_texts(question, legal))
    if word not in words or not legal >> words.index(word) & 1:
        raise IllegalActionError(
            f'The question is {question.id}, the answers are {texts}; "{text}" is not one of them.',
            code="illegal_answer",
        )
    number = words.index(word)
    if not colon:
        return number
    if not question.choices[number].takes_amount:
        raise NotationError(f'"{text}" names an amount, but "{word}" takes none.', code="bad_answer")
    amount = parse_dollars(amount_part)
    if amount % MICROS_PER_CENT or amount <= 0:
        raise IllegalActionError(f'"{text}" is not possible: write whole cents.', code="illegal_amount")
    return number | amount << AMOUNT_AT


def too_much(text: str, question: Question, most: int) -> IllegalActionError:
    """The refusal of an answer that would add more than is allowed."""
    return IllegalActionError(
        f'The question is {question.id}: "{text}" is not possible; whole cents, up to {dollars_for_people(most)}.',
        code="illegal_amount",
    )
