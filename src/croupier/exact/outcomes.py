"""Exact distribution of a bet's outcomes: scene, suits and shoe put together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.census import census
from croupier.exact.keep import BetKey, kept
from croupier.exact.row_bets import row_ways
from croupier.exact.scenes import Ends, card_classes, scene_ends
from croupier.exact.shoe import SUIT_COUNT, ClassCards, Shoe, exactly_these_suits, ways
from croupier.exact.walker import walk
from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import with_suits
from croupier.kernels.link import compile_cpu, link, plain
from croupier.kernels.outside import FAILURES
from croupier.rules.trial import classified

Array = NDArray[Any]

SUIT_SETS = 16
UNDECLARED = -2
DISTRIBUTIONS_KEPT = 500
_WORTH_COMPILING = 200_000
"""Classifications that take plain Python longer than loading Numba takes."""


@dataclass(frozen=True)
class Distribution:
    """Ways of each outcome, `LOSE` included, out of `denominator`. Integers, never rounded."""

    ways: dict[int, int]
    denominator: int


def exact_distribution(
    bet: Bet, name: str, shoe: Shoe, *, options: int = 0, value: str = "", side: str = "player"
) -> Distribution:
    """In how many ways does each outcome come from a fresh shoe? `options` are the bet's switches, packed;
    `value` is that of the switch its scene depends on.

    The last ones are kept: pay tables are compared and drafted over the same ways again and again.
    """
    if bet.scene.is_set:
        return Distribution(*census(bet, name, shoe.decks, options))
    return kept_distribution(BetKey(bet), name, shoe, options, value, side)


@lru_cache(DISTRIBUTIONS_KEPT)
def kept_distribution(key: BetKey, name: str, shoe: Shoe, options: int, value: str, side: str) -> Distribution:
    count_ways = row_ways if key.bet.scene.is_row else _ways_by_suits
    total, longest = count_ways(key, name, shoe, options, value, side)
    # A hand of fixed size is counted without order, as the published tables do; an endless shoe has no such count.
    scene = key.bet.scene
    unordered = factorial(scene.own_cards) * factorial(scene.dealer_cards) if scene.is_opening and shoe.decks else 1
    if any(value % unordered for value in total.values()):
        raise NotComputedError(f'The ways of "{name}" cannot be counted without order.', code="ways_mismatch")
    result = {outcome: value // unordered for outcome, value in sorted(total.items())}
    denominator = shoe.sequences(longest) // unordered
    if sum(result.values()) != denominator:
        raise NotComputedError(
            f'The ways of "{name}" add up to {sum(result.values())}, not to the {denominator} there are.',
            code="ways_mismatch",
        )
    return Distribution(result, denominator)


def _ways_by_suits(
    key: BetKey, name: str, shoe: Shoe, options: int, value: str, side: str
) -> tuple[dict[int, int], int]:
    """Ordered ways of each outcome of a bet that asks which suits occur, and the most cards that an end has."""
    view = bet_view(key, name, options, value, side)
    longest = int(view.sizes.max())
    wide = not shoe.fits_64_bits(longest)
    kind: Any = object if wide else np.int64
    # Shorter rounds count once for each way the cards after them could lie, so that all share one denominator.
    tails = np.array([shoe.sequences(longest) // shoe.sequences(n) for n in range(longest + 1)], kind)
    scale = view.orders.astype(kind) * tails[view.sizes]
    total: dict[int, int] = {}
    if key.bet.suits == "none":
        _add_up(total, view.members[0], ways(shoe, view.cards, 4, wide=wide) * scale)
    else:
        within = [ways(shoe, view.cards, k, wide=wide) * scale for k in range(1, 5)]
        exactly = exactly_these_suits(within)
        for suits, members in zip(range(1, SUIT_SETS), view.members, strict=True):
            _add_up(total, members, exactly[suits.bit_count() - 1])
    return total, longest


@dataclass(frozen=True, kw_only=True)
class BetView:
    """A scene as one bet sees it. The shoe has no say in it, so it is made once."""

    class_cards: tuple[tuple[int, ...], ...]
    """The card ids of each class."""
    cards: list[ClassCards]
    sizes: Array
    """How many cards each end took."""
    orders: Array
    members: list[dict[int, Array]]
    """For each set of suits (one entry where suits do not matter): the ends of each outcome."""


@cache
def bet_view(key: BetKey, name: str, options: int, value: str, side: str) -> BetView:
    bet = key.bet
    ends = scene_ends(bet.scene, faces=bet.faces, value=value, side=side)
    own, other = ends.counts(ends.own), ends.counts(ends.other)
    nothing = np.zeros_like(own)
    painted, free = {"own": (own, other), "all": (own + other, nothing), "none": (nothing, own + other)}[bet.suits]
    used = [rank for rank, size in enumerate(ends.class_sizes) if size]
    outcomes = _classify(bet, name, options, ends, f"{value}-{side}")
    return BetView(
        class_cards=tuple(_ids_of_class(rank, ends.class_sizes[rank]) for rank in used),
        cards=[_class_cards(ends.class_sizes[rank], painted[:, rank], free[:, rank]) for rank in used],
        sizes=own.sum(1) + other.sum(1),
        orders=ends.orders,
        members=[{int(o): np.flatnonzero(column == o) for o in np.unique(column)} for column in outcomes.T],
    )


def _ids_of_class(rank: int, ranks: int) -> tuple[int, ...]:
    """The cards of so many ranks from this one on."""
    return tuple(range(SUIT_COUNT * rank, SUIT_COUNT * (rank + ranks)))


def _class_cards(ranks: int, painted: Array, free: Array) -> ClassCards:
    codes, kind_of_end = np.unique(painted * 16 + free, return_inverse=True)
    return ClassCards(ranks=ranks, kinds=tuple(divmod(int(code), 16) for code in codes), kind_of_end=kind_of_end)


def _add_up(total: dict[int, int], members: dict[int, Array], weights: Array) -> None:
    for outcome, ends in members.items():
        value = int(weights[ends].sum())
        if value:
            total[outcome] = total.get(outcome, 0) + value


# Classifying ends. Suits are tried as sets: a bet never asks more than which suits occur.


def classify(own: int, other: int, options: int) -> int:
    """The bet's classifier, replaced when linked."""
    raise NotImplementedError("linked with a bet before use")


