"""A meter simulation as one picture of four panels."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from croupier.errors import NotationError
from croupier.money import MICROS_PER_DOLLAR, dollars_for_people
from croupier.reports.meters import CENTS, MeterResult
from croupier.reports.words import percent
from croupier.simulate import histogram
from croupier.simulate import meter_paths as paths

BLUE, ORANGE, GREEN, RED, GREY = "#1f5fa8", "#d97b29", "#3a8f4d", "#b8342f", "#555555"
SHOWN_PATHS = 3
LAST_SHARE = 0.99
"""Long tails are cut off at this share of all, so that the bulk can be seen."""


def draw_meter(result: MeterResult, path: Path) -> None:
    """Draws it into a file, SVG or PNG by the file's ending."""
    style = {"text.parse_math": False, "svg.hashsalt": "croupier"}  # dollars are no formulas; a run gives one file
    with mpl.rc_context(style):
        figure = Figure(figsize=(13, 9), layout="constrained")
        panels = list(figure.subplots(2, 2).flat)
        for axes, draw in zip(panels, (_draw_paths, _draw_awards, _draw_times, _draw_house), strict=True):
            axes.grid(color="#dddddd", linewidth=0.6)
            axes.set_axisbelow(True)
            axes.spines[["top", "right"]].set_visible(False)
            draw(axes, result)
        figure.suptitle(_title(result), fontsize=11)
        try:
            figure.savefig(path, dpi=110, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
        except OSError as error:
            raise NotationError(f'"{path}" cannot be written: {error.strerror}.', code="bad_path") from None


def _title(result: MeterResult) -> str:
    spec, choice = result.plan.spec, result.plan.choice
    tables = "1 table" if spec.tables == 1 else f"{spec.tables} tables"
    return (
        f"{choice.game.name}: {choice.wager.name}, pay table {choice.pay_table.id}\n"
        f"{dollars_for_people(spec.stake)} wager, seed {dollars_for_people(spec.seed)}, contribution "
        f"{percent(spec.contribution, 1)}, reserve {percent(spec.reserve, 1)}, fixed pays from the {spec.fixed_from}; "
        f"{tables}, {float(spec.seats):g} wagers a round, {spec.rounds_per_day:,} rounds a day; "
        f"{result.counts.years:,} years"
    )


def _bands(axes: Any, result: MeterResult, first: int, colour: str, opening: float) -> None:
    weeks = np.arange(paths.WEEKS + 1)

    def band(share: float) -> list[float]:
        return [opening, *result.bands(first, share)]

    axes.fill_between(weeks, band(0.05), band(0.95), color=colour, alpha=0.15, linewidth=0, label="5 to 95 % of years")
    axes.fill_between(weeks, band(0.25), band(0.75), color=colour, alpha=0.3, linewidth=0, label="25 to 75 %")
    axes.plot(weeks, band(0.5), color=colour, linewidth=2, label="median")
    axes.set_xlabel("weeks since the opening")
    axes.set_xlim(0, paths.WEEKS)


def _draw_paths(axes: Any, result: MeterResult) -> None:
    spec = result.plan.spec
    unit = spec.fineness * MICROS_PER_DOLLAR
    _bands(axes, result, 0, BLUE, spec.start / MICROS_PER_DOLLAR)
    for points, colour in zip(result.counts.trace[:SHOWN_PATHS], (ORANGE, GREEN, RED), strict=False):
        weeks = points[:, 0] / (spec.rounds_per_day * paths.WEEK)
        axes.plot(weeks, points[:, 1] / unit, color=colour, linewidth=0.9)
    axes.plot([], [], color=ORANGE, linewidth=0.9, label=f"{SHOWN_PATHS} single years")
    axes.set_title("The meter over a year")
    axes.set_ylim(bottom=0)
    _in_dollars(axes.yaxis)
    axes.legend(loc="upper left", fontsize=8, framealpha=0.9)


def _draw_awards(axes: Any, result: MeterResult) -> None:
    exact = result.plan.exact.average_top
    cells = result.cells(paths.AWARDS_AT + result.top_row)
    _draw_bars(axes, cells, CENTS, BLUE)
    mean = result.mean_award(result.top_row)
    if mean is not None:
        axes.axvline(mean, color=ORANGE, linewidth=1.5, label=f"mean ${mean:,.0f}")
    if exact is not None:
        axes.axvline(float(exact), color=GREY, linestyle=":", linewidth=2, label=f"exact mean ${float(exact):,.0f}")
    seed = result.plan.spec.seed
    axes.axvline(
        seed / MICROS_PER_DOLLAR, color=RED, linestyle="--", linewidth=1, label=f"seed {dollars_for_people(seed)}"
    )
    axes.set_title("100 % awards")
    axes.set_xlabel(f"amount of the award ({100 * LAST_SHARE:.0f} % of them shown)")
    axes.set_ylabel("share of awards")
    _in_dollars(axes.xaxis)
    axes.legend(fontsize=8)


def _draw_times(axes: Any, result: MeterResult) -> None:
    day, chance = result.plan.spec.rounds_per_day, result.plan.spec.top_probability
    cells = result.cells(paths.CYCLES_AT)
    edges = _draw_bars(axes, cells, day, GREEN)
    missed = float(1 - chance)
    exact = [missed ** (low * day) - missed ** (high * day) for low, high in pairwise(edges)]
    axes.plot((edges[:-1] + edges[1:]) / 2, exact, color=GREY, linestyle=":", linewidth=2, label="exact (geometric)")
    mean = result.total(paths.CYCLE_ROUNDS) / int(cells.sum()) / day
    axes.axvline(mean, color=ORANGE, linewidth=1.5, label=f"mean {mean:,.0f} days")
    axes.set_title("Time between 100 % awards")
    axes.set_xlabel(f"days of play ({100 * LAST_SHARE:.0f} % shown)")
    axes.set_ylabel("share of awards")
    axes.legend(fontsize=8)


def _draw_bars(axes: Any, cells: Any, scale: float, colour: str, bins: int = 48) -> Any:
    """Bars of even width from a histogram, up to its long tail; returns their edges."""
    edges = np.linspace(histogram.quantile(cells, 0), histogram.quantile(cells, LAST_SHARE), bins + 1) / scale
    below = [histogram.share_below(cells, edge * scale) for edge in edges]
    axes.set_xlim(0, edges[-1])
    axes.bar(edges[:-1], np.diff(below), width=np.diff(edges), align="edge", color=colour, alpha=0.55)
    return edges


def _draw_house(axes: Any, result: MeterResult) -> None:
    spec = result.plan.spec
    _bands(axes, result, paths.HOUSE_AT, GREEN, -spec.seed / MICROS_PER_DOLLAR)
    for share, style in ((0.05, "--"), (0.01, ":")):
        lowest = result.lowest_at(share)
        text = f"lowest point of the worst {100 * share:.0f} % of years: ${lowest:,.0f}".replace("$-", "-$")
        axes.axhline(lowest, color=RED, linestyle=style, linewidth=1.2, label=text)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_title("The house: its share of wagers less seeds, tray pays and top-ups")
    _in_dollars(axes.yaxis)
    axes.legend(loc="upper left", fontsize=8, framealpha=0.9)


def _in_dollars(axis: Any) -> None:
    axis.set_major_formatter(lambda amount, _place: _short(amount))


def _short(amount: float) -> str:
    """An amount at an axis: $250, $12k, $1.5M."""
    sign, size = ("-" if amount < 0 else ""), abs(amount)
    if size >= 1e6:
        return f"{sign}${size / 1e6:g}M"
    return f"{sign}${size / 1e3:g}k" if size >= 1e4 else f"{sign}${size:,.0f}"
