"""Hidden hands counted by inclusion and exclusion: against the tree, which deals every card of a short deck."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import JOKER_CARD
from croupier.exact import decide
from croupier.exact.decide import Deck, OneSeatGame
from croupier.exact.played import compute_strategy
from croupier.exact.showdown import hands
from croupier.exact.showdown.sample import sampled_decisions
from croupier.exact.showdown.sheet import ShowdownSheet
from croupier.exact.tree_sheet import game_of
from croupier.kernels.link import link, plain
from croupier.kernels.poker import longest_run
from croupier.kernels.sets import set_of
from croupier.kernels.sights import answer_by_sight
from croupier.reports.report import Table
from croupier.reports.strategy.report import strategy_report
from croupier.rules import find_game
from croupier.rules.choice import choose

ACE, TWO, SEVEN, EIGHT, NINE, TEN, QUEEN, KING = 0, 1, 6, 7, 8, 9, 11, 12
SHORT: dict[str, tuple[int, ...]] = {
    "caribbean_stud": (ACE, KING, NINE),
    "crazy_4_poker": (ACE, KING, NINE),
    "four_card_poker": (ACE, TWO, NINE),
    "dj_wild": (ACE, TWO, NINE),
    "i_luv_suits": (ACE, SEVEN, NINE, TEN),
}
"""Ranks of a deck with as few cards as a round takes."""
LONGER: dict[str, list[tuple[int, ...]]] = {
    "caribbean_stud": [(ACE, KING, QUEEN, NINE), (ACE, KING, QUEEN, TEN, NINE), (TWO, SEVEN, EIGHT, KING)],
    "crazy_4_poker": [(ACE, KING, QUEEN, NINE, TEN), (TWO, SEVEN, EIGHT, NINE, QUEEN, KING)],
    "four_card_poker": [(ACE, TWO, NINE, TEN), (ACE, KING, QUEEN, TEN, NINE)],
    "dj_wild": [(ACE, TWO, KING, QUEEN), (TWO, SEVEN, EIGHT, NINE, TEN)],
    "i_luv_suits": [(ACE, SEVEN, EIGHT, NINE, TEN), (TWO, SEVEN, EIGHT, NINE, QUEEN)],
}


def short_game(game: str, ranks: tuple[int, ...]) -> OneSeatGame:
    whole = game_of(choose(find_game(game), find_game(game).first_wager.id))
    cards = [rank * 4 + suit for rank in ranks for suit in range(4)] + [JOKER_CARD] * whole.declared.has_joker
    return OneSeatGame(whole.declared, whole.name, whole.rules, Deck(tuple(cards), (1,) * len(cards)), whole.pays)


def check(game: OneSeatGame) -> None:
    """Edge, square, money, every ending, every answer and its worth are those of the tree."""
    counted, decided = hands.count(game, keep=False), decide.decide(game, keep=False)
    assert (counted.edge, counted.square, counted.staked) == (decided.edge, decided.square, decided.staked)
    assert counted.endings == decided.endings
    assert counted.ties == decided.ties
    tables = counted.tables
    for one in decided.decisions:
        assert answer_by_sight(tables, [], [], None, one.sight, 0, 0, one.question, 3) == one.answer
    for one in decided.decisions[:: max(1, len(decided.decisions) // 5)]:
        assert counted.values_at(one.question, one.sight) == one.values
    sampled = sampled_decisions(game, counted)
    assert sum(one.weight for one in sampled) == 1
    for one in sampled:
        whole = decided.at(one.question, one.sight)
        assert (one.answer, one.values) == (whole.answer, whole.values)


@pytest.fixture
def _plain_tree(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The tree in plain Python: for so few deals that takes less time than to compile it."""
    monkeypatch.setattr(decide, "compile_cpu", lambda function, name, replace: link(function, plain, replace))
    with warnings.catch_warnings(), np.errstate(over="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


@pytest.mark.usefixtures("_plain_tree")
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=() if game == "crazy_4_poker" else pytest.mark.soak)
        for game in SHORT
        if game != "i_luv_suits"
    ],
)
def test_the_shortest_deck_comes_out_as_the_tree_has_it(game: str) -> None:
    check(short_game(game, SHORT[game]))


