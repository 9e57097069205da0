"""Rounds decided stage by stage, against sums over every deal that are written out here once more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from croupier.exact.decide import TREE_WAGER, Decided, Deck, OneSeatGame, decide
from croupier.exact.tree_sheet import game_of
from croupier.rules import find_game
from croupier.rules.choice import choose

Card = int
"""Rank times four and suit, the ace first."""
SHORT = [(9, 10, 11, 0), (0, 1, 2, 3), (4, 5, 8, 9)]


def naive_class(cards: tuple[Card, ...]) -> str:
    """Five cards by the rules as written."""
    ranks = sorted(((card >> 2) + 12) % 13 for card in cards)
    times = sorted(Counter(ranks).values(), reverse=True)
    suited = len({card & 3 for card in cards}) == 1
    straight = len(set(ranks)) == 5 and (ranks[4] - ranks[0] == 4 or ranks == [0, 1, 2, 3, 12])
    if straight and suited:
        return "royal_flush" if ranks[0] == 8 else "straight_flush"
    if times[0] == 4:
        return "four_of_a_kind"
    if times == [3, 2]:
        return "full_house"
    if suited or straight:
        return "flush" if suited else "straight"
    if times[0] == 3:
        return "three_of_a_kind"
    return {(2, 2, 1): "two_pair", (2, 1, 1, 1): "pair"}.get(tuple(times), "high_card")


def pair_rank(cards: tuple[Card, ...]) -> int:
    """Of a pair: two 0, ace 12."""
    ranks = [((card >> 2) + 12) % 13 for card in cards]
    return next(rank for rank in ranks if ranks.count(rank) == 2)


LET_IT_RIDE = [1000, 200, 50, 11, 8, 5, 3, 2]
MISSISSIPPI = [500, 100, 40, 10, 6, 4, 3, 2]
CLASSES = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind"]


def naive_pay(cards: tuple[Card, ...], pays: list[int], least: int, push: int) -> int:
    """Profit of one wager: pairs win from rank `least` on, and push from `push` on."""
    name = naive_class(cards)
    if name == "pair":
        rank = pair_rank(cards)
        return 1 if rank >= least else 0 if rank >= push else -1
    return -1 if name == "high_card" else pays[[*CLASSES, "two_pair"].index(name)]


def after(deck: frozenset[Card], cards: frozenset[Card]) -> Iterator[frozenset[Card]]:
    for card in deck - cards:
        yield cards | {card}


def naive_let_it_ride(deck: frozenset[Card]) -> Fraction:
    """Each of the two wagers rides where it is worth more than nothing; the third always does."""

    @cache
    def worth(cards: frozenset[Card]) -> Fraction:
        if len(cards) == 5:
            return Fraction(naive_pay(tuple(cards), LET_IT_RIDE, 8, 8))
        return sum((worth(more) for more in after(deck, cards)), Fraction(0)) / (len(deck) - len(cards))

    hands = [frozenset(own) for own in combinations(sorted(deck), 3)]
    total = Fraction(0)
    for own in hands:
        second = sum((max(worth(four), Fraction(0)) for four in after(deck, own)), Fraction(0)) / (len(deck) - 3)
        total += worth(own) + max(worth(own), Fraction(0)) + second
    return -total / len(hands)


def naive_mississippi(deck: frozenset[Card], most: int = 3) -> Fraction:
    """On each street the best of a fold, which loses all, and one to three antes."""

    @cache
    def worth(cards: frozenset[Card], staked: int) -> Fraction:
        if len(cards) == 5:
            return Fraction(staked * naive_pay(tuple(cards), MISSISSIPPI, 9, 4))
        answers = [Fraction(-staked)]
        for times in range(1, most + 1):
            following = [worth(more, staked + times) for more in after(deck, cards)]
            answers.append(sum(following, Fraction(0)) / len(following))
        return max(answers)

    hands = [frozenset(own) for own in combinations(sorted(deck), 2)]
    return -sum((worth(own, 1) for own in hands), Fraction(0)) / len(hands)


def decided_from(name: str, deck: list[Card]) -> Decided:
    game = game_of(choose(find_game(name), find_game(name).first_wager.id))
    short = OneSeatGame(game.declared, game.name, game.rules, Deck(tuple(deck), (1,) * len(deck)), game.pays)
    return decide(short, keep=False)


@pytest.mark.parametrize("ranks", SHORT)
@pytest.mark.parametrize(
    ("name", "naive"), [("let_it_ride", naive_let_it_ride), ("mississippi_stud", naive_mississippi)]
)
def test_a_short_deck_comes_to_what_a_plain_recursion_says(
    name: str, naive: Callable[[frozenset[Card]], Fraction], ranks: tuple[int, ...]
) -> None:
    deck = [rank * 4 + suit for rank in ranks for suit in range(4)]
    assert decided_from(name, deck).edge == naive(frozenset(deck))


def test_a_limit_for_single_wagers_leaves_the_wagers_that_are_within_it() -> None:
    deck = [rank * 4 + suit for rank in SHORT[0] for suit in range(4)]
    game = game_of(choose(find_game("mississippi_stud"), "ante"))
    rules = game.rules._replace(cap=2 * TREE_WAGER)
    short = OneSeatGame(game.declared, game.name, rules, Deck(tuple(deck), (1,) * len(deck)), game.pays)
    assert decide(short, keep=False).edge == naive_mississippi(frozenset(deck), most=2)


@pytest.mark.parametrize("name", ["let_it_ride", "mississippi_stud"])
def test_each_first_sight_is_as_likely_as_its_cards_and_worth_what_the_round_is(name: str) -> None:
    deck = [rank * 4 + suit for rank in SHORT[0] for suit in range(4)]
    decided = decided_from(name, deck)
    first = [decision for decision in decided.decisions if decision.question == 0]
    assert sum(decision.weight for decision in first) == 1
    assert -sum(decision.weight * decision.values[decision.answer] for decision in first) == decided.edge


def test_what_a_seat_takes_back_is_not_at_risk() -> None:
    deck = [rank * 4 + suit for rank in SHORT[0] for suit in range(4)]
    decided = decided_from("let_it_ride", deck)
    rides = [sum(d.weight for d in decided.decisions if d.question == number and d.answer == 1) for number in (0, 1)]
    assert decided.staked == 1 + sum(rides)
