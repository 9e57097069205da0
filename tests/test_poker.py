"""Poker evaluators: the census of all their hands, the obvious way to rank a hand, and an evaluator of others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest
from bench.poker_census import Array, Census, evaluate
from phevaluator import evaluate_cards

from croupier.kernels import poker_five, poker_wild
from croupier.kernels.link import compile_cpu
from croupier.kernels.poker import class_of, longest_suit
from croupier.kernels.poker_five import best_five, rank_five, rank_five_of_seven, rank_five_of_six
from croupier.kernels.poker_four import best_four, rank_four_of_five, rank_four_of_six
from croupier.kernels.poker_three import rank_three
from croupier.kernels.poker_wild import is_natural, rank_five_wild
from croupier.kernels.sets import JOKER_CARD
from tests import poker_hands
from tests.helpers import ROOT
from tests.poker_hands import (
    EVALUATORS,
    FOUR_ORDER,
    THREE_ORDER,
    Card,
    Value,
    assert_same_order,
    best_value,
    joker_lowest,
    joker_second,
    joker_value,
    random_hands,
    read,
    set_of,
    value,
)

pytestmark = pytest.mark.slow

SEED = 20_261_118
HANDS = 6000
SIMULATED = 30
"""The CUDA simulator runs a Python thread for each hand, so few are ranked there."""

# By class, the lowest first; published in many places.
THREE_COUNTS = [16440, 3744, 1096, 720, 52, 48]
FIVE_COUNTS = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 0, 4]
SIX_COUNTS = [6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1656, 0, 188]
SEVEN_COUNTS = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 0, 4324]


def counts(evaluator: Callable[[int], int], size: int, *, joker: bool = False) -> list[int]:
    """How many hands are of each class, without classes above the last that comes up."""
    found, _ = Census(evaluator).count(size, with_joker=joker)
    return found[: max(index for index, number in enumerate(found) if number) + 1]


@pytest.mark.parametrize(
    ("evaluator", "size", "expected"),
    [
        (rank_three, 3, THREE_COUNTS),
        (rank_five, 5, FIVE_COUNTS),
        pytest.param(rank_five, 6, SIX_COUNTS, marks=pytest.mark.soak),
        (rank_five_of_six, 6, SIX_COUNTS),
        (rank_five_of_seven, 7, SEVEN_COUNTS),
    ],
)
def test_the_census_is_the_published_one(evaluator: Callable[[int], int], size: int, expected: list[int]) -> None:
    assert counts(evaluator, size) == expected
    assert sum(expected) == comb(52, size)


def four_of_five_by_choice(hand: int) -> int:
    """The best of all ways to leave one card out."""
    best, rest = 0, hand
    while rest:
        one = rest & -rest
        rest ^= one
        best = max(best, best_four(hand ^ one, 0))
    return best


def four_of_six_by_choice(hand: int) -> int:
    """The best of all ways to leave two cards out."""
    best, rest = 0, hand
    while rest:
        one = rest & -rest
        rest ^= one
        others = rest
        while others:
            two = others & -others
            others ^= two
            best = max(best, best_four(hand ^ one ^ two, 0))
    return best


def five_of_six_by_choice(hand: int) -> int:
    best, rest = 0, hand
    while rest:
        one = rest & -rest
        rest ^= one
        best = max(best, best_five(hand ^ one, 0))
    return best


@pytest.mark.parametrize(
    ("evaluator", "by_choice", "size"),
    [
        (rank_four_of_five, four_of_five_by_choice, 5),
        pytest.param(rank_four_of_six, four_of_six_by_choice, 6, marks=pytest.mark.soak),
        pytest.param(rank_five_of_six, five_of_six_by_choice, 6, marks=pytest.mark.soak),
    ],
)
def test_all_hands_rank_as_the_best_of_their_choices(
    evaluator: Callable[[int], int], by_choice: Callable[[int], int], size: int
) -> None:
    assert Census(evaluator).count(size) == Census(by_choice).count(size)


@pytest.mark.parametrize(
    ("evaluator", "size", "best_of", "order"),
    [
        (rank_three, 3, 3, THREE_ORDER),
        (lambda hand: best_four(hand, 0), 4, 4, FOUR_ORDER),
        (rank_four_of_five, 5, 4, FOUR_ORDER),
        (rank_four_of_six, 6, 4, FOUR_ORDER),
        (rank_five, 5, 5, range(13)),
        (rank_five, 6, 5, range(13)),
        (rank_five, 7, 5, range(13)),
    ],
)
def test_hands_are_ordered_as_lists_of_cards_are(
    evaluator: Callable[[int], int], size: int, best_of: int, order: list[int]
) -> None:
    def both(cards: list[int]) -> tuple[int, Value]:
        rank, its_value = evaluator(set_of(cards)), best_value([read(card) for card in cards], best_of, order)
        assert class_of(rank) == its_value[0]
        return rank, its_value

    found = [both(cards) for cards in random_hands(size, HANDS * 4 // size, SEED, joker=False)]
    assert_same_order(found)
    assert len({class_of(rank) for rank, _ in found}) >= min(len(order), 9) - 2


@pytest.mark.parametrize("size", [5, 6, 7])
def test_phevaluator_orders_the_hands_alike(size: int) -> None:
    rank_all = compile_cpu(_rank_all, "poker-five", {"evaluate": rank_five})
    hands = random_hands(size, 60_000, SEED + size, joker=False)
    ranks = np.zeros(len(hands), np.int64)
    rank_all(np.array([set_of(cards) for cards in hands], np.int64), ranks)
    # Their numbers begin with the twos, and the best hand is 1.
    theirs = [-evaluate_cards(*((card - 4) % 52 for card in cards)) for cards in hands]
    assert_same_order(zip(ranks.tolist(), theirs, strict=True))


def _rank_all(hands: Array, ranks: Array) -> None:
    for index in range(len(hands)):
        ranks[index] = evaluate(hands[index])


# --- wild cards


def wild_value(naturals: list[Card], wilds: int) -> Value:
    """Every choice of ranks for the wild cards, of the naturals' suit where they have one, and of others."""
    if not naturals:
        return poker_hands.FIVE_WILDS, []
    found = []
    one_suit = len({suit for _, suit in naturals}) == 1
    for ranks in combinations_with_replacement(range(2, 15), wilds):
        for suit in {naturals[0][1], -1} if one_suit else {-1}:
            found.append(value([*naturals, *((rank, suit) for rank in ranks)], range(13)))
    return max(found)


