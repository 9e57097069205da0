"""Bets on rows of cards: ranks are walked as for any bet, then every card of every end is painted with every suit.

In how many ways a shoe deals certain cards depends on nothing but how many of them are alike: the first of a kind comes
in as many ways as there are decks, the next in one less. So hands are counted by how many of their cards have none,
one, two ... like them before, once for all shoes.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.keep import BetKey, kept
from croupier.exact.scenes import Ends, card_classes, scene_ends
from croupier.exact.shoe import Shoe
from croupier.exact.walker import walk
from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.link import compile_cpu, link, plain
from croupier.kernels.outside import FAILURES
from croupier.kernels.rows import CARD_BITS, EMPTY_ROW, rank_at, row_size
from croupier.rules.trial import classified

Array = NDArray[Any]

WORTH_COMPILING = 4
"""Cards of a hand from which on plain Python takes longer than a compiler."""
HIGHEST_SUIT = 3


class Painting(NamedTuple):
    """Two hands while they are painted, own cards first; what is about each card is at its place."""

    cards: Any
    of_rank: Any
    """The how manieth of its rank in its hand a card is, from 1."""
    own: Any
    """Of the cards before a place: the own row."""
    other: Any
    orders: Any
    """Orders in which the suits can lie on cards of one rank."""
    alike: Any
    """The sum of `steps`."""
    steps: Any
    """What a card counts that has none, one, two ... like it before: sums tell these numbers apart."""
    undeclared: Any
    """The two hands that a bet returned what it did not declare for."""


def classify(own: int, other: int, options: int) -> int:
    """The bet's classifier, replaced when linked."""
    raise NotImplementedError("linked with a bet before use")


def lay_out(painting: Painting, first: int, row: int) -> int:
    """Puts the ranks of a row from that place on, in the lowest suit; the place after the last."""
    cards, of_rank = painting.cards, painting.of_rank
    size = row_size(row)
    for place in range(size):
        at = first + place
        cards[at] = 4 * rank_at(row, place)
        of_rank[at] = of_rank[at - 1] + 1 if place > 0 and cards[at] == cards[at - 1] else 1
    return first + size


def put_together(painting: Painting, changed: int, owned: int, size: int) -> None:
    """All that follows from the cards from `changed` on."""
    cards, of_rank, own, other, orders, alike, steps, _ = painting
    for at in range(changed, size):
        start = owned if at >= owned else 0
        in_hand = 0
        in_all = 0
        for before in range(at):
            if cards[before] == cards[at]:
                in_all += 1
                if before >= start:
                    in_hand += 1
        card = (cards[at] + 1) << CARD_BITS * (at - start)
        own[at + 1] = own[at] | card if at < owned else own[at]
        other[at + 1] = other[at] | card if at >= owned else EMPTY_ROW
        orders[at + 1] = orders[at] * of_rank[at] // (in_hand + 1)
        alike[at + 1] = alike[at] + steps[in_all]


def paint_next(painting: Painting, size: int) -> int:
    """Moves on to the next suits, which do not fall among cards of one rank; the first that changed, -1 at the end."""
    cards, of_rank = painting.cards, painting.of_rank
    changed = size - 1
    while changed >= 0 and cards[changed] & 3 == HIGHEST_SUIT:
        changed -= 1
    if changed >= 0:
        cards[changed] += 1
        for at in range(changed + 1, size):
            cards[at] = cards[at - 1] if of_rank[at] > 1 else cards[at] >> 2 << 2
    return changed


def count_paintings(owns: Any, others: Any, orders: Any, options: int, painting: Painting, counts: Any) -> None:
    """Fills `counts[outcome + 1, alike]` with the orders of ranks and suits that come to it."""
    rows = len(counts) - 1
    for end in range(len(owns)):
        owned = lay_out(painting, 0, owns[end])
        size = lay_out(painting, owned, others[end])
        changed = 0
        while changed >= 0:
            put_together(painting, changed, owned, size)
            own, other = painting.own[size], painting.other[size]
            outcome = classify(own, other, options)
            if LOSE <= outcome < rows:
                counts[outcome + 1, painting.alike[size]] += orders[end] * painting.orders[size]
            else:
                painting.undeclared[0] = own
                painting.undeclared[1] = other
            changed = paint_next(painting, size)


