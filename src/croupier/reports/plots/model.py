"""The model of a plot: what pages, pictures, paper and the terminal draw, and its values as data.

Coordinates are floats, as only eyes read them: exact figures are rounded here and nowhere before.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Any, Literal

from croupier.reports.formatting import Form, value_text

Kind = Literal["line", "bars", "exact", "steps", "band"]
"""`exact` is what an estimate is compared with, `steps` holds each value until the next, `band` has no middle."""

MOST_ROWS = 60


@dataclass(frozen=True)
class Line:
    """One row of points, in ascending order of x, with a band around it where `low` and `high` are given."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    """Empty for a `band`."""
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    kind: Kind = "line"

    def __post_init__(self) -> None:
        points = len(self.x)
        assert points, f"{self.name}: a line without points"
        assert len(self.low) == len(self.high), f"{self.name}: a band needs both sides"
        assert len(self.low) in (0, points), f"{self.name}: the band has another length"
        assert len(self.y) == (0 if self.kind == "band" else points), f"{self.name}: as many values as points"
        assert self.y or self.low, f"{self.name}: a band without sides"
        assert all(isfinite(value) for value in (*self.x, *self.y, *self.low, *self.high)), self.name
        assert all(before <= after for before, after in pairwise(self.x)), f"{self.name}: not in ascending order"


@dataclass(frozen=True)
class Mark:
    """A value of x that is worth knowing, as a break-even meter: an upright line with a name."""

    name: str
    x: float


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A picture of lines and bars over one x axis and one y axis."""

    id: str
    title: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    x_form: Form = "number"
    y_form: Form = "number"
    note: str = ""
    """How the values come about: exact or simulated, and what to beware of."""
    log_x: bool = False
    log_y: bool = False
    x_names: tuple[str, ...] = ()
    """Where x is no number but a thing, as an up card: the names of 0, 1, 2 and so on."""
    marks: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        assert self.lines, f"{self.id}: a plot without lines"
        if self.log_x:
            assert all(line.x[0] > 0 for line in self.lines), f"{self.id}: no logarithm of x"
        if self.log_y:
            values = [value for line in self.lines for value in (*line.y, *line.low)]
            assert min(values) > 0, f"{self.id}: no logarithm of y"
        if self.x_names:
            assert all(x in range(len(self.x_names)) for line in self.lines for x in line.x), (
                f"{self.id}: x has no name"
            )

    def x_text(self, x: float) -> str:
        return self.x_names[int(x)] if self.x_names else value_text(x, self.x_form)


def plot_data(plot: Plot) -> dict[str, Any]:
    """The plot as JSON has it; the keys are part of the stable interface."""
    return {
        "id": plot.id,
        "title": plot.title,
        "x_label": plot.x_label,
        "y_label": plot.y_label,
        "x_form": plot.x_form,
        "y_form": plot.y_form,
        "log_x": plot.log_x,
        "log_y": plot.log_y,
        "x_names": list(plot.x_names),
        "marks": [{"name": mark.name, "x": mark.x} for mark in plot.marks],
        "note": plot.note,
        "lines": [
            {
                "name": line.name,
                "kind": line.kind,
                "x": list(line.x),
                "y": list(line.y),
                "low": list(line.low),
                "high": list(line.high),
            }
            for line in plot.lines
        ],
    }


def table_x(plot: Plot) -> list[float]:
    """Where the table of values has lines: at every point, or at those of the first line where that is too many."""
    every_x = sorted({x for line in plot.lines for x in line.x})
    return every_x if len(every_x) <= MOST_ROWS else list(plot.lines[0].x)


def plot_rows(plot: Plot) -> tuple[list[str], list[list[str]]]:
    """The heads and lines of the table of values, for readers of text. A value that a line lacks is empty; a line
    that lacks most of them is left out."""
    every_x = table_x(plot)
    heads, columns = [plot.x_label], []
    for line in plot.lines:
        parts = [(line.name, line.y)] if line.y else []
        if line.low:
            parts += [(f"{line.name}, low", line.low), (f"{line.name}, high", line.high)]
        for head, values in parts:
            is_level = line.kind == "exact" and len(set(values)) == 1  # holds everywhere, though it has two points
            points = ((x, values[0]) for x in every_x) if is_level else zip(line.x, values, strict=True)
            texts = {x: value_text(value, plot.y_form) for x, value in points}
            if line.kind == "exact" or sum(x in texts for x in every_x) * 2 >= len(every_x):
                heads.append(head)
                columns.append(texts)
    return heads, [[plot.x_text(x), *(column.get(x, "") for column in columns)] for x in every_x]
