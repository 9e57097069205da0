"""Optimal play against figures from outside."""

from __future__ import annotations

import numpy as np
import pytest

from croupier.exact.strategy.base import BaseGame
from croupier.exact.strategy.solve import Solution, best_account, make_game, solve, up_cards
from croupier.exact.strategy.total import Chart
from croupier.exact.strategy.view import UpCard, full_shoe
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import HIT, STAND
from croupier.kernels.strategy import pair_index

# Eric Farmer's Blackjack 7.6, run: composition-dependent, CDZ-; 3 to 2, double any two cards, peek, no surrender.
FARMER = {
    "6 decks, stand on soft 17, double after split, four hands": (6, BlackjackRules(soft17=0), -0.004028702361),
    "the same without double after split": (6, BlackjackRules(soft17=0, double_after_split=0), -0.005445651609),
    "the same with one split only": (6, BlackjackRules(soft17=0, max_hands=2), -0.004568862973),
    "1 deck, hit soft 17": (1, BlackjackRules(soft17=1), -0.000087347329),
}
MADNESS = {"suited_blackjack": 2.0, "unsuited_blackjack": 1.5}


def madness(pays: dict[str, float], **switches: int) -> Solution:
    rules = BlackjackRules(pushes_22=1, **switches)
    return solve(make_game("double_down_madness", full_shoe(6), rules, pays))


@pytest.mark.parametrize("name", FARMER)
def test_base_blackjack_has_the_value_that_farmers_program_gives(name: str) -> None:
    decks, rules, value = FARMER[name]
    solution = solve(make_game("blackjack", full_shoe(decks), rules, {"blackjack": 1.5}))
    assert solution.best.account.value == pytest.approx(value, abs=1e-11)


def test_twelve_against_four_with_22_pushing_from_an_endless_shoe_is_worth_what_the_newsletter_says() -> None:
    """Wizard of Odds newsletter of 2019-07-11: stand -0.301161, hit -0.279823, dealer hits soft 17."""
    view = UpCard(full_shoe(None), 3, BlackjackRules(soft17=1, pushes_22=1), 1.0)
    values = view.solve(view.position()).values[pair_index(1, 9)]
    assert values[STAND] == pytest.approx(-0.301161, abs=5e-7)
    assert values[HIT] == pytest.approx(-0.279823, abs=5e-7)


def test_double_down_madness_pays_two_and_three_alike_because_a_quarter_of_blackjacks_is_suited() -> None:
    two = madness({"suited_blackjack": 1.5, "unsuited_blackjack": 1.5}).best.account
    three = madness({"suited_blackjack": 3.0, "unsuited_blackjack": 1.0}).best.account
    assert two.value == pytest.approx(three.value, abs=1e-14)
    assert three.standard_deviation > two.standard_deviation


def test_ten_then_ace_must_be_a_blackjack_or_the_edge_would_be_over_four_percent() -> None:
    assert 0.04 < -madness(MADNESS, ten_then_ace=0).best.account.value < 0.045


def test_the_up_cards_values_average_to_the_games_value() -> None:
    solution = solve(make_game("blackjack", full_shoe(2), BlackjackRules(), {"blackjack": 1.5}))
    account, shoe = solution.best.account, full_shoe(2)
    average = sum(account.by_up_card[up] * shoe.cards[up] for up in range(10)) / shoe.total
    assert average == pytest.approx(account.value, abs=1e-14)


def test_a_conventional_chart_with_surrender_has_the_edge_that_hoppe_simulated() -> None:
    """6 decks, H17, DAS, late surrender: 0.529866% from fresh shoes; all 15 and 16 are hit against 7 to ace."""
    rules = BlackjackRules(surrender=1)
    game = make_game("blackjack", full_shoe(6), rules, {"blackjack": 1.5, "surrender": -0.5})
    solution = solve(game)
    assert isinstance(game, BaseGame)
    account = game.new_account()
    for up, chance in up_cards(game.shoe):
        chart = Chart.from_cells(solution.cells[up])
        if up == 0 or up >= 6:
            chart.hit[15:17] = True
        deals = game.up_card(up)
        tallies = [deals.view.tally(position, chart.codes()) for position in deals.positions]
        deals.add_to(account, np.zeros(0), np.array(tallies), chance)
    assert -account.value == pytest.approx(0.00529866, abs=5e-7)


def test_blackjack_switch_is_near_the_edge_that_is_quoted() -> None:
    """Wizard of Odds, quoted: about 0.58%; 6 decks, H17, a switched A-10 counts 21."""
    rules = BlackjackRules(pushes_22=1)
    account = best_account(make_game("blackjack_switch", full_shoe(6), rules, {"blackjack": 1.0}))
    assert -account.value == pytest.approx(0.0058, abs=0.0003)
