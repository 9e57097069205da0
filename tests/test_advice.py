"""Advice at a table: values from what a seat sees."""

from __future__ import annotations

import random
from datetime import date
from fractions import Fraction

import numpy as np
import pytest

from croupier.cards import card_text, parse_cards
from croupier.exact.played import compute_strategy
from croupier.exact.strategy.advice import Sight, action_values
from croupier.exact.strategy.graph import key_of
from croupier.exact.strategy.sheet import game_of
from croupier.exact.strategy.solve import Solution, solve
from croupier.exact.strategy.view import UpCard, full_shoe
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import DOUBLE, HIT, SPLIT, STAND
from croupier.kernels.strategy import class_of, pair_index
from croupier.reports.rounds.advice import Advised, advise
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.table.replay import RoundState, replay
from croupier.table.setup import make_rules
from tests.conftest import Croupier
from tests.test_strategy_optimal import BruteForce, Table

pytestmark = pytest.mark.slow

DAY = date(2026, 11, 16)
TEN_DOLLARS = 10_000_000


def table(game: str, cards: str, answers: str = "", seats: int = 1, **settings: str) -> RoundState:
    rules = make_rules(find_game(game), day=DAY, settings=settings)
    return replay(rules, [{"main": TEN_DOLLARS}] * seats, parse_cards(cards), answers.split())


def values(advised: list[Advised]) -> dict[str, float]:
    return {one.answer: one.value for one in advised}


def solved(game: str) -> Solution:
    return solve(game_of(choose(find_game(game), "main")))


@pytest.mark.parametrize("cards", ["Ts 6d 6h 9c", "9h 7s 2c 5d", "Ah Td 6s 9c", "5c 9d 5h 2s"])
def test_a_first_action_is_worth_what_the_solver_says(cards: str) -> None:
    first, up, second, _ = (class_of(card) for card in parse_cards(cards))
    joint = solved("blackjack").values[up, 0, pair_index(first, second)]
    left = full_shoe(6).cards.copy()
    for card in (first, up, second):
        left[card] -= 1
    safe = 1 - (left[9 - up] / left.sum() if up in (0, 9) else 0)
    found = values(advise(table("blackjack", cards)))
    assert found["stand"] == pytest.approx(joint[STAND] / safe, abs=1e-12)
    assert found["hit"] == pytest.approx(joint[HIT] / safe, abs=1e-12)
    assert found["double"] == pytest.approx(joint[DOUBLE] / safe, abs=1e-12)


def test_cards_of_other_seats_are_out_of_the_shoe() -> None:
    """Seat 2 is asked with seat 1's three cards on the table."""
    state = table("blackjack", "2s 8h 6d 3s Td Tc 9h", "hit stand", seats=2)
    others = [class_of(card) for card in parse_cards("2s 3s 9h")]
    view = UpCard(full_shoe(6), class_of(parse_cards("6d")[0]), BlackjackRules(), 1.5)
    found = values(advise(state))
    expected = view.solve(view.position(key_of(others))).values[pair_index(7, 9)]
    assert found["stand"] == pytest.approx(expected[STAND], abs=1e-12)


def test_more_hands_never_make_a_split_worth_less() -> None:
    unseen = full_shoe(6).cards - np.bincount([9, 9, 5], minlength=10)
    worth = [
        action_values(
            Sight(
                round="blackjack",
                rules=BlackjackRules(max_hands=hands),
                pays={"blackjack": 1.5},
                unseen=unseen,
                up=5,
                hand=(9, 9),
            )
        )[SPLIT]
        for hands in (2, 3, 4)
    ]
    assert worth == sorted(worth)


@pytest.mark.parametrize(("game", "cards"), [("blackjack_switch", 6), ("double_barrel", 5)])
def test_the_first_decision_of_two_hands_is_the_solvers(game: str, cards: int) -> None:
    chooser = random.Random(4)
    solution = solved(game)
    deck = [card for _ in range(6) for card in range(52)]
    asked = 0
    while asked < 4:
        dealt = chooser.sample(deck, cards)
        insured_first = game == "blackjack_switch" and class_of(dealt[2]) == 0
        text = " ".join(card_text(card) for card in dealt)
        state = table(game, text, "decline decline" if insured_first else "")
        if state.need is None or getattr(state.need, "question", "") not in ("switch", "flex"):
            continue
        asked += 1
        classes = [class_of(card) for card in dealt]
        best = advise(state)
        if game == "blackjack_switch":
            a, c, up, b, d, _hole = classes
            answer = ("keep", "switch")[solution.best.decisions[up, ((a * 10 + b) * 10 + c) * 10 + d]]
        else:
            a, b, up, flex, _hole = classes
            answer = ("first", "second", "both")[solution.best.decisions[up, (a * 10 + b) * 10 + flex]]
        assert values(best)[answer] == pytest.approx(best[0].value, abs=1e-9)