def row_ways(key: BetKey, name: str, shoe: Shoe, options: int, value: str, side: str) -> tuple[dict[int, int], int]:
    """Ordered ways of each outcome from this shoe, and the most cards that an end has."""
    counts, longest = _counts(key, name, options, value, side)
    steps = _steps(longest)
    total: dict[int, int] = {}
    for cell in np.argwhere(counts):
        outcome, alike = int(cell[0]) + LOSE, int(cell[1])
        numbers = _numbers(alike, steps)
        size = sum(numbers)
        copies = 1 if shoe.decks is None else prod(max(shoe.decks - j, 0) ** number for j, number in enumerate(numbers))
        tail = shoe.sequences(longest) // shoe.sequences(size)
        total[outcome] = total.get(outcome, 0) + int(counts[tuple(cell)]) * copies * tail
    return {outcome: ways for outcome, ways in sorted(total.items()) if ways}, longest


def _steps(longest: int) -> list[int]:
    """Digits of a number: at most `longest` cards have none like them before, half as many have one, and so on."""
    steps = [1]
    for alike in range(1, longest + 1):
        steps.append(steps[-1] * (longest // alike + 1))
    return steps


def _numbers(alike: int, steps: list[int]) -> list[int]:
    """How many cards had none, one, two ... like them before."""
    return [alike % above // step for step, above in pairwise(steps)]


@cache
def _counts(key: BetKey, name: str, options: int, value: str, side: str) -> tuple[Array, int]:
    """Orders by outcome and by how many cards are alike, and the most cards of an end."""
    bet = key.bet
    ends = scene_ends(bet.scene, faces=True, value=value, side=side)
    longest = _longest(ends)
    counts = np.zeros((len(bet.outcomes) + 1, _steps(longest)[-1]), np.int64)

    def count() -> tuple[Array]:
        if longest < WORTH_COMPILING:
            _count_plainly(bet, options, ends, longest, counts)
            return (counts,)
        painting = Painting(*(np.array(part, np.int64) for part in _blank(longest)))
        run = compile_cpu(count_paintings, f"paint-{name}", {"classify": bet.classify})
        try:
            run(ends.own, ends.other, ends.orders, options, painting, counts)
        except FAILURES:
            _count_plainly(bet, options, ends, longest, counts)
            raise
        own, other = painting.undeclared.tolist()
        if own != EMPTY_ROW:
            classified(bet, own, other, options)
        return (counts,)

    kind = f"paintings-{name}-{options}-{value}-{side}"
    return kept(kind, [count_paintings, bet.classify, walk, card_classes], count)[0], longest


def _longest(ends: Ends) -> int:
    pairs = zip(ends.own.tolist(), ends.other.tolist(), strict=True)
    return max(row_size(own) + row_size(other) for own, other in pairs)


def _blank(longest: int) -> Painting:
    """Room for so many cards."""
    parts = [[0] * (longest + 1) for _ in range(5)]
    orders, steps, undeclared = [1] * (longest + 1), _steps(longest), [EMPTY_ROW] * 2
    return Painting(parts[0], parts[1], parts[2], parts[3], orders, parts[4], steps, undeclared)


def _count_plainly(bet: Bet, options: int, ends: Ends, longest: int, counts: Array) -> None:
    """In plain Python, which refuses a bet with the first hand that it goes wrong for."""
    run = link(count_paintings, plain, {"classify": partial(classified, bet)})
    run(ends.own.tolist(), ends.other.tolist(), ends.orders.tolist(), options, _blank(longest), counts)
