"""Poker hands to try, and the slow and obvious way to rank them: lists of cards, every choice tried, the best taken."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise

from croupier.kernels.poker import longest_suit
from croupier.kernels.poker_five import rank_five, rank_five_of_seven, rank_five_of_six
from croupier.kernels.poker_four import rank_four_of_five, rank_four_of_six
from croupier.kernels.poker_three import rank_three
from croupier.kernels.poker_wild import LOWEST_STRAIGHT, SECOND_STRAIGHT, rank_five_joker, rank_five_wild
from croupier.kernels.sets import EMPTY_SET, JOKER_CARD, add_to_set, canonical

ACE, JACK = 14, 11
DECK = [(rank, suit) for rank in range(2, ACE + 1) for suit in range(4)]
Card = tuple[int, int]
"""Rank 2 to 14, suit; as the table reads it, not as the kernels do."""
Value = tuple[int, list[int]]
"""Class and what decides within it, compared as they are."""

HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, FIVE_KIND, ROYAL = range(11)
FIVE_ACES, FIVE_WILDS = 11, 12
THREE_ORDER = [HIGH, PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH]
FOUR_ORDER = [HIGH, PAIR, TWO_PAIR, STRAIGHT, FLUSH, TRIPS, STRAIGHT_FLUSH, QUADS]


def joker_lowest(hand: int) -> int:
    return rank_five_joker(hand, LOWEST_STRAIGHT)


def joker_second(hand: int) -> int:
    return rank_five_joker(hand, SECOND_STRAIGHT)


EVALUATORS: dict[str, tuple[Callable[[int], int], int, bool]] = {
    "three": (rank_three, 3, False),
    "four_of_five": (rank_four_of_five, 5, False),
    "four_of_six": (rank_four_of_six, 6, False),
    "five": (rank_five, 5, False),
    "five_of_six": (rank_five_of_six, 6, False),
    "five_of_seven": (rank_five_of_seven, 7, False),
    "wild": (rank_five_wild, 5, True),
    "joker": (joker_lowest, 5, True),
    "joker_of_seven": (joker_second, 7, True),
    "longest_suit": (longest_suit, 7, False),
    "canonical": (canonical, 7, True),
}
"""Function, cards of a hand, and whether a joker may be among them."""


def set_of(cards: Iterable[int]) -> int:
    hand = EMPTY_SET
    for card in cards:
        hand = add_to_set(hand, card)
    return hand


def read(card: int) -> Card:
    """A card number as the table reads it."""
    rank, suit = divmod(card, 4)
    return (ACE if rank == 0 else rank + 1, suit)


def random_hands(size: int, count: int, seed: int, *, joker: bool) -> list[list[int]]:
    """Card numbers; of every three hands one is of a full deck, one of two suits and one of six ranks with both ends,
    so that the rare classes come up. Where a joker may be, every other hand has it."""
    chance = random.Random(seed)
    decks = [
        list(range(52)),
        [card for card in range(52) if card & 3 < 2],
        [card for card in range(52) if card >> 2 in (0, 1, 2, 10, 11, 12)],
    ]
    hands = []
    for number in range(count):
        cards = chance.sample(decks[number % 3], size)
        if joker and number & 1:
            cards[-1] = JOKER_CARD
        hands.append(cards)
    return hands


def value(cards: Sequence[Card], order: Sequence[int], *, wheel_second: bool = False) -> Value:
    """Of exactly these cards; flushes and straights are of all of them. Cards may be there twice, as wild ones."""
    count = len(cards)
    by_rank = Counter(rank for rank, _ in cards)
    ranks = sorted(by_rank, key=lambda rank: (by_rank[rank], rank), reverse=True)
    times = sorted(by_rank.values(), reverse=True)
    flush = len({suit for _, suit in cards}) == 1 and len(ranks) == count
    straight = len(ranks) == count and ranks[0] - ranks[-1] == count - 1
    if len(ranks) == count and ranks == [ACE, *range(count, 1, -1)]:
        straight, ranks = True, [ACE - 0.5 if wheel_second else count]  # type: ignore[list-item]
    elif straight:
        ranks = ranks[:1]
    if flush and straight:
        found = ROYAL if count == 5 and ranks == [ACE] else STRAIGHT_FLUSH
    elif times[0] >= 4:
        found = FIVE_KIND if times[0] == 5 else QUADS
    elif times[:2] == [3, 2]:
        found = FULL_HOUSE
    elif flush or straight:
        found = FLUSH if flush else STRAIGHT
    else:
        found = TRIPS if times[0] == 3 else TWO_PAIR if times[:2] == [2, 2] else PAIR if times[0] == 2 else HIGH
    return order.index(found), ranks


def best_value(cards: Sequence[Card], count: int, order: Sequence[int], *, wheel_second: bool = False) -> Value:
    """Of the best so many of the cards."""
    return max(value(choice, order, wheel_second=wheel_second) for choice in combinations(cards, count))


def joker_value(cards: Sequence[Card], *, wheel_second: bool) -> Value:
    """With a joker beside these cards: every card tried in its place, an ace always, others where rules let them."""
    found = []
    for five in combinations(cards, 4):
        for card in DECK:
            rank, _ = card
            if card in five:
                if all(five.count((ACE, suit)) for suit in range(4)):
                    found.append((FIVE_ACES, [ACE]))
                continue
            one = value([*five, card], range(13), wheel_second=wheel_second)
            if rank == ACE or one[0] in (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL):
                found.append(one)
    if len(cards) >= 5:
        found.append(best_value(cards, 5, range(13), wheel_second=wheel_second))
    return max(found)


def assert_same_order(pairs: Iterable[tuple[int, object]]) -> None:
    """That ranks and values order the hands alike: equal where equal, better where better."""
    by_rank: dict[int, object] = {}
    for rank, its_value in pairs:
        assert by_rank.setdefault(rank, its_value) == its_value
    values = [by_rank[rank] for rank in sorted(by_rank)]
    for worse, better in pairwise(values):
        assert worse < better  # type: ignore[operator]
