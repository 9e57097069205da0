"""How many hands of a dealer avoid a seat's cards, by inclusion and exclusion over these.

    hands below r that avoid P = sum over subsets T of P of (-1)^|T| * hands below r that contain T

How many contain a set of cards is the same for all sets that differ by an exchange of suits, so it is counted for one
of each class, while hands are added from the weakest on.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.showdown.hand_classes import SUIT_ORDERS, alike_orders, hand_classes
from croupier.kernels.link import compile_cpu
from croupier.kernels.sets import JOKER, JOKER_CARD, count_bits, join_suits, split_suits

Array = NDArray[np.int64]

BELOW, UP_TO, UNQUALIFIED = range(3)
"""Columns: dealers' hands lower than the seat's, lower or equal, and those that do not qualify."""
COLUMNS = 4


class SubsetCounts(NamedTuple):
    """What is counted so far."""

    places: Any
    """By bit of a set: where that card stands among the cards of the deck."""
    ways: Any
    """Binomial coefficients: `ways[n, k]`."""
    starts: Any
    """By size: where the classes of the sets of that size begin in `classes`."""
    classes: Any
    """By size and place of a set among all of its size: the number of its class."""
    alike: Any
    """By class: in how many ways suits can be exchanged without a change."""
    counts: Any
    """By class and column: `SUIT_ORDERS` times the hands counted that contain such a set."""
    total: Any
    """By column: the hands counted."""
    reached: Any
    """By column: how many of the dealer's hands have been looked at."""
    hands: Any
    """The dealer's hands, one of each class, the weakest first."""
    strengths: Any
    weights: Any
    qualifies: int
    size: int
    """Cards of the dealer."""
    index: Any
    signs: Any
    sets: Any
    """Room for the subsets of one hand."""


def strength_of_dealer(cards: int) -> int:
    """The strength of all the dealer's cards, put in when linked."""
    raise NotImplementedError("linked with a round's strength before use")


def number_subsets(counts: SubsetCounts, cards: int) -> int:
    """Numbers all subsets of some cards: their places in `index`, their sets in `sets`; returns how many there are."""
    index, sets, signs = counts.index, counts.sets, counts.signs
    index[0] = 0
    sets[0] = 0
    signs[0] = 0
    known = 1
    while cards != 0:
        bit = cards & -cards
        cards ^= bit
        place = counts.places[place_of(bit)]
        for lower in range(known):
            size = signs[lower] + 1
            index[known + lower] = index[lower] + counts.ways[place, size]
            sets[known + lower] = sets[lower] | bit
            signs[known + lower] = size
        known *= 2
    return known


def place_of(bit: int) -> int:
    """Where the only bit of a set is."""
    place = 0
    if bit >> 32:
        place = 32
        bit >>= 32
    if bit >> 16:
        place += 16
        bit >>= 16
    if bit >> 8:
        place += 8
        bit >>= 8
    if bit >> 4:
        place += 4
        bit >>= 4
    if bit >> 2:
        place += 2
        bit >>= 2
    return place + (bit >> 1)


def add_below(counts: SubsetCounts, column: int, bound: int) -> None:
    """Counts all hands of the dealer whose strength is below a bound."""
    at = counts.reached[column]
    while at < len(counts.hands) and counts.strengths[at] < bound:
        weight = counts.weights[at]
        counts.total[column] += weight
        for number in range(1, number_subsets(counts, counts.hands[at])):
            size = counts.signs[number]
            if size < counts.size:
                of = counts.classes[counts.starts[size] + counts.index[number]]
                counts.counts[of, column] += weight * counts.alike[of]
        at += 1
    counts.reached[column] = at


