"""A strategy as answers by sight: what a seat sees is one number, and the answer stands beside it."""

from typing import Any, NamedTuple

from croupier.kernels.effects import Memory, Stakes
from croupier.kernels.sets import canonical_with, count_bits

QUESTIONS_AT = 3
"""A key is a sight with the number of the question behind it, in so many bits."""
UP_CARD_BITS = 6
"""Of a sight with an up card, in which the card's place in a set stands last."""


def sight_beside(own: int, up: int) -> int:
    """Own cards beside the dealer's up card, up to exchange of suits; both are sets."""
    mine, theirs = canonical_with(own, up)
    return mine << UP_CARD_BITS | count_bits(theirs - 1)


def own_of_sight(sight: int) -> int:
    """The own cards of a sight with an up card."""
    return sight >> UP_CARD_BITS


def up_of_sight(sight: int) -> int:
    """The up card, as a set."""
    return 1 << (sight & (1 << UP_CARD_BITS) - 1)


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
    return int(tables.answers[place_in(tables.keys, key_of(sight, question))])


def place_in(keys: Any, key: int) -> int:
    """Where a key stands among these, which are in rising order and have it."""
    return place_among(keys, key, 0, len(keys) - 1)


def place_among(keys: Any, key: int, low: int, high: int) -> int:
    """The same among those from `low` to `high`."""
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low
