"""What-ifs of a meter: exact figures against formulas written anew, simulated ones against exact ones."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from math import ceil, log

import pytest

from croupier.errors import CroupierError
from croupier.exact.odds import compute_odds
from croupier.lab.meter import MeterAsk, MeterExact, exact_median, exact_meter
from croupier.lab.meter_years import MeterYears, simulate_meter
from croupier.rules import find_game
from croupier.rules.choice import choose
from tests.conftest import Croupier

PUSH_22 = MeterAsk(game="double_down_madness", wager="push_22_progressive", pay_table="1")
DRAGON = MeterAsk(game="mini_baccarat", wager="dragon_bonus_progressive", pay_table="3")
DRAFT = replace(
    PUSH_22, contribution="25%", reserve="4%", seed_amount="20000", start="150000", seats="2.5", tables=3, hours="20"
)
MOST_ERRORS = 4.5


def value(found: MeterExact | MeterYears, name: str) -> float:
    quantity = found.get(name)
    assert quantity is not None and quantity.value is not None
    return float(quantity.value)


def test_every_exact_figure_follows_from_the_odds_by_hand() -> None:
    """The draft above, from the chances of the rows alone: 2.5 wagers of $1 in a round, 3,600 rounds a day."""
    found = exact_meter(DRAFT)
    chances = {
        row.id: row.probability for row in compute_odds(choose(find_game("double_down_madness"), PUSH_22.wager)).rows
    }
    top, tenth = chances["suited_4567_named"], chances["suited_4567_other"]
    fixed = 50 * chances["suited_22"] + 15 * chances["same_colour_22"] + 5 * chances["other_22"]
    wagers, day = Fraction(5, 2), 3 * 60 * 20
    year = day * 364
    assert value(found, "edge") == float(1 - fixed - Fraction(29, 100) - 20000 * top / wagers)
    assert value(found, "edge_alone") == float(1 - fixed - Fraction(29, 100) - 20000 * top)
    assert value(found, "edge_now") == float(1 - fixed - (top + tenth / 10) * 150000 / wagers)
    assert value(found, "break_even") == float((1 - fixed) * wagers / (top + tenth / 10))
    inflow = Fraction(29, 100) * wagers
    assert value(found, "average_top") == pytest.approx(float((20000 * top + inflow) / (top + tenth / 10)), rel=1e-12)
    assert value(found, "days_between") == float(1 / top / day)
    assert value(found, "days_median") == ceil(log(0.5) / log(1 - float(top))) / day
    assert value(found, "back_to_back_7") == pytest.approx(1 - (1 - float(top)) ** (7 * day), rel=1e-9)
    assert value(found, "wagered") == float(wagers * year)
    assert value(found, "tray") == float(wagers * year * fixed)
    assert value(found, "seeds") == float(year * top * 20000)
    assert value(found, "result") == float(wagers * year * (1 - fixed - Fraction(29, 100)) - year * top * 20000)
    assert value(found, "quiet_year") == pytest.approx((1 - float(top)) ** year, rel=1e-9)
    assert found.dryness == "never"


def test_figures_are_those_of_the_command_line(croupier: Croupier) -> None:
    found = exact_meter(replace(PUSH_22, contribution="25%", start="150000", seats="1"))
    odds = ("odds", PUSH_22.game, PUSH_22.wager, "--contribution", "25%", "--meter", "150000", "--json")
    sheet = json.loads(croupier(*odds).out)
    assert value(found, "edge") == sheet["edge"]
    assert found.get("edge_alone") is None
    assert value(found, "edge_now") == sheet["edge_at_meter"]
    for name, key in (("average_top", "average_top"), ("break_even", "break_even_meter")):
        assert value(found, name) == pytest.approx(float(sheet[key]), abs=0.01)


def test_simulated_figures_are_those_of_the_command_line(croupier: Croupier) -> None:
    years = simulate_meter(DRAFT, 7)
    asked = ("meter", DRAFT.game, "--contribution", "25%", "--reserve", "4%", "--seed-amount", "20000")
    room = ("--start", "150000", "--seats", "2.5", "--tables", "3", "--hours", "20")
    data = json.loads(croupier(*asked, *room, "--years", str(years.years), "--seed", "7", "--json").out)
    assert value(years, "median_top") == pytest.approx(float(data["awards"][0]["quantiles"]["50"]), abs=0.01)
    assert value(years, "result") == pytest.approx(float(data["house"]["result_per_year"]), abs=0.01)
    assert value(years, "years_with_pair_30") == data["back_to_back"]["windows"][2]["chance_in_a_year"]
    assert [one.code for one in years.advice] == [one["code"] for one in data["advice"]] == ["high_contribution"]


def test_the_exact_median_agrees_with_the_simulated_one() -> None:
    """Pay table 3 of the Dragon Bonus pays nothing but the whole meter off it, so its meter only grows."""
    exact, years = exact_meter(DRAGON), simulate_meter(DRAGON, 1)
    median = years.get("median_top")
    assert median is not None and median.error is not None
    assert abs(value(years, "median_top") - value(exact, "median_top")) < MOST_ERRORS * median.error
    top = next(row.probability for row in DRAGON.meter().plan.sheet.rows if row.id == "suited_six_cards")
    rounds = ceil(log(0.5) / log(1 - float(top)))
    assert value(exact, "median_top") == float(5000 + rounds * 3 * Fraction(26, 100))


@pytest.mark.parametrize(
    "other", [replace(DRAGON, reserve="1%"), replace(DRAGON, settings=(("fixed_pays", "meter"),)), PUSH_22]
)
def test_there_is_no_exact_median_of_a_meter_that_also_falls_or_starts_anew_with_a_reserve(other: MeterAsk) -> None:
    assert exact_median(other.meter().plan) is None
    assert exact_meter(other).get("median_top") is None


def test_simulated_means_lie_within_their_errors_of_the_exact_ones() -> None:
    for one in simulate_meter(DRAFT, 3).agreement:
        assert one.z is not None and abs(one.z) < MOST_ERRORS, one


def test_a_meter_that_must_run_dry_says_so_and_what_it_costs() -> None:
    ask = replace(PUSH_22, settings=(("fixed_pays", "meter"),))
    exact, years = exact_meter(ask), simulate_meter(ask, 1)
    assert exact.dryness == "always"
    average = exact.get("average_top")
    assert average is not None and average.text == "none"
    dry = years.get("runs_dry")
    assert dry is not None and dry.text == f"in all of {years.years:,} years"
    assert value(years, "top_ups") > 100_000
    assert [one.code for one in years.advice] == ["low_contribution"]


def test_the_comparison_keeps_the_room_and_takes_the_approved_settings() -> None:
    approved = DRAFT.approved("2")
    assert (approved.tables, approved.seats, approved.start) == (3, "2.5", "150000")
    assert (approved.pay_table, approved.seed_amount, approved.contribution, approved.reserve) == (
        "2",
        None,
        None,
        None,
    )
    draft, other = exact_meter(DRAFT).get("edge"), exact_meter(DRAFT.approved()).get("edge")
    assert draft is not None and other is not None
    assert draft.change_from(other).startswith("-9.")
    assert draft.change_from(draft) == draft.change_from(None) == ""


def test_plots_have_the_draft_with_its_bands_and_the_approved_median() -> None:
    years = simulate_meter(DRAFT, 1, DRAFT.approved())
    meter = years.plots[0]
    lines = {line.name: line for line in meter.lines}
    assert {"5 to 95% of years", "25 to 75%", "median", "approved: median"} <= set(lines)
    assert lines["median"].y[0] == lines["approved: median"].y[0] == 150_000
    band = lines["5 to 95% of years"]
    assert all(low <= middle <= high for low, middle, high in zip(band.low, lines["median"].y, band.high, strict=True))
    assert years.approved and simulate_meter(DRAFT, 1).approved == ()


def test_the_same_seed_gives_the_same_years_and_another_one_others() -> None:
    assert simulate_meter(DRAGON, 5) == simulate_meter(DRAGON, 5)
    assert simulate_meter(DRAGON, 5) != simulate_meter(DRAGON, 6)


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (replace(PUSH_22, seats="9"), "bad_seats"),
        (replace(PUSH_22, hours="25"), "bad_hours"),
        (replace(PUSH_22, tables=0), "bad_tables"),
        (replace(PUSH_22, contribution="90%", reserve="20%"), "bad_rate"),
        (replace(PUSH_22, stake="$2"), "bad_stake"),
        (replace(PUSH_22, wager="push_22", pay_table="1"), "not_progressive"),
    ],
)
def test_what_cannot_be_is_refused_with_its_code(ask: MeterAsk, code: str) -> None:
    with pytest.raises(CroupierError) as caught:
        exact_meter(ask)
    assert caught.value.code == code


def test_figures_say_for_how_many_wagers_and_why_the_odds_sheet_has_others() -> None:
    found = exact_meter(PUSH_22)
    said = {one.id: (one.label, one.how) for one in found.quantities}
    assert said["edge"][0].endswith("3 wagers a round")
    assert "on the odds sheet one wager bears it alone" in said["edge"][1]
    for name in ("average_top", "break_even"):
        assert "with 3 wagers a round; the odds sheet has it for 1" in said[name][1]
