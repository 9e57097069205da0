"""Published figures recomputed, as a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from croupier.exact.check import CheckedFigure
from croupier.library.frame import Frame
from croupier.library.html import table_html, title_html
from croupier.library.result import Result
from croupier.reports.formatting import FIGURES, decks_text, figure_text, verdict_text
from croupier.reports.json_data import checked_data

VERDICTS = {
    "equal": "equal",
    "within_simulation_error": "within simulation error",
    "differs": "differ",
    "not_computed": "not computed",
}


@dataclass(frozen=True, repr=False)
class Check(Result):
    """The published figures of a game beside the exact ones: `croupier check`.

    >>> import croupier
    >>> check = croupier.game("casino_war").check()
    >>> check.passes, check.count("equal")
    (True, 4)
    """

    game: str
    figures: tuple[CheckedFigure, ...]
    """Each with what is printed (`fact`), `computed`, `verdict` and `finding`."""

    @property
    def passes(self) -> bool:
        """Whether every difference has a finding that says why."""
        return not any(figure.fails for figure in self.figures)

    def count(self, verdict: str) -> int:
        """How many figures have that verdict: equal, within_simulation_error, differs, not_computed."""
        return sum(figure.verdict == verdict for figure in self.figures)

    def to_dict(self) -> dict[str, Any]:
        """The game and, under `figures`, what `croupier check --json` prints."""
        return {"game": self.game, "figures": [checked_data(figure) for figure in self.figures]}

    @property
    def frame(self) -> Frame:
        """A row for each figure."""
        return Frame.of_rows(
            {
                "game": self.game,
                "wager": figure.fact.wager,
                "pay_table": figure.fact.pay_table,
                "decks": figure.decks,
                "figure": figure.fact.figure,
                "printed": figure.fact.printed,
                "computed": figure.computed,
                "verdict": figure.verdict,
                "finding": figure.finding,
            }
            for figure in self.figures
        )

    @property
    def line(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "figures": len(self.figures),
            "equal": self.count("equal"),
            "within_simulation_error": self.count("within_simulation_error"),
            "differs": self.count("differs"),
        }

    def __repr__(self) -> str:
        counts = [f"{self.count(verdict)} {said}" for verdict, said in VERDICTS.items() if self.count(verdict)]
        return f"<Check: {self.game}, {', '.join([f'{len(self.figures)} published figures', *counts])}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                figure.fact.wager,
                figure.fact.pay_table,
                decks_text(figure),
                FIGURES[figure.fact.figure],
                figure.fact.printed,
                figure_text(figure.fact.figure, figure.computed) if figure.computed is not None else "-",
                verdict_text(figure),
            ]
            for figure in self.figures
        ]
        heads = ["wager", "table", "decks", "figure", "printed", "computed", "verdict"]
        return title_html(f"{self.game}: published figures") + table_html(heads, rows)
