"""`croupier plot`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from math import log10

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from croupier.cli.screen import (
    console,
    files_to_write,
    print_json,
    progress_console,
    write_whole,
)
from croupier.errors import NotationError, unknown
from croupier.reports.plots.kinds import KINDS, PlotWish, make_plot, usual_wager
from croupier.reports.plots.model import Line, Plot, plot_data, plot_rows, table_x
from croupier.reports.render.terminal import print_table, simple_table
from croupier.rules import find_game
from croupier.rules.choice import OddsRequest

WIDTH = 40
"""Characters of a plot in a terminal."""
MOST_LINES = 30
SIGNS = {"bars": "█", "band": "░", "line": "●", "steps": "●", "exact": "┆"}
DRAWN_IN_ORDER = ("bars", "exact", "line", "steps", "band")
"""What comes later is drawn over what came before; bands lie below all."""
PLAIN_SIGNS = {"bars": "#", "band": "-", "line": "o", "steps": "o", "exact": ":"}


def show_plot(
    kind: str, request: OddsRequest, wish: PlotWish, *, files: Mapping[str, str | None], as_json: bool
) -> None:
    if sum(name is not None for name in files.values()) + as_json > 1:
        raise NotationError(
            "Give only one of --svg, --png, --pdf and --json: a plot comes in one form.", code="one_form"
        )
    paths = files_to_write(files, "picture")
    if kind not in KINDS:
        raise unknown("plot", kind, KINDS)
    game = find_game(request.game)
    choice = replace(request, wager=request.wager or usual_wager(kind, game)).choice(game)
    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task(f"{kind} of {game.id} {choice.wager.id}", total=1.0)
        plot = make_plot(kind, choice, wish, lambda share: progress.update(task, completed=share))
    for path in paths:
        from croupier.reports.plots.draw import picture, picture_kind

        write_whole(path, picture([plot], picture_kind(path)))
        console().print(f"wrote {escape(str(path))}", soft_wrap=True)
    if as_json:
        print_json(plot_data(plot))
    elif not paths:
        _print_plot(console(), plot)


def _print_plot(out: Console, plot: Plot) -> None:
    """The plot lying on its side: a line for each x, with its values beside it."""
    heads, rows = plot_rows(plot)
    every_x = table_x(plot)
    step = -(-len(rows) // MOST_LINES)
    places = [place for place in range(len(rows)) if place % step == 0 or place == len(rows) - 1]
    signs = SIGNS if (sys.stdout.encoding or "").lower().startswith("utf") else PLAIN_SIGNS
    ruler = Ruler(plot)
    out.print(f"[bold]{escape(plot.title)}[/bold]")
    shown = _columns_that_fit(out, heads, rows)
    table = simple_table(heads[0], plot.y_label, *(heads[column] for column in shown))
    for column in table.columns[2:]:
        column.justify = "right"
    for place in places:
        values = [escape(rows[place][column]) for column in shown]
        table.add_row(escape(rows[place][0]), ruler.drawn(every_x[place], signs), *values)
    print_table(out, table)
    if len(shown) < len(heads) - 1:
        out.print("[dim]More values than fit here: --json has them all.[/dim]")
    for mark in plot.marks:
        out.print(f"{escape(mark.name)}: {escape(plot.x_text(mark.x))}")
    if plot.note:
        out.print(f"[dim]{escape(plot.note)}[/dim]")


def _columns_that_fit(out: Console, heads: list[str], rows: list[list[str]]) -> list[int]:
    """The columns of values beside the drawing: all of them in a pipe, in a window those that there is room for. The
    sides of bands go first, as the drawing has them."""
    columns = list(range(1, len(heads)))
    if not out.is_terminal:
        return columns
    # Heads wrap between words, values do not.
    lengths = [
        2 + max(len(text) for text in (*head.split(), *(row[column] for row in rows)))
        for column, head in enumerate(heads)
    ]
    room = out.width - lengths[0] - WIDTH - 2
    middles = [column for column in columns if not heads[column].endswith((", low", ", high"))]
    for shown in (columns, *(middles[:number] for number in range(len(middles), 0, -1))):
        if sum(lengths[column] for column in shown) <= room:
            return shown
    return []


class Ruler:
    """From values to places on a line of characters."""

    def __init__(self, plot: Plot) -> None:
        self._plot = plot
        values = [value for line in plot.lines for value in (*line.y, *line.low, *line.high)]
        has_bars = any(line.kind == "bars" for line in plot.lines)
        if has_bars and not plot.log_y:
            values.append(0.0)
        self._low, self._high = self._scaled(min(values)), self._scaled(max(values))
        if has_bars and plot.log_y:
            self._low -= 0.5  # the smallest bar is to be seen
        self._base = self._place(0.0) if has_bars and not plot.log_y else 0

    def _scaled(self, value: float) -> float:
        return log10(value) if self._plot.log_y else value

    def _place(self, value: float) -> int:
        span = self._high - self._low or 1.0
        return round((WIDTH - 1) * (self._scaled(value) - self._low) / span)

    def drawn(self, x: float, signs: Mapping[str, str]) -> str:
        cells = [" "] * WIDTH
        lines = self._plot.lines
        for line in lines:
            if line.low and (low := value_at(line, line.low, x)) is not None:
                high = value_at(line, line.high, x)
                assert high is not None
                self._fill(cells, self._place(low), self._place(high), signs["band"])
        for line in sorted(lines, key=lambda line: DRAWN_IN_ORDER.index(line.kind)):
            if line.y and (y := value_at(line, line.y, x)) is not None:
                start = self._base if line.kind == "bars" else self._place(y)
                self._fill(cells, start, self._place(y), signs[line.kind])
        return "".join(cells)

    @staticmethod
    def _fill(cells: list[str], first: int, last: int, sign: str) -> None:
        for place in range(min(first, last), max(first, last) + 1):
            cells[place] = sign


def value_at(line: Line, values: tuple[float, ...], x: float) -> float | None:
    """The value at a point, or between two; none outside of the line."""
    if x in line.x:
        return values[line.x.index(x)]
    if line.kind == "bars" or not line.x[0] <= x <= line.x[-1]:
        return None
    after = next(place for place, other in enumerate(line.x) if other > x)
    share = (x - line.x[after - 1]) / (line.x[after] - line.x[after - 1])
    return values[after - 1] + share * (values[after] - values[after - 1])
