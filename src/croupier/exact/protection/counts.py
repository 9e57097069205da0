"""Counts: tags by rank, how well they follow a wager, and the best ones with small whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from croupier.exact.protection.removal import RANKS, Removal
from croupier.rules.counts import count_from_text, published_counts

LEVELS = (1, 2, 3, 4)
"""The largest tags that a count may have: what people can keep in mind."""
GOOD_ENOUGH = 0.985
"""The lowest level is the best count if it has this share of the correlation of the highest."""


@dataclass(frozen=True, kw_only=True)
class Count:
    """What a counter adds up: a tag for each rank, ace to king."""

    id: str
    name: str
    tags: tuple[float, ...]
    trigger: float | None = None
    """True count from which on the wager is made, where one is published."""
    source: str = ""
    by_suit: bool = False
    """Whether it counts by how much the most frequent suit of the unseen cards leads the least, and not by tags."""

    @property
    def turned(self) -> Count:
        """The same count for a wager that gains when it falls."""
        return Count(
            id=self.id, name=self.name, tags=tuple(0.0 - tag for tag in self.tags), trigger=self.trigger, source=self.source
        )


def named_counts(wager: str) -> tuple[Count, ...]:
    """Counts that people know, and those published for a wager of that id."""
    return tuple(
        Count(
            id=known.id,
            name=known.name,
            tags=known.tags_of_ranks,
            trigger=known.trigger,
            source=known.source,
            by_suit=known.by_suit,
        )
        for known in published_counts(wager)
    )


def given_count(text: str) -> Count:
    """A count by name or by its tags; an unbalanced one is followed by its balanced tags."""
    known = count_from_text(text)
    name = known.name if known.is_balanced else f"{known.name}, balanced"
    return Count(id=known.id, name=name, tags=known.balanced_tags, trigger=known.trigger, source=known.source)


def correlation(tags: Sequence[float], removal: Removal) -> float:
    """Betting correlation: of tags and effects over the cards of a deck; zero where either is the same for all."""
    effects = [float(effect) for effect in removal.by_rank]
    mean_tag, mean_effect = sum(tags) / RANKS, sum(effects) / RANKS
    tag_gaps = [tag - mean_tag for tag in tags]
    effect_gaps = [effect - mean_effect for effect in effects]
    spread = sqrt(sum(gap**2 for gap in tag_gaps) * sum(gap**2 for gap in effect_gaps))
    shared = sum(tag * effect for tag, effect in zip(tag_gaps, effect_gaps, strict=True))
    return shared / spread if spread else 0.0


def followed(count: Count, removal: Removal) -> Count:
    """The count as one uses it here: turned round where the wager gains when it falls."""
    return count.turned if correlation(count.tags, removal) < 0 and not count.by_suit else count


def gain_per_true_count(count: Count, removal: Removal) -> float:
    """By how much the expected profit grows with each point of the true count: weighted least squares.

    By the linear estimate a card that is gone changes the profit by its effect times (N - 1) over the cards that are
    left; the true count adds up tags over 52 of them.
    """
    effects = [float(effect) for effect in removal.by_rank]
    square = sum(tag**2 for tag in count.tags)
    if not square:
        return 0.0
    shared = sum(tag * effect for tag, effect in zip(count.tags, effects, strict=True))
    return (52 * removal.decks - 1) / 52 * shared / square


def linear_count(removal: Removal) -> Count:
    """The best count there is with any numbers as tags: the effects themselves, largest 1."""
    largest = max((abs(effect) for effect in removal.by_rank), default=Fraction(0))
    if not largest:
        return Count(id="linear", name="Linear", tags=(0.0,) * RANKS)
    return Count(id="linear", name="Linear", tags=tuple(float(effect / largest) for effect in removal.by_rank))


def best_counts(removal: Removal) -> tuple[Count, ...]:
    """For each level the balanced count with whole tags up to it that has the highest correlation."""
    if not any(removal.by_rank):
        return ()
    counts = []
    for level in LEVELS:
        effects = [float(effect) for effect in removal.by_rank]
        tags = _best_tags(effects, level, _alike(effects)) or _best_tags(effects, level, [[rank] for rank in range(RANKS)])
        if tags is not None:
            counts.append(Count(id=f"level_{level}", name=f"Best with tags up to {level}", tags=tags))
    return tuple(counts)


def best_count(removal: Removal) -> Count | None:
    """The simplest of the best counts that is about as good as the others."""
    counts = best_counts(removal)
    if not counts:
        return None
    highest = max(correlation(count.tags, removal) for count in counts)
    return next(count for count in counts if correlation(count.tags, removal) >= GOOD_ENOUGH * highest)


def _alike(effects: Sequence[float]) -> list[list[int]]:
    """Ranks of one effect together."""
    groups: dict[float, list[int]] = {}
    for rank, effect in enumerate(effects):
        groups.setdefault(effect, []).append(rank)
    return list(groups.values())


def _best_tags(effects: Sequence[float], level: int, groups: list[list[int]]) -> tuple[float, ...] | None:
    """By dynamic programming over groups of ranks that take one tag: for each sum of tags and of their squares the
    largest product with the effects. Where groups cannot be balanced so, there is none."""
    reach, squares = RANKS * level, RANKS * level**2
    shape = (2 * reach + 1, squares + 1)
    best = np.full(shape, -np.inf)
    best[reach, 0] = 0.0
    chosen = []
    for group in groups:
        size = len(group)
        after, tags = np.full(shape, -np.inf), np.zeros(shape, np.int8)
        for tag in range(-level, level + 1):
            moved = _moved(best, size * tag, size * tag**2) + size * tag * effects[group[0]]
            better = moved > after
            after[better], tags[better] = moved[better], tag
        best = after
        chosen.append(tags)
    scores = best[reach, 1:] / np.sqrt(np.arange(1, squares + 1))
    square = int(np.argmax(scores)) + 1
    if not np.isfinite(scores[square - 1]) or scores[square - 1] <= 0:
        return None
    result, at = [0.0] * RANKS, reach
    for group, tags in zip(reversed(groups), reversed(chosen), strict=True):
        tag = int(tags[at, square])
        for rank in group:
            result[rank] = float(tag)
        at, square = at - len(group) * tag, square - len(group) * tag**2
    return tuple(result)


def _moved(table: np.ndarray, down: int, right: int) -> np.ndarray:
    """The table with every cell so much further on; nothing where it came from beyond the edge."""
    moved = np.full(table.shape, -np.inf)
    rows, columns = table.shape
    if right >= columns or abs(down) >= rows:
        return moved
    source = table[max(0, -down) : rows - max(0, down), : columns - right]
    moved[max(0, down) : rows + min(0, down), right:] = source
    return moved
