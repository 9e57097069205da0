"""A strategy as answers by sight: what a seat sees is one number, and the answer stands beside it."""

from typing import Any, NamedTuple

from croupier.kernels.effects import Memory, Stakes

QUESTIONS_AT = 3
"""A key is a sight with the number of the question behind it, in so many bits."""


class SightTables(NamedTuple):
    """Everything a strategy says."""

    keys: Any
    """Of all sights and questions, in rising order."""
    answers: Any
    """The answer at each."""


def key_of(sight: int, question: int) -> int:
    return sight << QUESTIONS_AT | question


def answer_by_sight(
    tables: SightTables,
    memory: Memory,
    stakes: Stakes,
    rules: Any,
    sight: int,
    seat: int,
    hand: int,
    question: int,
    legal: int,
) -> int:
    """What the strategy answers: every sight that a round can ask about is in the tables."""
    key = key_of(sight, question)
    low, high = 0, len(tables.keys) - 1
    while low < high:
        middle = (low + high) >> 1
        if tables.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return int(tables.answers[low])
