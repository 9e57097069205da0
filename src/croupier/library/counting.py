"""What a counter takes from a main game of blackjack, as a result."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.errors import RangeError
from croupier.library.frame import Frame
from croupier.library.html import table_html, title_html
from croupier.library.result import Result, shown_percent
from croupier.reports.protection.main_game import main_data, main_report
from croupier.reports.protection.main_study import MainStudy, main_study
from croupier.reports.report import Report
from croupier.reports.simulation.length import parse_count, require_seed
from croupier.rules.choice import Choice

USUAL_SHOES = "1e5"
MOST_SHOES = 10**8


@dataclass(frozen=True, kw_only=True, repr=False)
class Counting(Result):
    """A main game of blackjack by true count: edges, index plays, and what spreads take.

    >>> import croupier
    >>> counting = croupier.game("blackjack").counting(shoes=2000)
    >>> round(counting.insurance_index, 1), round(counting.effects["5"], 4)
    (3.1, 0.0012)
    """

    study: MainStudy = field(compare=False)
    """As the engine has it. It is not part of the stable interface."""

    @property
    def choice(self) -> Choice:
        """It is not part of the stable interface."""
        return self.study.choice

    @property
    def game(self) -> str:
        return self.choice.game.id

    @property
    def wager(self) -> str:
        return self.choice.wager.id

    @property
    def effects(self) -> dict[str, float]:
        """Change of the expected profit when a card of that rank is taken out, ace to king, by the fixed chart."""
        return {rank: float(effect) for rank, effect in self.study.effects.chart.named.items()}

    @property
    def insurance_index(self) -> float | None:
        """The true count from which on insurance pays."""
        return self.study.worth.insurance_index

    @property
    def scores(self) -> dict[str, float]:
        """SCORE of each spread, with index plays."""
        return {result.spread.name: result.score for result in self.study.spreads("indexed")}

    @property
    def report(self) -> Report:
        """As every form shows it. It is not part of the stable interface."""
        return main_report(self.study)

    def to_dict(self) -> dict[str, Any]:
        """What `croupier protect --json` prints."""
        return main_data(self.study)

    @property
    def frame(self) -> Frame:
        """A row for each true count."""
        return Frame.of_rows(self.to_dict()["by_true_count"])

    @property
    def line(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "wager": self.wager,
            "pay_table": self.choice.pay_table.id,
            "decks": self.choice.decks,
            "count": self.study.count.id,
            **{f"score {name}": score for name, score in self.scores.items()},
        }

    def __repr__(self) -> str:
        best = max(self.scores.values())
        return f"<Counting: {self.game} by {self.study.count.name}, SCORE {best:.1f} at most>"

    def _repr_html_(self) -> str:
        lines = [
            [
                result.spread.name,
                f"{100 * result.mean:.3f}",
                f"{result.score:.2f}",
                shown_percent(result.mean / result.mean_bet) if result.mean_bet else "-",
            ]
            for result in self.study.spreads("indexed")
        ]
        return title_html(f"{self.choice.game.name}: {self.study.count.name}") + table_html(
            ["bets", "units per 100 rounds", "SCORE", "of the money bet"], lines
        )


def counting(
    choice: Choice,
    settings: Mapping[str, str],
    count: str,
    cut: int | None,
    dealing: str | None,
    shoes: str | None,
    seed: int,
    threads: int | None,
    progress: Callable[[float], None] | None,
) -> Counting:
    """Exact worth by true count, and how often each comes on so many shoes."""
    require_seed(seed)
    if threads is not None and threads < 1:
        raise RangeError(f"{threads} threads: 1 or more.", code="bad_threads")
    return Counting(
        study=main_study(
            choice,
            settings,
            count=count,
            cut=cut,
            dealing=dealing,
            shoes=parse_count(shoes or USUAL_SHOES, "shoes", most=MOST_SHOES),
            seed=seed,
            threads=threads or os.cpu_count() or 1,
            progress=progress,
        )
    )
