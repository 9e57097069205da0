"""What is shown of a solution agrees with itself, under other rules than the default ones too."""

from __future__ import annotations

import json

import pytest

from croupier.exact.played import compute_strategy, main_account, switch_effects
from croupier.exact.strategy.result import PlayedSheet
from croupier.exact.strategy.sheet import StrategySheet
from croupier.reports.strategy.data import strategy_data
from croupier.rules import find_game
from croupier.rules.choice import choose
from tests.conftest import Croupier

pytestmark = pytest.mark.slow


def sheet(game: str, *, cap: float = 0.0, total_dependent: bool = False, **settings: str) -> PlayedSheet:
    return compute_strategy(
        choose(find_game(game), "main", settings=settings), cap=cap, total_dependent=total_dependent
    )


@pytest.mark.parametrize("total_dependent", [False, True])
@pytest.mark.parametrize(("game", "cap"), [("double_down_madness", 0.0), ("double_down_madness", 2.0)])
def test_final_wagers_add_up_to_the_mean(game: str, cap: float, total_dependent: bool) -> None:
    found = sheet(game, cap=cap, total_dependent=total_dependent)
    assert sum(found.final_wagers.values()) == pytest.approx(1, abs=1e-12)
    mean = sum(stake * chance for stake, chance in found.final_wagers.items())
    assert mean == pytest.approx(found.account.mean_final_wager, abs=1e-12)
    assert found.final_wager_variance > 0


def test_effects_under_a_limit_are_those_under_that_limit() -> None:
    found = sheet("double_down_madness", cap=1.0)
    effects = {(one.switch.id, one.value): one.change for one in switch_effects(found.choice, found.edge, found.cap)}
    assert all(change >= -1e-12 for (switch, _), change in effects.items() if switch == "max_doubles")
    assert effects["max_doubles", "5"] == pytest.approx(0, abs=1e-6)
    assert effects["soft17", "stand"] < 0


def test_the_usual_edge_is_compared_under_the_same_limit() -> None:
    found = sheet("double_down_madness", cap=1.0, max_doubles="1")
    assert found.usual_edge == pytest.approx(sheet("double_down_madness", cap=1.0).edge, abs=1e-12)


@pytest.mark.parametrize("game", ["blackjack", "double_down_madness"])
def test_edges_by_up_card_and_by_starting_hand_average_to_the_edge(game: str) -> None:
    found = sheet(game)
    assert isinstance(found, StrategySheet)
    cards = found.solution.game.shoe.cards
    names = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
    mean = sum(found.by_up_card[name] * cards[card] for card, name in enumerate(names)) / cards.sum()
    assert mean == pytest.approx(found.edge, abs=1e-12)
    if game == "double_down_madness":
        mean = sum(found.by_starting_hand[name] * cards[card] for card, name in enumerate(names)) / cards.sum()
        assert mean == pytest.approx(found.edge, abs=1e-12)


def test_every_exception_gains_and_they_come_costliest_first() -> None:
    for found in (sheet("blackjack"), sheet("double_down_madness", max_doubles="1")):
        costs = [one.gain * one.chance for one in found.exceptions]
        assert len(costs) > 10
        assert min(one.gain for one in found.exceptions) > 0
        assert costs == sorted(costs, reverse=True)


def test_what_the_exceptions_gain_is_what_the_chart_gives_away() -> None:
    """Without splits the chart loses, to first order, just what its exceptions would gain."""
    found = sheet("blackjack", max_hands="1")
    assert isinstance(found, StrategySheet)
    cards = found.solution.game.shoe.cards
    names = dict(zip(("A", "2", "3", "4", "5", "6", "7", "8", "9", "10"), cards / cards.sum(), strict=True))
    given_away = sum(names[one.up_card] * one.chance * one.gain for one in found.exceptions)
    assert found.edge_total_dependent - found.edge == pytest.approx(given_away, rel=0.1)


@pytest.mark.soak  # two solves of a game with two hands; `test_tree_blackjack` has the rule from a short shoe
def test_a_single_card_that_may_only_become_21_is_worth_less() -> None:
    blackjack, only_21 = (
        sheet("double_barrel", ace_ten_by_next_card=value).ratings["flex_one_card"]["A"]["6"]
        for value in ("blackjack", "21")
    )
    assert only_21 < blackjack - 0.01


def test_returns_add_up_to_the_edge_also_with_two_hands() -> None:
    account = main_account(choose(find_game("blackjack_switch"), "main"))
    assert sum(one.profit for one in account.endings.values()) / account.wagers == pytest.approx(account.value)


def test_json_has_the_keys_others_script_against(croupier: Croupier) -> None:
    said = croupier("strategy", "blackjack", "--set", "surrender=late", "--decks", "2", "--json")
    data = json.loads(said.out)
    figures = ["edge", "edge_total_dependent", "standard_deviation", "mean_final_wager", "element_of_risk"]
    assert {*figures, "method", "by_up_card", "chart", "exceptions"} <= set(data)
    assert data["edge"] < data["edge_total_dependent"]
    assert sum(one["return"] for one in data["outcomes"].values()) == pytest.approx(-data["edge"])
    assert data["chart"]["hard"]["16"]["10"] in ("R", "Rs")
    [main] = data["wagers"].values()
    assert main == {"edge": data["element_of_risk"], "loss": data["edge"], "mean_wager": data["mean_final_wager"]}


def test_each_wager_of_a_hand_has_its_own_edge() -> None:
    """The house's wagers of Free Bet Blackjack cost nothing, and win."""
    found = sheet("free_bet_blackjack")
    wagers = strategy_data(found)["wagers"]
    assert wagers["main"]["loss"] + wagers["free_bet"]["loss"] == pytest.approx(found.edge)
    assert wagers["free_bet"]["mean_wager"] == 0 and wagers["free_bet"]["edge"] is None
    assert wagers["main"]["edge"] == pytest.approx(wagers["main"]["loss"] / found.account.mean_final_wager)


def test_the_sheet_fits_a_narrow_terminal(croupier: Croupier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    said = croupier("strategy", "double_down_madness")
    chart = said.out.partition("First card")[2].partition("Across:")[0]
    assert max(len(line.rstrip()) for line in chart.splitlines()) <= 80
    assert "\x1b" not in said.out


@pytest.mark.parametrize("wager", ["main", "insurance"])
def test_odds_of_played_wagers_come_from_the_strategy(croupier: Croupier, wager: str) -> None:
    data = json.loads(croupier("odds", "double_down_madness", wager, "--json").out)
    expected = {"main": 0.0088527, "insurance": 1 - 3 * 96 / 311}[wager]
    assert data["edge"] == pytest.approx(expected, abs=1e-7)
    assert sum(row["return"] for row in data["rows"]) == pytest.approx(-data["edge"])
