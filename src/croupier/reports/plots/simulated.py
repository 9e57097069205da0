"""Plots of what was simulated: an estimate on its way to the exact value, and the years of a meter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import Any, Protocol

import numpy as np

from croupier.money import MICROS_PER_DOLLAR, dollars_for_people
from croupier.reports.formatting import percent, value_text
from croupier.reports.plots.model import Line, Mark, Plot
from croupier.reports.plots.wager import rules_of
from croupier.reports.simulation.compare import PreparedSimulation, SimulatedWager
from croupier.reports.simulation.meter import CENTS, MeterResult
from croupier.simulate import histogram
from croupier.simulate.estimate import Z_95
from croupier.simulate.meters import paths
from croupier.simulate.run import run_chunks

CONVERGENCE_ROUNDS = 10**6
LOOKS = 40
"""How often a run is looked at on its way."""
SHOWN_PATHS = 3
LAST_SHARE = 0.99
"""Long tails are cut off at this share of all, so that the bulk can be seen."""
BARS = 48


class Estimated(Protocol):
    """What a plot needs to know of a simulated wager."""

    @property
    def best_edge(self) -> float: ...

    @property
    def standard_error(self) -> float: ...

    @property
    def exact(self) -> float | None: ...


def convergence_plot(title: str, points: Sequence[tuple[int, Estimated]], note: str) -> Plot:
    """The edge that a run has found after so many rounds, with its 95% interval, against the exact one."""
    x = tuple(float(rounds) for rounds, _ in points)
    edges = tuple(wager.best_edge for _, wager in points)
    half = [Z_95 * wager.standard_error for _, wager in points]
    low = tuple(edge - width for edge, width in zip(edges, half, strict=True))
    high = tuple(edge + width for edge, width in zip(edges, half, strict=True))
    exact = points[-1][1].exact
    known = (Line("exact", (x[0], x[-1]), (exact, exact), kind="exact"),) if exact is not None and len(x) > 1 else ()
    return Plot(
        id="convergence",
        title=title,
        x_label="rounds played",
        y_label="house edge",
        y_form="share",
        log_x=True,
        lines=(Line("simulated, 95% interval", x, edges, low, high), *known),
        note=note,
    )


def simulate_convergence(simulation: PreparedSimulation, rounds: int, seed: int) -> list[tuple[int, SimulatedWager]]:
    """Plays at least so many rounds from the first chunk on, and looks at the first wager ever less often."""
    size = simulation.spec.chunk_size
    last = max(1, -(-rounds // size))
    stops = sorted({max(1, round(last ** (look / LOOKS))) for look in range(LOOKS + 1)})
    counts: Any = run_chunks(simulation.spec, seed, 0, 0)
    points = []
    for first, stop in pairwise([0, *stops]):
        counts = counts + run_chunks(simulation.spec, seed, first, stop)
        points.append((stop * size, simulation.results(counts)[0]))
    return points


def convergence_note(points: Sequence[tuple[int, SimulatedWager]], seed: int, multiple: str = "") -> str:
    """`multiple` says why there are more rounds than were asked for."""
    rounds, end = points[-1]
    z = "" if end.z is None else f", {end.z:+.1f} standard errors from the exact edge"
    return (
        f"Simulated from fresh shoes: {rounds:,} rounds{multiple}, seed {seed}; {100 * end.best_edge:.4f}% +- "
        f"{100 * end.standard_error:.4f}% (standard error) at the end{z}. Of a hundred such runs about "
        "five end outside the band."
    )


def meter_plots(result: MeterResult, random_seed: int) -> tuple[Plot, Plot, Plot, Plot]:
    """Years of a meter in four views: the meter, its 100% awards, the time between them, and the house."""
    return (
        meter_paths_plot(result, random_seed),
        meter_awards_plot(result, random_seed),
        meter_times_plot(result, random_seed),
        meter_house_plot(result, random_seed),
    )


def meter_title(result: MeterResult, random_seed: int) -> str:
    """What was simulated, above all four."""
    choice = result.plan.choice
    years = f"{result.counts.years:,} years, random seed {random_seed}"
    return f"{choice.wager.name}: {rules_of(choice)}; {years}\n{_setting(result)}"


def _setting(result: MeterResult) -> str:
    spec = result.plan.spec
    opened = "" if spec.start == spec.seed else f", opened at {dollars_for_people(spec.start)}"
    tables = "1 table" if spec.tables == 1 else f"{spec.tables} tables"
    return (
        f"{dollars_for_people(spec.stake)} wager, seed {dollars_for_people(spec.seed)}{opened}, contribution "
        f"{percent(spec.contribution, 1)}, reserve {percent(spec.reserve, 1)}, fixed pays from the {spec.fixed_from}; "
        f"{tables}, {float(spec.seats):g} wagers a round, {spec.rounds_per_day:,} rounds a day"
    )


def _meter_note(result: MeterResult, random_seed: int, figure: str, multiple: str = "") -> str:
    """How the values came about, with the standard error of one figure that the plot shows."""
    return (
        f"Simulated: {result.counts.years:,} years{multiple}, random seed {random_seed}; {figure} (standard error). "
        f"{rules_of(result.plan.choice)}. {_setting(result)}."
    )


def _median_text(result: MeterResult, which: int, words: str) -> str:
    error = value_text(result.dollars_error_at(which, 0.5), "dollars")
    return f"{words} {value_text(result.dollars_at(which, 0.5), 'dollars')} +- {error}"


def _last_median(result: MeterResult, first: int) -> str:
    return _median_text(result, first + paths.WEEKS - 1, "median at the end")


def _bands(result: MeterResult, first: int, opening: float) -> tuple[Line, ...]:
    weeks = tuple(float(week) for week in range(paths.WEEKS + 1))

    def band(share: float) -> tuple[float, ...]:
        return (opening, *result.bands(first, share))

    return (
        Line("5 to 95% of years", weeks, (), band(0.05), band(0.95), kind="band"),
        Line("25 to 75%", weeks, (), band(0.25), band(0.75), kind="band"),
        Line("median", weeks, band(0.5)),
    )


def meter_paths_plot(result: MeterResult, random_seed: int, multiple: str = "") -> Plot:
    spec = result.plan.spec
    unit = spec.fineness * MICROS_PER_DOLLAR
    start = spec.start / MICROS_PER_DOLLAR
    single = []
    for number, points in enumerate(result.counts.trace[:SHOWN_PATHS], 1):
        weeks = (0.0, *(float(week) for week in points[:, 0] / (spec.rounds_per_day * paths.WEEK)))
        meters = (start, *(float(meter) for meter in points[:, 1] / unit))
        single.append(Line(f"single year {number}", weeks, meters))
    return Plot(
        id="meter",
        title="The meter over a year",
        x_label="weeks since the opening",
        y_label="meter",
        y_form="dollars",
        lines=(*_bands(result, 0, start), *single),
        note=_meter_note(result, random_seed, _last_median(result, 0), multiple),
    )


def meter_awards_plot(result: MeterResult, random_seed: int) -> Plot:
    """The amounts of 100% awards, with their mean, the exact one and the seed."""
    exact, mean = result.plan.exact.average_top, result.mean_award(result.top_row)
    marks = [Mark("seed", result.plan.spec.seed / MICROS_PER_DOLLAR)]
    marks += [Mark("mean", mean)] if mean is not None else []
    marks += [Mark("exact mean", float(exact))] if exact is not None else []
    edges, shares = _bars(result.cells(paths.AWARDS_AT + result.top_row), CENTS)
    return Plot(
        id="meter-awards",
        title="100% awards",
        x_label=f"amount of the award ({100 * LAST_SHARE:.0f}% of them shown)",
        y_label="share of awards",
        x_form="dollars",
        y_form="share",
        lines=(Line("simulated", _middles(edges), shares, kind="bars"),),
        marks=tuple(marks),
        note=_meter_note(result, random_seed, _median_text(result, paths.AWARDS_AT + result.top_row, "median award")),
    )


def meter_times_plot(result: MeterResult, random_seed: int) -> Plot:
    day, chance = result.plan.spec.rounds_per_day, result.plan.spec.top_probability
    cells = result.cells(paths.CYCLES_AT)
    edges, shares = _bars(cells, day)
    missed = float(1 - chance)
    exact = tuple(missed ** (low * day) - missed ** (high * day) for low, high in pairwise(edges))
    mean = result.total(paths.CYCLE_ROUNDS) / int(cells.sum()) / day
    error = histogram.deviation(cells) / sqrt(int(cells.sum())) / day
    return Plot(
        id="meter-times",
        title="Time between 100% awards",
        x_label=f"days of play ({100 * LAST_SHARE:.0f}% shown)",
        y_label="share of awards",
        y_form="share",
        lines=(
            Line("simulated", _middles(edges), shares, kind="bars"),
            Line("exact (geometric)", _middles(edges), exact, kind="exact"),
        ),
        marks=(Mark("mean", round(mean, 1)),),
        note=_meter_note(result, random_seed, f"mean {mean:,.1f} +- {error:,.1f} days"),
    )


def meter_house_plot(result: MeterResult, random_seed: int) -> Plot:
    spec = result.plan.spec
    end = (0.0, float(paths.WEEKS))
    lowest = [
        Line(
            f"lowest point of the worst {100 * share:.0f}% of years: {value_text(at, 'dollars')}",
            end,
            (at, at),
            kind="exact",
        )
        for share, at in ((share, result.lowest_at(share)) for share in (0.05, 0.01))
    ]
    return Plot(
        id="meter-house",
        title="The house: its share of wagers less seeds, tray pays and top-ups",
        x_label="weeks since the opening",
        y_label="house's position",
        y_form="dollars",
        lines=(*_bands(result, paths.HOUSE_AT, -spec.seed / MICROS_PER_DOLLAR), *lowest),
        note=_meter_note(result, random_seed, _last_median(result, paths.HOUSE_AT)),
    )


def _bars(cells: Any, scale: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Edges and heights of bars of even width from a histogram, up to its long tail."""
    edges = np.linspace(histogram.quantile(cells, 0), histogram.quantile(cells, LAST_SHARE), BARS + 1) / scale
    below = [histogram.share_below(cells, edge * scale) for edge in edges]
    return tuple(map(float, edges)), tuple(float(after - before) for before, after in pairwise(below))


def _middles(edges: Sequence[float]) -> tuple[float, ...]:
    return tuple((low + high) / 2 for low, high in pairwise(edges))
