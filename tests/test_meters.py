"""Meters simulated: the same counts everywhere, a round-by-round reference, closed forms, conservation, bad input."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.errors import RangeError
from croupier.money import MICROS_PER_DOLLAR
from croupier.reports.simulation.meter import MeterResult, MeterRunWish, prepare_meter
from croupier.rules import find_game
from croupier.simulate import histogram
from croupier.simulate.meters import paths
from croupier.simulate.meters import run as meters
from croupier.simulate.meters.run import CHUNK_YEARS, MeterCounts, MeterRow, MeterSpec, run, run_chunks
from croupier.simulate.meters.tables import block_tables, one_round
from tests.conftest import Croupier

pytestmark = pytest.mark.slow

SEED = 11
SIGMAS = 4.5
DOLLAR = MICROS_PER_DOLLAR
METER = ("meter", "double_down_madness")

TOY_ROWS = (
    MeterRow(id="top", label="top", probability=Fraction(1, 200), percent=100),
    MeterRow(id="part", label="part", probability=Fraction(1, 60), percent=25),
    MeterRow(id="large", label="large", probability=Fraction(1, 40), pays=Fraction(9)),
    MeterRow(id="small", label="small", probability=Fraction(1, 8), pays=Fraction(2)),
)
TOY = MeterSpec(
    rows=TOY_ROWS,
    stake=DOLLAR,
    seed=40 * DOLLAR,
    start=40 * DOLLAR,
    contribution=Fraction("0.3"),
    reserve=Fraction("0.05"),
    seats=Fraction(2),
    tables=2,
    rounds_per_hour=Fraction(1),
    hours_per_day=Fraction(2),
)
TOYS = {
    "percentage only": TOY,
    "all from the meter": replace(TOY, fixed_from="meter", contribution=Fraction("0.75")),
    "all from a meter that runs dry": replace(TOY, fixed_from="meter"),
    # Awards so rare and days so long that fixed pays are mostly jumped over, and a drift that empties some meters.
    "all from a meter that may run dry": replace(
        TOY,
        rows=(
            replace(TOY_ROWS[0], probability=Fraction(1, 8000)),
            replace(TOY_ROWS[1], probability=Fraction(1, 3000)),
            *TOY_ROWS[2:],
        ),
        fixed_from="meter",
        contribution=Fraction("0.45"),
        seed=400 * DOLLAR,
        start=300 * DOLLAR,
        seats=Fraction(1),
        hours_per_day=Fraction(20),
    ),
    "opened above the seed": replace(TOY, start=150 * DOLLAR, seats=Fraction("2.5")),
}


def of_letter(**wish: Any) -> MeterSpec:
    return prepare_meter(find_game("double_down_madness"), None, MeterRunWish(**({"settings": {}} | wish))).spec


def same(first: MeterCounts, second: MeterCounts) -> bool:
    return (
        first.chunks == second.chunks
        and list(first.sums) == list(second.sums)
        and np.array_equal(first.cells, second.cells)
        and all(np.array_equal(one, other) for one, other in zip(first.trace, second.trace, strict=True))
    )


def test_any_number_of_threads_gives_the_same_counts() -> None:
    spec = of_letter()
    one = run(spec, SEED, 5, threads=1)
    assert same(one, run(spec, SEED, 5, threads=2))
    assert same(one, run(spec, SEED, 5, threads=7))
    assert same(one, run_chunks(spec, SEED, 0, 2) + run_chunks(spec, SEED, 2, 5))
    assert not same(one, run(spec, SEED + 1, 5))


@pytest.mark.parametrize("name", ["percentage only", "all from the meter", "all from a meter that may run dry"])
def test_plain_python_gives_the_same_counts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = replace(TOYS[name], tables=1)
    monkeypatch.setattr(meters, "CHUNK_YEARS", 32)  # plain Python takes its time
    assert same(run_chunks(spec, SEED, 0, 1), run_chunks(spec, SEED, 0, 1, backend="python"))


# A reference without jumps: every round of many meters at once, by another generator, in floating point.


class Reference:
    """Years of `spec`, played round by round."""

    def __init__(self, spec: MeterSpec, years: int) -> None:
        draws = np.random.default_rng(5)
        wagers = float(spec.round_wagers / DOLLAR)
        self.meter = np.full(years, spec.start / DOLLAR)
        self.house = np.full(years, -spec.seed / DOLLAR)
        self.lowest = self.house.copy()
        self.tops, self.dry, self.topped = np.zeros(years), np.zeros(years), np.zeros(years)
        self.awarded = np.zeros(years)
        reserve = np.zeros(years)
        for now in range(1, spec.rounds_per_year + 1):
            self.meter += wagers * float(spec.contribution)
            reserve += wagers * float(spec.reserve)
            self.house += wagers * float(1 - spec.contribution - spec.reserve)
            drawn = draws.random(years)
            below = 0.0
            for row in spec.rows:
                won = (drawn >= below) & (drawn < below + float(row.probability))
                below += float(row.probability)
                if not won.any():
                    continue
                award = won * self.meter * row.percent / 100
                self.awarded += award
                self.meter -= award
                fixed = won * wagers * float(row.pays)
                if spec.fixed_from == "tray":
                    self.house -= fixed
                else:
                    short = np.maximum(fixed - self.meter, 0)
                    self.meter = np.maximum(self.meter - fixed, 0)
                    self.house -= short
                    self.topped += short
                    self.dry += short > 1e-6  # a pay that is just covered is not to look short by a rounding
                if row.percent == 100:
                    self.meter += won * (spec.seed / DOLLAR + reserve)
                    reserve *= ~won
                    self.house -= won * spec.seed / DOLLAR
                    self.tops += won
            looked_at = (drawn < float(spec.award_probability)) | (now % spec.rounds_per_day == 0)
            self.lowest = np.where(looked_at, np.minimum(self.lowest, self.house), self.lowest)


def close(mean: float, reference: NDArray[Any], deviation: float, years: int) -> bool:
    """Whether two independent means agree within their errors; a cent's rounding is allowed for."""
    error = sqrt(reference.var() / len(reference) + deviation**2 / years)
    return bool(abs(mean - reference.mean()) <= SIGMAS * error + 0.02)