LONG = [(game, ranks) for game, decks in LONGER.items() for ranks in decks]
SOAKED = [pytest.param(game, ranks, marks=pytest.mark.soak) for game, ranks in LONG]


@pytest.mark.parametrize(("game", "ranks"), [("i_luv_suits", SHORT["i_luv_suits"]), *SOAKED])
def test_a_longer_deck_comes_out_as_the_tree_has_it(game: str, ranks: tuple[int, ...]) -> None:
    check(short_game(game, ranks))


@pytest.mark.parametrize("most", [1, 2, pytest.param(3, marks=pytest.mark.soak)])
def test_a_limit_for_single_wagers_takes_answers_away_as_in_the_tree(most: int) -> None:
    """With the ante's amount as the limit nobody plays more than once, with twice as much nobody three times."""
    game = short_game("i_luv_suits", SHORT["i_luv_suits"])
    limited = OneSeatGame(game.declared, game.name, game.rules._replace(cap=most * 2), game.deck, game.pays)
    answers = hands.count(limited, keep=False).tables.answers
    assert max(map(int, answers)) <= most
    check(limited)


def sheet_of(game: str, **settings: str) -> ShowdownSheet:
    sheet = compute_strategy(choose(find_game(game), find_game(game).first_wager.id, settings=settings))
    assert isinstance(sheet, ShowdownSheet)
    return sheet


FIGURES = {
    "caribbean_stud": (Fraction(5224305771577866, 10**17), 19_933_230_517_200),
    "crazy_4_poker": (Fraction(3418854962982327, 10**17), 3_986_646_103_440),
    "dj_wild": (Fraction(3467375658289620, 10**17), 4_913_773_104_240),
}


@pytest.mark.parametrize("game", FIGURES)
def test_the_edge_and_the_number_of_deals_stay_what_they_are(game: str) -> None:
    edge, deals = FIGURES[game]
    played = sheet_of(game).played
    assert abs(played.edge - edge) < Fraction(1, 10**15)
    assert played.deals == deals


def test_a_side_wagers_switch_changes_nothing_of_the_main_game() -> None:
    assert sheet_of("crazy_4_poker", side_wagers_after_fold="dead").edge == sheet_of("crazy_4_poker").edge


def test_an_account_of_hands_adds_up() -> None:
    played = sheet_of("crazy_4_poker").played
    assert sum((profit for _, _, profit in played.endings.values()), Fraction(0)) == -played.edge
    assert sum((staked for _, staked, _ in played.endings.values()), Fraction(0)) == played.staked
    for wager in ("ante", "super_bonus"):
        assert sum(often for (id, _), (often, _, _) in played.endings.items() if id == wager) == 1


def test_the_best_rule_by_strength_is_the_one_that_people_know() -> None:
    sheet = sheet_of("crazy_4_poker")
    found, known = sheet.followed
    assert found.text == "Fold; Play 1x from K-Q-8-4 on; Play 3x from pair of aces, 5-3 on"
    assert found.edge == known.edge > sheet.edge
    tables = [block for block in strategy_report(sheet).blocks if isinstance(block, Table)]
    table = next(table for table in tables if table.title == "Rules of thumb")
    assert [row.cells[-1] for row in table.rows] == [found.text, known.text]
    found, known, by_up_card = sheet_of("caribbean_stud").followed
    assert found.text == "Fold; Raise from A-K-J-8-3 on"
    assert found.edge == known.edge
    assert (round(100 * known.edge, 2), round(100 * by_up_card.cost, 4)) == (5.32, 0.0002)


def longest_run_by_hand(cards: list[int]) -> int:
    """Straight flushes by looking for every one there is, the ace on either end."""
    held = {((card >> 2) + place, card & 3) for card in cards for place in ((0, 13) if card < 4 else (0,))}
    runs = [
        size for size in range(1, 8) for rank, suit in held if all((rank + step, suit) in held for step in range(size))
    ]
    return max(runs)


@given(st.sets(st.integers(0, 51), min_size=7, max_size=7))
def test_the_longest_straight_flush_is_the_longest_that_there_is(cards: set[int]) -> None:
    assert longest_run(set_of(sorted(cards))) == longest_run_by_hand(sorted(cards))
