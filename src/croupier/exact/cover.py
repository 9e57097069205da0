"""Cover All: what a wager comes to that the best hand on the table decides.

Two hands are counted exactly. How many pairs of good hands share no card is, by inclusion and exclusion over the cards
that both would need, the sum over every set of cards of the square of how many good hands hold it, with changing signs.
Of more hands deals are sampled, and the figures have their standard errors. All of it holds for hands that share no
cards, which is what most tables deal; community cards are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations
from math import comb, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.census import classify_sets
from croupier.exact.keep import kept
from croupier.exact.outcomes import Distribution
from croupier.kernels.bets import LOSE, Bet
from croupier.rules.choice import Choice

Array = NDArray[Any]

TWO_HANDS = 2
MOST_CARDS = 5
"""Cards of a hand; of more there are too many sets to hold at once."""
SAMPLED_DEALS = 1_000_000
CHUNK = 100_000
SEED = 1


@dataclass(frozen=True)
class EdgeAmong:
    """The house edge where so many hands are dealt."""

    hands: int
    edge: Fraction
    standard_error: float
    """0 where it is exact."""


def best_of_two(choice: Choice) -> Distribution:
    """How the better one of two hands ends, as the rows rank them."""
    bet, order = _bet_of(choice), _order(choice)
    size, cards_in_deck = bet.scene.own_cards, bet.scene.deck_size
    beside = comb(cards_in_deck - size, size)

    def count() -> tuple[Array]:
        hands, levels = _hands(choice, bet), _levels(choice, bet, order)
        better = [0]
        for level in range(len(order)):
            good = hands[levels <= level]
            better.append(2 * len(good) * beside - pairs_apart(good, cards_in_deck))
        return (np.diff(np.array(better, np.int64)),)

    (ways,) = kept(f"{_name(choice)}-two", [classify_sets, bet.classify], count)
    counted = {bet.outcomes.index(name): int(number) for name, number in zip(order, ways, strict=True) if number}
    whole = comb(cards_in_deck, size) * beside
    return Distribution({LOSE: whole - sum(counted.values())} | counted, whole)


def pairs_apart(hands: Array, cards_in_deck: int) -> int:
    """Ordered pairs of these hands, a row of rising cards each, that share no card."""
    size = hands.shape[1]
    total = len(hands) ** 2
    for shared in range(1, size + 1):
        held = [_codes(hands[:, list(columns)], cards_in_deck) for columns in combinations(range(size), shared)]
        _, times = np.unique(np.concatenate(held), return_counts=True)
        total += (-1) ** shared * int((times.astype(np.int64) ** 2).sum())
    return total


def edges_among(choice: Choice) -> list[EdgeAmong]:
    """The edge by the number of hands dealt, from two to a full table with the dealer's."""
    bet, order = _bet_of(choice), _order(choice)
    two = best_of_two(choice)
    chances = [Fraction(two.ways.get(bet.outcomes.index(name), 0), two.denominator) for name in order]
    exact = EdgeAmong(TWO_HANDS, -_profit(choice, chances, TWO_HANDS)[0], 0.0)
    most = min(choice.game.most_seats + 1, bet.scene.deck_size // bet.scene.own_cards)
    sampled = []
    for hands, counts in enumerate(_sampled(choice, bet, order, most), TWO_HANDS + 1):
        mean, square = _profit(choice, [Fraction(int(number), SAMPLED_DEALS) for number in counts], hands)
        sampled.append(EdgeAmong(hands, -mean, sqrt(float(square - mean**2) / SAMPLED_DEALS)))
    return [exact, *sampled]


def _profit(choice: Choice, chances: Sequence[Fraction], hands: int) -> tuple[Fraction, Fraction]:
    """Mean and mean square of the profit, by the chances of the outcomes in order."""
    nets = [row.pays_among(hands).net for row in choice.rows for _ in row.paid_outcomes]
    rest = 1 - sum(chances, Fraction(0))
    mean = sum((chance * net for chance, net in zip(chances, nets, strict=True)), -rest)
    return mean, sum((chance * net**2 for chance, net in zip(chances, nets, strict=True)), rest)


def _sampled(choice: Choice, bet: Bet, order: Sequence[str], most: int) -> Array:
    """Deals whose best hand ends so, by the number of hands from three on, and by outcome in order."""
    size, cards_in_deck = bet.scene.own_cards, bet.scene.deck_size

    def sample() -> tuple[Array]:
        hands, levels = _hands(choice, bet), _levels(choice, bet, order)
        by_place = np.empty(len(levels), levels.dtype)
        by_place[_places(hands)] = levels
        chance = np.random.default_rng(SEED)
        counts = np.zeros((most - TWO_HANDS, len(order) + 1), np.int64)
        for _ in range(SAMPLED_DEALS // CHUNK):
            dealt = chance.random((CHUNK, cards_in_deck)).argsort(1)[:, : most * size].reshape(CHUNK, most, size)
            best = np.minimum.accumulate(by_place[_places(np.sort(dealt, axis=2))], axis=1)
            for at in range(TWO_HANDS, most):
                counts[at - TWO_HANDS] += np.bincount(best[:, at], minlength=len(order) + 1)
        return (counts,)

    (counts,) = kept(f"{_name(choice)}-sampled-{most}", [classify_sets, bet.classify], sample)
    return np.asarray(counts[:, :-1])


def _bet_of(choice: Choice) -> Bet:
    bet = choice.bet
    assert bet is not None
    if any(place.is_community for place in choice.game.declared.table_places):
        raise NotComputedError(
            f'"{choice.wager.id}" goes by the best hand on the table, and the hands of {choice.game.name} may share '
            "community cards: its odds are not computed."
        )
    if bet.scene.own_cards > MOST_CARDS or choice.decks != 1:
        raise NotComputedError(
            f'"{choice.wager.id}" goes by the best hand on the table: its odds are computed for hands of up to '
            f"{MOST_CARDS} cards from one deck."
        )
    return bet


def _order(choice: Choice) -> list[str]:
    return [outcome for row in choice.rows for outcome in row.paid_outcomes]


def _name(choice: Choice) -> str:
    """The order of its outcomes is all that a pay table has to say."""
    bet = _bet_of(choice)
    numbers = "-".join(str(bet.outcomes.index(name)) for name in _order(choice))
    return f"cover-{choice.bet_name}-{bet.pack(choice.switches)}-{numbers}"


def _hands(choice: Choice, bet: Bet) -> Array:
    """Every hand in the order of `classify_sets`, its cards rising."""
    size = bet.scene.own_cards
    every = chain.from_iterable(combinations(range(bet.scene.deck_size), size))
    return np.fromiter(every, np.int64, size * comb(bet.scene.deck_size, size)).reshape(-1, size)


def _levels(choice: Choice, bet: Bet, order: Sequence[str]) -> Array:
    """Of every hand, the place of its outcome in the order; behind the last where nothing is paid."""
    level = np.full(len(bet.outcomes) + 1, len(order), np.int64)
    for place, name in enumerate(order):
        level[bet.outcomes.index(name) + 1] = place
    return np.asarray(level[classify_sets(bet, choice.bet_name, bet.pack(choice.switches)) + 1])


def _codes(cards: Array, cards_in_deck: int) -> Array:
    """A number for each row of cards."""
    return np.asarray(cards @ (cards_in_deck ** np.arange(cards.shape[1], dtype=np.int64)))


def _places(hands: Array) -> Array:
    """Where rising cards stand among all sets of so many."""
    size = hands.shape[-1]
    below = np.array([[comb(card, place + 1) for place in range(size)] for card in range(64)], np.int64)
    return sum((below[hands[..., place], place] for place in range(size)), np.zeros(hands.shape[:-1], np.int64))
