"""What the numbers mean that a round calls its places and questions by, looked up once: it says them at every step."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from croupier.kernels.declaration import Place, Question
from croupier.kernels.rounds import find_round
from croupier.table.answers import legal_texts


@dataclass(frozen=True)
class NeedsCard:
    """The next card of the shoe is wanted."""

    to: str
    seat: int
    hand: int


@dataclass
class Asking:
    """A question, and what was found out about it before."""

    question: Question
    numbers: dict[str, int]
    """Of its words."""
    texts: dict[int, tuple[tuple[str, ...], str]] = field(default_factory=dict)

    def legal(self, legal: int) -> tuple[tuple[str, ...], str]:
        """The legal words, and the one of them that may name an amount."""
        known = self.texts.get(legal)
        if known is None:
            words = legal_texts(self.question, legal)
            variable = [one.word for one in self.question.choices if one.takes_amount and one.word in words]
            known = self.texts[legal] = (words, variable[0] if variable else "")
        return known


class Numbers:
    """Of one round."""

    def __init__(self, round_name: str) -> None:
        declared = find_round(round_name)
        assert declared is not None
        self.declared = declared
        self.askings = [
            Asking(question, {word: number for number, word in enumerate(question.words)})
            for question in declared.questions
        ]
        self.dealers = declared.place(declared.dealer).id
        self._places: dict[int, tuple[Place, NeedsCard]] = {}

    def place(self, number: int) -> tuple[Place, NeedsCard]:
        """A place, and as people call it."""
        known = self._places.get(number)
        if known is None:
            where = self.declared.place(number)
            known = self._places[number] = where, NeedsCard(where.id, *where.seat_and_hand(number))
        return known


@cache
def numbers_of(round_name: str) -> Numbers:
    return Numbers(round_name)