def hands_with_wilds(fewest: int) -> list[tuple[list[int], int, int]]:
    """Natural cards, number of wild cards, and how many hands of 53 cards are like that, for all that have so many
    wild cards or more and are not the same by an exchange of suits."""
    found = []
    for wilds in range(fewest, 6):
        alike: Counter[tuple[int, ...]] = Counter()
        for cards in combinations([card for card in range(52) if card >> 2 != 1], 5 - wilds):
            suits = [0] * 4
            for card in cards:
                suits[card & 3] |= 1 << (card >> 2)
            alike[tuple(sorted(suits))] += comb(5, wilds)
        for suits_held, number in alike.items():
            cards = tuple(4 * rank + suit for suit in range(4) for rank in range(13) if suits_held[suit] >> rank & 1)
            found.append((list(cards), wilds, number))
    return found


WILD_CARDS = [JOKER_CARD, *(4 + suit for suit in range(4))]


def test_hands_with_two_or_more_wild_cards_rank_as_the_best_of_every_choice() -> None:
    found = []
    for cards, wilds, _ in hands_with_wilds(2):
        rank = rank_five_wild(set_of(cards + WILD_CARDS[:wilds]))
        found.append((rank, wild_value([read(card) for card in cards], wilds)))
        assert class_of(rank) == found[-1][1][0]
    assert_same_order(found)


@pytest.mark.soak
def test_the_census_of_wild_cards_is_that_of_every_choice() -> None:
    expected, pairs = Counter({0: 0}), []
    for cards, wilds, number in hands_with_wilds(1):
        its_value = wild_value([read(card) for card in cards], wilds)
        expected[its_value[0]] += number
        pairs.append((rank_five_wild(set_of(cards + WILD_CARDS[:wilds])), its_value))
    assert_same_order(pairs)
    naturals = Census(rank_without_twos).count(5)[0]
    naturals[0] -= comb(52, 5) - comb(48, 5)  # hands with a two are not of these
    found = [
        without + with_one
        for without, with_one in zip(
            Census(rank_five_wild).count(5)[0], Census(rank_five_wild).count(5, with_joker=True)[0], strict=True
        )
    ]
    assert found == [naturals[index] + expected[index] for index in range(len(found))]
    assert sum(found) == comb(53, 5)


def rank_without_twos(hand: int) -> int:
    return rank_five(hand) if hand & poker_wild.WILDS == 0 else 0


