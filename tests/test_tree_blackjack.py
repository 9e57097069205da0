"""The optimum of the blackjack family from very short shoes: the tree finds it by running rounds, the solver does not.

The tree decides by every card that a seat has seen and every answer that it gave. The solver looks at one hand and, of
another, at its first two cards: so it finds the same where a seat has one hand, and may find less with two.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from croupier.exact.decide import OneSeatGame, decide, evaluate
from croupier.exact.strategy.solve import Solution, make_game, solve_anew
from croupier.exact.strategy.view import ClassShoe
from croupier.kernels.blackjack import BlackjackRules
from tests.short_shoes import Counts, by_class, short_game

pytestmark = pytest.mark.slow

PAYS = {
    "blackjack": {"blackjack": 1.5, "surrender": -0.5},
    "double_down_madness": {"suited_blackjack": 1.7, "unsuited_blackjack": 1.7},  # all cards have one suit
    "blackjack_switch": {"blackjack": 1.0, "surrender": -0.5},
    "double_barrel": {"blackjack": 1.0, "double_barrel_blackjack": 1.5, "surrender": -0.5},
    "free_bet_blackjack": {"blackjack": 1.5, "surrender": -0.5, "free_bet_lost": 0.0},
    "super_fun_21": {
        "blackjack": 1.0,
        "diamond_blackjack": 1.0,
        "surrender": -0.5,
        "five_card_21": 2.0,
        "six_cards": 1.0,
    },
    "zappit_blackjack": {"blackjack": 1.5, "surrender": -0.5},
}
RULES = {
    "free_bet_blackjack": {"pushes_22": 1, "resplit_aces": 1},
    "super_fun_21": {"resplit_aces": 1, "play_split_aces": 1, "surrender": 1, "blackjack_beats_blackjack": 1},
    "zappit_blackjack": {"pushes_22": 1},
}
"""What such a round always has."""
MANY_CARDS = (1, 4, 2, 1, 0, 0, 0, 0, 0, 2)
"""From these a hand comes to five and six cards."""
NINE = (1, 0, 1, 0, 1, 1, 0, 1, 0, 4)
TEN = (1, 0, 0, 1, 0, 1, 1, 0, 0, 6)
ELEVEN = (2, 0, 0, 0, 1, 1, 0, 2, 0, 5)
NO_SPLITS = {"max_hands": 1, "insurance": 0}


def gain(round_: str, shoe: Counts, switches: dict[str, int], cap: float = 0.0) -> Fraction:
    """What the tree finds more than the solver, both counted by the tree."""
    game, solution = both(round_, shoe, switches, cap)
    return evaluate(game, solution.tables(solution.best)).edge - decide(game, keep=False).edge


def both(round_: str, shoe: Counts, switches: dict[str, int], cap: float = 0.0) -> tuple[OneSeatGame, Solution]:
    """The tree's game, and the solver's solution of it."""
    rules = BlackjackRules(**RULES.get(round_, {}) | switches)
    pays = PAYS[round_]
    solution = solve_anew(make_game(round_, ClassShoe(np.array(shoe, float)), rules, pays, cap))
    return short_game(round_, by_class(shoe), rules, pays, cap), solution


ONE_HAND: dict[str, tuple[dict[str, int], ...]] = {
    "blackjack": (
        {},
        {"soft17": 0},
        {"peek": 0},
        {"peek": 0, "surrender": 1},
        {"surrender": 1, "pushes_22": 1},
        {"double_from": 9},
        {"blackjack_beats_blackjack": 1},
    ),
    "double_down_madness": (
        {"pushes_22": 1},
        {"pushes_22": 1, "soft17": 0, "dealer_last": 1, "first_face_down": 1},
        {"max_doubles": 1},
        {"pushes_22": 1, "asks_on_21": 1},
        {"pushes_22": 1, "ten_then_ace": 0},
    ),
    "free_bet_blackjack": ({}, {"soft17": 0}, {"surrender": 1}),
    "super_fun_21": ({}, {"soft17": 0}),
}


@pytest.mark.parametrize("shoe", [NINE, TEN, ELEVEN], ids=["nine cards", "ten cards", "eleven cards"])
@pytest.mark.parametrize(
    ("round_", "switches"), [(round_, switches) for round_, every in ONE_HAND.items() for switches in every]
)
def test_with_one_hand_the_solver_finds_exactly_the_optimum(
    round_: str, switches: dict[str, int], shoe: Counts
) -> None:
    assert gain(round_, shoe, NO_SPLITS | switches) == 0


@pytest.mark.parametrize("cap", [1.0, 1.5])
def test_madness_within_a_limit_is_played_best_too(cap: float) -> None:
    assert gain("double_down_madness", NINE, NO_SPLITS | {"pushes_22": 1}, cap) == 0


TWO_HANDS: dict[str, tuple[dict[str, int], ...]] = {
    "blackjack_switch": ({}, {"natural_may_be_broken": 1}, {"switch_first": 1, "switched_blackjack": 1}),
    "double_barrel": ({}, {"dealer_checks_first": 1}, {"next_card_blackjack": 0}),
}


@pytest.mark.parametrize(
    ("round_", "switches"), [(round_, switches) for round_, every in TWO_HANDS.items() for switches in every]
)
def test_with_two_hands_the_solver_finds_the_optimum_from_ten_cards(round_: str, switches: dict[str, int]) -> None:
    """From this shoe; from `ELEVEN` the tree finds almost a thousandth of a wager more."""
    assert gain(round_, TEN, NO_SPLITS | {"pushes_22": 1} | switches) == 0


@pytest.mark.parametrize("round_", TWO_HANDS)
def test_with_two_hands_and_surrender_the_solver_gives_up_little(round_: str) -> None:
    """It does not look at what the first hand drew. The bound is just above what was found."""
    assert 0 < gain(round_, TEN, NO_SPLITS | {"pushes_22": 1, "surrender": 1}) < Fraction(1, 500)


def test_super_fun_is_played_best_where_hands_come_to_six_cards() -> None:
    assert gain("super_fun_21", MANY_CARDS, NO_SPLITS) == 0


SPLITS: dict[str, tuple[dict[str, int], ...]] = {
    "free_bet_blackjack": ({}, {"soft17": 0}, {"double_after_split": 0}, {"resplit_aces": 0}, {"play_split_aces": 1}),
    "super_fun_21": ({}, {"soft17": 0}),
}


@pytest.mark.parametrize("shoe", [NINE, TEN], ids=["nine cards", "ten cards"])
@pytest.mark.parametrize(
    ("round_", "switches"), [(round_, switches) for round_, every in SPLITS.items() for switches in every]
)
def test_with_splits_a_round_comes_to_what_the_solver_says(round_: str, switches: dict[str, int], shoe: Counts) -> None:
    assert_splits_are_worth_what_the_solver_says(round_, switches, shoe)


def assert_splits_are_worth_what_the_solver_says(round_: str, switches: dict[str, int], shoe: Counts) -> None:
    game, solution = both(round_, shoe, {"max_hands": 2, "insurance": 0} | switches)
    played = evaluate(game, solution.tables(solution.best))
    assert solution.best.account.value == pytest.approx(-float(played.edge), abs=1e-12)
    assert played.edge - decide(game, keep=False).edge < Fraction(1, 1000)


EIGHTS = (1, 0, 0, 0, 1, 0, 1, 3, 0, 6)
NINES = (1, 0, 0, 0, 0, 0, 0, 3, 2, 6)
"""Shoes with hands of 15 to 18 and pairs of them, which last for every round with a zap."""
ZAPS: tuple[dict[str, int], ...] = (
    {},
    {"soft17": 0, "zapped_to": 18},
    {"zap_first": 1},
    {"zapped_wins": 1},
    {"zap_first": 1, "zapped_wins": 1, "zapped_to": 18},
    {"surrender": 1},
    {"peek": 0, "zapped_wins": 1},
    {"double_after_split": 0},
)
of_zaps = pytest.mark.parametrize("switches", ZAPS, ids=str)
of_short_shoes = pytest.mark.parametrize("shoe", [EIGHTS, NINES], ids=["eights", "nines"])


@of_short_shoes
@of_zaps
def test_a_hand_is_thrown_away_exactly_where_the_tree_throws_it_away(switches: dict[str, int], shoe: Counts) -> None:
    assert gain("zappit_blackjack", shoe, NO_SPLITS | switches) == 0


@of_short_shoes
@of_zaps
def test_with_splits_a_zapped_hand_comes_to_what_the_solver_says(switches: dict[str, int], shoe: Counts) -> None:
    assert_splits_are_worth_what_the_solver_says("zappit_blackjack", switches, shoe)


@pytest.mark.parametrize("shoe", [NINE, TEN, ELEVEN], ids=["nine cards", "ten cards", "eleven cards"])
def test_the_convention_for_split_hands_gives_up_little(shoe: Counts) -> None:
    """By convention split hands are played as if there had been no split."""
    assert 0 <= gain("blackjack", shoe, NO_SPLITS | {"max_hands": 2}) < Fraction(1, 1000)
