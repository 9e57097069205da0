"""What cards of the dealer are worth that a seat should not have seen: optimal play of the same round, knowing them.

The dealer's hands are counted as for the game itself, but only those that have the known cards; the round that settles
them is the one that is played. Exact.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.decide import TREE_WAGER, OneSeatGame, whole_sums
from croupier.exact.keep import kept
from croupier.exact.showdown import hand_classes, scan, subset_counts
from croupier.exact.showdown import hands as listed
from croupier.exact.showdown.charts import UP_NAMES
from croupier.exact.showdown.paths import declared_showdown, new_showing
from croupier.exact.showdown.scan import (
    CLASSES_OF_DEALER,
    MOST_ANSWERS,
    NOT_MET,
    Hands,
    StrengthSettlement,
    add_below,
    count_below,
    settle_all,
    split_counts,
    split_dealers,
)
from croupier.exact.showdown.subset_counts import BELOW, UNQUALIFIED, UP_TO
from croupier.exact.tree import add_to
from croupier.exact.tree_sheet import game_of
from croupier.kernels.sets import EMPTY_SET, JOKER, RANK_COUNT
from croupier.rules.choice import Choice

Array = NDArray[Any]
Tell = Callable[[float], None]

MOST_KNOWN = 2
RANKS = RANK_COUNT + 1
"""Ranks of a known card, and the joker."""
WEIGHT, PROFIT, PLAYED = range(3)
"""Sums of two words: deals, profit in the smallest unit, deals in which the seat does not fold."""
SUMS = 3


class Found(NamedTuple):
    """What the scan fills."""

    sums: Any
    """By rank of the known card, of several by that of the lowest place; then by sum, in two words."""
    played: Any
    """By strength and rank of the known card: hands that play, less those that fold."""
    flags: Any
    """Hands done, ties, and whether the round asked not just one question, as the scan has them."""


def scan_knowing(
    hands: Hands,
    counts: Any,
    showing: Any,
    settled: StrengthSettlement,
    found: Found,
    known_sets: Any,
    first: int,
    last: int,
) -> None:
    """Decides the hands of the strengths `first` to `last`, the last one not, against all cards that may be known."""
    add_below(counts, UNQUALIFIED, hands.qualifies)
    for group in range(first, last):
        start, end = hands.groups[group], hands.groups[group + 1]
        strength = hands.strengths[start]
        add_below(counts, BELOW, strength)
        add_below(counts, UP_TO, strength + 1)
        split_dealers(hands, settled, strength)
        legal = settle_all(showing, hands, settled, found.flags, hands.own[start])
        if found.flags[scan.UNEXPECTED]:
            return
        for at in range(start, end):
            for known in known_sets:
                if hands.own[at] & known == EMPTY_SET:
                    decide_knowing(hands, counts, settled, found, legal, at, group, known)
            found.flags[scan.DONE] += 1


def decide_knowing(
    hands: Hands,
    counts: Any,
    settled: StrengthSettlement,
    found: Found,
    legal: int,
    at: int,
    group: int,
    known: int,
) -> None:
    """The best answer of a hand that knows these cards, and what it comes to."""
    below, up_to, unqualified = count_below(counts, hands.own[at], known, hands.strengths[at])
    split_counts(settled, below, up_to, unqualified, hands.total)
    least = NOT_MET
    best = NOT_MET
    best_profit = 0
    for answer in range(MOST_ANSWERS):
        if legal >> answer & 1:
            profit = 0
            for which in range(CLASSES_OF_DEALER):
                profit += settled.counts[which] * settled.profit[which, answer]
            if least == NOT_MET:
                least = answer
            if best == NOT_MET or profit >= best_profit:
                best, best_profit = answer, profit
    place = 0
    while known >> place & 1 == 0:
        place += 1
    rank = RANK_COUNT if known == JOKER else place % RANK_COUNT
    weight = hands.weights[at]
    add_to(found.sums[rank], WEIGHT, hands.total, weight)
    add_to(found.sums[rank], PROFIT, weight, best_profit)
    add_to(found.sums[rank], PLAYED, hands.total, weight if best > least else 0)
    found.played[group, rank] += weight if best > least else -weight


@dataclass(frozen=True, kw_only=True)
class RankKnown:
    """A single card of the dealer that the seat has seen."""

    rank: str
    share: Fraction
    """How often it is of this rank."""
    edge: Fraction
    """Of the house then, in first wagers."""
    plays_from: str | None
    """The lowest hand that plays, in words; None where every hand does, or where it depends on more than strength."""
    always: bool


@dataclass(frozen=True, kw_only=True)
class Exposed:
    """Optimal play by a seat that knows so many of the dealer's cards before it answers."""

    known: int
    shown: int
    """How many of them the rules show."""
    edge: Fraction
    """Of the house, in first wagers."""
    played: Fraction
    """How often the seat does not fold."""
    ranks: tuple[RankKnown, ...]
    """Of one known card."""


