"""House Money: what it is worth to move winnings onto the main wager, by playing every order of short shoes."""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from croupier.cards import parse_cards
from croupier.errors import NotComputedError
from croupier.exact.capped import capped_rows
from croupier.exact.decide import Deck, OneSeatGame, decide, evaluate
from croupier.exact.left_cards import edge_left, full_left
from croupier.exact.odds import compute_odds
from croupier.exact.played import compute_strategy
from croupier.exact.strategy.before_play import BeforePlay, before_play
from croupier.exact.strategy.sheet import StrategySheet
from croupier.exact.strategy.solve import Solution, make_game, solve_anew
from croupier.exact.strategy.view import ClassShoe
from croupier.kernels.rounds import find_round
from croupier.kernels.strategy import class_of
from croupier.reports.rounds.advice import advise, quick_advice
from croupier.rules import find_game
from croupier.rules.choice import Choice, choose
from croupier.table.replay import replay
from croupier.table.setup import make_rules, parse_stakes
from tests.helpers import NaiveCard, naive_deck

GAME = WAGER = "house_money"
DAY = date(2026, 11, 16)
PAYS = {"suited_ace_king": 9, "straight_flush": 4, "pair": 3, "straight": 1}


def chosen(wager: str, decks: int = 6, **switches: str) -> Choice:
    return choose(find_game(GAME), wager, decks=str(decks), settings=switches)


def row(cards: tuple[NaiveCard, NaiveCard]) -> str:
    (low, one), (high, other) = sorted(cards)
    if low == high:
        return "pair"
    if (low, high) == (0, 12):
        return "suited_ace_king" if one == other else "straight"
    if high - low != 1:
        return ""
    return "straight_flush" if one == other else "straight"


@pytest.mark.parametrize("decks", [1, 2])
def test_rows_come_as_often_as_counting_two_cards_says(decks: int) -> None:
    counted = Counter(row(two) for two in combinations(naive_deck(decks), 2))
    sheet = compute_odds(chosen(WAGER, decks))
    assert {line.id: line.probability for line in sheet.rows if line.row} == {
        name: Fraction(counted[name], counted.total()) for name in PAYS
    }


def test_a_unit_is_moved_where_the_hand_is_worth_more_than_nothing() -> None:
    sheet = compute_strategy(chosen("main"))
    assert isinstance(sheet, StrategySheet)
    chart, values = sheet.charts[GAME], sheet.chart_values[GAME]
    for hand, line in chart.items():
        for up, letter in line.items():
            worth = values[hand, up]
            assert worth["collect"] == 0
            assert (letter == "M") == (worth["cap"] > 0)
    assert set(chart["10,10"].values()) == set(chart["A,10"].values()) == {"M"}
    assert chart["8,8"]["10"] == chart["7,7"]["A"] == "C"
    assert "10,5" not in chart and "others" not in " ".join(chart)
    assert all(values["A,10", up]["cap"] == pytest.approx(1.5) for up in chart["A,10"])


def test_an_edge_is_that_of_each_row_with_what_is_moved() -> None:
    choice = chosen(WAGER)
    sheet, rows = compute_odds(choice), capped_rows(choice)
    chances = {line.id: float(line.probability) for line in sheet.rows}
    alone = 1 - sum(chances[name] * (1 + pays) for name, pays in PAYS.items())
    gain = sum(chances[name] * (rows[name].profit - pays) for name, pays in PAYS.items())
    assert float(sheet.edge) == pytest.approx(alone - gain, abs=1e-12)
    assert alone == pytest.approx(0.264902, abs=1e-6)
    assert any("without moving anything the edge is 26.4902%" in note for note in sheet.notes)
    natural = rows["suited_ace_king"]
    assert natural.profit == pytest.approx(9 + 10 * 1.5 * natural.moved, abs=1e-12)
    no_natural = 1 - natural.moved  # the dealer has a blackjack: ace with ten-value up, or the other way round
    left, tens = 310, 95
    assert no_natural == pytest.approx(2 * 23 * tens / (left * (left - 1)), abs=1e-12)


def test_from_the_cards_left_the_wager_has_no_odds() -> None:
    with pytest.raises(NotComputedError, match="moved"):
        edge_left(chosen(WAGER), full_left(6))


