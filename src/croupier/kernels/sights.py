"""A strategy as answers by sight: what a seat sees is one number, and the answer stands beside it."""

from typing import Any, NamedTuple


class SightTables(NamedTuple):
    """Everything a strategy says."""

    sights: Any
    """All sights, in rising order."""
    answers: Any
    """The answer at each."""


def answer_by_sight(
    tables: SightTables,
    memory: Any,
    stakes: Any,
    rules: Any,
    sight: int,
    seat: int,
    hand: int,
    question: int,
    legal: int,
) -> int:
    """What the strategy answers: every sight that a round can ask about is in the tables."""
    low, high = 0, len(tables.sights) - 1
    while low < high:
        middle = (low + high) >> 1
        if tables.sights[middle] < sight:
            low = middle + 1
        else:
            high = middle
    return int(tables.answers[low])
