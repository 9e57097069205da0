"""Plots as pictures, by matplotlib: SVG, PNG and PDF on a light ground. The same plot gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from math import ceil
from pathlib import Path
from textwrap import fill
from typing import Any, Literal

from croupier.extras import needs
from croupier.reports.formatting import Form, value_text
from croupier.reports.plots.model import Line, Plot

with needs("plots"):
    import matplotlib as mpl
    from matplotlib.figure import Figure

Picture = Literal["svg", "png", "pdf"]

COLORS = ("#0072b2", "#d55e00", "#009e73", "#a2559d", "#8a6d00", "#3f9bd1")
"""Told apart by all eyes: the palette of Okabe and Ito, its light tones darkened for lines on white."""
INK, QUIET, GRID = "#1d2320", "#515a55", "#dfe2df"
STYLE = {
    "text.parse_math": False,  # dollars are no formulas
    "svg.hashsalt": "croupier",
    "pdf.fonttype": 42,  # letters stay letters, to be searched and copied
    "font.family": "DejaVu Sans",  # comes with matplotlib, so no machine has another
    "font.size": 10,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
}
WIDTH, HEIGHT = 7.6, 4.4
"""Inches of one plot."""
DPI = 144
MOST_BAR_LABELS = 14
"""More bars than this are read off the axis; so many have their value above them."""
UNWANTED: dict[Picture, tuple[str, ...]] = {
    "svg": ("Date", "Creator"),
    "png": ("Software",),
    "pdf": ("CreationDate", "Creator", "Producer"),
}
"""Neither the day nor matplotlib's version belongs into a file that is compared."""
NOTE_LETTERS = 122
"""Of a line of the note below a picture."""
LONG_NAMES = 48
"""Characters of all names of x together that still stand side by side."""


def picture_kind(path: Path) -> Picture:
    """Which kind a file is by its ending, which has been checked."""
    kinds: dict[str, Picture] = {".svg": "svg", ".png": "png", ".pdf": "pdf"}
    return kinds[path.suffix.lower()]


def plot_svg(plot: Plot) -> bytes:
    """One plot for a page that has title and note in its own letters."""
    return picture([replace(plot, title="", note="")], "svg")


def picture(plots: Sequence[Plot], form: Picture, *, title: str = "", columns: int = 1) -> bytes:
    """One or more plots in one picture, with a title above all of them; a single one has its note below it."""
    rows = ceil(len(plots) / columns)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH * columns, HEIGHT * rows), layout="constrained")
        panels = list(figure.subplots(rows, columns, squeeze=False).flat)
        for axes, plot in zip(panels, plots, strict=False):
            _draw(axes, plot)
        for axes in panels[len(plots) :]:
            axes.set_visible(False)
        if title:
            figure.suptitle(title, fontsize=11)
        if len(plots) == 1 and plots[0].note:
            lines = fill(plots[0].note, NOTE_LETTERS)
            figure.supxlabel(lines, x=0.01, ha="left", fontsize=7.5, color=QUIET)
        out = BytesIO()
        named = title or plots[0].title
        metadata = dict.fromkeys(UNWANTED[form]) | ({"Title": named} if form == "pdf" else {})
        figure.savefig(out, format=form, dpi=DPI, metadata=metadata)
    return out.getvalue()


def _draw(axes: Any, plot: Plot) -> None:
    axes.grid(color=GRID, linewidth=0.7, axis="y" if plot.x_names else "both")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if plot.log_x:
        axes.set_xscale("log")
    if plot.log_y:
        axes.set_yscale("log")
    colors = colors_of(plot)
    for line, color in zip(plot.lines, colors, strict=True):
        _draw_line(axes, plot, line, color)
    for number, mark in enumerate(plot.marks):
        style = ("--", ":", "-.")[number % 3]
        text = f"{mark.name} {plot.x_text(mark.x)}"
        axes.axvline(mark.x, color=INK, linestyle=style, linewidth=1.1, label=text)
    _set_axes(axes, plot)
    if len(plot.lines) + len(plot.marks) > 1:
        axes.legend(fontsize=8.5, framealpha=0.9, edgecolor=GRID)
    axes.set_title(plot.title, fontsize=11, loc="left", wrap=True)