def test_advice_says_what_moving_is_worth() -> None:
    rules = make_rules(find_game(GAME), day=DAY)
    state = replay(rules, [parse_stakes("main=10 house_money=5", rules.game)], parse_cards("Th 6c Td 5d"), [])
    values = {line.answer: line for line in advise(state)}
    sheet = compute_strategy(chosen("main"))
    assert isinstance(sheet, StrategySheet)
    worth = sheet.chart_values[GAME]["10,10", "6"]["cap"]
    assert values["cap"].value == pytest.approx(worth, abs=1e-9)
    assert values["cap"].dollars == pytest.approx(20 * worth, abs=1e-7)
    assert values["collect"].value == 0 and values["cap"].best
    quick = quick_advice(state)
    assert quick is not None and quick.basis == "fresh"
    assert quick.lines[0].value == pytest.approx(worth, abs=1e-9)


def test_a_hand_that_winnings_were_moved_onto_is_advised_like_any_other() -> None:
    rules = make_rules(find_game(GAME), day=DAY)

    def advised(wagers: str, answers: list[str]) -> dict[str, float]:
        state = replay(rules, [parse_stakes(wagers, rules.game)], parse_cards("Th 6c Td 5d"), answers)
        return {line.answer: line.value for line in advise(state)}

    moved = advised("main=10 house_money=5", ["cap"])
    assert moved.keys() == {"stand", "hit", "double", "split"}
    assert moved == pytest.approx(advised("main=10", []))


# From short shoes the tree plays every order of the cards, and finds the best answers by itself.

SHOE = "As Ks Kd Qs 9h 8h 6c 5d Tc"
FELT: tuple[dict[str, str], ...] = (
    {},
    {"soft17": "stand"},
    {"peek": "no"},
    {"surrender": "late"},
    {"blackjack_pays": "6:5"},
    {"double_on": "10-11"},
    {"insurance": "no"},
    {"max_hands": "2"},
    {"max_hands": "2", "split_aces": "play_on", "double_after_split": "no"},
)


def solved(shoe: list[int], switches: dict[str, str]) -> tuple[OneSeatGame, Solution, BeforePlay]:
    choice = chosen("main", 1, **{"max_hands": "1"} | switches)
    rules = choice.game.rules_under(choice.switches)
    pays = {line.row: line.pays.net for line in choice.rows}
    counts = np.bincount([class_of(card) for card in shoe], minlength=10).astype(float)
    solution = solve_anew(make_game(GAME, ClassShoe(counts), rules, {name: float(pay) for name, pay in pays.items()}))
    asked = before_play(choice, solution, left=[shoe.count(card) for card in range(52)])
    assert asked is not None
    declared = find_round(GAME)
    assert declared is not None
    profits = {("main", name): pay for name, pay in pays.items()}
    profits |= {(WAGER, name): Fraction(pay) for name, pay in PAYS.items()}
    profits["insurance", "dealer_blackjack"] = Fraction(2)
    deck = Deck(tuple(sorted(set(shoe))), tuple(shoe.count(card) for card in sorted(set(shoe))))
    return OneSeatGame(declared, GAME, rules, deck, profits), solution, asked


@pytest.mark.slow
@pytest.mark.parametrize("switches", FELT, ids=str)
def test_the_tree_finds_no_better_way_to_move_and_comes_to_the_same(switches: dict[str, str]) -> None:
    shoe = parse_cards(SHOE)
    game, solution, asked = solved(shoe, switches)
    tables = solution.tables(solution.best)._replace(before_play=asked.answers)
    played = evaluate(game, tables)
    more = played.edge - decide(game, keep=False).edge
    assert more == 0 if "max_hands" not in switches else more < Fraction(1, 1000)  # split hands go by convention
    never = evaluate(game, tables._replace(before_play=np.zeros(550, np.int8)))
    gain = 0.0
    for outcome, pays in enumerate(PAYS.values()):
        met = asked.dealt * asked.openings[outcome]
        gain += (1 + pays) * float((met * np.maximum(np.nan_to_num(asked.values[:, :, 1]), 0)).sum())
    assert float(never.edge - played.edge) == pytest.approx(gain, abs=1e-11)
    alone = sum(
        (1 + PAYS[name]) * Fraction(number, len(shoe) * (len(shoe) - 1))
        for name, number in Counter(
            row((divmod(one, 4), divmod(other, 4)))
            for place, one in enumerate(shoe)
            for at, other in enumerate(shoe)
            if at != place
        ).items()
        if name
    )
    assert float(never.edge) == pytest.approx(-solution.best.account.value + float(1 - alone), abs=1e-11)
