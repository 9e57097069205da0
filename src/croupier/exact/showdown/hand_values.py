"""What every answer is worth at one sight: each hand that the dealer can hide is compared."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

import numpy as np

from croupier.exact.decide import TREE_WAGER, OneSeatGame
from croupier.exact.showdown import scan, subset_counts, suit_counts
from croupier.exact.showdown.paths import declared_showdown, linked_plain, new_showing
from croupier.exact.showdown.settlement import LEGAL, LOWEST_LEGAL
from croupier.kernels.link import compile_cpu, link, plain
from croupier.kernels.sets import EMPTY_SET, JOKER_CARD, set_of
from croupier.kernels.sights import own_of_sight, up_of_sight

SAMPLE = 3000
"""Hands of the dealer that an estimate looks at."""
RESULTS = 6
"""The dealer's hand below the seat's, equal or above, and unqualified or qualified."""


def strength_of_dealer(cards: int) -> int:
    """The strength of all the dealer's cards, put in when linked."""
    raise NotImplementedError("linked with a round's strength before use")


def compare_all(
    left: Any, size: int, up: int, strength: int, qualifies: int, places: Any, parts: Any, counts: Any, hands: Any
) -> None:
    """Counts the hands that can be made of an up card and so many of the cards that are left, and keeps one of each
    result. `places` and `parts` are room for the cards that are chosen, and for the sets of the first of them."""
    parts[0] = up
    changed = 0
    for place in range(size):
        places[place] = place
    while changed >= 0:
        for place in range(changed, size):
            parts[place + 1] = parts[place] | left[places[place]]
        dealer = parts[size]
        theirs = strength_of_dealer(dealer)
        result = (theirs >= strength) + (theirs > strength) + 3 * (theirs >= qualifies)
        counts[result] += 1
        hands[result] = dealer
        changed = size - 1
        while changed >= 0 and places[changed] == len(left) - size + changed:
            changed -= 1
        if changed >= 0:
            places[changed] += 1
            for place in range(changed + 1, size):
                places[place] = places[place - 1] + 1


def values_of(game: OneSeatGame, sight: int, dealers: scan.Hands | None = None) -> Mapping[int, Fraction]:
    """The profit of every legal answer, in first wagers. `dealers` has the dealer's hands, where suits decide alone."""
    own, up = cards_of_sight(game, sight)
    if declared_showdown(game).by_suit:
        assert dealers is not None
        met = _met_by_suit(game, own, dealers)
    else:
        met = _met(game, own, up)
    total = sum(times for times, _ in met)
    return {
        answer: Fraction(sum(times * profit for (times, _), profit in zip(met, profits, strict=True)), total)
        / (TREE_WAGER * game.scale)
        for answer, profits in _profits(game, own, up, met).items()
    }


def estimated_values(game: OneSeatGame, sight: int, number: int = SAMPLE) -> Mapping[int, tuple[float, float]]:
    """The same from so many hands of the dealer, drawn alike for each sight: means with their standard errors. In plain
    Python, at once, where counting them all has to be compiled first."""
    own, up = cards_of_sight(game, sight)
    showdown, draws = declared_showdown(game), Random(sight)
    left = [1 << bit for bit in range(JOKER_CARD + 1) if set_of(game.deck.cards) & ~(own | up) & 1 << bit]
    strength_of_dealer = link(showdown.dealer_strength or showdown.strength, plain)
    mine = showdown.strength(own)
    counts: dict[int, list[int]] = {}
    for _ in range(number):
        dealer = up | sum(draws.sample(left, showdown.hidden))
        theirs = strength_of_dealer(dealer)
        result = (theirs >= mine) + (theirs > mine) + 3 * (theirs >= showdown.qualifies)
        counts.setdefault(result, [0, dealer])[0] += 1
    met = [(times, dealer) for times, dealer in counts.values()]
    values = {}
    for answer, profits in _profits(game, own, up, met).items():
        each = [profit / (TREE_WAGER * game.scale) for profit in profits]
        mean = sum(times * profit for (times, _), profit in zip(met, each, strict=True)) / number
        square = sum(times * profit * profit for (times, _), profit in zip(met, each, strict=True)) / number
        values[answer] = mean, sqrt(max(square - mean * mean, 0.0) / number)
    return values


