"""Effects of removal: what a wager gains or loses when one card is taken out of the fresh shoe. Exact."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK_SIZE
from croupier.exact.protection.terms import FREE, Terms

Array = NDArray[Any]

RANKS = 13
SUITS = 4
RANK_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")


@dataclass(frozen=True, kw_only=True)
class Removal:
    """What taking one card out of a fresh shoe does to the expected profit, for each unit wagered."""

    decks: int
    value: Fraction
    """Expected profit from the fresh shoe."""
    by_card: tuple[Fraction, ...]
    """By card id, 0 to 51; behind them the joker of a deck that has one."""

    @cached_property
    def by_rank(self) -> tuple[Fraction, ...]:
        """The mean over the suits, ace to king."""
        return tuple(
            sum(self.by_card[SUITS * rank : SUITS * rank + SUITS], Fraction(0)) / SUITS for rank in range(RANKS)
        )

    @property
    def differs_by_suit(self) -> bool:
        return any(len(set(self.by_card[SUITS * rank : SUITS * rank + SUITS])) > 1 for rank in range(RANKS))

    @property
    def total(self) -> Fraction:
        """Over all cards of a deck: zero, as removing a card that nobody sees changes nothing."""
        return sum(self.by_card, Fraction(0))

    @property
    def named(self) -> Mapping[str, Fraction]:
        return dict(zip(RANK_NAMES, self.by_rank, strict=True))


def fresh_shoe(decks: int) -> list[int]:
    """How many there are of each card."""
    return [decks] * DECK_SIZE


def expected_profit(terms: Terms, shoe: list[int]) -> Fraction:
    """Exact, of any shoe that has enough cards."""
    left = sum(shoe)
    longest = int(terms.sizes.max(initial=0))
    total = sum(
        int(terms.coefficients[column] @ (ways * _tails(terms, left)))
        for column, ways in enumerate(_ways_by_column(terms, shoe))
    )
    return Fraction(total, perm(left, longest) * terms.scale) - 1


def effects_of_removal(terms: Terms, decks: int, gone: tuple[int, ...] = ()) -> Removal:
    """Of every card, out of a fresh shoe; or out of one that lacks these cards already, several of each being left."""
    shoe = fresh_shoe(decks)
    for card in gone:
        shoe[card] -= 1
    longest = int(terms.sizes.max(initial=0))
    cards = sum(shoe)
    value = expected_profit(terms, shoe)
    tails = _tails(terms, cards - 1)
    weighted = [
        values * ways * tails for values, ways in zip(terms.coefficients, _ways_by_column(terms, shoe), strict=True)
    ]
    whole = perm(cards - 1, longest) * terms.scale

    def effect(returned: int) -> Fraction:
        return Fraction(returned, whole) - 1 - value

    untouched = effect(sum(int(column.sum()) for column in weighted))
    effects = [untouched] * DECK_SIZE
    for number, members in enumerate(terms.classes):
        suits = SUITS if len(terms.suit_sets) > 1 else 1
        by_suit = [effect(_without(terms, shoe, number, card, weighted)) for card in members[:suits]]
        for place, card in enumerate(members):
            effects[card] = by_suit[place % suits]
    return Removal(decks=decks, value=value, by_card=tuple(effects))


@dataclass(frozen=True, kw_only=True)
class SecondOrder:
    """What two cards that are gone do together, beyond what each does alone: means over all pairs of cards."""

    same_card: Fraction
    """Of one rank and suit."""
    same_rank: Fraction
    same_suit: Fraction
    neither: Fraction

    @property
    def named(self) -> Mapping[str, Fraction]:
        return {
            "same_card": self.same_card,
            "same_rank": self.same_rank,
            "same_suit": self.same_suit,
            "neither": self.neither,
        }


def second_order(terms: Terms, first: Removal) -> SecondOrder:
    """For wagers to which suits are alike: the first card is a club of every rank in turn."""
    sums = [Fraction(0)] * 4
    for rank in range(RANKS):
        club = SUITS * rank
        after = effects_of_removal(terms, first.decks, (club,)).by_card
        for card, effect in enumerate(after):
            kind = 2 * (card // SUITS != rank) + (card % SUITS != 0)
            sums[kind] += effect - first.by_card[card]
    pairs = (1, SUITS - 1, RANKS - 1, (RANKS - 1) * (SUITS - 1))
    card, rank_, suit, neither = (total / (RANKS * of) for total, of in zip(sums, pairs, strict=True))
    return SecondOrder(same_card=card, same_rank=rank_, same_suit=suit, neither=neither)


def removal_by_rank(decks: int, profit: Callable[[tuple[int, ...]], Fraction]) -> Removal:
    """Of a wager to which suits are alike: `profit` is what it is worth once these cards have gone."""
    value = profit(())
    by_rank = [profit((SUITS * rank,)) - value for rank in range(RANKS)]
    return Removal(decks=decks, value=value, by_card=tuple(effect for effect in by_rank for _ in range(SUITS)))


def _without(terms: Terms, shoe: list[int], number: int, card: int, weighted: list[Array]) -> int:
    """The return without one card of a class, of which `weighted` has each term's share with it."""
    total = 0
    members = terms.classes[number]
    kinds, kind_of_term = np.unique(terms.kinds[:, number], return_inverse=True)
    terms_of_kind = [np.flatnonzero(kind_of_term.ravel() == kind) for kind in range(len(kinds))]
    for held, column in zip(terms.suit_sets, weighted, strict=True):
        left = list(_factors(members, shoe, held, kinds))
        shoe[card] -= 1
        after = list(_factors(members, shoe, held, kinds))
        shoe[card] += 1
        for these, before, now in zip(terms_of_kind, left, after, strict=True):
            if now:
                total += int(column[these].sum()) * now // before
    return total


def _ways_by_column(terms: Terms, shoe: list[int]) -> Iterator[Array]:
    """For each column the ways of each term, in one given order of its cards. Python's integers: they have no end."""
    for held in terms.suit_sets:
        product = np.full(len(terms.sizes), 1, object)
        for number, members in enumerate(terms.classes):
            kinds, kind_of_term = np.unique(terms.kinds[:, number], return_inverse=True)
            if len(kinds) > 1 or kinds[0]:
                product *= np.array(list(_factors(members, shoe, held, kinds)), object)[kind_of_term.ravel()]
        yield product


def _factors(members: tuple[int, ...], shoe: list[int], held: int, kinds: Array) -> Iterator[int]:
    """In how many ways a class gives each kind of cards: the painted ones of the suits `held`, then the others."""
    within = sum(shoe[card] for card in members if held >> card % SUITS & 1)
    every = sum(shoe[card] for card in members)
    for code in kinds:
        painted, free = divmod(int(code), FREE)
        yield perm(within, painted) * perm(every - painted, free) if painted <= within else 0


def _tails(terms: Terms, cards: int) -> Array:
    """What the cards after a short end can still be, so that all ends have one denominator."""
    longest = int(terms.sizes.max(initial=0))
    by_size = [perm(cards - size, longest - size) for size in range(longest + 1)]
    return np.array(by_size, object)[terms.sizes]