@pytest.mark.parametrize("name", TOYS)
def test_jumping_gives_what_playing_every_round_gives(name: str) -> None:
    spec = TOYS[name]
    counts = run(spec, SEED, 200, threads=2)
    reference = Reference(spec, 8_000_000 // spec.rounds_per_year)
    unit = spec.fineness * DOLLAR

    def mean(which: int) -> float:
        return float(counts.sums[which]) / counts.years

    def spread(which: int) -> float:
        return histogram.deviation(counts.cells[which]) / 100

    years = counts.years
    assert close(mean(paths.END_METER) / unit, reference.meter, spread(paths.WEEKS - 1), years)
    assert close(mean(paths.AWARDED) / unit, reference.awarded, float(reference.awarded.std()), years)
    assert close(mean(paths.TOPPED_UP) / unit, reference.topped, spread(paths.TOP_UPS_AT), years)
    assert close(mean(paths.DRY), reference.dry, float(reference.dry.std()), years)
    assert close(mean(paths.TOPS), reference.tops, float(reference.tops.std()), years)
    assert (mean(paths.DRY) > 0) == (spec.fixed_from == "meter")
    ends = {
        paths.WEEKS - 1: reference.meter,
        paths.HOUSE_AT + paths.WEEKS - 1: reference.house,
        paths.LOWEST_AT: reference.lowest + spec.seed / DOLLAR,
        paths.TOP_UPS_AT: reference.topped,
    }
    for which, found in ends.items():
        for share in (0.05, 0.25, 0.5, 0.75, 0.95):
            # The share of the reference below a quantile of the counts, with the error of a share.
            at = histogram.quantile(counts.cells[which], share) / 100
            tolerance = SIGMAS * sqrt(share * (1 - share) / len(found)) + 0.004
            assert (found < at - 0.02).mean() - tolerance <= share <= (found <= at + 0.02).mean() + tolerance


@pytest.mark.parametrize("rounds", [1, 7, 64, 960, 4096])
def test_the_sum_of_a_blocks_fixed_pays_has_the_right_mean_and_variance(rounds: int) -> None:
    steps, chances = [50, 15, 5], [Fraction(1, 301), Fraction(1, 86), Fraction(1, 17)]
    tables = block_tables(one_round(steps, chances), day=rounds, longest=rounds)
    assert tables.sizes[0] == rounds
    end = tables.limits_at[1] if len(tables.limits_at) > 1 else len(tables.limits)
    weights = np.diff(np.concatenate([[0.0], tables.limits[:end].astype(float)])) / 2.0**63
    values = tables.lows[0] + np.arange(len(weights))
    mean = sum(step * chance for step, chance in zip(steps, chances, strict=True))
    square = sum(step**2 * chance for step, chance in zip(steps, chances, strict=True))
    assert (weights * values).sum() == pytest.approx(float(rounds * mean), rel=1e-9)
    assert (weights * values**2).sum() - (weights * values).sum() ** 2 == pytest.approx(
        float(rounds * (square - mean**2)), rel=1e-6
    )


AGREEING: dict[str, tuple[str, dict[str, Any]]] = {
    "push 22, percentage only": ("double_down_madness", {}),
    "push 22, with a reserve and half a seat": ("double_down_madness", {"reserve": "5%", "seats": "2.5", "stake": "5"}),
    "push 22, all from the meter": (
        "double_down_madness",
        {"settings": {"fixed_pays": "meter"}, "contribution": "85%", "seed_amount": "100000"},
    ),
    "dragon bonus 2": ("mini_baccarat", {"pay_table": "2", "side": "banker"}),
    "dragon bonus 3, eight tables": ("mini_baccarat", {"pay_table": "3", "tables": 8}),
}


@pytest.mark.parametrize("case", AGREEING)
def test_average_award_waiting_time_and_edge_agree_with_the_closed_forms(case: str) -> None:
    game, wish = AGREEING[case]
    plan = prepare_meter(find_game(game), None, MeterRunWish(**({"settings": {}} | wish)))
    found = MeterResult(plan=plan, counts=run(plan.spec, SEED, 80, threads=2)).agreement()
    assert {one.name for one in found} == {"average_top_award", "days_between_top_awards", "edge_before_top_ups"}
    for one in found:
        assert one.z is not None
        assert abs(one.z) < SIGMAS
        assert one.standard_error < 0.02 * one.exact


def test_the_mean_meter_after_a_year_follows_the_linear_recurrence() -> None:
    """Expected meter and reserve of a round follow from those of the round before: no chance, no jumps."""
    spec = replace(TOY, start=5 * DOLLAR)
    wagers = float(spec.round_wagers / DOLLAR)
    top = float(spec.top_probability)
    kept = 1 - sum(row.percent / 100 * float(row.probability) for row in spec.awards)
    meter, reserve = spec.start / DOLLAR, 0.0
    for _ in range(spec.rounds_per_year):
        meter, reserve = meter + wagers * float(spec.contribution), reserve + wagers * float(spec.reserve)
        meter = meter * kept + top * (spec.seed / DOLLAR + reserve)
        reserve *= 1 - top
    counts = run(spec, SEED, 200, threads=2)
    error = histogram.deviation(counts.cells[paths.WEEKS - 1]) / 100 / sqrt(counts.years)
    # Cents that a split leaves in the meter are not in the recurrence.
    assert abs(counts.sums[paths.END_METER] / (spec.fineness * DOLLAR) / counts.years - meter) < SIGMAS * error + 0.02


@pytest.mark.parametrize("name", TOYS)
def test_no_money_is_made_or_lost(name: str) -> None:
    spec = TOYS[name]
    counts = run(spec, SEED, 3)
    sums, unit = counts.sums, spec.fineness
    inflow = spec.year_wagers * (spec.contribution + spec.reserve) * counts.years + spec.start * counts.years
    put_in = inflow + spec.seed * int(sums[paths.TOPS])
    taken_out = sums[paths.AWARDED] + sums[paths.METER_PAID] + sums[paths.END_METER] + sums[paths.END_RESERVE]
    assert put_in == Fraction(int(taken_out), unit)
    assert (sums[paths.TRAY_PAID] > 0) == (spec.fixed_from == "tray")


def test_a_rate_with_many_decimals_loses_nothing() -> None:
    spec = replace(TOY, contribution=Fraction(1, 7), reserve=Fraction(1, 9), start=0)
    counts = run(spec, SEED, 2)
    inflow = spec.year_wagers * (spec.contribution + spec.reserve) * counts.years
    taken_out = sum(int(counts.sums[at]) for at in (paths.AWARDED, paths.END_METER, paths.END_RESERVE))
    assert spec.fineness == 63
    assert inflow + spec.seed * int(counts.sums[paths.TOPS]) == Fraction(taken_out, spec.fineness)


def test_every_award_splits_into_whole_cents() -> None:
    spec = replace(TOY, contribution=Fraction(1, 7), seats=Fraction(3))
    counts = run(spec, SEED, 2)
    assert counts.sums[paths.AWARDED] % (3 * 10_000 * spec.fineness) == 0


def test_a_meter_that_must_run_dry_costs_the_house_what_it_lacks() -> None:
    spec = TOYS["all from a meter that runs dry"]
    counts = run(spec, SEED, 20)
    assert counts.sums[paths.DRY_YEARS] == counts.years
    assert counts.sums[paths.CYCLE_DRY] > 0
    paid = counts.sums[paths.METER_PAID] + counts.sums[paths.TOPPED_UP]
    per_wager = sum(row.probability * row.pays for row in spec.fixed)
    assert float(paid) / spec.fineness / counts.years == pytest.approx(float(spec.year_wagers * per_wager), rel=0.01)


def test_a_histogram_gives_back_its_numbers() -> None:
    for number in (0, 1, 127, 128, 12_345, 10**9, 10**15, 2**62, -1, -128, -(10**9)):
        cell = histogram.cell_of(number)
        assert histogram.edges()[cell] <= number < histogram.edges()[cell + 1]
    numbers = np.random.default_rng(3).normal(50_000, 30_000, 20_000).astype(int)
    cells = np.zeros(2 * histogram.HALF, np.int64)
    for number in numbers:
        cells[histogram.cell_of(int(number))] += 1
    for share in (0.01, 0.25, 0.5, 0.95):
        assert histogram.quantile(cells, share) == pytest.approx(np.quantile(numbers, share), rel=0.02, abs=100)
    assert histogram.deviation(cells) == pytest.approx(numbers.std(), rel=0.002)
    assert histogram.share_below(cells, 20_000) == pytest.approx((numbers < 20_000).mean(), abs=0.002)
    assert sum(count for _, _, count in histogram.in_bins(cells)) == len(numbers)


SPEC_MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "negative contribution": ({"contribution": Fraction(-1, 10)}, "bad_rate"),
    "no row pays the whole meter": ({"rows": TOY_ROWS[1:]}, "no_top_award"),
    "a negative seed": ({"seed": -1}, "negative_amount"),
    "rates too fine for integers": ({"contribution": Fraction(1, 10**9 + 7)}, "too_large"),
    "less than a round a day": ({"rounds_per_hour": Fraction(1, 100)}, "bad_rounds"),
}


