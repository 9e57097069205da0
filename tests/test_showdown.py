"""Showdowns on a board, counted: against the tree on short decks, and their own account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from croupier.exact.decide import Deck, OneSeatGame, decide
from croupier.exact.plain_rules import follow
from croupier.exact.showdown import board
from croupier.exact.showdown.sample import sampled_decisions
from croupier.exact.tree_sheet import game_of
from croupier.kernels.holdem import answer_by_board, board_sight
from croupier.kernels.rounds.ultimate_texas_holdem import AFTER_FLOP, BEFORE_FLOP, CHECK, PLAY_4X, known_answer
from croupier.kernels.sights import answer_by_sight
from croupier.rules import find_game
from croupier.rules.choice import choose

THREE_RANKS = (0, 5, 12)
"""With four suits: full houses and four of a kind."""
SIX_RANKS = (0, 8, 9, 10, 11, 12)
"""With two suits: straights, flushes, and straight flushes."""
LIMIT = 3
"""Of a single wager, in first ones: four antes cannot be played."""


def short_game(name: str, ranks: Sequence[int], suits: int, **settings: str) -> OneSeatGame:
    """A game from a deck of so many cards; ranks from 0 for aces."""
    game = game_of(choose(find_game(name), "ante", settings=settings))
    cards = tuple(rank * 4 + suit for rank in ranks for suit in range(suits))
    return OneSeatGame(game.declared, game.name, game.rules, Deck(cards, (1,) * len(cards)), game.pays)


def by_tree(game: OneSeatGame) -> Any:
    """Every deal and answer, where all that a seat knows is what a sight says."""
    return decide(replace(game, declared=replace(game.declared, answer=answer_by_sight)), keep=False)


def agree(game: OneSeatGame) -> None:
    """The account to the last digit, and at many sights the answer and what each is worth."""
    counted, decided = board.count(game, keep=False), by_tree(game)
    assert (counted.edge, counted.square, counted.staked) == (decided.edge, decided.square, decided.staked)
    assert counted.endings == decided.endings
    assert counted.ties == decided.ties
    for one in Random(5).sample(decided.decisions, min(150, len(decided.decisions))):
        assert counted.values_at(one.question, one.sight) == one.values
        assert answer_by_board(counted.tables, [], [], game.rules, one.sight, 0, 0, one.question, 3) == one.answer


CASES = [
    ("ultimate_texas_holdem", {}),
    ("ultimate_texas_holdem", {"play_3x": "no"}),
    ("texas_holdem_bonus", {}),
    ("texas_holdem_bonus", {"ante_wins_with": "flush"}),
]


@pytest.mark.parametrize("name", ["ultimate_texas_holdem", "texas_holdem_bonus"])
def test_showdowns_from_ten_cards_are_what_the_tree_says(name: str) -> None:
    agree(short_game(name, (0, 9, 10, 11, 12), 2))


@pytest.mark.soak
@pytest.mark.parametrize(("name", "settings"), CASES)
@pytest.mark.parametrize(("ranks", "suits"), [(THREE_RANKS, 4), (SIX_RANKS, 2)])
def test_showdowns_from_a_short_deck_are_what_the_tree_says(
    name: str, settings: dict[str, str], ranks: tuple[int, ...], suits: int
) -> None:
    agree(short_game(name, ranks, suits, **settings))


@pytest.mark.soak
@pytest.mark.parametrize(("name", "settings"), CASES)
def test_showdowns_from_sixteen_cards_are_what_the_tree_says(name: str, settings: dict[str, str]) -> None:
    agree(short_game(name, (0, 6, 7, 8, 9, 10, 11, 12), 2, **settings))


@pytest.mark.soak
def test_a_limit_for_single_wagers_takes_answers_away() -> None:
    game = short_game("ultimate_texas_holdem", THREE_RANKS, 4)
    limited = replace(game, rules=game.rules._replace(cap=2 * LIMIT))
    agree(limited)
    assert board.count(limited, keep=False).edge > board.count(game, keep=False).edge


@pytest.mark.parametrize("name", ["ultimate_texas_holdem", "texas_holdem_bonus"])
def test_rules_of_thumb_cost_what_the_tree_says(name: str) -> None:
    game = short_game(name, (0, 9, 10, 11, 12), 2)
    assert board.count(game, keep=False).followed == follow(by_tree(game))


def test_sixty_nine_holdings_are_raised_before_the_flop_as_the_rule_says() -> None:
    """Thirteen pairs, and of every two ranks one holding in one suit and one in two."""
    holdings = [1 << high | 1 << low + 13 * suit for high in range(13) for low in range(high) for suit in (0, 1)]
    holdings += [1 << rank | 1 << rank + 13 for rank in range(13)]
    assert len(holdings) == 169
    assert sum(known_answer(BEFORE_FLOP, board_sight(own, 0, 0)) == PLAY_4X for own in holdings) == 69


@pytest.mark.soak
def test_best_play_raises_sixty_nine_holdings_and_the_rule_of_thumb_costs_a_quarter_percent() -> None:
    game = game_of(choose(find_game("ultimate_texas_holdem"), "ante"))
    counted = board.count(game)
    (cells,) = counted.charts.values()
    assert sum(answer == "play_4x" for row in cells.values() for answer in row.values()) == 69
    (rule,) = counted.followed
    assert 0.002 < rule.cost < 0.003


def test_a_longer_first_street_is_worth_as_much_to_every_exchange_of_suits() -> None:
    """The same cards with suits exchanged are one sight."""
    own, flop = 0b11, 0b111 << 13 | 1 << 30
    moved = own << 26, (flop & (1 << 26) - 1) | 1 << 4
    assert board_sight(own, flop, 0) == board_sight(*moved, 0)
    assert board_sight(own, flop, 0) != board_sight(own, flop, 1)


@pytest.mark.parametrize(
    ("name", "deals"),
    [("ultimate_texas_holdem", 27_813_810_024_000), ("texas_holdem_bonus", 55_627_620_048_000)],
)
def test_deals_are_those_that_differ_in_who_gets_what_on_which_street(name: str, deals: int) -> None:
    assert board.deals_of(game_of(choose(find_game(name), "ante"))) == deals


def test_accounts_of_a_short_deck_add_up() -> None:
    counted = board.count(short_game("ultimate_texas_holdem", (0, 9, 10, 11, 12), 2), keep=False)
    assert sum((profit for _, _, profit in counted.endings.values()), Fraction(0)) == -counted.edge
    assert sum((staked for _, staked, _ in counted.endings.values()), Fraction(0)) == counted.staked
    for wager in ("ante", "blind"):
        assert sum(often for (of, _), (often, _, _) in counted.endings.items() if of == wager) == 1


@pytest.mark.parametrize("name", ["ultimate_texas_holdem", "texas_holdem_bonus"])
def test_sampled_questions_have_the_answers_and_the_values_of_the_tree(name: str) -> None:
    game = short_game(name, (0, 9, 10, 11, 12), 2)
    sampled = sampled_decisions(game, board.count(game, keep=False))
    known = {(one.question, one.sight): one for one in by_tree(game).decisions}
    assert sum(one.weight for one in sampled if one.question == 0) == 1
    for one in sampled:
        whole = known[one.question, one.sight]
        assert (one.answer, one.values) == (whole.answer, whole.values)


def test_sampled_questions_are_those_of_best_play() -> None:
    """Who plays before the flop is not asked after it."""
    game = short_game("ultimate_texas_holdem", (0, 9, 10, 11, 12), 2)
    sampled = sampled_decisions(game, board.count(game, keep=False))
    checked = sum(one.weight for one in by_tree(game).decisions if (one.question, one.answer) == (BEFORE_FLOP, CHECK))
    after_flop = sum(one.weight for one in sampled if one.question == AFTER_FLOP)
    assert 0 < checked < 1
    assert abs(after_flop - checked) < Fraction(1, 8)  # four standard errors of 256 deals
