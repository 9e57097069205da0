"""What can come up on a full board: every strength, a showdown for each class of dealer's hand, and what it settles."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.decide import OneSeatGame
from croupier.exact.keep import kept
from croupier.exact.showdown import compare, settlement
from croupier.exact.showdown.paths import EFFECTS, Path, declared_showdown, new_showing
from croupier.exact.showdown.threads import Progress, in_parts, new_ranked
from croupier.kernels.holdem import PAIRS
from croupier.kernels.link import Kernel, compile_cpu
from croupier.kernels.sets import bit_of, set_of

Array = NDArray[Any]
MOST_STRENGTHS = 1 << 14
"""Strengths of hands on full boards, and twice as much room as they need."""


@dataclass(frozen=True)
class Cards:
    """A deck in which each suit that it has holds the same ranks."""

    deck: int
    places: Array

    @classmethod
    def of(cls, game: OneSeatGame) -> Cards:
        cards = game.deck.cards
        places = np.array(sorted(map(bit_of, cards)), np.int64)
        suits = sorted({place // 13 for place in places.tolist()})
        ranks = {suit: {place % 13 for place in places.tolist() if place // 13 == suit} for suit in suits}
        if (
            set(game.deck.counts) != {1}
            or suits != list(range(len(suits)))
            or len(set(map(frozenset, ranks.values()))) > 1
        ):
            raise NotComputedError(
                f"{game.name} is counted from one deck whose suits are alike.", code="too_many_deals"
            )
        return cls(set_of(cards), places)

    @property
    def total(self) -> int:
        return len(self.places)

    def exchanges(self, codes: Array) -> list[int]:
        """Those exchanges of suits that leave the deck as it is."""
        return [code for code in codes.tolist() if compare.keeps_board(self.deck, code)]


Changes = tuple[tuple[str, Kernel], ...]
"""Functions that are linked in the place of others, by their names."""


def boards_of(cards: Cards, size: int, changes: Changes = ()) -> tuple[Array, Array]:
    """Boards up to exchange of suits, in rising order, and how many there are of each."""
    boards = np.zeros(comb(cards.total, size), np.int64)
    compiled_alone(compare.collect_boards, changes)(cards.places, size, np.zeros(size, np.int64), boards)
    forms, ways = np.unique(boards, return_counts=True)
    return forms, ways.astype(np.int64)


def compiled(game: OneSeatGame, function: Any, changes: Changes = ()) -> Any:
    """A function of `compare.py` with the round's strength."""
    return _with_strength(function, declared_showdown(game).strength, changes)


@cache
def _with_strength(function: Any, strength: Any, changes: Changes) -> Any:
    name = f"{_named('showdown', changes)}-{function.__name__}-{strength.__name__}"
    return compile_cpu(function, name, {"strength": strength, **dict(changes)})


@cache
def compiled_alone(function: Any, changes: Changes = ()) -> Any:
    """A function of `compare.py` that needs no strength."""
    return compile_cpu(function, f"{_named('showdown', changes)}-{function.__name__}", dict(changes))


def _named(name: str, changes: Changes) -> str:
    return "-".join((name, *(put_in.__name__ for _, put_in in changes)))


@dataclass(frozen=True)
class Examples:
    """Every strength, from the lowest, and a showdown of it for each class of dealer's hand."""

    strengths: compare.Strengths
    showdowns: Array
    """By strength and class: own cards, board, dealer's cards, as sets; 0 where there is none."""


def examples_of(game: OneSeatGame, cards: Cards, boards: Array, progress: Progress) -> Examples:
    """Looked for on every board once; they depend on no rule but what is compared."""
    showdown = declared_showdown(game)
    collect, show = compiled(game, compare.collect_strengths), compiled(game, compare.show_examples)
    dealers = comb(cards.total - showdown.board - showdown.own, showdown.hidden)

    def make() -> tuple[Array, ...]:
        def strengths_on(part: Array) -> Array:
            keys = np.full(2 * MOST_STRENGTHS, compare.NO_SLOT, np.int64)
            if collect(part, cards.deck, np.zeros(compare.DECK_PLACES, np.int64), keys) > MOST_STRENGTHS:
                raise NotComputedError(f"{game.name} has too many strengths.", code="too_many_deals")
            collected: Array = keys[keys != compare.NO_SLOT]
            return collected

        found = in_parts(strengths_on, boards, lambda share: progress(share / 3))
        keys = np.unique(np.concatenate(found))
        strengths = numbered(keys, showdown.qualifies)

        def examples_on(part: Array) -> Array:
            examples = np.zeros((len(keys), compare.CLASSES, 3), np.int64)
            show(part, cards.deck, dealers, strengths, new_ranked(len(keys)), examples)
            return examples

        examples = np.zeros((len(keys), compare.CLASSES, 3), np.int64)
        for part in in_parts(examples_on, boards, lambda share: progress((1 + 2 * share) / 3)):
            missing = examples[:, :, 0] == 0
            examples[missing] = part[missing]
        return keys, examples

    identity = hashlib.sha256(repr((cards.deck, showdown.board, showdown.qualifies)).encode()).hexdigest()[:16]
    name = f"showdowns-{showdown.strength.__name__}-{identity}"
    keys, examples = kept(name, [compare, showdown.strength], make)
    progress(1.0)
    return Examples(numbered(keys, showdown.qualifies), examples)


def numbered(keys: Array, qualifies: int) -> compare.Strengths:
    """Strengths in rising order, as a table."""
    slots = np.full(2 * MOST_STRENGTHS, compare.NO_SLOT, np.int64)
    numbers = np.zeros(2 * MOST_STRENGTHS, np.int64)
    for number, key in enumerate(keys.tolist()):
        at = compare.slot_of(slots, key)
        slots[at] = key
        numbers[at] = number
    return compare.Strengths(slots, numbers, int(np.searchsorted(keys, qualifies)), len(keys))


@dataclass(frozen=True)
class ShowdownResults:
    """What every showdown comes to, by strength, path of answers and class of dealer's hand."""

    profit: Array
    staked: Array
    money: Array
    """By cell besides: the money on it. -1 for a wager that did not end so."""


@cache
def _settling(play: Any, name: str) -> Any:
    return compile_cpu(settlement.settle_examples, f"settle-{name}", {**EFFECTS, "play": play})


def settle(game: OneSeatGame, examples: Examples, paths: list[Path]) -> ShowdownResults:
    """What each of the examples comes to, by the round's own settlement."""
    shape = (examples.strengths.size, len(paths), compare.CLASSES)
    settled = ShowdownResults(
        np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.full((*shape, len(game.endings)), -1)
    )
    given = np.zeros((len(paths), 1 + settlement.MOST_QUESTIONS), np.int64)
    for number, path in enumerate(paths):
        given[number, 0] = len(path.asked)
        given[number, 1 : 1 + len(path.asked)] = path.answers
    showing = new_showing(game, board=[0] * declared_showdown(game).board)
    run = _settling(game.declared.play, game.name)
    if run(showing, examples.showdowns, given, settled.profit, settled.staked, settled.money):
        raise NotComputedError(f"{game.name} asks different questions for different cards.", code="too_many_deals")
    return settled


__all__ = ["PAIRS", "Cards", "Examples", "ShowdownResults", "boards_of", "compiled", "examples_of", "settle"]
