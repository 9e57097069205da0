"""A meter's simulated years: what exact arithmetic does not know, each figure with its standard error, and plots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt

from croupier.lab.meter import MeterAsk, Quantity, dryness, exact_median
from croupier.money import MICROS_PER_DOLLAR
from croupier.reports.plots.model import Line, Plot
from croupier.reports.plots.simulated import meter_awards_plot, meter_house_plot, meter_paths_plot
from croupier.reports.simulation.meter import CENTS, Advice, Agreement, MeterResult
from croupier.simulate import histogram
from croupier.simulate.meters import paths

YEARS = 10_240
YEARS_WHEN_DRY = 512
"""Where more is paid off the meter than flows in, every pay is played, which takes a hundred times as long."""
WORST = (0.05, 0.01)


@dataclass(frozen=True, kw_only=True)
class MeterYears:
    """Many years of one meter."""

    years: int
    random_seed: int
    quantities: tuple[Quantity, ...]
    approved: tuple[Quantity, ...]
    """The same of what the draft is compared with; empty where it is compared with nothing."""
    agreement: tuple[Agreement, ...]
    """Simulated means beside the exact ones."""
    advice: tuple[Advice, ...]
    """The letter's recommendations that the settings leave, each with its effect."""
    plots: tuple[Plot, ...]

    def get(self, quantity_id: str) -> Quantity | None:
        return next((quantity for quantity in self.quantities if quantity.id == quantity_id), None)

    def approved_text(self, quantity_id: str) -> str:
        """The figure beside the draft's; what cannot happen to a meter without fixed pays has none."""
        return next((quantity.text for quantity in self.approved if quantity.id == quantity_id), "never")


def simulate_meter(ask: MeterAsk, random_seed: int, against: MeterAsk | None = None) -> MeterYears:
    """The same ask and seed give the same figures. `against` is simulated too, and its median drawn beside."""
    result = _result(ask, random_seed)
    compared = _result(against, random_seed) if against is not None else None
    return MeterYears(
        years=result.counts.years,
        random_seed=random_seed,
        quantities=tuple(_quantities(result)),
        approved=tuple(_quantities(compared)) if compared is not None else (),
        agreement=tuple(result.agreement()),
        advice=tuple(result.advice()),
        plots=(
            _with_other(meter_paths_plot(result, random_seed), compared, 0),
            meter_awards_plot(result, random_seed),
            _with_other(meter_house_plot(result, random_seed), compared, paths.HOUSE_AT),
        ),
    )


def _result(ask: MeterAsk, random_seed: int) -> MeterResult:
    """On one core: the others are for those who play."""
    meter = ask.meter()
    years = min(YEARS_WHEN_DRY if meter.runs_dry else YEARS, meter.plan.spec.most_years)
    return meter.simulate(years, seed=random_seed, threads=1).result


def _with_other(plot: Plot, compared: MeterResult | None, first: int) -> Plot:
    if compared is None:
        return plot
    spec = compared.plan.spec
    opening = (spec.start if first == 0 else -spec.seed) / MICROS_PER_DOLLAR
    weeks = tuple(float(week) for week in range(paths.WEEKS + 1))
    line = Line("approved: median", weeks, (opening, *compared.bands(first, 0.5)), kind="exact")
    return replace(plot, lines=(*plot.lines, line))


def _chance(name: str, label: str, share: float, seen: int, how: str) -> Quantity:
    """A share of years. None and all have no standard error that says anything: the number of years does."""
    sentence = {0.0: f"in none of {seen:,} years", 1.0: f"in all of {seen:,} years"}.get(share, "")
    return Quantity(
        id=name,
        label=label,
        form="share",
        value=share,
        error=histogram.share_error(share, seen),
        how=how,
        said=sentence,
    )


def _quantities(result: MeterResult) -> Iterator[Quantity]:
    yield from _award_quantities(result)
    yield from _dry_quantities(result)
    yield from _house_quantities(result)


def _award_quantities(result: MeterResult) -> Iterator[Quantity]:
    which = paths.AWARDS_AT + result.top_row
    exact = exact_median(result.plan)
    for share, label in ((0.5, "Median 100% award"), (0.05, "Small 100% award"), (0.95, "Large 100% award")):
        how = f"{100 * share:g}% of them are smaller"
        if share == 0.5 and exact is not None:
            how += f"; exact ${float(exact):,.0f}"
        yield Quantity(
            id="median_top" if share == 0.5 else f"award_{100 * share:g}",
            label=label,
            form="dollars",
            value=result.dollars_at(which, share),
            error=result.dollars_error_at(which, share),
            how=how,
        )
    years = result.counts.years
    for at, days in enumerate(paths.WINDOWS):
        yield _chance(
            f"years_with_pair_{days}",
            "Years with two 100% awards within " + ("a day" if days == 1 else f"{days} days"),
            result.yearly(paths.PAIRS + at),
            years,
            "once or more often in the year",
        )


def _dry_quantities(result: MeterResult) -> Iterator[Quantity]:
    if dryness(result.plan) == "never":
        return
    years = result.counts.years
    yield _chance(
        "runs_dry",
        "Runs dry in a year",
        result.yearly(paths.DRY_YEARS),
        years,
        f"fixed pays come off the meter; {result.yearly(paths.DRY):,.2f} times a year",
    )
    yield Quantity(
        id="top_ups",
        label="House's cost: top-ups a year",
        form="dollars",
        value=result.yearly_dollars(paths.TOPPED_UP),
        error=histogram.deviation(result.cells(paths.TOP_UPS_AT)) / CENTS / sqrt(years),
        how="what the meter could not pay",
    )


def _house_quantities(result: MeterResult) -> Iterator[Quantity]:
    years, end = result.counts.years, paths.HOUSE_AT + paths.WEEKS - 1
    opened = result.plan.spec.seed / MICROS_PER_DOLLAR
    yield Quantity(
        id="result",
        label="House's result a year",
        form="dollars",
        value=result.result,
        error=histogram.deviation(result.cells(end)) / CENTS / sqrt(years),
        how="mean, the opening seed not counted",
    )
    for share, label in ((0.05, "worst"), (0.95, "best")):
        yield Quantity(
            id=f"result_{100 * share:g}",
            label=f"House's result, {label} 5% of years",
            form="dollars",
            value=result.dollars_at(end, share) + opened,
            error=result.dollars_error_at(end, share),
            how="as much or less" if label == "worst" else "as much or more",
        )
    for share in WORST:
        yield Quantity(
            id=f"lowest_{100 * share:g}",
            label=f"House's lowest position, worst {100 * share:g}% of years",
            form="dollars",
            value=result.lowest_at(share),
            error=result.dollars_error_at(paths.LOWEST_AT, share),
            how="at some time of the year, the opening seed counted",
        )
    yield _chance(
        "behind", "Year ends with a loss", histogram.share_below(result.cells(end), 0), years, "opening seed counted"
    )
