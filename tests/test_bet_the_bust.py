"""Bet The Bust: what a wager is worth that is made once the up card is seen, by counting dealers' hands once more."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from croupier.cards import parse_cards
from croupier.errors import SpecError
from croupier.exact.apart import under_up_cards
from croupier.exact.decide import evaluate
from croupier.exact.left_cards import edge_left, full_left
from croupier.exact.odds import compute_odds
from croupier.exact.played import compute_strategy
from croupier.exact.strategy.before_play import BeforePlay, before_play
from croupier.exact.strategy.graph import START_CARDS
from croupier.exact.strategy.sheet import StrategySheet
from croupier.exact.strategy.solve import Solution, make_game, solve_anew
from croupier.exact.strategy.view import ClassShoe
from croupier.kernels.strategy import StrategyTables
from croupier.reports.rounds.advice import advise, quick_advice
from croupier.rules import find_game
from croupier.rules.choice import Choice, choose
from croupier.rules.folders import our_folders
from croupier.rules.loader import load_game
from croupier.table.replay import replay
from croupier.table.setup import Stakes, make_rules, parse_stakes
from tests.short_shoes import Counts, by_class, short_game

GAME, WAGER = "bet_the_bust", "bet_the_bust"
PAYS = {"A": 3.5, "2": 1.5, "3": 1.5, "4": 1.0, "5": 1.0, "6": 1.0, "7": 2.5, "8": 3.0, "9": 3.0, "10": 3.0}
NAMES = tuple(PAYS)
"""Up cards by class."""
DAY = date(2026, 11, 16)


@cache
def busts(left: Counts, total: int, aces_as_11: int, cards: int, hits_soft_17: bool) -> tuple[Fraction, Fraction]:
    """How often a dealer's hand goes over 21, and how often it is a blackjack, by taking every card that is left."""
    while total > 21 and aces_as_11:
        total, aces_as_11 = total - 10, aces_as_11 - 1
    if cards == 2 and total == 21:
        return Fraction(0), Fraction(1)
    if total > 17 or (total == 17 and not (hits_soft_17 and aces_as_11)):
        return Fraction(int(total > 21)), Fraction(0)
    bust, natural = Fraction(0), Fraction(0)
    for card, number in enumerate(left):
        if number:
            fewer = (*left[:card], number - 1, *left[card + 1 :])
            eleven, points = card == 0, 11 if card == 0 else card + 1
            more = busts(fewer, total + points, aces_as_11 + eleven, cards + 1, hits_soft_17)
            chance = Fraction(number, sum(left))
            bust, natural = bust + chance * more[0], natural + chance * more[1]
    return bust, natural


def gone(left: Counts, *cards: int) -> Counts:
    counts = Counter(cards)
    return tuple(number - counts[card] for card, number in enumerate(left))


def under(left: Counts, up: int, switches: dict[str, str]) -> tuple[Fraction, Fraction]:
    """Under an up card that has left the shoe: the chance that the wager is offered, and that it is then won."""
    bust, natural = busts(left, 11 if up == 0 else up + 1, int(up == 0), 1, switches.get("soft17") != "stand")
    offered = Fraction(1) if switches.get("peek") == "no" else 1 - natural
    return offered, bust / offered


def full(decks: int) -> Counts:
    return (*([4 * decks] * 9), 16 * decks)


def chosen(wager: str, decks: int = 6, **switches: str) -> Choice:
    return choose(find_game(GAME), wager, decks=str(decks), settings=switches)


SWITCHES: tuple[dict[str, str], ...] = ({}, {"soft17": "stand"}, {"peek": "no"})


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("decks", [1, 6])
def test_the_odds_are_those_of_every_dealers_hand_under_every_up_card(decks: int, switches: dict[str, str]) -> None:
    choice, shoe = chosen(WAGER, decks, **switches), full(decks)
    rows = {row.id: row.probability for row in compute_odds(choice).rows}
    offered, won = {}, {}
    for up, name in enumerate(NAMES):
        offered[name], won[name] = under(gone(shoe, up), up, switches)
        offered[name] *= Fraction(shoe[up], sum(shoe))
    for name in NAMES:
        row = f"bust_{'ace' if name == 'A' else name}"
        assert rows[row] == offered[name] * won[name] / sum(offered.values())
    found = {one.up_card: (one.offered, one.wins, one.edge) for one in under_up_cards(choice)}
    assert found == {name: (offered[name], won[name], 1 - won[name] * (Fraction(PAYS[name]) + 1)) for name in NAMES}


