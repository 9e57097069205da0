"""A meter simulation as plain data: money as decimal text in dollars, chances as fractions of one, times in days."""

from __future__ import annotations

from typing import Any

from croupier.money import MICROS_PER_DOLLAR, dollars
from croupier.reports.json_data import Plain, choice_data
from croupier.reports.simulation.meter import CENTS, Agreement, MeterPlan, MeterResult
from croupier.simulate import histogram
from croupier.simulate.meters import paths

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
BANDS = (0.05, 0.25, 0.5, 0.75, 0.95)
BELOW_SEEDS = (1.1, 1.5, 2.0)
"""A 100% award of less than so many seeds came soon after the one before."""
METHOD = (
    "simulated: from award to award, fixed pays of the rounds between drawn as one sum; odds exact from a fresh shoe"
)


def meter_settings(plan: MeterPlan, method: str = "") -> Plain:
    """What a meter is set to."""
    spec = plan.spec
    return choice_data(plan.choice, method or plan.sheet.method, plan.notes) | {
        "stake": dollars(spec.stake),
        "seed": dollars(spec.seed),
        "start": dollars(spec.start),
        "contribution": float(spec.contribution),
        "reserve": float(spec.reserve),
        "fixed_pays": spec.fixed_from,
        "tables": spec.tables,
        "seats": float(spec.seats),
        "rounds_per_hour": float(spec.rounds_per_hour),
        "hours_per_day": float(spec.hours_per_day),
        "rounds_per_day": spec.rounds_per_day,
    }


def meter_data(result: MeterResult) -> Plain:
    """The keys are part of the stable interface."""
    spec = result.plan.spec
    return (
        meter_settings(result.plan, METHOD)
        | {
            "days_per_year": paths.DAYS,
            "years": result.counts.years,
            "wagered_per_year": _money(result.wagered),
        }
        | {
            "awards": [_award_data(result, row) for row in range(len(spec.awards))],
            "days_between_awards": _days(result, paths.GAPS_AT),
            "days_between_top_awards": _days(result, paths.CYCLES_AT),
            "top_awards_per_year": _tops(result),
            "back_to_back": _back_to_back(result),
            "dry": _dry(result),
            "house": _house(result),
            "meter_by_week": {_name(share): list(map(_money, result.bands(0, share))) for share in BANDS},
            "house_by_week": {_name(share): list(map(_money, result.bands(paths.HOUSE_AT, share))) for share in BANDS},
            "agreement": [_agreement(agreement) for agreement in result.agreement()],
            "advice": [
                {"code": advice.code, "text": advice.text, "effect": advice.effect} for advice in result.advice()
            ],
        }
    )


def _money(amount: float | None) -> str | None:
    return None if amount is None else dollars(round(amount * MICROS_PER_DOLLAR))


def _name(share: float) -> str:
    return f"{100 * share:g}"


def _award_data(result: MeterResult, row: int) -> Plain:
    spec = result.plan.spec
    award, cells, average = spec.awards[row], result.cells(paths.AWARDS_AT + row), result.plan.exact.average_top
    seen = result.awards_paid(row) > 0
    return {
        "row": award.id,
        "label": award.label,
        "pays": f"{award.percent}%",
        "probability": float(award.probability),
        "paid": result.awards_paid(row),
        "mean": _money(result.mean_award(row)),
        "exact_mean": None if average is None else _money(float(average) * award.percent / paths.WHOLE_PERCENT),
        "standard_deviation": _money(histogram.deviation(cells) / CENTS) if seen else None,
        "quantiles": {_name(share): _money(histogram.quantile(cells, share) / CENTS) for share in QUANTILES if seen},
        "histogram": [[_money(low / CENTS), _money(high / CENTS), count] for low, high, count in _bins(cells, seen)],
    }


def _bins(cells: Any, seen: bool) -> list[tuple[float, float, int]]:
    return histogram.in_bins(cells) if seen else []


def _days(result: MeterResult, which: int) -> Plain:
    cells, day = result.cells(which), result.plan.spec.rounds_per_day
    top = which == paths.CYCLES_AT
    chance = result.plan.spec.top_probability if top else result.plan.spec.award_probability
    rounds = result.total(paths.CYCLE_ROUNDS)
    return {
        "mean": rounds / int(cells.sum()) / day,
        "exact_mean": float(1 / chance) / day,
        "standard_deviation": histogram.deviation(cells) / day,
        "quantiles": {_name(share): result.days_at(which, share) for share in QUANTILES},
        "histogram": [[low / day, high / day, count] for low, high, count in histogram.in_bins(cells)],
    }


def _tops(result: MeterResult) -> Plain:
    cells = result.cells(paths.YEAR_TOPS_AT)[histogram.HALF : histogram.HALF + histogram.LINEAR]
    most = max((int(count) for count in cells.nonzero()[0]), default=0)
    return {
        "mean": result.yearly(paths.TOPS),
        "chances": [int(count) / result.counts.years for count in cells[: most + 1]],
    }


def _back_to_back(result: MeterResult) -> Plain:
    seed = result.plan.spec.seed / MICROS_PER_DOLLAR
    return {
        "windows": [
            {
                "days": days,
                "share_of_top_awards": result.within(days),
                "exact": result.within_exact(days),
                "chance_in_a_year": result.yearly(paths.PAIRS + at),
            }
            for at, days in enumerate(paths.WINDOWS)
        ],
        "top_awards_below": [
            {"amount": _money(times * seed), "seeds": times, "share": result.top_awards_below(times * seed)}
            for times in BELOW_SEEDS
            if seed
        ],
    }


def _dry(result: MeterResult) -> Plain:
    return {
        "chance_in_a_year": result.yearly(paths.DRY_YEARS),
        "times_per_year": result.yearly(paths.DRY),
        "top_ups_per_year": _money(result.yearly_dollars(paths.TOPPED_UP)),
        "quantiles": {_name(share): _money(result.dollars_at(paths.TOP_UPS_AT, share)) for share in QUANTILES},
    }


def _house(result: MeterResult) -> Plain:
    exact = result.plan.exact
    return {
        "result_per_year": _money(result.result),
        "edge": result.edge,
        "edge_exact": None if exact.runs_dry else float(exact.edge),
        "edge_of_a_year": {_name(share): result.edge_at(share) for share in BANDS},
        "lowest_position": {_name(share): _money(result.lowest_at(share)) for share in (0.01, *BANDS)},
        "chance_to_end_a_year_behind": histogram.share_below(result.cells(paths.HOUSE_AT + paths.WEEKS - 1), 0),
    }


def _agreement(agreement: Agreement) -> Plain:
    in_money = agreement.name == "average_top_award"
    return {
        "figure": agreement.name,
        "simulated": _money(agreement.simulated) if in_money else agreement.simulated,
        "exact": _money(agreement.exact) if in_money else agreement.exact,
        "standard_error": _money(agreement.standard_error) if in_money else agreement.standard_error,
        "z": agreement.z,
    }
