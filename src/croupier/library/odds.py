"""Exact odds of a wager, as a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.exact.check import (
    CheckedFigure,
    Contradiction,
    contradiction_of,
    facts_of_choice,
    facts_of_sheet,
    is_played,
)
from croupier.exact.odds import MeterWish, OddsSheet, compute_odds
from croupier.exact.played import compute_strategy, switch_effects
from croupier.exact.strategy.result import Effect, PlayedSheet
from croupier.exact.strategy.solve import Progress
from croupier.exact.switch_effects import odds_effects
from croupier.library.frame import Frame
from croupier.library.html import bars_svg, notes_html, table_html, title_html
from croupier.library.result import Result, shown_percent
from croupier.reports.formatting import one_in, shoe_text
from croupier.reports.json_data import beside_rows, main_odds_data, main_rows, sheet_data
from croupier.rules.choice import Choice

MOST_BARS = 14


@dataclass(frozen=True, kw_only=True)
class OddsRow:
    """What can become of a wager.

    >>> import croupier
    >>> row = croupier.game("blackjack").odds("lucky_lucky", decks=2).rows[0]
    >>> row.id, row.pays, row.combinations, row.probability
    ('suited_678', '100 to 1', 32, Fraction(4, 22763))
    """

    id: str
    """Id of the row; `lose` for everything that is not paid."""
    label: str
    """The row in the words of its table."""
    pays: str
    """In the letter's words: "3 to 2", "push", "10%"."""
    combinations: int | None
    """How many of the `denominator`; None for a wager that is played."""
    probability: Fraction | float
    """Exact but for a wager that is played, of whose hands it is the share."""
    returned: Fraction | float
    """Part of the expected profit for each unit wagered. The column adds up to minus the edge."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Odds(Result):
    """Exact odds of a wager: `croupier odds`.

    >>> import croupier
    >>> odds = croupier.game("double_down_madness").odds("push_22", decks=6)
    >>> odds
    <Odds: double_down_madness push_22, pay table 1, 6 decks: house edge 5.8539%>
    >>> odds.edge.limit_denominator(1000), f"{float(odds.hit_frequency):.3%}"
    (Fraction(12, 205), '7.354%')
    """

    game: str
    wager: str
    pay_table: str
    """Its id; `own` for one that was given as a value."""
    decks: int | None
    """None for infinite decks."""
    rules: Mapping[str, str]
    """Every switch of the game with its value."""
    edge: Fraction | float
    """Expected loss for each unit of the first wager: exact, but for a wager that is played, whose solver uses floats.
    Of a progressive, over the life of the jackpot."""
    hit_frequency: Fraction | float
    standard_deviation: float
    """Of the profit for each unit wagered."""
    rows: tuple[OddsRow, ...]
    denominator: int | None
    """All combinations; None for a wager that is played."""
    method: str
    notes: tuple[str, ...]
    """Where these rules leave the letter, and what else there is to know."""
    sheet: OddsSheet | PlayedSheet = field(compare=False)
    """The engine's own account. It is not part of the stable interface."""
    meter: MeterWish = field(default_factory=MeterWish, compare=False)
    """Settings of a progressive that were asked for; likewise."""

    @cached_property
    def published(self) -> tuple[CheckedFigure, ...]:
        """The letter's figures for just these rules, each with its verdict."""
        if isinstance(self.sheet, OddsSheet):
            return tuple(facts_of_sheet(self.sheet))
        return tuple(facts_of_choice(self.sheet.choice))

    @cached_property
    def contradiction(self) -> Contradiction | None:
        """What the letter's text and its figures give, where they contradict each other."""
        if not isinstance(self.sheet, OddsSheet):
            return None
        return contradiction_of(self.sheet.choice, lambda other: compute_odds(other, self.meter).edge)

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """The edge under every other value of every switch, one change at a time; for a game that is played it takes
        seconds to minutes."""
        if isinstance(self.sheet, OddsSheet):
            return tuple(odds_effects(self.sheet, self.meter))
        return tuple(switch_effects(self.sheet.choice, self.sheet.best_edge, self.sheet.cap))

    @property
    def average_top(self) -> Fraction | None:
        """Of a progressive: the average 100% award, dollars."""
        jackpot = self.sheet.jackpot if isinstance(self.sheet, OddsSheet) else None
        return jackpot.average_top if jackpot else None

    @property
    def break_even(self) -> Fraction | None:
        """Of a progressive: the meter, in dollars, at which the next wager has no edge."""
        jackpot = self.sheet.jackpot if isinstance(self.sheet, OddsSheet) else None
        return jackpot.break_even if jackpot else None

    @property
    def edge_at_meter(self) -> Fraction | None:
        """Of a progressive that was asked for with `meter`: the edge of the next wager at that meter."""
        jackpot = self.sheet.jackpot if isinstance(self.sheet, OddsSheet) else None
        return jackpot.edge_now if jackpot and self.meter.now is not None else None

    def row(self, id: str) -> OddsRow:
        """The row of that id."""
        from croupier.errors import unknown

        for row in self.rows:
            if row.id == id:
                return row
        raise unknown("row", id, [row.id for row in self.rows], f" of {self.wager}")

    def to_dict(self) -> dict[str, Any]:
        """What `croupier odds --json` prints."""
        if not isinstance(self.sheet, OddsSheet):
            return main_odds_data(self.sheet)
        said = {"contradiction": self.contradiction.sentence} if self.contradiction is not None else {}
        return sheet_data(self.sheet) | said

    @property
    def frame(self) -> Frame:
        """A row for each way it may end."""
        return Frame.of_rows(
            {
                "row": row.id,
                "label": row.label,
                "pays": row.pays,
                "combinations": row.combinations,
                "probability": row.probability,
                "return": row.returned,
            }
            for row in self.rows
        )

    @property
    def line(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "wager": self.wager,
            "pay_table": self.pay_table,
            "decks": self.decks,
            "edge": self.edge,
            "hit_frequency": self.hit_frequency,
            "standard_deviation": self.standard_deviation,
        }

    def __repr__(self) -> str:
        where = f"{self.game} {self.wager}, pay table {self.pay_table}, {shoe_text(self.decks)}"
        now = f", {shown_percent(self.edge_at_meter)} at this meter" if self.edge_at_meter is not None else ""
        doubt = "; text and figures differ, see .contradiction" if self._is_doubtful else ""
        return f"<Odds: {where}: house edge {shown_percent(self.edge)}{now}{doubt}>"

    @property
    def _is_doubtful(self) -> bool:
        """Whether `contradiction` says something, without computing what."""
        choice = self.sheet.choice
        return isinstance(self.sheet, OddsSheet) and bool(choice.game.by_figures(self.wager, choice.pay_table.id))

    def _repr_html_(self) -> str:
        choice = self.sheet.choice
        below = f"pay table {self.pay_table}, {shoe_text(self.decks)}; {self.method}"
        rows = [
            [
                row.label,
                row.pays,
                f"{float(row.probability):.8f}",
                one_in(Fraction(row.probability)),
                f"{float(row.returned):+.6f}",
            ]
            for row in self.rows
        ]
        bars = [(row.label, float(row.returned), f"{float(row.returned):+.4f}") for row in self.rows]
        figures = [
            ["house edge", shown_percent(self.edge, 5)],
            ["hit frequency", shown_percent(self.hit_frequency, 5)],
            ["standard deviation", f"{self.standard_deviation:.5f}"],
        ]
        return (
            title_html(f"{choice.game.name}: {choice.wager.name}", below)
            + table_html(["row", "pays", "probability", "odds", "return"], rows)
            + table_html(["figure", "value"], figures)
            + bars_svg("return of each row, in units wagered", bars[:MOST_BARS])
            + notes_html(self.notes)
        )