@pytest.mark.parametrize("case", SPEC_MISTAKES)
def test_a_spec_that_cannot_be_is_refused(case: str) -> None:
    changes, code = SPEC_MISTAKES[case]
    with pytest.raises(RangeError) as refused:
        replace(TOY, **changes)
    assert refused.value.code == code


def test_a_busier_meter_may_be_asked_for_fewer_years() -> None:
    dry = replace(TOY, fixed_from="meter")
    assert TOY.most_years > replace(TOY, tables=1000).most_years >= 200
    assert TOY.most_years >= dry.most_years


BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "negative contribution": ((*METER, "--contribution", "-5%"), "bad_rate"),
    "rates above one together": ((*METER, "--contribution", "80%", "--reserve", "30%"), "bad_rate"),
    "no tables": ((*METER, "--tables", "0"), "bad_tables"),
    "no seats": ((*METER, "--seats", "0"), "bad_seats"),
    "half a seat": ((*METER, "--seats", "0.5"), "bad_seats"),
    "seats in words": ((*METER, "--seats", "many"), "bad_seats"),
    "no rounds": ((*METER, "--rounds-per-hour", "0"), "bad_rounds"),
    "a day of 25 hours": ((*METER, "--hours", "25"), "bad_hours"),
    "no years": ((*METER, "--years", "0"), "bad_years"),
    "years without end": ((*METER, "--years", "1e999999999"), "bad_years"),
    "years that would take hours": ((*METER, "--years", "1e9"), "bad_years"),
    "a wager the letter does not scale to": ((*METER, "--stake", "2"), "bad_stake"),
    "negative money": ((*METER, "--seed-amount", "-1"), "negative_amount"),
    "money in words": ((*METER, "--start", "lots"), "bad_amount"),
    "a wager without a meter": ((*METER, "push_22"), "not_progressive"),
    "a game without a meter": (("meter", "blackjack"), "not_progressive"),
    "unknown wager": ((*METER, "push_23"), "unknown_wager"),
    "unknown game": (("meter", "poker"), "unknown_game"),
    "unknown source of fixed pays": ((*METER, "--fixed-pays", "purse"), "unknown_value"),
    "two sources of fixed pays": ((*METER, "--fixed-pays", "meter", "--set", "fixed_pays=tray"), "bad_setting"),
    "no threads": ((*METER, "--threads", "0"), "bad_threads"),
    "negative seed": ((*METER, "--seed", "-1"), "bad_seed"),
    "a picture of another kind": ((*METER, "--svg", "meter.png"), "bad_path"),
    "a picture in no folder": ((*METER, "--png", "nowhere/meter.png"), "bad_path"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gets_one_line_with_its_code_and_status_2(case: str, croupier: Croupier) -> None:
    arguments, code = BAD[case]
    said = croupier(*arguments)
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(f"croupier: {code}: ")
    assert said.err.count("\n") == 1


def test_json_has_the_keys_others_script_against(croupier: Croupier) -> None:
    data = json.loads(croupier(*METER, "--years", "1000", "--json").out)
    assert data["years"] == 4 * CHUNK_YEARS
    assert (data["stake"], data["seed"], data["start"]) == ("1.00", "10000.00", "10000.00")
    assert [award["pays"] for award in data["awards"]] == ["100%", "10%"]
    assert set(data["awards"][0]["quantiles"]) == {"5", "25", "50", "75", "95", "99"}
    assert sum(count for _, _, count in data["awards"][0]["histogram"]) == data["awards"][0]["paid"] == data["years"]
    assert len(data["meter_by_week"]["50"]) == len(data["house_by_week"]["95"]) == 52
    assert data["dry"]["chance_in_a_year"] == 0
    assert sum(data["top_awards_per_year"]["chances"]) == pytest.approx(1)
    assert [one["days"] for one in data["back_to_back"]["windows"]] == [1, 7, 30]
    assert {one["figure"] for one in data["agreement"]} >= {"average_top_award", "edge_before_top_ups"}
    again = json.loads(croupier(*METER, "--years", "1000", "--threads", "1", "--json").out)
    timing = {"seconds": 0, "years_per_second": 0}
    assert data | timing == again | timing


def test_the_letters_advice_comes_with_its_effect(croupier: Croupier) -> None:
    arguments = (*METER, "--hours", "1", "--years", "256")
    data = json.loads(croupier(*arguments, "--fixed-pays", "meter", "--seed-amount", "20", "--json").out)
    advice = {one["code"]: one["effect"] for one in data["advice"]}
    assert set(advice) == {"low_contribution", "low_seed"}
    assert "runs dry in 100.00% of years" in advice["low_contribution"]
    assert data["dry"]["chance_in_a_year"] == 1
    shown = croupier(*arguments, "--contribution", "30%", "--seed-amount", "0").out
    assert "note: the letter advises against a seed of $0" in shown
    assert "above the pre-set one" in shown
    assert json.loads(croupier(*arguments, "--json").out)["advice"] == []


def test_pictures_are_drawn(croupier: Croupier, tmp_path: Path) -> None:
    svg, png = tmp_path / "meter.svg", tmp_path / "meter.png"
    said = croupier(*METER, "--years", "256", "--svg", str(svg), "--png", str(png))
    assert said.status == 0
    assert "average 100% award" in said.out
    assert png.read_bytes().startswith(b"\x89PNG")
    first = svg.read_bytes()
    assert b"<svg" in first
    croupier(*METER, "--years", "256", "--svg", str(svg))
    assert svg.read_bytes() == first