def cards_of_sight(game: OneSeatGame, sight: int) -> tuple[int, int]:
    """The own cards and the dealer's up card, as sets."""
    if declared_showdown(game).up > 0:
        return own_of_sight(sight), up_of_sight(sight)
    return sight, EMPTY_SET


def _profits(game: OneSeatGame, own: int, up: int, met: list[tuple[int, int]]) -> dict[int, list[int]]:
    """What each legal answer wins against each of these hands of the dealer, in the smallest unit."""
    has_up = declared_showdown(game).up > 0
    numbers = {"hands": [own, up, EMPTY_SET], "memory": [0] * game.declared.memory}  # numbers that have no last bit
    showing = new_showing(game)._replace(**numbers)
    run = linked_plain(game.declared.play)
    showing.path[0] = LOWEST_LEGAL
    run(showing)
    legal = int(showing.asked[0][LEGAL])
    profits: dict[int, list[int]] = {}
    for answer in range(scan.MOST_ANSWERS):
        if legal >> answer & 1:
            showing.path[0] = answer
            profits[answer] = []
            for _, dealer in met:
                shown = up or (dealer & -dealer if has_up else EMPTY_SET)
                showing.hands[:] = [own, shown, dealer & ~shown]
                profits[answer].append(int(run(showing)[0]))
    return profits


def _met(game: OneSeatGame, own: int, up: int) -> list[tuple[int, int]]:
    """How often each result comes, with a hand of the dealer that has it."""
    showdown = declared_showdown(game)
    deck = set_of(game.deck.cards) & ~(own | up)
    left = np.array([1 << bit for bit in range(JOKER_CARD + 1) if deck >> bit & 1], np.int64)
    counts, hands = np.zeros(RESULTS, np.int64), np.zeros(RESULTS, np.int64)
    strength = {"strength_of_dealer": showdown.dealer_strength or showdown.strength}
    run = compile_cpu(compare_all, f"showdown-compare-{game.name}", strength)
    room = np.zeros(showdown.hidden, np.int64), np.zeros(showdown.hidden + 1, np.int64)
    run(left, showdown.hidden, up, showdown.strength(own), showdown.qualifies, *room, counts, hands)
    return [(int(times), int(hand)) for times, hand in zip(counts, hands, strict=True) if times]


def _met_by_suit(game: OneSeatGame, own: int, dealers: scan.Hands) -> list[tuple[int, int]]:
    """The same from the counts by suit."""
    showdown = declared_showdown(game)
    strength = showdown.strength(own)
    counts = suit_counts.new_counts(dealers.deck, showdown.strength, showdown.hidden)
    add = compile_cpu(suit_counts.add_below, "suit-counts-add")
    bounds = {
        subset_counts.BELOW: strength,
        subset_counts.UP_TO: strength + 1,
        subset_counts.UNQUALIFIED: showdown.qualifies,
    }
    for column, bound in bounds.items():
        add(counts, column, bound)
    below, up_to, unqualified = compile_cpu(suit_counts.count_below, "suit-counts-below")(
        counts, own, EMPTY_SET, strength
    )
    cuts = [0, *sorted((int(below), int(up_to), int(unqualified))), dealers.total]
    strengths = dealers.dealer_strengths
    starts = sorted(int(np.searchsorted(strengths, bound)) for bound in bounds.values())
    times = [later - earlier for earlier, later in pairwise(cuts)]
    return [(number, int(dealers.dealers[at])) for number, at in zip(times, [0, *starts], strict=True) if number]
