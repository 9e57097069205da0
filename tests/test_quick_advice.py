"""Advice that is there at once: what it says is what the exact computation says, or says how far it may be off."""

from __future__ import annotations

import pytest

from croupier.cards import parse_cards
from croupier.exact.showdown.hand_values import SAMPLE
from croupier.hall.practice import quick_advice_on
from croupier.reports.rounds.advice import Advised, advise, quick_advice
from croupier.rules import find_game
from croupier.table.log import RoundLog, log_text
from croupier.table.replay import RoundState, replay
from croupier.table.setup import make_rules
from tests.test_advice import DAY, TEN_DOLLARS, table

pytestmark = pytest.mark.slow


def values(advised: list[Advised]) -> dict[str, float]:
    return {line.answer: line.value for line in advised}


def poker(game: str, cards: str) -> RoundState:
    spec = find_game(game)
    rules = make_rules(spec, day=DAY)
    return replay(rules, [{spec.first_wager.id: TEN_DOLLARS}], parse_cards(cards), [])


@pytest.mark.parametrize(
    ("game", "cards", "within"),
    [
        ("blackjack", "Ts 6d 6h 9c", 1e-9),
        ("blackjack", "8s 6d 8h 9c", 1e-9),
        ("blackjack", "Ah Td 6s 9c", 1e-9),
        # What a blackjack pays goes by the suits that are left, and the law's limit is far away.
        ("double_down_madness", "5s 6d 9c", 1e-4),
    ],
)
def test_a_first_action_from_a_fresh_shoe_is_exact_where_nobody_else_has_cards(
    game: str, cards: str, within: float
) -> None:
    state = table(game, cards)
    quick = quick_advice(state)
    assert quick is not None and quick.basis == "fresh"
    exact = values(advise(state))
    assert values(quick.lines) == {name: pytest.approx(value, abs=within) for name, value in exact.items()}
    assert quick.lines[0].answer == advise(state)[0].answer


def test_a_hand_of_three_cards_has_no_value_from_the_solution_of_blackjack() -> None:
    assert quick_advice(table("blackjack", "2s 6d 3h 9c 4d", "hit")) is None


def test_a_holding_before_the_flop_has_its_exact_values_at_once() -> None:
    state = poker("texas_holdem_bonus", "Ah Kd 2c 7s")
    quick = quick_advice(state)
    assert quick is not None and quick.basis == "exact"
    assert values(quick.lines) == {
        name: pytest.approx(value, rel=1e-5) for name, value in values(advise(state)).items()
    }


def test_a_sight_of_a_small_game_has_its_exact_values_at_once() -> None:
    state = poker("three_card_poker", "Qh 7d 2c 9s 9d 9c")
    quick = quick_advice(state)
    assert quick is not None and quick.basis == "exact"
    assert values(quick.lines) == values(advise(state))


@pytest.mark.parametrize(
    ("game", "cards"),
    [("caribbean_stud", "Ah Kd Js 4c 2d Qc 9h 8h 7h 5s"), ("crazy_4_poker", "Kh Kd 7s 4c 2d 9h 8h 7h 5s 3s")],
)
def test_an_estimate_is_as_close_to_the_exact_value_as_it_says(game: str, cards: str) -> None:
    state = poker(game, cards)
    quick = quick_advice(state)
    assert quick is not None and quick.basis == "estimate"
    exact = values(advise(state))
    for line in quick.lines:
        assert abs(line.value - exact[line.answer]) * 10 <= 4 * quick.error + 1e-9


def test_the_panel_says_what_quick_values_stand_on() -> None:
    state = poker("caribbean_stud", "Ah Kd Js 4c 2d Qc 9h 8h 7h 5s")
    log = log_text(RoundLog(state.rules, [{"ante": TEN_DOLLARS}], [*parse_cards("Ah Kd Js 4c 2d Qc 9h 8h 7h 5s")]))
    quick = quick_advice_on(log, ())
    assert quick is not None
    assert f"Estimated from {SAMPLE:,} hands of the dealer" in quick.note and "exact value follows" in quick.note