def classify_ends(own: Array, other: Array, last: int, both: bool, options: int, rows: int, out: Array) -> None:
    """Fills `out[end, suits - 1]` for every set of suits from 1 to `last`, painted on the own hand or on both.

    What is none of the bet's `rows` becomes UNDECLARED: a cell of `out` is narrow, and might make a row of it.
    """
    for end in range(len(own)):
        for suits in range(1, last + 1):
            other_painted = with_suits(other[end], suits) if both else other[end]
            row = classify(with_suits(own[end], suits), other_painted, options)
            out[end, suits - 1] = row if LOSE <= row < rows else UNDECLARED


def _classify(bet: Bet, name: str, options: int, ends: Ends, variant: str) -> Array:
    """The outcome of every end, a column for each set of suits (one column where suits do not matter)."""
    last = SUIT_SETS - 1 if bet.suits != "none" else 1
    out = np.full((len(ends.own), last), LOSE, np.int16)
    both, rows = bet.suits == "all", len(bet.outcomes)

    def compiled() -> tuple[Array]:
        run = compile_cpu(classify_ends, f"classify-{name}", {"classify": bet.classify})
        run(ends.own, ends.other, last, both, options, rows, out)
        _require_declared(bet, options, ends, out)
        return (out,)

    try:
        if out.size > _WORTH_COMPILING:
            return kept(
                f"outcomes-{name}-{options}-{variant}", [classify_ends, bet.classify, walk, card_classes], compiled
            )[0]
        link(classify_ends, plain, {"classify": bet.classify})(
            ends.own.tolist(), ends.other.tolist(), last, both, options, rows, out
        )
    except FAILURES:
        if bet.outside is not None:
            _classify_one_by_one(bet, options, ends, np.ndindex(out.shape))
        raise
    _require_declared(bet, options, ends, out)
    return out


def _require_declared(bet: Bet, options: int, ends: Ends, out: Array) -> None:
    """Refuses odds of a bet that returns what it did not declare."""
    _classify_one_by_one(bet, options, ends, np.argwhere(out == UNDECLARED))


def _classify_one_by_one(bet: Bet, options: int, ends: Ends, cells: Iterable[Any]) -> None:
    """Classifies some cells in plain Python, which refuses a bet with the first hand that it goes wrong for."""
    for end, column in ((int(end), int(column)) for end, column in cells):
        own, other = int(ends.own[end]), int(ends.other[end])
        other_painted = with_suits(other, column + 1) if bet.suits == "all" else other
        classified(bet, with_suits(own, column + 1), other_painted, options)
