"""Optimal play of a main game, as a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.exact.strategy.charts import Departure
from croupier.exact.strategy.result import Effect, PlayedSheet
from croupier.library.frame import Frame
from croupier.library.html import chart_html, notes_html, table_html, title_html
from croupier.library.result import Result, shown_percent
from croupier.reports.formatting import part_words, shoe_text
from croupier.reports.strategy.data import strategy_data

MOST_EXCEPTIONS = 12


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What each answer to a question is worth, by all that the seat knows.

    >>> import croupier
    >>> tie = croupier.game("casino_war").strategy().decisions[0]
    >>> tie.hand, tie.best, tie.probability, sorted(tie.values)
    ('a tie of twos', 'war', Fraction(23, 4043), ['surrender', 'war'])
    """

    question: str
    hand: str
    """What the seat knows, in words."""
    sight: int
    """The same as a number: `sight` in the observations of agents."""
    best: str
    """The answer that is worth most."""
    probability: Fraction
    """How often a round comes to this, if it is played well until then."""
    values: Mapping[str, Fraction]
    """Mean profit of the round by legal answer, in first wagers."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Strategy(Result):
    """Optimal play of a main game: `croupier strategy`.

    >>> import croupier
    >>> strategy = croupier.game("casino_war").strategy()
    >>> strategy
    <Strategy: casino_war, 6 decks: house edge 2.8771%>
    >>> strategy.charts
    {'war_or_surrender': {'a tie of twos through aces': {'answer': 'war'}}}
    """

    game: str
    pay_table: str
    decks: int | None
    rules: Mapping[str, str]
    edge: float
    """Expected loss for each unit of the first wagers."""
    edge_total_dependent: float
    """Of the best chart by totals."""
    standard_deviation: float
    mean_final_wager: float
    """What lies on the table in the end, in units of the first wagers."""
    element_of_risk: float
    """Expected loss for each unit at risk in the end."""
    charts: Mapping[str, Mapping[str, Mapping[str, str]]]
    """What to do: by part of the chart, hand, and the dealer's card."""
    exceptions: tuple[Departure, ...]
    """Hands whose cards change the play of the chart."""
    by_up_card: Mapping[str, float]
    """The edge by the dealer's card."""
    effects: tuple[Effect, ...] | None
    """What each other rule does to the edge, if that was asked for."""
    method: str
    notes: tuple[str, ...]
    sheet: PlayedSheet = field(compare=False)
    """The engine's own account. It is not part of the stable interface."""

    def to_dict(self) -> dict[str, Any]:
        """What `croupier strategy --json` prints."""
        return strategy_data(self.sheet, list(self.effects) if self.effects is not None else None)

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """Every question with the exact worth of its answers, in games with few enough to be listed: Casino War, Let It
        Ride, Mississippi Stud, Three Card Poker. Empty for others, whose `charts` and `exceptions` say what to do."""
        from croupier.exact.tree_sheet import TreeSheet

        if not isinstance(self.sheet, TreeSheet):
            return ()
        declared = self.sheet.choice.game.declared
        return tuple(
            Decision(
                question=declared.questions[known.question].id,
                hand=declared.describe_sight(known.question, known.sight),
                sight=known.sight,
                best=declared.questions[known.question].words[known.answer],
                probability=known.weight,
                values={declared.questions[known.question].words[key]: worth for key, worth in known.values.items()},
            )
            for known in self.sheet.decided.decisions
        )

    @property
    def frame(self) -> Frame:
        """The chart: a row for each hand against each card."""
        return Frame.of_rows(
            {"part": part, "hand": hand, "against": card, "play": play}
            for part, grid in self.charts.items()
            for hand, cells in grid.items()
            for card, play in cells.items()
        )

    @property
    def effects_frame(self) -> Frame:
        """What each other rule does to the edge."""
        return effects_frame(self.effects or ())

    @property
    def line(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "pay_table": self.pay_table,
            "decks": self.decks,
            "edge": self.edge,
            "edge_total_dependent": self.edge_total_dependent,
            "standard_deviation": self.standard_deviation,
            "mean_final_wager": self.mean_final_wager,
            "element_of_risk": self.element_of_risk,
        }

    def __repr__(self) -> str:
        return f"<Strategy: {self.game}, {shoe_text(self.decks)}: house edge {shown_percent(self.edge)}>"

    def _repr_html_(self) -> str:
        choice = self.sheet.choice
        figures = [
            ["house edge", shown_percent(self.edge, 5)],
            ["house edge, chart by totals", shown_percent(self.edge_total_dependent, 5)],
            ["standard deviation", f"{self.standard_deviation:.5f}"],
            ["mean final wager", f"{self.mean_final_wager:.5f}"],
            ["element of risk", shown_percent(self.element_of_risk, 5)],
        ]
        charts = "".join(
            chart_html(part_words(part), {hand: dict(cells) for hand, cells in grid.items()})
            for part, grid in self.charts.items()
        )
        departures = [
            [exception.hand, exception.up_card, exception.chart, exception.best, f"{exception.gain:.6f}"]
            for exception in self.exceptions[:MOST_EXCEPTIONS]
        ]
        rare = (
            title_html(f"{len(self.exceptions)} hands where composition changes the play")
            + table_html(["hand", "against", "chart", "best", "gain"], departures)
            if departures
            else ""
        )
        cost = self.effects_frame._repr_html_() if self.effects else ""
        head = title_html(f"{choice.game.name}: strategy", f"{shoe_text(self.decks)}; {self.method}")
        return head + table_html(["figure", "value"], figures) + charts + rare + cost + notes_html(self.notes)


def effects_frame(effects: tuple[Effect, ...]) -> Frame:
    """Other rules, each with its edge and the change."""
    return Frame.of_rows(
        {"switch": effect.switch.id, "value": effect.value, "edge": effect.edge, "change": effect.change}
        for effect in effects
    )


def strategy_of(sheet: PlayedSheet, effects: list[Effect] | None) -> Strategy:
    """The result of a solved sheet."""
    choice = sheet.choice
    return Strategy(
        game=choice.game.id,
        pay_table=choice.pay_table.id,
        decks=choice.decks,
        rules=choice.switches,
        edge=sheet.edge,
        edge_total_dependent=sheet.edge_total_dependent,
        standard_deviation=sheet.account.standard_deviation,
        mean_final_wager=sheet.account.mean_final_wager,
        element_of_risk=sheet.element_of_risk,
        charts=sheet.charts,
        exceptions=tuple(sheet.exceptions),
        by_up_card=sheet.by_up_card,
        effects=tuple(effects) if effects is not None else None,
        method=sheet.method,
        notes=choice.notes,
        sheet=sheet,
    )
