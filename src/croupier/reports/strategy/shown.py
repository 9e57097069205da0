"""A strategy as a page shows it: charts with what every answer is worth in each cell, and what else is said of it.

Plain data, so that it travels from another process, and comes with the package for default rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from croupier.exact.shipped import shipped_for
from croupier.exact.showdown.charts import EVERY
from croupier.exact.strategy.result import PlayedSheet
from croupier.reports.formatting import ACTIONS, change, part_words, percent, rounded, shoe_text, when_made
from croupier.reports.json_data import beside_rows, main_rows
from croupier.rules.choice import Choice

MOST_EXCEPTIONS = 40
SIGNIFICANT = 6
"""Digits of the values that a page shows four of."""
HOLDINGS = 13
"""Rows and columns of a chart of holdings, suited above the diagonal."""

Values = dict[str, float]
"""What each answer is worth, by its word: expected profit in first wagers."""


class ShownCell(Struct, frozen=True):
    """A cell of a chart: what to do, and what each answer is worth where that is known."""

    text: str
    values: Values = {}


class ShownRow(Struct, frozen=True):
    name: str
    cells: tuple[ShownCell, ...]
    values: Values = {}
    """What each answer is worth over all columns, where that is what is known."""


class ShownChart(Struct, frozen=True, kw_only=True):
    """A part of a strategy."""

    id: str
    title: str
    kind: Literal["letters", "ratings", "holdings", "lines"]
    columns: tuple[str, ...]
    rows: tuple[ShownRow, ...]


class ShownFigure(Struct, frozen=True):
    label: str
    text: str
    detail: str = ""


class ShownException(Struct, frozen=True, kw_only=True):
    """A hand whose cards call for another play than the chart has."""

    hand: str
    up_card: str
    chart: str
    best: str
    gain: float
    chance: float


class ShownEnding(Struct, frozen=True):
    """A row of the pay table, or another way a hand ends."""

    label: str
    pays: str
    hands: float
    profit: float


class ShownStrategy(Struct, frozen=True, kw_only=True):
    """All that the page shows."""

    subtitle: str
    edge: float
    figures: tuple[ShownFigure, ...]
    rules_of_thumb: tuple[tuple[float, float, str], ...]
    """Edge, cost against best play, and the rule."""
    charts: tuple[ShownChart, ...]
    legend: dict[str, str]
    exceptions: tuple[ShownException, ...]
    """Those that are worth the most, in the order of what each gains once the hand is held."""
    exceptions_left_out: int
    endings: tuple[ShownEnding, ...]
    by_up_card: dict[str, float]
    final_wagers: dict[str, float]
    method: str
    notes: tuple[str, ...]


def shown_strategy(sheet: PlayedSheet) -> ShownStrategy:
    """What the page shows of a solved game."""
    charts = tuple(_charts(sheet))
    used = {cell.text for chart in charts if chart.kind == "letters" for row in chart.rows for cell in row.cells}
    worth_most = sheet.exceptions[:MOST_EXCEPTIONS]
    return ShownStrategy(
        subtitle=rules_line(sheet.choice),
        edge=sheet.edge,
        figures=tuple(_figures(sheet)),
        rules_of_thumb=tuple((rule.edge, rule.cost, rule.text) for rule in sheet.followed),
        charts=charts,
        legend={letter: words for letter, words in ACTIONS.items() if letter in used},
        exceptions=tuple(
            ShownException(
                hand=one.hand, up_card=one.up_card, chart=one.chart, best=one.best, gain=one.gain, chance=one.chance
            )
            for one in sorted(worth_most, key=lambda exception: -exception.gain)
        ),
        exceptions_left_out=len(sheet.exceptions) - len(worth_most),
        endings=tuple(
            ShownEnding(label, pays, ending.hands, ending.profit / sheet.account.wagers)
            for _, label, pays, ending in (*main_rows(sheet), *beside_rows(sheet))
        ),
        by_up_card=sheet.by_up_card,
        final_wagers={f"{stake:g}": chance for stake, chance in sheet.final_wagers.items()},
        method=f"{sheet.method}; rules of {sheet.choice.game.version}, {sheet.choice.source.named}.",
        notes=sheet.choice.notes,
    )


def rules_line(choice: Choice) -> str:
    """Pay table and decks, and every rule that is not the pay table's own."""
    usual = {switch.id: switch.default for switch in choice.game.switches} | choice.pay_table.settings
    changed = [
        f"{name.replace('_', ' ')}: {value.replace('_', ' ')}"
        for name, value in choice.switches.items()
        if value != usual[name]
    ]
    return "; ".join([f"Pay table {choice.pay_table.id}, {shoe_text(choice.decks)}", *changed])