def test_best_play_leaves_the_wager_but_for_two_aces_against_an_eight_from_one_deck() -> None:
    takes = {}
    for decks in (1, 6):
        sheet = compute_strategy(chosen("main", decks))
        assert isinstance(sheet, StrategySheet) and sheet.asked_wager is not None
        assert sheet.asked_wager.edge == pytest.approx(float(compute_odds(chosen(WAGER, decks)).edge), abs=1e-12)
        takes[decks] = [
            (hand, up) for hand, line in sheet.charts[GAME].items() for up, word in line.items() if word == "B"
        ]
        answers = sheet.tables().before_play.reshape(10, 55)
        assert int(answers.sum()) == len(takes[decks]) == int(answers[7, 0])
    assert takes == {1: [("A,A", "8")], 6: []}


def test_the_chart_says_what_the_wager_is_worth_under_each_up_card() -> None:
    sheet = compute_strategy(chosen("main"))
    worth = {up: values["bet"] for (_, up), values in sheet.chart_values[GAME].items()}
    edges = {one.up_card: -float(one.edge) for one in under_up_cards(chosen(WAGER))}
    assert worth == pytest.approx(edges, abs=1e-12)


def test_from_the_cards_left_the_wager_is_worth_what_they_say() -> None:
    assert edge_left(chosen(WAGER), full_left(6)) == compute_odds(chosen(WAGER)).edge
    few = full_left(1, [card for card in range(52) if card >> 2 in (1, 2, 3, 4)])  # no 2 to 5
    shoe: Counts = (4, 0, 0, 0, 0, 4, 4, 4, 4, 16)
    lost, offered = Fraction(0), Fraction(0)
    for up, name in enumerate(NAMES):
        if shoe[up]:
            here, won = under(gone(shoe, up), up, {})
            share = here * Fraction(shoe[up], sum(shoe))
            lost, offered = lost + share * (1 - won * (Fraction(PAYS[name]) + 1)), offered + share
    assert edge_left(chosen(WAGER), few) == lost / offered


def test_advice_counts_the_cards_that_the_seat_sees() -> None:
    rules = make_rules(find_game(GAME), decks=1, day=DAY)
    seats: list[Stakes] = [parse_stakes("main=10", rules.game) for _ in range(2)]
    state = replay(rules, seats, parse_cards("Ah As 8c Ad 7h Ts"), ["decline"])
    shoe = gone(full(1), 0, 0, 0, 7, 6)
    _, won = under(shoe, 7, {})
    values = {line.answer: line.value for line in advise(state)}
    assert values == {"bet": pytest.approx(float(4 * won - 1), abs=1e-12), "decline": 0.0}
    quick = quick_advice(state)
    assert quick is not None and quick.basis == "exact" and quick.lines == advise(state)
    assert next(line.dollars for line in advise(state) if line.answer == "bet") == pytest.approx(10 * values["bet"])


def test_a_figure_by_up_card_is_one_of_the_wager_on_the_dealers_hand(tmp_path: Path) -> None:
    folder = our_folders()[GAME]
    text = (folder / "game.toml").read_text(encoding="utf-8")
    text = text.replace("../standard_blackjack.toml", str(folder.parent / "standard_blackjack.toml"))
    (tmp_path / "game.toml").write_text(text, encoding="utf-8")
    assert load_game(tmp_path / "game.toml") == find_game(GAME)
    pay_table = "7:2-3:2-1-5:2-3"
    of_main = ('wager = "main"', 'pay_table = "1"', 'figure = "edge"')
    of_wager = (f'wager = "{WAGER}"', f'pay_table = "{pay_table}"', 'figure = "hit_frequency"')
    (tmp_path / "game.toml").write_text(text.replace("\n".join(of_wager), "\n".join(of_main), 1), encoding="utf-8")
    with pytest.raises(SpecError, match="has figures by up card"):
        load_game(tmp_path / "game.toml")