def colors_of(plot: Plot) -> list[str]:
    """A color for each line. Bands have that of the line they lie around, which is the next one."""
    best, used = [], 0
    for line in plot.lines:
        best.append(QUIET if line.kind == "exact" else COLORS[used % len(COLORS)])
        used += line.kind not in ("exact", "band")
    return best


def _draw_line(axes: Any, plot: Plot, line: Line, color: str) -> None:
    label = line.name
    if line.kind == "bars":
        _draw_bars(axes, plot, line, color)
        return
    if line.low:
        step = "post" if line.kind == "steps" else None
        named = label if line.kind == "band" else None
        before = [other for other in plot.lines[: plot.lines.index(line)] if other.kind == "band"]
        alpha = 0.2 + 0.15 * len(before)  # an inner band is darker, beside its name too
        axes.fill_between(line.x, line.low, line.high, step=step, color=color, alpha=alpha, linewidth=0, label=named)
    if line.kind == "exact":
        before = [other for other in plot.lines[: plot.lines.index(line)] if other.kind == "exact"]
        dashes = (5, 3) if len(before) % 2 == 0 else (1.5, 2)
        axes.plot(line.x, line.y, color=color, linestyle=(0, dashes), linewidth=1.5, label=label)
    elif line.kind == "steps":
        axes.step(line.x, line.y, where="post", color=color, linewidth=1.5, label=label)
    elif line.kind == "line":
        dots = "o" if plot.x_names or len(line.x) <= 24 else None
        axes.plot(line.x, line.y, color=color, linewidth=1.7, marker=dots, markersize=4, label=label)


def _draw_bars(axes: Any, plot: Plot, line: Line, color: str) -> None:
    gaps = [after - before for before, after in zip(line.x, line.x[1:], strict=False) if after > before]
    width = min(gaps, default=1.0) * (0.7 if plot.x_names else 1.0)
    bars = axes.bar(line.x, line.y, width=width, color=color, alpha=0.85, label=line.name)
    if plot.x_names and len(line.x) <= MOST_BAR_LABELS:
        size = 8.5 if len(line.x) <= MOST_BAR_LABELS // 2 else 7
        axes.bar_label(bars, [short_text(value, plot.y_form, digits=3) for value in line.y], padding=2, fontsize=size)
        axes.margins(y=0.12)


def _set_axes(axes: Any, plot: Plot) -> None:
    axes.set_xlabel(plot.x_label)
    axes.set_ylabel(plot.y_label)
    if plot.x_names:
        upright = sum(map(len, plot.x_names)) <= LONG_NAMES
        turned = {} if upright else {"rotation": 35, "ha": "right", "rotation_mode": "anchor"}
        axes.set_xticks(range(len(plot.x_names)), plot.x_names, **turned)
        axes.set_xlim(-0.6, len(plot.x_names) - 0.4)
    else:
        axes.xaxis.set_major_formatter(lambda value, _place: short_text(value, plot.x_form))
        axes.margins(x=0.01)
    axes.yaxis.set_major_formatter(lambda value, _place: short_text(value, plot.y_form))
    low, high = axes.get_ylim()
    if low < 0 < high:
        axes.axhline(0, color=QUIET, linewidth=0.8)


def short_text(value: float, form: Form, digits: int = 4) -> str:
    """A value at an axis: $12k, 1.5M, 4.5%."""
    if form == "share":
        percentage = f"{100 * value:.{digits}g}"
        return f"{percentage if 'e' not in percentage else f'{100 * value:.1e}'}%"
    size = abs(value)
    for letter, unit in (("M", 1e6), ("k", 1e3)):
        if size >= (unit if unit > 1e3 else 1e4):
            amount = f"{size / unit:.{digits}g}{letter}"
            return ("-" if value < 0 else "") + ("$" if form == "dollars" else "") + amount
    return value_text(value, form)