def test_a_double_of_madness_is_twice_a_hit_until_the_limit_bites() -> None:
    found = values(advise(table("double_down_madness", "6h 9s 9c")))
    assert found["double"] == pytest.approx(2 * found["hit"], abs=1e-12)
    rules = make_rules(find_game("double_down_madness"), day=DAY)
    assert rules.cap is not None
    state = replay(rules, [{"main": rules.cap}], parse_cards("6h 9s 9c"), [])
    assert values(advise(state))["double"] < found["double"]


def test_insurance_is_worth_taking_only_when_a_third_is_ten_values() -> None:
    assert values(advise(table("blackjack", "8s Ad 8h 9c")))["insure"] == pytest.approx(3 * 96 / 309 - 1)


def test_a_script_can_ask_for_advice(croupier: Croupier) -> None:
    said = croupier("play", "blackjack", "--seat", "main=10", "--cards", "Ts 6d 6h Tc", "--advice")
    assert said.status == 3
    assert "best" in said.out
    assert "stand" in said.out


def test_a_first_ace_is_worth_more_while_ten_values_of_its_suit_are_left() -> None:
    """Pay table 3 pays 3 to 1 for a suited blackjack and even money for others: which suits are gone matters."""
    rules = make_rules(find_game("double_down_madness"), day=DAY, pay_tables={"main": "3"})
    state = replay(rules, [{"main": TEN_DOLLARS}], parse_cards("6h As 9c"), [])
    spades, hearts = (
        values(advise(state, parse_cards(f"T{suit} J{suit} Q{suit} K{suit} " * 6)))["double"] for suit in "sh"
    )
    # 24 suited ten-values are left where the hearts are gone; each pays 2 more, on the two units of a double.
    assert hearts - spades == pytest.approx(2 * 2 * 24 / (6 * 52 - 2 - 24), abs=1e-12)
    assert values(advise(state))["stand"] < spades


@pytest.mark.parametrize(("gone", "suited"), [("s", 0), ("h", 24)])
def test_a_first_ace_is_worth_what_brute_force_says_of_the_suits_left(gone: str, suited: int) -> None:
    rules = make_rules(find_game("double_down_madness"), day=DAY, pay_tables={"main": "3"})
    state = replay(rules, [{"main": TEN_DOLLARS}], parse_cards("6h As 9c"), [])
    counts = (*[24] * 9, 72)
    brute = BruteForce(Table(counts, hits_soft_17=rules.switches["soft17"] == "hit", pushes_22=True), up=6)
    left = brute.unseen((1,))
    won = sum((left[card - 1] * brute.stand((1, card)) for card in range(1, 10)), Fraction(0))
    expected = (won + 3 * suited + (72 - suited)) / sum(left)
    found = values(advise(state, parse_cards(f"T{gone} J{gone} Q{gone} K{gone} " * 6)))
    assert found["hit"] == pytest.approx(float(expected), abs=1e-12)
    assert found["double"] == pytest.approx(2 * float(expected), abs=1e-12)


def test_a_first_ten_value_is_worth_more_while_aces_of_its_suit_are_left() -> None:
    rules = make_rules(find_game("double_down_madness"), day=DAY, pay_tables={"main": "3"})
    state = replay(rules, [{"main": TEN_DOLLARS}], parse_cards("6h Ks 9c"), [])
    spades, hearts = (values(advise(state, parse_cards(f"A{suit} " * 6)))["hit"] for suit in "sh")
    assert hearts - spades == pytest.approx(2 * 6 / (6 * 52 - 2 - 6), abs=1e-12)


def test_advice_at_mississippi_stud_counts_on_no_wager_that_the_limit_forbids() -> None:
    """Where one ante is all that each street may be, hands are worth far less. The edge is from an enumeration of its
    own, of all sets of five cards."""
    title = find_game("mississippi_stud")
    once = compute_strategy(choose(title, "ante"), cap=1)
    assert once.edge == pytest.approx(0.6743220365069105, abs=1e-12)
    rules = make_rules(title, day=DAY)
    assert rules.cap is not None and rules.cap < 2 * 25 * TEN_DOLLARS
    pair_of_sixes = values(advise(replay(rules, [{"ante": 25 * TEN_DOLLARS}], parse_cards("6h 6d"), [])))
    unlimited = values(advise(replay(rules, [{"ante": TEN_DOLLARS}], parse_cards("6h 6d"), [])))
    assert pair_of_sixes.keys() == {"fold", "1x"}
    assert 0 < pair_of_sixes["1x"] < unlimited["1x"]
