"""The dealer's outcome table: how the hand ends, by up card and over all, from a fresh shoe, as exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import perm
from typing import Any

import numpy as np

from croupier.exact.shoe import SUIT_COUNT
from croupier.exact.strategy.charts import CARD_NAMES, UP_CARDS
from croupier.exact.strategy.dealer import DEALER_ENDS, FINAL_TOTALS, MOST_DRAWN, dealer_steps
from croupier.exact.strategy.graph import NO_CLASS, RANKS_IN_CLASS, completing

BLACKJACK = "blackjack"
BLACKJACK_TOTAL = 21
END_NAMES = (*(str(total) for total in FINAL_TOTALS[:-1]), "23-26", BLACKJACK)


@dataclass(frozen=True, kw_only=True)
class DealerTable:
    """The chance of each of `END_NAMES`; every line adds up to one. A blackjack is no 21."""

    by_up_card: dict[str, tuple[Fraction, ...]]
    overall: tuple[Fraction, ...]


def dealer_table(decks: int | None, soft17: int) -> DealerTable:
    """How the dealer's hand ends; `decks` is None for an endless shoe, `soft17` 1 where soft 17 is hit."""
    lines = {up: dealer_line(without(full_classes(decks), up, decks), decks is None, up, soft17) for up in UP_CARDS}
    assert all(sum(line) == 1 for line in lines.values())
    ranks = int(RANKS_IN_CLASS.sum())
    overall = tuple(
        sum((Fraction(int(RANKS_IN_CLASS[up]), ranks) * line[end] for up, line in lines.items()), Fraction(0))
        for end in range(len(END_NAMES))
    )
    return DealerTable(by_up_card={CARD_NAMES[up]: line for up, line in lines.items()}, overall=overall)


def full_classes(decks: int | None) -> list[int]:
    """Cards of each class in a fresh shoe; of an endless one, as if it were one deck put back each time."""
    return [SUIT_COUNT * int(ranks) * (decks or 1) for ranks in RANKS_IN_CLASS]


def without(left: Sequence[Any], card: int, decks: int | None) -> list[Any]:
    """What is left once a card of this class has gone, of which an endless shoe knows nothing."""
    return [number - (decks is not None and other == card) for other, number in enumerate(left)]


def dealer_line(left: Sequence[Any], endless: bool, up: int, soft17: int) -> tuple[Any, ...]:
    """The chance of each of `END_NAMES` under an up card, from the cards of each class that are left without it.

    Whole numbers give fractions; arrays of them, for many shoes at once, give numbers.
    """
    is_whole = isinstance(left[0], int)
    share: Callable[[Any, Any], Any] = Fraction if is_whole else np.divide
    ways = [[_draws(number, drawn, endless) for drawn in range(MOST_DRAWN)] for number in left]
    all_ways = [_draws(sum(left), drawn, endless) for drawn in range(MOST_DRAWN)]
    by_size: list[list[Any]] = [[0] * MOST_DRAWN for _ in range(DEALER_ENDS)]
    products: list[Any] = [1] * MOST_DRAWN
    steps, orders = dealer_steps(soft17)[up]
    for (depth, drawn, end), order in zip(steps.tolist(), orders.tolist(), strict=True):
        card, number = divmod(drawn, MOST_DRAWN)
        products[depth] = products[depth - 1] * ways[card][number]
        if order:
            column, cards = divmod(end, MOST_DRAWN)
            by_size[column][cards] = by_size[column][cards] + products[depth] * int(order)
    nothing = share(0 * left[0], 1)
    chances = [
        sum((share(ways, all_ways[cards]) for cards, ways in enumerate(sizes) if np.any(ways)), nothing)
        for sizes in by_size
    ]
    needed = completing(up)
    return (*chances, share(left[needed], sum(left)) if needed != NO_CLASS else nothing)


def ends_known(line: Sequence[Any], looked: bool) -> list[tuple[int, Any]]:
    """The dealer's final totals with their chances, by a line of the table, as they are once the dealer is known to
    have no blackjack; where he has not looked a blackjack is one more 21."""
    *ends, blackjack = line
    if looked:
        return [(total, chance / (1 - blackjack)) for total, chance in zip(FINAL_TOTALS, ends, strict=True)]
    return [*zip(FINAL_TOTALS, ends, strict=True), (BLACKJACK_TOTAL, blackjack)]


def _draws(left: Any, number: int, endless: bool) -> Any:
    """Ordered draws of so many cards out of those that are left."""
    if isinstance(left, int):
        return left**number if endless else perm(left, number)
    return np.prod([left if endless else np.maximum(left - drawn, 0) for drawn in range(number)], axis=0)
