"""What to do with hands of each strength, as people read it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from croupier.exact.decide import OneSeatGame
from croupier.exact.showdown import scan
from croupier.exact.showdown.paths import declared_showdown
from croupier.exact.strategy.charts import Grid
from croupier.exact.tree_sheet import range_words

Array = NDArray[np.int64]

UP_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "joker")
EVERY = ""
"""The column of values that are for all columns together."""
ANSWER = "answer"
"""The column where there is no up card."""


def chart_of(game: OneSeatGame, hands: scan.Hands, votes: Array) -> Grid:
    """Strengths in rising order, those in a row that are answered alike as one; by the up card's rank, if there is one.

    Where hands of one strength are not all answered alike, the chart names every answer, the most frequent first.
    """
    names = [UP_NAMES[column] if declared_showdown(game).up else ANSWER for column in _columns(votes)]
    return {row: dict(zip(names, cells, strict=True)) for row, cells, _ in _rows(game, hands, votes)}


def chart_worth(
    game: OneSeatGame, hands: scan.Hands, votes: Array, worth: Array, legal: Array, unit: int
) -> dict[tuple[str, str], dict[str, float]]:
    """What each answer is worth in each row, under the column EVERY: over all cards that the dealer may show, where all
    hands of the row have it. `unit` is what a first wager is for each hand counted in `votes`."""
    words = game.declared.questions[0].words
    values: dict[tuple[str, str], dict[str, float]] = {}
    for row, _, groups in _rows(game, hands, votes):
        open_to_all = int(np.bitwise_and.reduce(legal[groups]))
        sums, weight = worth[groups].sum(0), int(votes[groups].sum())
        means = {
            word: float(int(sums[answer]) / (weight * unit))
            for answer, word in enumerate(words)
            if open_to_all >> answer & 1
        }
        values[row, EVERY] = means
    return values


def _columns(votes: Array) -> list[int]:
    return [column for column in range(votes.shape[1]) if votes[:, column].any()]


def _rows(game: OneSeatGame, hands: scan.Hands, votes: Array) -> Iterator[tuple[str, list[str], slice]]:
    """Each row's name, its cells and the strengths that it stands for."""
    words, columns = game.declared.questions[0].words, _columns(votes)
    first, cells = 0, _cells(votes[0], columns, words)
    for group in range(1, len(votes) + 1):
        following = _cells(votes[group], columns, words) if group < len(votes) else None
        if following != cells:
            yield range_words(_name(game, hands, first), _name(game, hands, group - 1)), cells, slice(first, group)
            first, cells = group, following or cells


def _cells(votes: Array, columns: list[int], words: tuple[str, ...]) -> list[str]:
    cells = []
    for column in columns:
        order = np.argsort(-votes[column], kind="stable")
        cells.append("/".join(words[answer] for answer in order if votes[column, answer]) or "-")
    return cells


def _name(game: OneSeatGame, hands: scan.Hands, group: int) -> str:
    return declared_showdown(game).words(int(hands.strengths[hands.groups[group]]))


def steps_by_strength(game: OneSeatGame, hands: scan.Hands, worth: Array, legal: Array) -> tuple[str, int]:
    """The best way to answer by the strength of the own hand alone, more money with a stronger hand: in words, and what
    it is worth to all hands, in the smallest unit."""
    question = game.declared.questions[0]
    answers = range(len(question.choices))
    best: list[int | None] = [0, *[None] * (len(answers) - 1)]
    came_from = []
    for group in range(len(worth)):
        reached: list[tuple[int, int] | None] = []
        for answer in answers:
            before = [(so_far, -lower) for lower in range(answer + 1) if (so_far := best[lower]) is not None]
            is_open = bool(before) and bool(legal[group] >> answer & 1)
            reached.append(max(before) if is_open else None)
        came_from.append([-strength[1] if strength else -1 for strength in reached])
        best = [one[0] + int(worth[group, answer]) if one else None for answer, one in enumerate(reached)]
    total, last = max((value, answer) for answer, value in enumerate(best) if value is not None)
    steps = []
    for group in range(len(worth) - 1, -1, -1):
        lower = came_from[group][last] if group else -1
        if lower != last:
            steps.append((question.choices[last].label, _name(game, hands, group)))
        last = lower
    first, *others = reversed(steps)
    return "; ".join([first[0], *(f"{label} from {name} on" for label, name in others)]), total
