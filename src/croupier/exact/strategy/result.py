"""A main game solved, whatever recipe proved it: what sheets, pages and simulation read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from croupier.exact.strategy.account import StrategyAccount
from croupier.exact.strategy.charts import Departure, Grid, Ratings
from croupier.rules.choice import Choice
from croupier.rules.spec import Switch

ChartValues = dict[str, dict[tuple[str, str], Mapping[str, float]]]
"""By part of a chart, row and column: what each answer is worth, by its word, in first wagers."""


@dataclass(frozen=True)
class Insurance:
    """A wager against the dealer's blackjack."""

    edge: float
    """When always taken with an ace up."""
    take: str
    """When it is worth taking, in words."""


@dataclass(frozen=True, kw_only=True)
class AskedWager:
    """A wager with an account of its own that a seat may make once it has seen the up card."""

    wager: str
    name: str
    edge: float
    """When it is always made."""
    taken: float
    """How often best play makes it, of the times that it is offered."""
    edge_taken: float | None
    """What it costs then; None where best play never makes it."""


@dataclass(frozen=True)
class Effect:
    """What another value of a switch does to the edge."""

    switch: Switch
    value: str
    edge: float
    change: float


@dataclass(frozen=True)
class WagerAccount:
    """One wager of a round that makes several, in expectation."""

    staked: float
    """Money on it in the end, for each unit of the first wager; 0 for a bonus on another's stake."""
    loss: float
    """What it loses, for each unit of the first wager. All of them together are the edge."""

    @property
    def edge(self) -> float | None:
        """What it loses for each unit on itself."""
        return self.loss / self.staked if self.staked else None


@dataclass(frozen=True)
class Followed:
    """A rule that people know, held against the best answers."""

    id: str
    text: str
    edge: float
    cost: float
    """What it loses more than they do, in first wagers."""


@dataclass(frozen=True, kw_only=True)
class PlayedSheet(ABC):
    """A main game solved, under one choice of rules. What a recipe does not give is empty."""

    choice: Choice
    total_dependent: bool = False
    """Whether the figures are those of the chart instead of optimal play."""

    @property
    @abstractmethod
    def account(self) -> StrategyAccount:
        """What a round comes to."""

    @property
    @abstractmethod
    def method(self) -> str:
        """How it was proved."""

    @property
    @abstractmethod
    def charts(self) -> dict[str, Grid]:
        """What to do, part by part."""

    @abstractmethod
    def tables(self, insurance: Any = None) -> Any:
        """The strategy as a simulation reads it; `insurance` is what that pays, where it is sold."""

    @property
    def edge(self) -> float:
        """Expected loss for each unit of the first wagers."""
        return -self.account.value

    @property
    def element_of_risk(self) -> float:
        """Expected loss for each unit at risk in the end."""
        return self.edge / self.account.mean_final_wager

    def is_own(self, ending: str) -> bool:
        """Whether it is the first wager that ends so, and not a bonus beside it or a wager that an answer added."""
        return True

    @property
    def hands(self) -> float:
        """Hands of a round, in expectation."""
        return sum(ending.hands for name, ending in self.account.endings.items() if self.is_own(name))

    @property
    def wagers(self) -> dict[str, WagerAccount]:
        """The account of each wager that the round settles, where it has several."""
        return {}

    @property
    def best_edge(self) -> float:
        """Of optimal play."""
        return self.edge

    @property
    def edge_total_dependent(self) -> float:
        """Of the charts."""
        return self.edge

    @property
    def followed(self) -> tuple[Followed, ...]:
        """Rules that people know, each with its edge."""
        return ()

    @property
    def edge_by_ratings(self) -> float | None:
        return None

    @property
    def usual_edge(self) -> float | None:
        """The edge under the pay table's usual rules, if this choice has others."""
        return None

    @property
    def cap(self) -> float:
        """The most a single wager may be in units of the first; 0 for no limit."""
        return 0.0

    @property
    def by_up_card(self) -> dict[str, float]:
        return {}

    @property
    def ratings(self) -> dict[str, Ratings]:
        return {}

    @property
    def chart_values(self) -> ChartValues:
        """What the answers are worth in each cell of the charts, where that is known."""
        return {}

    @property
    def exceptions(self) -> list[Departure]:
        return []

    @property
    def by_starting_hand(self) -> dict[str, float]:
        return {}

    @property
    def insurance(self) -> Insurance | None:
        return None

    @property
    def asked_wager(self) -> AskedWager | None:
        return None

    @property
    def final_wagers(self) -> dict[float, float]:
        """The chance of each final wager, in units of the first."""
        return {}

    @property
    def final_wager_variance(self) -> float:
        return 0.0