def odds_of(choice: Choice, wish: MeterWish, progress: Progress | None = None) -> Odds:
    """The odds of a choice: counted, or of a wager that is played, solved."""
    if is_played(choice) and not wish.says_anything:
        return _of_play(compute_strategy(choice, progress=progress))
    sheet = compute_odds(choice, wish)
    rows = tuple(
        OddsRow(
            id=row.id,
            label=row.label,
            pays=row.pays,
            combinations=row.combinations,
            probability=row.probability,
            returned=row.returned,
        )
        for row in sheet.rows
    )
    return Odds(
        game=choice.game.id,
        wager=choice.wager.id,
        pay_table=choice.pay_table.id,
        decks=choice.decks,
        rules=choice.switches,
        edge=sheet.edge,
        hit_frequency=sheet.hit_frequency,
        standard_deviation=sheet.standard_deviation,
        rows=rows,
        denominator=sheet.denominator,
        method=sheet.method,
        notes=sheet.notes,
        sheet=sheet,
        meter=wish,
    )


def _of_play(sheet: PlayedSheet) -> Odds:
    choice, account = sheet.choice, sheet.account
    rows = tuple(
        OddsRow(
            id=name,
            label=label,
            pays=pays,
            combinations=None,
            probability=ending.hands / sheet.hands,
            returned=ending.profit / account.wagers,
        )
        for name, label, pays, ending in (*main_rows(sheet), *beside_rows(sheet))
    )
    return Odds(
        game=choice.game.id,
        wager=choice.wager.id,
        pay_table=choice.pay_table.id,
        decks=choice.decks,
        rules=choice.switches,
        edge=sheet.edge,
        hit_frequency=main_odds_data(sheet)["hit_frequency"],
        standard_deviation=account.standard_deviation,
        rows=rows,
        denominator=None,
        method=sheet.method,
        notes=choice.notes,
        sheet=sheet,
    )
