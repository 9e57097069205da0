"""Plots: that they show what the engines computed, and that a picture of one is always the same file."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from xml.etree import ElementTree

import pytest

from croupier.errors import CroupierError
from croupier.exact.hold import BAND, hold_band, hold_quantiles, house_results, normal_band
from croupier.exact.odds import MeterWish, OddsSheet, compute_odds
from croupier.exact.played import compute_strategy
from croupier.exact.strategy.result import PlayedSheet
from croupier.reports.formatting import Form, value_text
from croupier.reports.plots.draw import COLORS, QUIET, colors_of, picture, plot_svg
from croupier.reports.plots.kinds import KINDS, PlotWish, make_plot
from croupier.reports.plots.model import Line, Mark, Plot, plot_data, plot_rows
from croupier.reports.plots.simulated import convergence_plot, meter_plots, simulate_convergence
from croupier.reports.plots.wager import bankroll_plot, decks_plot, meter_edge_plot, outcomes_plot, up_cards_plot
from croupier.reports.sheet.files import sheet_pdf
from croupier.reports.sheet.fill import make_sheet
from croupier.reports.sheet.progressive import meter_plan
from croupier.reports.simulation.compare import Wish, prepare
from croupier.reports.simulation.meter import MeterResult
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.simulate.meters.run import run as run_meter
from croupier.simulate.run import run
from croupier.web.pages.reading.plots_work import fitting_plots

SVG = "{http://www.w3.org/2000/svg}"


def odds_of(game: str, wager: str, **wish: int) -> OddsSheet:
    return compute_odds(choose(find_game(game), wager), MeterWish(**wish))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def lucky() -> OddsSheet:
    return odds_of("blackjack", "lucky_lucky")


@pytest.fixture(scope="module")
def progressive() -> OddsSheet:
    return odds_of("double_down_madness", "push_22_progressive")


@pytest.fixture(scope="module")
def blackjack() -> PlayedSheet:
    return compute_strategy(choose(find_game("blackjack"), "main"))


@pytest.fixture(scope="module")
def years(progressive: OddsSheet) -> MeterResult:
    plan = meter_plan(progressive)
    return MeterResult(plan=plan, counts=run_meter(plan.spec, 1, 2))


def a_plot(**changes: object) -> Plot:
    plot = Plot(
        id="test",
        title="A & B: $5 <each>",
        x_label="rounds",
        y_label="edge",
        y_form="share",
        lines=(
            Line("run", (1.0, 10.0, 100.0), (0.3, 0.1, 0.05), (0.1, 0.05, 0.04), (0.5, 0.15, 0.06)),
            Line("exact", (1.0, 100.0), (0.06, 0.06), kind="exact"),
        ),
        marks=(Mark("here", 10.0),),
        note="Simulated.",
        log_x=True,
    )
    return replace(plot, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (0.0585394, "share", "5.85394%"),
        (0.000001673, "share", "0.0001673%"),
        (-0.37, "share", "-37%"),
        (0.0, "share", "0%"),
        (1234567.8, "number", "1,234,568"),
        (2.5, "number", "2.5"),
        (-1200.0, "dollars", "-$1,200"),
        (99.5, "dollars", "$99.50"),
        (-0.001, "dollars", "$0"),
        (3e-12, "number", "3e-12"),
    ],
)
def test_a_value_reads_as_people_write_it(value: float, form: Form, text: str) -> None:
    assert value_text(value, form) == text


@pytest.mark.parametrize(
    "wrong",
    [
        {"x": (), "y": ()},
        {"x": (1.0, 2.0), "y": (1.0,)},
        {"x": (2.0, 1.0), "y": (1.0, 1.0)},
        {"x": (1.0,), "y": (float("nan"),)},
        {"x": (1.0,), "y": (1.0,), "low": (0.0,)},
        {"x": (1.0,), "y": (1.0,), "low": (0.0, 1.0), "high": (0.0, 1.0)},
        {"x": (1.0,), "y": (), "kind": "band"},
        {"x": (1.0,), "y": (1.0,), "low": (0.0,), "high": (2.0,), "kind": "band"},
    ],
)
def test_a_line_that_cannot_be_drawn_is_not_made(wrong: dict[str, object]) -> None:
    with pytest.raises(AssertionError):
        Line("line", **wrong)  # type: ignore[arg-type]


def test_a_logarithm_needs_values_above_zero() -> None:
    with pytest.raises(AssertionError, match="logarithm of x"):
        a_plot(lines=(Line("run", (0.0, 1.0), (1.0, 1.0)),))
    with pytest.raises(AssertionError, match="logarithm of y"):
        a_plot(lines=(Line("run", (1.0, 2.0), (0.0, 1.0)),), log_y=True)


def test_a_picture_is_the_same_file_each_time_and_has_no_date() -> None:
    plot = a_plot()
    first = picture([plot], "svg")
    assert first == picture([plot], "svg")
    assert b"date" not in first
    assert ElementTree.fromstring(first).tag == f"{SVG}svg"
    assert picture([plot], "png") == picture([plot], "png")
    assert picture([plot], "png").startswith(b"\x89PNG")


def test_a_picture_changes_with_what_it_shows() -> None:
    plot = a_plot()
    others = [
        a_plot(title="other"),
        a_plot(note=""),
        a_plot(marks=()),
        a_plot(lines=plot.lines[:1]),
        a_plot(log_x=False),
    ]
    drawn = [picture([one], "svg") for one in (plot, *others)]
    assert len(set(drawn)) == len(drawn)


def test_paper_has_title_and_note_in_its_own_letters() -> None:
    assert plot_svg(a_plot()) == plot_svg(a_plot(title="other", note="other"))


def test_bands_have_the_color_of_the_line_they_lie_around() -> None:
    x, y = (1.0, 2.0), (1.0, 2.0)
    bands = [Line(f"band {number}", x, (), y, y, kind="band") for number in range(2)]
    plot = a_plot(lines=(*bands, Line("median", x, y), Line("exact", x, y, kind="exact"), Line("one", x, y)))
    assert colors_of(plot) == [COLORS[0]] * 3 + [QUIET, COLORS[1]]


def test_the_table_of_values_has_every_point() -> None:
    heads, rows = plot_rows(a_plot())
    assert heads == ["rounds", "run", "run, low", "run, high", "exact"]
    assert rows == [
        ["1", "30%", "10%", "50%", "6%"],
        ["10", "10%", "5%", "15%", "6%"],
        ["100", "5%", "4%", "6%", "6%"],
    ]


def test_the_table_of_a_meter_has_weeks_not_every_turn_of_a_single_year(years: MeterResult) -> None:
    heads, rows = plot_rows(meter_plots(years, 1)[0])
    assert [row[0] for row in rows] == [str(week) for week in range(53)]
    assert heads[-3:] == ["single year 1", "single year 2", "single year 3"]
    assert all(cell.startswith("$") for row in rows for cell in row[1:])


def test_outcomes_are_the_probabilities_of_the_sheet(lucky: OddsSheet) -> None:
    plot = outcomes_plot(lucky.choice, lucky.rows, lucky.method)
    shown = dict(zip(plot.x_names, plot.lines[0].y, strict=True))
    two_to_one = sum((row.probability for row in lucky.rows if row.pays == "2 to 1"), Fraction(0))
    assert sum(row.pays == "2 to 1" for row in lucky.rows) == 2
    assert shown["2 to 1"] == float(two_to_one)
    assert sum(shown.values()) == pytest.approx(1, abs=1e-15)
    assert next(iter(shown)) == "lose" and list(shown)[-1] == "200 to 1"
    assert plot.log_y


def test_values_of_up_cards_average_to_the_edge(blackjack: PlayedSheet) -> None:
    plot = up_cards_plot(blackjack)
    values = dict(zip(plot.x_names, plot.lines[0].y, strict=True))
    weights = {card: 4 if card == "10" else 1 for card in values}
    mean = sum(values[card] * weight for card, weight in weights.items()) / sum(weights.values())
    assert sum(weights.values()) == 13
    assert mean == pytest.approx(-blackjack.edge, abs=1e-12)
    assert set(plot.lines[1].y) == {-blackjack.edge}


def test_edges_of_decks_are_those_of_the_sheets(lucky: OddsSheet) -> None:
    plot = decks_plot(lucky.choice)
    shown = dict(zip(plot.x_names, plot.lines[0].y, strict=True))
    assert list(shown) == [*"12345678", "infinite"]
    for decks in ("1", "6", "inf"):
        exact = compute_odds(choose(lucky.choice.game, "lucky_lucky", pay_table="1", decks=decks)).edge
        assert shown["infinite" if decks == "inf" else decks] == float(exact)


def test_games_of_two_hands_are_compared_over_the_letters_decks_only() -> None:
    from croupier.reports.plots.wager import decks_to_compare

    assert list(decks_to_compare(choose(find_game("blackjack_switch"), "main"))) == [6, 8]
    assert len(decks_to_compare(choose(find_game("blackjack_switch"), "first_four"))) == 9
    assert "decks" not in fitting_plots(choose(find_game("blackjack_switch"), "main"))


def test_the_edge_against_the_meter_crosses_zero_at_the_break_even_meter() -> None:
    odds = odds_of("double_down_madness", "push_22_progressive", now=50_000_000_000)
    assert odds.jackpot is not None and odds.jackpot.break_even is not None and odds.jackpot.edge_now is not None
    plot = meter_edge_plot(odds)
    line, marks = plot.lines[0], {mark.name: mark.x for mark in plot.marks}
    slope = (line.y[-1] - line.y[0]) / (line.x[-1] - line.x[0])
    assert line.y[0] + slope * float(odds.jackpot.break_even) == pytest.approx(0, abs=1e-12)
    assert line.y[0] + slope * 50_000 == pytest.approx(float(odds.jackpot.edge_now), abs=1e-12)
    assert marks == {
        "seed": 10_000,
        "now": 50_000,
        "average 100% award": pytest.approx(float(odds.jackpot.average_top or 0)),
        "break-even": pytest.approx(float(odds.jackpot.break_even)),
    }
    assert set(plot.lines[1].y) == {float(odds.jackpot.edge)}


def test_quantiles_of_three_rounds_are_those_of_all_cases(lucky: OddsSheet) -> None:
    results = house_results(lucky)
    cases: dict[Fraction, float] = {}
    for rounds in product(results, repeat=3):
        result = sum((one for _, one in rounds), Fraction(0)) / 3
        cases[result] = cases.get(result, 0.0) + float(rounds[0][0] * rounds[1][0] * rounds[2][0])
    found = hold_quantiles(results, 3, (0.1, 0.4, 0.9))
    assert found.method == "exact"
    for share, value in zip((0.1, 0.4, 0.9), found.values, strict=True):
        below = sum(chance for result, chance in cases.items() if float(result) < value - 1e-9)
        up_to = sum(chance for result, chance in cases.items() if float(result) <= value + 1e-9)
        assert below <= share <= up_to


def test_the_bankroll_ends_in_the_band_of_the_hold(lucky: OddsSheet) -> None:
    plot = bankroll_plot(lucky, 10_000)
    band = hold_band(house_results(lucky), 10_000)
    outer, inner, median, mean = plot.lines
    assert BAND == 0.95
    assert (outer.low[-1], outer.high[-1]) == pytest.approx((-10_000 * band.high, -10_000 * band.low))
    assert mean.y[-1] == pytest.approx(-10_000 * float(lucky.edge))
    for low, lower, middle, upper, high in zip(outer.low, inner.low, median.y, inner.high, outer.high, strict=True):
        assert low <= lower <= middle <= upper <= high
    assert outer.x[0] == outer.low[0] == outer.high[0] == 0
    assert "exact distribution" in plot.note


def test_a_normal_band_is_called_so(blackjack: PlayedSheet) -> None:
    plot = bankroll_plot(blackjack, 10_000)
    band = normal_band(blackjack.edge, blackjack.account.standard_deviation, 10_000)
    assert plot.lines[0].high[-1] == pytest.approx(-10_000 * band.low)
    assert "normal approximation" in plot.note


def test_of_a_progressive_the_house_is_shown(progressive: OddsSheet) -> None:
    plot = bankroll_plot(progressive, 1_000)
    assert "house's result" in plot.y_label
    assert plot.lines[3].y[-1] == pytest.approx(1_000 * float(progressive.edge))
    assert plot.lines[0].low[-1] < 0 < plot.lines[0].high[-1]


def test_a_convergence_ends_where_the_simulation_does(lucky: OddsSheet) -> None:
    simulation = prepare(lucky.choice.game, Wish(settings={}, pay_tables={}, wagers=("lucky_lucky",)))
    points = simulate_convergence(simulation, 50_000, 7)
    whole = simulation.results(run(simulation.spec, 7, 13))[0]
    assert points[-1] == (13 * 4096, whole)
    plot = convergence_plot("title", points, "note")
    simulated, exact = plot.lines
    assert (simulated.low[-1], simulated.high[-1]) == pytest.approx(whole.estimate.interval)
    assert set(exact.y) == {float(lucky.edge)}
    assert exact.kind == "exact" and plot.log_x
    assert len(points) == len({rounds for rounds, _ in points}) > 5


def test_a_meter_begins_at_its_seed_and_its_bands_lie_in_each_other(years: MeterResult) -> None:
    paths, awards, times, house = meter_plots(years, 1)
    outer, inner, median, *single = paths.lines
    assert (outer.low[0], median.y[0], outer.high[0]) == (10_000, 10_000, 10_000)
    for low, lower, upper, high in zip(outer.low, inner.low, inner.high, outer.high, strict=True):
        assert low <= lower <= upper <= high
    assert len(single) == 3 and all(line.x[-1] <= 52 for line in single)
    assert sum(awards.lines[0].y) == pytest.approx(0.99, abs=0.01)
    assert sum(times.lines[1].y) == pytest.approx(0.99, abs=0.03)
    assert house.lines[0].low[0] == -10_000


@pytest.mark.parametrize(
    ("game", "wager"),
    [("blackjack", "main"), ("double_down_madness", "push_22_progressive"), ("mini_baccarat", "banker")],
)
def test_every_fitting_plot_is_data_without_gaps(game: str, wager: str) -> None:
    choice = choose(find_game(game), wager)
    for kind in fitting_plots(choice):
        data = json.loads(json.dumps(plot_data(make_plot(kind, choice, PlotWish())), allow_nan=False))
        assert data["id"] == kind
        assert data["note"].endswith(".")
        assert data["lines"]


def test_every_kind_says_what_it_shows() -> None:
    assert all(kind.text for kind in KINDS.values())


@pytest.mark.parametrize(
    ("kind", "game", "wager", "code"),
    [
        ("up-cards", "mini_baccarat", "banker", "no_up_cards"),
        ("up-cards", "blackjack", "lucky_lucky", "no_up_cards"),
        ("meter-edge", "blackjack", "lucky_lucky", "not_progressive"),
        ("meter", "mini_baccarat", "tie", "not_progressive"),
        ("convergence", "blackjack", "insurance", "no_plot"),
        ("pie", "blackjack", "main", "unknown_plot"),
    ],
)
def test_a_plot_that_does_not_fit_is_refused(kind: str, game: str, wager: str, code: str) -> None:
    with pytest.raises(CroupierError) as refused:
        make_plot(kind, choose(find_game(game), wager), PlotWish())
    assert refused.value.code == code


def test_a_sheet_on_paper_has_its_plots_and_stays_the_same_file(progressive: OddsSheet) -> None:
    sheet = make_sheet(progressive.choice, effects=False)
    assert [plot.id for plot in sheet.plots] == ["outcomes", "meter-edge"]
    printed = sheet_pdf(sheet)
    assert printed == sheet_pdf(sheet)
    assert len(printed) > len(sheet_pdf(replace(sheet, plots=()))) + 10_000
