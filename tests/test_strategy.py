"""Optimal play against figures from outside."""

from __future__ import annotations

import numpy as np
import pytest

from croupier.exact.strategy.base import solve
from croupier.exact.strategy.graph import hand_graph
from croupier.exact.strategy.madness import solve_madness
from croupier.exact.strategy.view import UpCard, full_shoe
from croupier.kernels.blackjack import BlackjackRules

# Eric Farmer's Blackjack 7.6, run: composition-dependent, CDZ-; 3 to 2, double any two cards, peek, no surrender.
FARMER = {
    "6 decks, stand on soft 17, double after split, four hands": (6, BlackjackRules(soft17=0), -0.004028702361),
    "the same without double after split": (6, BlackjackRules(soft17=0, double_after_split=0), -0.005445651609),
    "the same with one split only": (6, BlackjackRules(soft17=0, max_hands=2), -0.004568862973),
    "1 deck, hit soft 17": (1, BlackjackRules(soft17=1), -0.000087347329),
}


@pytest.mark.parametrize("name", FARMER)
def test_base_blackjack_has_the_value_that_farmers_program_gives(name: str) -> None:
    decks, rules, value = FARMER[name]
    assert solve(decks, rules, 1.5).value == pytest.approx(value, abs=1e-11)


def test_twelve_against_four_with_22_pushing_from_an_endless_shoe_is_worth_what_the_newsletter_says() -> None:
    """Wizard of Odds newsletter of 2019-07-11: stand -0.301161, hit -0.279823, dealer hits soft 17."""
    everything = np.ones(len(hand_graph().total), bool)
    view = UpCard(full_shoe(None), True, 3, 1, 1, everything, everything)
    best, _ = view.hit_or_stand()
    twelve = hand_graph().of(1, 9)
    assert view.stand[twelve] == pytest.approx(-0.301161, abs=5e-7)
    assert view.next_card(twelve, best) == pytest.approx(-0.279823, abs=5e-7)


def test_double_down_madness_pays_two_and_three_alike_because_a_quarter_of_blackjacks_is_suited() -> None:
    two = solve_madness(6, soft17=1, suited_pays=1.5, unsuited_pays=1.5, ten_then_ace=True)
    three = solve_madness(6, soft17=1, suited_pays=3, unsuited_pays=1, ten_then_ace=True)
    assert two.value == pytest.approx(three.value, abs=1e-14)
    assert three.standard_deviation > two.standard_deviation


def test_ten_then_ace_must_be_a_blackjack_or_the_edge_would_be_over_four_percent() -> None:
    solution = solve_madness(6, soft17=1, suited_pays=2, unsuited_pays=1.5, ten_then_ace=False)
    assert 0.04 < -solution.value < 0.045


def test_the_up_cards_values_average_to_the_games_value() -> None:
    solution = solve(2, BlackjackRules(), 1.5)
    shoe = full_shoe(2)
    average = sum(solution.by_up_card[up] * shoe[up] for up in range(10)) / shoe.sum()
    assert average == pytest.approx(solution.value, abs=1e-14)