def _figures(sheet: PlayedSheet) -> Iterator[ShownFigure]:
    by_chart = "House edge, chart by totals" if sheet.by_up_card else "House edge, chart"
    yield ShownFigure("House edge, optimal play", percent(sheet.edge, 5))
    if sheet.edge_total_dependent != sheet.edge:
        yield ShownFigure(by_chart, percent(sheet.edge_total_dependent, 5))
    if sheet.edge_by_ratings is not None:
        yield ShownFigure("House edge, first decision by ratings", percent(sheet.edge_by_ratings, 5))
    if sheet.usual_edge is not None:
        added = change(sheet.edge - sheet.usual_edge, 5)
        yield ShownFigure("Under the usual rules", percent(sheet.usual_edge, 5), f"these rules add {added}")
    yield ShownFigure("Standard deviation", rounded(sheet.account.standard_deviation, 5))
    yield ShownFigure("Mean final wager", rounded(sheet.account.mean_final_wager, 5))
    yield ShownFigure("Element of risk", percent(sheet.element_of_risk, 5))
    if sheet.insurance is not None:
        yield ShownFigure("Insurance, edge if always taken", percent(sheet.insurance.edge, 3))
        yield ShownFigure("Insurance, take it", sheet.insurance.take)
    if sheet.asked_wager is not None:
        yield ShownFigure(f"{sheet.asked_wager.name}, edge if always made", percent(sheet.asked_wager.edge, 3))
        yield ShownFigure(f"{sheet.asked_wager.name}, make it", when_made(sheet.asked_wager))


def _charts(sheet: PlayedSheet) -> Iterator[ShownChart]:
    values = sheet.chart_values
    for part, grid in sheet.charts.items():
        columns = tuple(next(iter(grid.values())))
        worth = values.get(part, {})
        yield ShownChart(
            id=part,
            title=part_words(part),
            kind=_kind_of(columns, len(grid), is_letters=sheet.by_up_card != {}),
            columns=columns,
            rows=tuple(
                ShownRow(
                    name,
                    tuple(ShownCell(text, _short(worth.get((name, column), {}))) for column, text in cells.items()),
                    _short(worth.get((name, EVERY), {})),
                )
                for name, cells in grid.items()
            ),
        )
    for part, ratings in sheet.ratings.items():
        yield ShownChart(
            id=part,
            title=part_words(part),
            kind="ratings",
            columns=tuple(next(iter(ratings.values()))),
            rows=tuple(
                ShownRow(name, tuple(ShownCell(f"{value:+.3f}".replace("-", "−")) for value in cells.values()))
                for name, cells in ratings.items()
            ),
        )


def _kind_of(columns: tuple[str, ...], rows: int, *, is_letters: bool) -> Literal["letters", "holdings", "lines"]:
    if is_letters:
        return "letters"
    return "holdings" if len(columns) == rows == HOLDINGS and columns[0] == "A" else "lines"


def _short(values: Mapping[str, float]) -> Values:
    return {word: float(f"{value:.{SIGNIFICANT}g}") for word, value in values.items()}


def shipped_strategy(game: str) -> ShownStrategy | None:
    """What came with the package for a game's default rules; None where nothing did, or it is out of date."""
    shipped = shipped_for(game)
    if shipped is None or bytes(shipped.strategy) in (b"", b"null"):
        return None
    return msgspec.json.decode(shipped.strategy, type=ShownStrategy)