# From short shoes the tree plays every order of the cards, and every dealer's hand is counted as above.

NINE: Counts = (1, 0, 1, 0, 1, 1, 0, 1, 0, 4)
TEN: Counts = (1, 0, 0, 1, 0, 1, 1, 0, 0, 6)
ROW_PAYS = {f"bust_{'ace' if name == 'A' else name}": pays for name, pays in PAYS.items()}
FELT: tuple[dict[str, str], ...] = (
    {},
    {"soft17": "stand"},
    {"peek": "no"},
    {"peek": "no", "surrender": "late"},
    {"surrender": "late"},
    {"double_on": "9-11"},
    {"max_hands": "2"},
    {"insurance": "no"},
    {"max_hands": "2", "split_aces": "play_on", "double_after_split": "no"},
)
ALWAYS = {"max_hands": "1"}


def solved(shoe: Counts, switches: dict[str, str]) -> tuple[Solution, BeforePlay]:
    choice = chosen("main", 1, **ALWAYS | switches)
    rules = choice.game.rules_under(choice.switches)
    pays = {"blackjack": 1.5, "surrender": -0.5}
    solution = solve_anew(make_game(GAME, ClassShoe(np.array(shoe, float)), rules, pays))
    asked = before_play(choice, solution)
    assert asked is not None
    return solution, asked


def worth(shoe: Counts, switches: dict[str, str], takes: bool | None) -> Fraction:
    """What the wager comes to in a round if it is always made, or whenever the cards seen make it pay."""
    total = Fraction(0)
    for up, name in enumerate(NAMES):
        for first, second in ((a, b) for a in range(10) for b in range(10)):
            cards = Counter((up, first, second))
            if any(shoe[card] < number for card, number in cards.items()):
                continue
            left, chance = shoe, Fraction(1)
            for card in (first, up, second):
                chance *= Fraction(left[card], sum(left))
                left = gone(left, card)
            offered, won = under(left, up, switches)
            value = won * (Fraction(PAYS[name]) + 1) - 1
            total += chance * offered * (value if takes else max(value, Fraction(0)))
    return total


@pytest.mark.slow
@pytest.mark.parametrize("shoe", [NINE, TEN], ids=["nine cards", "ten cards"])
@pytest.mark.parametrize("switches", FELT, ids=str)
def test_a_round_makes_of_the_wager_what_counting_dealers_hands_says(switches: dict[str, str], shoe: Counts) -> None:
    solution, asked = solved(shoe, switches)
    usual = solution.tables(solution.best)
    profits = {("bet_the_bust", row): Fraction(pays) for row, pays in ROW_PAYS.items()}

    def comes_to(tables: StrategyTables) -> tuple[Fraction, float]:
        game = short_game(GAME, by_class(shoe), solution.game.rules, {"blackjack": 1.5, "surrender": -0.5})
        played = evaluate(replace(game, pays={**game.pays, **profits}), tables)
        made = sum((line[2] for (wager, _), line in played.endings.items() if wager == WAGER), Fraction(0))
        return made, float(played.edge)

    always, edge = comes_to(usual._replace(before_play=np.ones(550, np.int8)))
    assert always == worth(shoe, switches, takes=True)
    best, same_edge = comes_to(usual._replace(before_play=asked.answers))
    assert best == worth(shoe, switches, takes=None)
    assert edge == same_edge == pytest.approx(-solution.best.account.value, abs=1e-11)
    wager = asked.asked_wager()
    assert wager is not None
    taken = -(wager.edge_taken or 0.0) * wager.taken * float(asked.met.sum())
    assert taken == pytest.approx(float(best), abs=1e-11)
    for start, (first, second) in enumerate(START_CARDS):
        for up in np.flatnonzero(asked.met[:, start]):
            _, won = under(gone(shoe, int(up), first, second), int(up), switches)
            assert asked.values[up, start, 1] == pytest.approx(float(won) * (PAYS[NAMES[up]] + 1) - 1, abs=1e-11)
