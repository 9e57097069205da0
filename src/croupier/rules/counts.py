"""Counts of cards that are published: data, with what their authors say they yield."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import msgspec

from croupier.rules.loader import DATA, read_spec

RANKS = 13


class PublishedYield(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an author says a count takes from a shoe, as printed."""

    decks: int
    cut: int
    """Cards dealt before the cut card."""
    win_per_shoe: str


class PublishedCount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A count as its author gives it."""

    id: str
    name: str
    tags: tuple[int, ...]
    """Of ace, 2 to 9 and all ten-values."""
    source: str
    trigger: float | None = None
    """True count from which on the wager is made."""
    wagers: tuple[str, ...] = ()
    """Wagers that it was made for; empty for a count of general use."""
    published: PublishedYield | None = None
    for_side_wagers: bool = True
    """Whether side wagers are held against it; others are for practice."""

    @property
    def is_balanced(self) -> bool:
        """Whether a whole deck counts to 0, so that a true count makes sense."""
        return sum(self.tags_of_ranks) == 0

    def count(self, cards: Iterable[int]) -> int:
        """The sum of the tags of these cards."""
        return sum(self.tags[min(card >> 2, len(self.tags) - 1)] for card in cards)

    @property
    def tags_of_ranks(self) -> tuple[float, ...]:
        """Ace to king."""
        return (*self.tags, *(self.tags[-1],) * (RANKS - len(self.tags)))


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    counts: tuple[PublishedCount, ...]


def published_counts(wager: str) -> tuple[PublishedCount, ...]:
    """Those made for a wager of that id, after those of general use."""
    return tuple(count for count in _counts() if count.for_side_wagers and (not count.wagers or wager in count.wagers))


def general_counts() -> tuple[PublishedCount, ...]:
    """Those of general use."""
    return tuple(count for count in _counts() if not count.wagers)


@cache
def _counts() -> tuple[PublishedCount, ...]:
    return read_spec(DATA / "counts.toml", _File).counts
