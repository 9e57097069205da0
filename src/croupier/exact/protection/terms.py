"""What a wager returns on average, as a polynomial in the cards of a shoe.

The ends of a scene do not depend on the shoe. What they take from it does: an end that takes three of a rank comes in
n(n-1)(n-2) ways from n of them. So the expected profit of any shoe at all is a sum of such products, whose coefficients
are counted once. Bets that ask which suits occur have a column of coefficients for every set of suits, by inclusion and
exclusion: "all painted cards are of these suits" is a product again.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK_SIZE
from croupier.errors import NotComputedError
from croupier.exact.census import classify
from croupier.exact.keep import BetKey, kept
from croupier.exact.outcomes import SUIT_SETS, bet_view
from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.link import compile_cpu
from croupier.kernels.rows import row_of
from croupier.rules.choice import Choice
from croupier.rules.trial import classified

Array = NDArray[Any]

ALL_SUITS = SUIT_SETS - 1
FREE = 16
"""A kind of cards is written painted * FREE + free."""
MOST_ROW_CARDS = 4
"""Cards of a bet on rows that are listed one by one: two against two are 1,898,884 pairs of hands."""
_WORTH_COMPILING = 100_000
TERMS_KEPT = 50


@dataclass(frozen=True, kw_only=True, eq=False)
class Terms:
    """The expected return: the sum over columns and terms of `coefficients` times the ways that a shoe has for the
    term, over the ways to deal as many cards. The expected profit is one less."""

    classes: tuple[tuple[int, ...], ...]
    """The card ids (0 to 51) of each class: a rank, all tens, or a single card."""
    kinds: Array
    """For each term and class the number of cards it takes, painted * FREE + free."""
    sizes: Array
    """How many cards each term takes."""
    suit_sets: tuple[int, ...]
    """Of each column: the suits that painted cards may have."""
    coefficients: Array
    """For each column and term, in `1 / scale` of the wager: whole numbers."""
    scale: int


def terms_of(choice: Choice, bet: Bet, profits: dict[str, Fraction]) -> Terms:
    """The polynomial of a wager; `profits` by the names of its bet's outcomes, all others losing the wager."""
    by_outcome = tuple(profits.get(name, Fraction(-1)) for name in bet.outcomes)
    value = choice.switches[bet.scene.switch] if bet.scene.switch else ""
    return _terms(BetKey(bet), choice.bet_name, bet.pack(choice.switches), value, choice.side or "player", by_outcome)


@lru_cache(TERMS_KEPT)
def _terms(key: BetKey, name: str, options: int, value: str, side: str, profits: tuple[Fraction, ...]) -> Terms:
    scale = lcm(*(profit.denominator for profit in profits))
    # The last one is that of LOSE, whose number is -1.
    whole = np.array([*(int((profit + 1) * scale) for profit in profits), 0], np.int64)
    if key.bet.scene.is_row:
        return _terms_of_rows(key.bet, name, options, whole, scale)
    view = bet_view(key, name, options, value, side)
    return_of = np.empty((len(view.members), len(view.sizes)), np.int64)
    for column, members in enumerate(view.members):
        for outcome, ends in members.items():
            return_of[column, ends] = whole[outcome]
    suit_sets = (ALL_SUITS,) if len(view.members) == 1 else tuple(range(1, SUIT_SETS))
    signed = return_of if len(view.members) == 1 else _within(return_of)
    kinds = np.stack([_codes(cards.kinds)[cards.kind_of_end] for cards in view.cards], axis=1)
    return _merged(
        classes=tuple(view.class_cards),
        kinds=kinds,
        coefficients=signed * view.orders,
        suit_sets=suit_sets,
        scale=scale,
    )


def _codes(kinds: tuple[tuple[int, int], ...]) -> Array:
    return np.array([painted * FREE + free for painted, free in kinds], np.int64)


def _within(return_of: Array) -> Array:
    """From "the suits that occur are exactly this set" to "all cards are of this set": what each set has to count for.

    An end whose suits are T is within every set that holds T, so a set S is worth the signed sum over the sets T that
    hold S.
    """
    result = np.zeros_like(return_of)
    for inner in range(1, SUIT_SETS):
        for outer in range(1, SUIT_SETS):
            if outer & inner == inner:
                sign = -1 if (outer.bit_count() - inner.bit_count()) % 2 else 1
                result[inner - 1] += sign * return_of[outer - 1]
    return result


