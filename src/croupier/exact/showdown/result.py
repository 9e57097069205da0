"""What counting showdowns gives, with a board or without."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.exact.decide import Played
from croupier.exact.strategy.charts import Grid
from croupier.exact.strategy.result import Followed


@dataclass(frozen=True, kw_only=True)
class Counted(Played, ABC):
    """A round under the best answers, of which there may be too many to list."""

    ties: int
    """Sights at which another answer is worth the same; the one with more money at risk is taken."""

    @property
    @abstractmethod
    def tables(self) -> Any:
        """The answers as a simulation reads them, by the round's own `answer`."""

    @property
    @abstractmethod
    def charts(self) -> dict[str, Grid]:
        """The answers as people read them, question by question; those that no chart can hold are left out."""

    @property
    def followed(self) -> tuple[Followed, ...]:
        """Rules for people, each with its edge."""
        return ()

    @abstractmethod
    def values_at(self, question: int, sight: int) -> Mapping[int, Fraction]:
        """What each legal answer is worth at a sight, in first wagers."""
