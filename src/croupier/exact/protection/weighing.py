"""What each answer is worth to a hand against all that the dealer can have, from some cards: the compiled part.

Every hand that the dealer can make of the cards that are left is compared, and counts in the group that the seat sees
it in: by how many of his hidden cards have backs of their own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from croupier.exact.census import move_on
from croupier.exact.showdown.scan import (
    CLASSES_OF_DEALER,
    MOST_ANSWERS,
    Hands,
    StrengthSettlement,
    settle_all,
    split_dealers,
)
from croupier.kernels.sets import count_bits

GROUPS = 8
"""Backs that a seat can tell apart, and none."""
PROFIT, WAYS, PLAYED = range(3)


class Dealers(NamedTuple):
    """The dealer's side."""

    missing: int
    """Cards of his that the seat has not seen."""
    qualifies: int
    marked: int
    """Cards with backs of their own, as a set."""
    seen: int
    """Of how many of these cards the seat sees the backs."""
    choose: Any
    """Binomial coefficients."""


class Bench(NamedTuple):
    """Room to work in."""

    left: Any
    places: Any
    parts: Any
    counts: Any
    """By group of backs and class of the dealer's hand."""
    cuts: Any


def strength_of_dealer(cards: int) -> int:
    """The strength of all the dealer's cards, put in when linked."""
    raise NotImplementedError("linked with a round's strength before use")


def settle_strengths(
    hands: Hands, showing: Any, settled: StrengthSettlement, flags: Any, profits: Any, legal: Any
) -> None:
    """What every strength comes to by class of the dealer's hand and answer."""
    for group in range(len(hands.groups) - 1):
        start = hands.groups[group]
        split_dealers(hands, settled, hands.strengths[start])
        legal[group] = settle_all(showing, hands, settled, flags, hands.own[start])
        for which in range(CLASSES_OF_DEALER):
            for answer in range(MOST_ANSWERS):
                profits[group, which, answer] = settled.profit[which, answer]


def weigh(deck: int, shown: int, strength: int, dealers: Dealers, bench: Bench) -> None:
    """Counts the dealer's hands that have the cards `shown` and others of the deck."""
    left, places, parts, counts = bench.left, bench.places, bench.parts, bench.counts
    number = 0
    for place in range(len(left)):
        if deck >> place & 1:
            left[number] = 1 << place
            number += 1
    first = min(strength, dealers.qualifies)
    second = max(min(strength + 1, dealers.qualifies), strength)
    third = max(strength + 1, dealers.qualifies)
    for group in range(GROUPS):
        for which in range(CLASSES_OF_DEALER):
            counts[group, which] = 0
    size = dealers.missing
    for place in range(size):
        places[place] = place
    parts[0] = shown
    changed = 0
    while changed >= 0:
        for place in range(changed, size):
            parts[place + 1] = parts[place] | left[places[place]]
        theirs = strength_of_dealer(parts[size])
        which = (theirs >= first) + (theirs >= second) + (theirs >= third)
        if dealers.seen == 0:
            counts[0, which] += 1
        else:
            marks = count_bits(parts[size] & ~shown & dealers.marked)
            for group in range(min(marks, dealers.seen) + 1):
                ways = dealers.choose[marks, group] * dealers.choose[size - marks, dealers.seen - group]
                counts[group, which] += ways
        changed = move_on(size, number, places)


def best_of_groups(profits: Any, legal: int, bench: Bench, found: Any) -> None:
    """Adds the best answer to each group of backs: its profit, the ways there are, those in which the seat stays in."""
    for group in range(GROUPS):
        ways = 0
        for which in range(CLASSES_OF_DEALER):
            ways += bench.counts[group, which]
        if ways == 0:
            continue
        best, most, least = -1, 0, -1
        for answer in range(MOST_ANSWERS):
            if legal >> answer & 1:
                profit = 0
                for which in range(CLASSES_OF_DEALER):
                    profit += bench.counts[group, which] * profits[which, answer]
                if least < 0:
                    least = answer
                if best < 0 or profit >= most:
                    best, most = answer, profit
        found[PROFIT] += most
        found[WAYS] += ways
        if best > least:
            found[PLAYED] += ways


def weigh_deals(
    owns: Any,
    groups: Any,
    strengths: Any,
    shown: Any,
    decks: Any,
    profits: Any,
    legal: Any,
    dealers: Dealers,
    bench: Bench,
    found: Any,
) -> None:
    """Of each deal, which is a seat's hand, the dealer's cards that it has seen and the cards that it has not, the sums
    of `best_of_groups`."""
    for deal in range(len(owns)):
        weigh(decks[deal], shown[deal], strengths[deal], dealers, bench)
        best_of_groups(profits[groups[deal]], legal[groups[deal]], bench, found[deal])
