"""Counts of cards that are published: data, with what their authors say they yield."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import msgspec

from croupier.errors import RangeError
from croupier.rules.loader import DATA, read_spec

RANKS = 13
TAGS = 10
"""Ace, 2 to 9, all ten-values."""
MOST_TAG = 999


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
    by_suit: bool = False
    """Whether it counts suits and not tags: by how much the most frequent suit of the unseen cards leads the least."""
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
    def balanced_tags(self) -> tuple[float, ...]:
        """Ace to king, less their mean: what an unbalanced count comes to as a true count."""
        mean = sum(self.tags_of_ranks) / RANKS
        return tuple(tag - mean for tag in self.tags_of_ranks)

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


def count_from_text(text: str) -> PublishedCount:
    """A count by its name, or by its tags: `-1,1,1,1,1,1,0,0,0,-1` for ace, 2 to 9 and ten-values, `@4` behind them for
    the true count from which on the wager is made."""
    named = {count.id: count for count in _counts()}
    if text in named:
        return named[text]
    tags, _, trigger = text.partition("@")
    try:
        numbers = tuple(int(tag) for tag in tags.split(","))
        starts = float(trigger) if trigger else None
    except ValueError:
        numbers, starts = (), None
    if len(numbers) != TAGS or not any(numbers) or max(map(abs, numbers)) > MOST_TAG:
        raise RangeError(
            f'"{text}" is no count. Write its name ({", ".join(named)}), or {TAGS} whole tags from -{MOST_TAG} to '
            f"{MOST_TAG} for ace, 2 to 9 and ten-values.",
            code="bad_count",
        )
    return PublishedCount(id="given", name="Given count", tags=numbers, source="", trigger=starts)


@cache
def _counts() -> tuple[PublishedCount, ...]:
    return read_spec(DATA / "counts.toml", _File).counts
