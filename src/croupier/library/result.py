"""What every result can do: plain data, a data frame, a page in a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from croupier.errors import NotationError
from croupier.library.frame import Frame


class Result(ABC):
    """A result: frozen, with plain attributes. It is what `--json` prints, a data frame, and a table in a notebook."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain data, with the keys that the command line's `--json` has; they are stable."""

    @property
    @abstractmethod
    def frame(self) -> Frame:
        """Its rows as columns."""

    @property
    @abstractmethod
    def line(self) -> dict[str, Any]:
        """The result in one row, as `croupier.frame` puts many of them together."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.frame.__arrow_c_stream__(requested_schema)


def frame(results: Iterable[Result]) -> Frame:
    """Many results as one frame, a row for each: what a sweep comes to.

    >>> import croupier
    >>> game = croupier.game("blackjack")
    >>> edges = croupier.frame(game.odds("lucky_lucky", decks=decks) for decks in (1, 2, 6))
    >>> edges["decks"], [round(edge, 4) for edge in edges["edge"]]
    ((1, 2, 6), [0.0505, 0.0539, 0.0531])
    """
    if isinstance(results, Result) or not isinstance(results, Iterable):
        raise NotationError("A frame is of many results: put them into a list. The rows of one are its `.frame`.")
    lines = []
    for result in results:
        if not isinstance(result, Result):
            raise NotationError(f"{result!r} is not a result: a frame is of odds, strategies, runs and the like.")
        lines.append(result.line)
    return Frame.of_rows(lines)


def shown_percent(value: Fraction | float, decimals: int = 4) -> str:
    """A share for reading."""
    from croupier.reports.formatting import percent

    return percent(Fraction(value), decimals)