def check_exposed(choice: Choice) -> int:
    """Raises where nothing can be said; returns how many cards the rules show."""
    showdown = choice.game.declared.showdown
    if showdown is None or not showdown.is_by_hands:
        raise NotComputedError(
            f"What hidden cards are worth is computed for games in which a seat's own hand meets the dealer's, and not "
            f"for {choice.game.name}.",
            code="no_hidden_hand",
        )
    return showdown.up


def exposed(choice: Choice, known: int, progress: Tell | None = None) -> Exposed:
    """Exact; kept on disk."""
    shown = check_exposed(choice)
    game = game_of(choice)
    if not shown < known <= MOST_KNOWN:
        raise NotComputedError(f"{known} known cards: computed for {shown + 1} to {MOST_KNOWN}.", code="too_many_known")
    identity = (game.rules, game.deck, sorted(game.pays.items()), known)
    name = f"exposed-{game.name}-{hashlib.sha256(repr(identity).encode()).hexdigest()[:16]}"
    sources: list[Any] = [hand_classes, scan, subset_counts, game.declared.play, scan_knowing]
    sums, played, strengths = kept(name, sources, lambda: _scanned(game, known, progress))
    return _result(game, known, whole_sums(sums).astype(object), played, strengths)


def _scanned(game: OneSeatGame, known: int, progress: Tell | None) -> tuple[Array, ...]:
    tell = progress or listed.unheard
    ready = listed.prepared(game, known)
    deck, showdown = ready.hands.deck, declared_showdown(game)
    size = showdown.up + showdown.hidden
    hands = ready.hands._replace(total=comb(deck.bit_count() - showdown.own - known, size - known))
    bits = [1 << place for place in range(JOKER.bit_length()) if deck >> place & 1]
    known_sets = np.array([sum(cards) for cards in combinations(bits, known)], np.int64)
    run = listed.linked_scan(game, scan_knowing, "knowing", ready.replace)
    edges = listed.parts_of(hands, os.cpu_count() or 1)
    groups = len(hands.groups) - 1
    parts = [
        Found(np.zeros((RANKS, SUMS, 2), np.int64), np.zeros((groups, RANKS), np.int64), np.zeros(3, np.int64))
        for _ in edges[1:]
    ]
    with ThreadPoolExecutor(len(parts)) as pool:
        jobs = [
            pool.submit(
                run,
                hands,
                subset_counts.another(ready.counts),
                new_showing(game),
                listed.new_settled(),
                part,
                known_sets,
                first,
                last,
            )
            for part, first, last in zip(parts, edges, edges[1:], strict=False)
        ]
        while wait(jobs, listed.LOOKED_AT).not_done:
            tell(sum(int(part.flags[scan.DONE]) for part in parts) / len(hands.own))
        for job in jobs:
            job.result()
    if any(part.flags[scan.UNEXPECTED] for part in parts):
        raise NotComputedError(f"{game.name} asks not just one question, so its hands cannot be counted.")
    sums: Array = sum((part.sums for part in parts), np.zeros_like(parts[0].sums))
    played: Array = sum((part.played for part in parts), np.zeros_like(parts[0].played))
    return sums, played, hands.strengths[hands.groups[:-1]]


def _result(game: OneSeatGame, known: int, sums: Array, played: Array, strengths: Array) -> Exposed:
    showdown = declared_showdown(game)
    total = sums.sum(0)
    unit = TREE_WAGER * game.scale
    size = showdown.up + showdown.hidden
    cards = game.deck.total
    deals = comb(cards, showdown.own) * comb(cards - showdown.own, known)
    deals *= comb(cards - showdown.own - known, size - known)
    if total[WEIGHT] != deals:
        raise NotComputedError(
            f"The deals of {game.name} add up to {total[WEIGHT]}, not to the {deals} there are.", code="ways_mismatch"
        )
    ranks = []
    for rank, of_rank in enumerate(sums if known == 1 else []):
        weight = int(of_rank[WEIGHT])
        if weight:
            plays = np.flatnonzero(played[:, rank] > 0)
            always = bool((played[:, rank] >= 0).all())
            ranks.append(
                RankKnown(
                    rank=UP_NAMES[rank],
                    share=Fraction(weight, deals),
                    edge=-Fraction(int(of_rank[PROFIT]), weight * unit),
                    plays_from=None if always or not len(plays) else showdown.words(int(strengths[plays[0]])),
                    always=always,
                )
            )
    return Exposed(
        known=known,
        shown=showdown.up,
        edge=-Fraction(int(total[PROFIT]), deals * unit),
        played=Fraction(int(total[PLAYED]), deals),
        ranks=tuple(ranks),
    )
