"""Zappit Blackjack: when a hand is thrown away, what that is worth, and what charts and files say of it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from croupier.cards import card_text, parse_cards
from croupier.exact.strategy.charts import exchange_values
from croupier.exact.strategy.graph import START_CARDS
from croupier.exact.strategy.sheet import StrategySheet, game_of, solved_sheet
from croupier.exact.strategy.solve import Solution, solve
from croupier.hall.cells import cell_of
from croupier.kernels.blackjack import EXCHANGE
from croupier.kernels.effects import KEEP
from croupier.kernels.strategy import pair_index
from croupier.reports.rounds.advice import advise, quick_advice
from croupier.reports.rounds.text import event_text
from croupier.reports.strategy.file import StrategyFileError, plan_from_file
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.table.replay import RoundState, replay
from croupier.table.setup import make_rules, parse_stakes

GAME = "zappit_blackjack"
TEN, EIGHT, SIX = 9, 7, 5


@cache
def solution() -> Solution:
    return solve(game_of(choose(find_game(GAME), "main")))


@cache
def sheet() -> StrategySheet:
    return solved_sheet(choose(find_game(GAME), "main"), cap=0.0, total_dependent=False, progress=None, keep=True)


def dealt(cards: str, answers: str = "", **settings: str) -> RoundState:
    rules = make_rules(find_game(GAME), day=date(2026, 11, 16), settings=settings)
    return replay(rules, [parse_stakes("main=10", rules.game)], parse_cards(cards), answers.split())


def test_every_hand_that_may_be_is_thrown_away_but_eights_against_5_6_and_7() -> None:
    chart = sheet().charts["zap"]
    assert list(chart) == ["15", "16", "17", "8,8"]
    kept = {(hand, up) for hand, cells in chart.items() for up, letter in cells.items() if letter == "K"}
    assert kept == {("8,8", "5"), ("8,8", "6"), ("8,8", "7")}


def test_the_chart_decides_as_optimal_play_does() -> None:
    assert np.array_equal(solution().best.decisions, solution().by_total.decisions)


def test_cells_of_the_chart_say_what_keeping_and_throwing_away_are_worth() -> None:
    worth = sheet().chart_values["zap"]
    assert set(worth) == {(hand, up) for hand, cells in sheet().charts["zap"].items() for up in cells}
    for (hand, up), values in worth.items():
        better = max(values, key=lambda word: values[word])
        assert sheet().charts["zap"][hand][up] == {"keep": "K", "zap": "Z"}[better]


@pytest.mark.slow
@pytest.mark.parametrize("zapping", ["after_check", "before_check"])
@pytest.mark.parametrize("cards", ["Tc Td 6h 9h", "8c 6d 8h Th"])
def test_advice_from_the_open_cards_is_what_the_solution_says_of_a_fresh_shoe(cards: str, zapping: str) -> None:
    state = dealt(cards, zapping=zapping)
    choice = choose(find_game(GAME), "main", settings={"zapping": zapping})
    solved = solve(game_of(choice))
    own, up = ((TEN, SIX), TEN) if cards.startswith("T") else ((EIGHT, EIGHT), SIX)
    values = exchange_values(solved, up)[pair_index(*own)]
    advised = {line.answer: line.value for line in advise(state)}
    assert advised == pytest.approx({"keep": values[KEEP], "zap": values[EXCHANGE]}, abs=1e-12)


@pytest.mark.slow
def test_advice_on_a_new_hand_knows_the_cards_that_were_thrown_away() -> None:
    state = dealt("Tc Td 6h 9h 5c 6c", "zap")
    advised = {line.answer: line.value for line in advise(state)}
    quick = quick_advice(state)
    assert quick is not None and quick.basis == "fresh"
    assert {line.answer: line.value for line in quick.lines} == pytest.approx(advised, abs=1e-12)
    values = solution().values[TEN, :, pair_index(4, 5)].max(1)
    thrown = 1 + solution().game.exchangeable.index(pair_index(TEN, SIX))  # type: ignore[union-attr]
    assert values[thrown] != values[0]


def test_a_zap_is_told_and_drilled_by_its_total() -> None:
    state = dealt("Tc 7d 6h Th")
    assert cell_of(state) == ("zap", "16:7")
    assert cell_of(dealt("8c 7d 8h Th")) == ("zap", "8,8:7")
    state = dealt("Tc 7d 6h Th 9c Ts", "zap")
    told = [event_text(event, state, card_text) for event in state.events]
    assert "Seat 1: zap." in told
    assert "6h goes to seat 1 as zapped." in told and "Tc goes to seat 1 as zapped." in told
    (place, row), *rest = state.beside(0, 0)
    assert (place.label, row, rest) == ("Zapped", parse_cards("6h Tc"), [])


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    path = tmp_path / "own.json"
    path.write_text(json.dumps({"chart": sheet().charts}), encoding="utf-8")
    return path


def test_a_strategy_of_ones_own_says_what_is_thrown_away(own_file: Path) -> None:
    charts = json.loads(own_file.read_text(encoding="utf-8"))
    charts["chart"]["zap"]["17"]["6"] = "K"
    own_file.write_text(json.dumps(charts), encoding="utf-8")
    plan = plan_from_file(own_file, solution())
    changed = np.argwhere(plan.decisions != solution().by_total.decisions)
    assert [(up, START_CARDS[start]) for up, start in changed.tolist()] == [(SIX, (6, 9)), (SIX, (7, 8))]
    played = replace(solution(), best=plan).tables(plan)
    assert played.before_play.tolist() == plan.decisions.reshape(-1).tolist()


@pytest.mark.parametrize("letter", ["H", "P", ""])
def test_a_strategy_file_that_would_play_a_hand_instead_of_zapping_it_is_refused(own_file: Path, letter: str) -> None:
    charts = json.loads(own_file.read_text(encoding="utf-8"))
    charts["chart"]["zap"]["16"]["10"] = letter
    own_file.write_text(json.dumps(charts), encoding="utf-8")
    with pytest.raises(StrategyFileError, match=r'"zap" row "16" against "10".*K, Z can'):
        plan_from_file(own_file, solution())
