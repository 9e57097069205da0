"""Let It Ride and Mississippi Stud: figures, charts that the program finds, and rules that people know."""

from __future__ import annotations

from functools import cache

import pytest

from croupier.cards import parse_cards
from croupier.exact.played import compute_strategy, decisions_of
from croupier.exact.tree_sheet import TreeSheet
from croupier.kernels.poker_draws import FAR_APART, gaps_of, has_low_ace, straight_outs
from croupier.kernels.sets import set_of
from croupier.reports.strategy.data import strategy_data
from croupier.rules import find_game
from croupier.rules.choice import choose


@cache
def sheet_of(name: str) -> TreeSheet:
    game = find_game(name)
    found = compute_strategy(choose(game, game.first_wager.id))
    assert isinstance(found, TreeSheet)
    return found


@pytest.mark.parametrize(
    ("name", "edge", "element", "mean"),
    [("let_it_ride", 3.50568, 2.84532, 1.23208), ("mississippi_stud", 4.91486, 1.36913, 3.58977)],
)
def test_a_street_title_is_worth_what_analysts_print(name: str, edge: float, element: float, mean: float) -> None:
    data = strategy_data(sheet_of(name))
    assert round(100 * data["edge"], 5) == edge
    assert round(100 * data["element_of_risk"], 5) == element
    assert round(data["mean_final_wager"], 5) == mean
    wagers = data["wagers"]
    assert sum(one["loss"] for one in wagers.values()) == pytest.approx(data["edge"])
    assert sum(one["mean_wager"] for one in wagers.values()) == pytest.approx(mean, abs=1e-5)


def test_the_printed_rules_and_the_chart_of_let_it_ride_are_the_best_play() -> None:
    sheet = sheet_of("let_it_ride")
    costs = {one.id: one.cost for one in sheet.followed}
    assert costs["printed"] == 0
    assert costs["paid_hands_only"] == pytest.approx(0.0177400, abs=1e-7)
    assert sheet.edge_total_dependent == sheet.edge
    assert sheet.charts["second_bet"]["four to a flush"] == {"answer": "let_it_ride"}


@pytest.mark.soak
def test_the_printed_points_and_the_chart_of_mississippi_stud_are_the_best_play() -> None:
    sheet = sheet_of("mississippi_stud")
    assert [one.cost for one in sheet.followed] == [0]
    assert sheet.edge_total_dependent == sheet.edge


def test_questions_come_as_often_as_their_cards() -> None:
    asked = decisions_of(choose(find_game("let_it_ride"), "bet"))
    for question in (0, 1):
        assert sum(one.weight for one in asked if one.question == question) == 1
    assert len(asked) == 1755 + 2 * 16432


@pytest.mark.parametrize(
    ("cards", "gaps", "low", "outs"),
    [
        ("As Kd Qc", 0, False, 0),
        ("As 2d 3c", 0, True, 0),
        ("As 2d 4c", 1, True, 0),
        ("As 5d", 3, True, 0),
        ("As 6d", FAR_APART, False, 0),
        ("9s 8d 7c 6h", 0, True, 2),
        ("As Kd Qc Jh", 0, False, 1),
        ("9s 8d 6c 5h", 1, False, 1),
    ],
)
def test_draws_are_counted_with_the_ace_high_or_low(cards: str, gaps: int, low: bool, outs: int) -> None:
    hand = set_of(parse_cards(cards))
    assert gaps_of(hand) == gaps
    assert has_low_ace(hand) == (low and cards.startswith("A"))
    assert straight_outs(hand) == outs