def _merged(
    *, classes: tuple[tuple[int, ...], ...], kinds: Array, coefficients: Array, suit_sets: tuple[int, ...], scale: int
) -> Terms:
    """Ends that take the same cards are one term."""
    merged, term_of_end = np.unique(kinds, axis=0, return_inverse=True)
    total = np.zeros((len(coefficients), len(merged)), np.int64)
    for column, values in enumerate(coefficients):
        np.add.at(total[column], term_of_end.ravel(), values)
    used = total.any(axis=0)
    merged, total = merged[used], total[:, used]
    return Terms(
        classes=classes,
        kinds=merged,
        sizes=(merged // FREE + merged % FREE).sum(axis=1),
        suit_sets=suit_sets,
        coefficients=total,
        scale=scale,
    )


def classify_rows(owns: Any, others: Any, options: int, out: Any) -> None:
    """Fills `out[own, other]` for every two hands."""
    for own in range(len(owns)):
        for other in range(len(others)):
            out[own, other] = classify(owns[own], others[other], options)


def _terms_of_rows(bet: Bet, name: str, options: int, whole: Array, scale: int) -> Terms:
    """Of a bet that asks which card has which suit: every hand, card by card.

    Most own hands come to the same against most hands of the dealer: one term, which the hands that differ correct.
    """
    scene = bet.scene
    if not scene.is_opening or scene.own_cards + scene.dealer_cards > MOST_ROW_CARDS:
        raise NotComputedError(
            f'"{name}" looks at more cards than effects of removal are computed for: {MOST_ROW_CARDS} at most where '
            "each is seen with its suit.",
            code="too_many_cards",
        )
    own_hands = list(combinations_with_replacement(range(DECK_SIZE), scene.own_cards))
    others = list(combinations_with_replacement(range(DECK_SIZE), scene.dealer_cards))
    lines: list[list[int]] = []
    values: list[int] = []

    def add(cards: tuple[int, ...], value: int) -> None:
        line = [0] * DECK_SIZE
        for card in cards:
            line[card] += 1
        lines.append(line)
        values.append(value)

    for own, outcomes in zip(own_hands, _outcomes_of_rows(bet, name, options, own_hands, others), strict=True):
        returns = whole[outcomes]
        kinds, times = np.unique(returns, return_counts=True)
        usual = int(kinds[np.argmax(times)])
        if usual:
            add(own, usual * _orders(own))
        for other in np.flatnonzero(returns != usual):
            add((*own, *others[other]), (int(returns[other]) - usual) * _orders(own) * _orders(others[other]))
    return _merged(
        classes=tuple((card,) for card in range(DECK_SIZE)),
        kinds=np.array(lines, np.int64).reshape(len(lines), DECK_SIZE),
        coefficients=np.array([values], np.int64),
        suit_sets=(ALL_SUITS,),
        scale=scale,
    )


def _outcomes_of_rows(
    bet: Bet, name: str, options: int, own_hands: list[tuple[int, ...]], others: list[tuple[int, ...]]
) -> Array:
    """What every own hand comes to against every other; compiled where there are many."""
    owns = [row_of(sorted(hand)) for hand in own_hands]
    against = [row_of(sorted(hand)) for hand in others]
    if len(owns) * len(against) < _WORTH_COMPILING:
        return np.array([[classified(bet, own, other, options) for other in against] for own in owns], np.int16)

    def compiled() -> tuple[Array]:
        out = np.zeros((len(owns), len(against)), np.int16)
        run = compile_cpu(classify_rows, f"rows-{name}", {"classify": bet.classify})
        run(np.array(owns, np.int64), np.array(against, np.int64), options, out)
        for own, other in np.argwhere((out < LOSE) | (out >= len(bet.outcomes)))[:1]:
            classified(bet, owns[own], against[other], options)  # refuses it in a sentence
        return (out,)

    return kept(f"rows-{name}-{options}", [classify_rows, bet.classify], compiled)[0]


def _orders(hand: tuple[int, ...]) -> int:
    """In how many orders these cards may come, copies of a card not told apart."""
    orders, alike = 1, 1
    for place in range(1, len(hand)):
        alike = alike + 1 if hand[place] == hand[place - 1] else 1
        orders = orders * (place + 1) // alike
    return orders
