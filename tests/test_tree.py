"""The tree: real rounds over every deal and every answer, against sums that are written out here once more."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from croupier.exact.decide import Deck, OneSeatGame, decide
from croupier.exact.played import compute_strategy
from croupier.exact.tree_sheet import TreeSheet, game_of
from croupier.rules import find_game
from croupier.rules.choice import choose


def sheet_of(game: str, **settings: str) -> TreeSheet:
    found = compute_strategy(choose(find_game(game), find_game(game).first_wager.id, settings=settings))
    assert isinstance(found, TreeSheet)
    return found


def naive_rank(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Three cards by the rules as written, aces high: class, then what decides within it."""
    ranks = sorted(((card >> 2) + 12) % 13 for card in cards)
    suited = len({card & 3 for card in cards}) == 1
    kinds = Counter(ranks)
    low_straight = ranks == [0, 1, 12]
    straight = low_straight or (len(kinds) == 3 and ranks[2] - ranks[0] == 2)
    top = 1 if low_straight else ranks[2]
    if straight:
        return (5 if suited else 3, top)
    if len(kinds) == 1:
        return (4, ranks[0])
    if len(kinds) == 2:
        pair = next(rank for rank, times in kinds.items() if times == 2)
        return (1, pair, next(rank for rank in kinds if rank != pair))
    return (2 if suited else 0, *reversed(ranks))


def naive_edge(deck: list[int]) -> Fraction:
    """Three Card Poker with ante bonus 1-4-5, from any deck: each hand folds or plays, whichever is better over all
    hands that rank the same."""
    sums: dict[tuple[int, ...], list[int]] = {}
    bonus = {3: 1, 4: 4, 5: 5}
    deals = 0
    for own in combinations(deck, 3):
        mine = naive_rank(own)
        row = sums.setdefault(mine, [0, 0])
        left = [card for card in deck if card not in own]
        for other in combinations(left, 3):
            theirs = naive_rank(other)
            deals += 1
            row[0] -= 1
            row[1] += bonus.get(mine[0], 0)
            if theirs < (0, 10, 1, 0):
                row[1] += 1
            else:
                row[1] += 2 if mine > theirs else -2 if mine < theirs else 0
    return -Fraction(sum(max(row) for row in sums.values()), deals)


@pytest.mark.parametrize("ranks", [(9, 10, 11, 0), (0, 1, 2, 11), (3, 7, 9, 10, 11)])
def test_three_card_poker_from_a_short_deck_is_what_a_naive_sum_says(ranks: tuple[int, ...]) -> None:
    """Ranks of the deck, 0 the ace: short decks have other qualifying hands, straights and pairs."""
    cards = [rank * 4 + suit for rank in ranks for suit in range(4)]
    game = game_of(choose(find_game("three_card_poker"), "ante"))
    short = OneSeatGame(game.declared, game.name, game.rules, Deck(tuple(cards), (1,) * len(cards)), game.pays)
    assert decide(short, keep=False).edge == naive_edge(cards)


def test_rules_that_people_know_of_three_card_poker_and_casino_war_cost_what_analysts_print() -> None:
    costs = {one.id: (round(100 * one.edge, 2), one.cost) for one in sheet_of("three_card_poker").followed}
    assert costs["queen_six_four"] == (3.37, 0)
    assert (costs["as_the_dealer"][0], costs["never_fold"][0]) == (3.45, 7.65)
    war = {one.id: round(100 * one.edge, 2) for one in sheet_of("casino_war").followed}
    assert war == {"always_war": 2.88, "always_surrender": 3.70}


def test_three_card_poker_is_played_from_queen_six_four_on() -> None:
    found = sheet_of("three_card_poker")
    assert found.charts == {
        "play_or_fold": {"5-3-2 to Q-6-3": {"answer": "fold"}, "Q-6-4 to mini royal": {"answer": "play"}}
    }
    assert round(100 * found.edge, 4) == 3.3730
    assert round(100 * found.element_of_risk, 4) == 2.0147
    assert round(found.account.standard_deviation, 3) == 1.639
    assert found.decided.deals == 52 * 51 * 50 * 49 * 48 * 47


def test_an_account_adds_up() -> None:
    for found in (sheet_of("three_card_poker"), sheet_of("casino_war", bonus="one_unit")):
        decided = found.decided
        assert sum((profit for _, _, profit in decided.endings.values()), Fraction(0)) == -decided.edge
        assert sum((staked for _, staked, _ in decided.endings.values()), Fraction(0)) == decided.staked
        first = found.choice.game.declared.first_wager
        assert sum(often for (wager, _), (often, _, _) in decided.endings.items() if wager == first) == 1


def naive_war(decks: int, bonus: int) -> Fraction:
    """Casino War, always to war, by counting ranks."""
    cards = 52 * decks
    tie = Fraction(4 * decks - 1, cards - 1)
    value = Fraction(0)  # win and loss of the first cards cancel
    left = Counter(dict.fromkeys(range(13), 4 * decks))
    for rank in range(13):
        after = left - Counter({rank: 2})
        total = cards - 2
        for mine, times in after.items():
            for theirs, others in after.items():
                chance = Fraction(times, total) * Fraction(others - (mine == theirs), total - 1)
                won = 1 + bonus * (mine == theirs) if mine >= theirs else -2
                value += tie * chance * won / 13
    return -value


@pytest.mark.parametrize("bonus", [0, 1])
@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_casino_war_is_what_counting_ranks_says(decks: int, bonus: int) -> None:
    settings = {"bonus": "one_unit" if bonus else "none"}
    found = decide(game_of(choose(find_game("casino_war"), "main", decks=str(decks), settings=settings)), keep=False)
    assert found.edge == naive_war(decks, bonus)
    assert {one.answer for one in found.decisions} == {1}


def test_always_surrendering_costs_more() -> None:
    """The published cost of never going to war, six decks: half a wager for each tie."""
    found = sheet_of("casino_war").decided
    give_up = sum((one.weight * one.values[0] for one in found.decisions), Fraction(0))
    assert round(-100 * float(give_up), 2) == 3.70
    assert {one.values[0] for one in found.decisions} == {Fraction(-1, 2)}
