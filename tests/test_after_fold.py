"""Side wagers that die with a folded hand: what is counted, and what is said of it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.exact.after_fold import switch_of_fold
from croupier.exact.odds import compute_odds
from croupier.rules import find_game
from croupier.rules.choice import Choice, choose

DEALS = 22_100 * 18_424
"""Three cards for the seat and three for the dealer."""
SIX_CARDS_NOT_FOLDED = {
    "royal_flush": 3_676,
    "straight_flush": 26_676,
    "four_of_a_kind": 271_680,
    "full_house": 2_930_880,
    "flush": 3_409_568,
    "straight": 4_125_024,
    "three_of_a_kind": 11_763_200,
}
"""By a count of its own, which leaves out every deal with less than queen, six and four for the seat."""


def side_wager(game: str, wager: str, **settings: str) -> Choice:
    return choose(find_game(game), wager, settings=settings)


def test_a_six_card_bonus_that_dies_is_counted_without_the_hands_that_best_play_folds() -> None:
    sheet = compute_odds(side_wager("three_card_poker", "six_card_bonus", six_card_bonus_after_fold="dead"))
    chances = {row.id: row.probability for row in sheet.rows if row.row is not None}
    assert chances == {name: Fraction(ways, DEALS) for name, ways in SIX_CARDS_NOT_FOLDED.items()}
    assert float(sheet.edge) == pytest.approx(0.28269917459618876, abs=1e-15)


@pytest.mark.parametrize(
    ("game", "wager", "switch"),
    [
        ("three_card_poker", "pair_plus", "pair_plus_after_fold"),
        ("ultimate_texas_holdem", "trips", "trips_after_fold"),
        ("i_luv_suits", "super_flush_rush", "side_wagers_after_fold"),
    ],
)
def test_odds_of_a_wager_that_dies_say_that_folds_are_not_in_them(game: str, wager: str, switch: str) -> None:
    dead, alive = (side_wager(game, wager, **{switch: value}) for value in ("dead", "alive"))
    assert (switch_of_fold(dead), switch_of_fold(alive)) == (switch, "")
    note = f"{switch} = dead: a folded hand loses this wager too"
    assert [text for text in compute_odds(dead).notes if text.startswith(note)]
    assert not [text for text in compute_odds(alive).notes if switch in text]


@pytest.mark.parametrize(("game", "wager"), [("mississippi_stud", "three_card_bonus"), ("blackjack", "lucky_lucky")])
def test_a_wager_that_no_fold_touches_says_nothing_of_folds(game: str, wager: str) -> None:
    assert switch_of_fold(side_wager(game, wager)) == ""