def test_a_two_in_its_own_place_is_natural() -> None:
    def natural(*cards: int) -> bool:
        hand = set_of(cards)
        return is_natural(hand, rank_five_wild(hand))

    clubs = [4 * rank for rank in range(13)]
    ace, two, three, four, five, six, *_, king = clubs
    assert natural(two, three, four, five, six)
    assert natural(ace, two, three, five, clubs[7])
    assert not natural(JOKER_CARD, three, four, five, six)
    assert not natural(two, three, four, five, king + 1)
    assert natural(ace, ace + 1, ace + 2, five, six)


@pytest.mark.parametrize(("evaluator", "second"), [(joker_lowest, False), (joker_second, True)])
@pytest.mark.parametrize("size", [5, 7])
def test_the_joker_is_an_ace_or_completes(evaluator: Callable[[int], int], second: bool, size: int) -> None:
    def both(cards: list[int]) -> tuple[int, Value]:
        table = [read(card) for card in cards if card != JOKER_CARD]
        its_value = (
            joker_value(table, wheel_second=second)
            if JOKER_CARD in cards
            else best_value(table, 5, range(13), wheel_second=second)
        )
        rank = evaluator(set_of(cards))
        assert class_of(rank) == its_value[0]
        return rank, its_value

    aces = [[0, 1, 2, 3, JOKER_CARD, 20, 30][:size]]
    found = [both(cards) for cards in aces + random_hands(size, 1200 if size == 5 else 60, SEED, joker=True)]
    assert_same_order(found)
    assert poker_five.FIVE_ACES in {class_of(rank) for rank, _ in found}


def test_the_census_of_seven_with_a_joker_is_the_published_one() -> None:
    """Fortune Pai Gow's hands out of 154,143,080. Its top rows are parts of royal and straight flushes, and hands that
    hold both count there as three of a kind and not as straights, so each two are taken together."""
    with_joker = counts(joker_lowest, 7, joker=True)
    both = [without + more for without, more in zip([*SEVEN_COUNTS, 0], with_joker, strict=True)]
    assert both[poker_five.FIVE_ACES] == 1128
    assert both[poker_five.ROYAL_FLUSH] + both[poker_five.STRAIGHT_FLUSH] == 26020 + 184644 + 32 + 72 + 196
    assert both[poker_five.FLUSH : poker_five.STRAIGHT_FLUSH] == [6172088, 4188528, 307472]
    assert both[poker_five.STRAIGHT] + both[poker_five.TRIPS] == 11034204 + 7672500
    assert sum(both) == comb(53, 7)


def test_the_longest_suit_is_compared_from_the_top() -> None:
    def by_list(cards: list[int]) -> tuple[int, list[int]]:
        table = [read(card) for card in cards]
        suits = [sorted((rank for rank, suit in table if suit == one), reverse=True) for one in range(4)]
        return max((len(ranks), ranks) for ranks in suits)

    hands = random_hands(7, HANDS, SEED, joker=False)
    assert_same_order((longest_suit(set_of(cards)), by_list(cards)) for cards in hands)
    # Seven cards by the length of their longest suit: how many ways four suits share them.
    by_length: Counter[int] = Counter()
    for shares in combinations_with_replacement(range(8), 4):
        if sum(shares) == 7:
            ways = len(set(_orders(shares)))
            by_length[max(shares)] += ways * int(np.prod([comb(13, share) for share in shares]))
    assert counts(longest_suit, 7) == [by_length[length] for length in range(8)]


def _orders(shares: tuple[int, ...]) -> list[tuple[int, ...]]:
    if not shares:
        return [()]
    return [(one, *rest) for at, one in enumerate(shares) for rest in _orders(shares[:at] + shares[at + 1 :])]


# --- targets


@pytest.mark.parametrize("name", EVALUATORS)
def test_compiled_ranks_are_those_of_plain_python(name: str) -> None:
    evaluator, size, joker = EVALUATORS[name]
    hands = [set_of(cards) for cards in random_hands(size, HANDS // 2, SEED, joker=joker)]
    ranks = np.zeros(len(hands), np.int64)
    compile_cpu(_rank_all, f"poker-{name}", {"evaluate": evaluator})(np.array(hands, np.int64), ranks)
    assert ranks.tolist() == [evaluator(hand) for hand in hands]


def test_cuda_ranks_are_those_of_plain_python() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "tests.poker_simulator", str(SIMULATED), str(SEED)],
        cwd=ROOT,
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    expected = {
        name: [evaluator(set_of(cards)) for cards in random_hands(size, SIMULATED, SEED, joker=joker)]
        for name, (evaluator, size, joker) in EVALUATORS.items()
    }
    assert json.loads(made.stdout) == expected