def count_below(counts: SubsetCounts, own: int, up: int, bound: int) -> tuple[int, int, int]:
    """The dealer's hands that contain the cards `up`, a set, and none of the own cards: those below `bound`, those up
    to it, and those that do not qualify. All below it and up to it have been added."""
    below = 0
    up_to = 0
    unqualified = 0
    needed = count_bits(up)
    for number in range(number_subsets(counts, own | up)):
        cards = counts.sets[number]
        size = counts.signs[number]
        if cards & up != up or size > counts.size:
            continue
        odd = (size - needed) & 1
        if size == counts.size:
            strength = strength_of_dealer(cards)
            one = SUIT_ORDERS
            first, second, third = (
                one * (strength < bound),
                one * (strength <= bound),
                one * (strength < counts.qualifies),
            )
        elif size == 0:
            first, second, third = (
                SUIT_ORDERS * counts.total[BELOW],
                SUIT_ORDERS * counts.total[UP_TO],
                SUIT_ORDERS * counts.total[UNQUALIFIED],
            )
        else:
            of = counts.classes[counts.starts[size] + counts.index[number]]
            first, second, third = counts.counts[of, BELOW], counts.counts[of, UP_TO], counts.counts[of, UNQUALIFIED]
        sign = -1 if odd else 1
        below += sign * first
        up_to += sign * second
        unqualified += sign * third
    return below // SUIT_ORDERS, up_to // SUIT_ORDERS, unqualified // SUIT_ORDERS


def number_classes(counts: SubsetCounts, size: int, first: int, sets: Any) -> None:
    """Gives every set of a size the number of its class: `first` for that of the first of `sets`, and so on."""
    for number in range(len(sets)):
        a, b, c, d = split_suits(sets[number])
        counts.alike[first + number] = alike_orders(a, b, c, d)
        joker = sets[number] & JOKER
        suits = (a, b, c, d)
        for one in range(4):
            for two in range(4):
                for three in range(4):
                    four = 6 - one - two - three
                    if one != two and one != three and two != three:
                        cards = join_suits(suits[one], suits[two], suits[three], suits[four]) | joker
                        at = place_of_set(counts, cards)
                        counts.classes[counts.starts[size] + at] = first + number


def place_of_set(counts: SubsetCounts, cards: int) -> int:
    """Where a set stands among all sets of its size."""
    at = 0
    size = 0
    while cards != 0:
        bit = cards & -cards
        cards ^= bit
        size += 1
        at += counts.ways[counts.places[place_of(bit)], size]
    return at


def new_counts(deck: int, dealers: tuple[Array, Array, Array], qualifies: int, size: int, own: int) -> SubsetCounts:
    """Nothing counted yet. `dealers` are the dealer's hands, the weakest first, with strengths and weights."""
    cards = deck.bit_count()
    places = np.zeros(JOKER_CARD + 1, np.int64)
    for number, bit in enumerate(bit for bit in range(JOKER_CARD + 1) if deck >> bit & 1):
        places[bit] = number
    ways = np.array([[comb(n, k) for k in range(size + own + 2)] for n in range(cards + 1)], np.int64)
    starts = np.zeros(size + 1, np.int64)
    for number in range(1, size):
        starts[number + 1] = starts[number] + comb(cards, number)
    lists = [hand_classes(deck, number)[0] for number in range(1, size)]
    room = 1 << max(size, own + 1)
    counts = SubsetCounts(
        places=places,
        ways=ways,
        starts=starts,
        classes=np.zeros(sum(comb(cards, number) for number in range(1, size)), np.int32),
        alike=np.zeros(sum(map(len, lists)), np.int64),
        counts=np.zeros((sum(map(len, lists)), COLUMNS), np.int64),
        total=np.zeros(COLUMNS, np.int64),
        reached=np.zeros(COLUMNS, np.int64),
        hands=dealers[0],
        strengths=dealers[1],
        weights=dealers[2],
        qualifies=qualifies,
        size=size,
        index=np.zeros(room, np.int64),
        signs=np.zeros(room, np.int64),
        sets=np.zeros(room, np.int64),
    )
    number_all = compile_cpu(number_classes, "number-classes")
    first = 0
    for number, sets in enumerate(lists, 1):
        number_all(counts, number, first, sets)
        first += len(sets)
    return counts


def another(counts: SubsetCounts) -> SubsetCounts:
    """The same with nothing counted, for another thread."""
    fresh = ("counts", "total", "reached", "index", "signs", "sets")
    return counts._replace(**{name: np.zeros_like(getattr(counts, name)) for name in fresh})
