"""Side bets on the card that a seat draws first: their odds are those of a strategy, the best one of the main game.

Which cards a seat draws depends on its first two and the up card alone, so every two cards are asked once under each up
card; then cards are counted one by one, from the first two to the third.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.keep import BetKey
from croupier.exact.outcomes import Distribution
from croupier.exact.played import compute_strategy
from croupier.exact.strategy.sheet import StrategySheet
from croupier.kernels.bets import LOSE
from croupier.kernels.blackjack import COUNT_AT, HAND, legal_actions, set_hand, slot
from croupier.kernels.effects import CHOICE_MASK, MOST_SEATS, STAND, SURRENDER
from croupier.kernels.hands import EMPTY, add_card, is_blackjack, total_of
from croupier.kernels.rows import EMPTY_ROW, row_of
from croupier.kernels.strategy import play_answer
from croupier.rules.choice import Choice, first_choice
from croupier.rules.trial import classified

Array = NDArray[Any]

RANKS = 13
CARDS = 52
CARDS_LOOKED_AT = 5
"""The first two, the third, the up card and the hole card."""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A bet on the third card, and when a seat draws one."""

    choice: Choice
    draws: Array
    """By the ranks of the first two cards and of the up and hole card: whether a third comes."""
    with_third: Array
    """What every three cards come to."""
    without: Array
    """The same of the first two, where no third comes."""


def played_distribution(choice: Choice) -> Distribution:
    """Exact outcomes of a bet on the third card, hands being played by the best strategy under this choice."""
    return distribution_without(drawing_of(choice), ())


def drawing_of(choice: Choice) -> Drawing:
    bet = choice.bet
    assert bet is not None and bet.scene.follows_play
    with_third, without = _outcomes(BetKey(bet), bet.pack(choice.switches))
    return Drawing(choice=choice, draws=_draws(choice), with_third=with_third, without=without)


def distribution_without(drawing: Drawing, gone: tuple[int, ...]) -> Distribution:
    """From a fresh shoe without these cards, hands being played as from the whole one."""
    decks = drawing.choice.decks
    copies = np.full(CARDS, decks or 1, np.int64)
    np.subtract.at(copies, list(gone), 1)
    alike = np.eye(CARDS, dtype=np.int64) * (decks is not None)
    cards = copies[:, None] * (copies[None, :] - alike)
    third = np.maximum(copies - alike[:, None, :] - alike[None, :, :], 0)
    drawn, stood = _ways_of_dealer(drawing, copies, decks)
    rank = np.arange(CARDS) // 4
    ways_with = cards[:, :, None] * third * drawn[rank[:, None, None], rank[None, :, None], rank]
    ways_without = cards * stood[rank[:, None], rank]
    assert drawing.choice.bet is not None
    outcomes = range(LOSE, len(drawing.choice.bet.outcomes))
    ways = {
        outcome: int(ways_with[drawing.with_third == outcome].sum() + ways_without[drawing.without == outcome].sum())
        for outcome in outcomes
    }
    whole = perm(int(copies.sum()), CARDS_LOOKED_AT) if decks else CARDS**CARDS_LOOKED_AT
    if sum(ways.values()) != whole:
        raise NotComputedError(f'The ways of "{drawing.choice.wager.id}" do not add up.', code="ways_mismatch")
    return Distribution({outcome: often for outcome, often in ways.items() if often}, whole)


def _ways_of_dealer(drawing: Drawing, copies: Array, decks: int | None) -> tuple[Array, Array]:
    """By the ranks of three cards, in how many ways up card and hole card let the third be drawn; by those of the first
    two, up card, hole card and any card after them with which none is."""
    of_rank = copies.reshape(RANKS, -1).sum(1)
    alike = np.eye(RANKS, dtype=np.int64) * (decks is not None)
    first, second = alike[:, None, None, None, :], alike[None, :, None, None, :]
    third, up = alike[None, None, :, None, :], alike[None, None, None, :, :]
    # By first, second, third, up and hole card; the up card's own number does not hang on the hole card.
    taken = first + second + third
    holes = np.maximum(of_rank - taken - up, 0)
    ups = np.maximum(of_rank - taken[:, :, :, 0, :], 0)
    drawn = (drawing.draws[:, :, None] * holes * ups[..., None]).sum((3, 4))
    taken = (first + second)[:, :, 0]
    holes = np.maximum(of_rank - taken - alike[None, None], 0)
    ups = np.maximum(of_rank - taken[:, :, 0, :], 0)
    after = int(copies.sum()) - CARDS_LOOKED_AT + 1 if decks else CARDS
    stood = (~drawing.draws * holes * ups[..., None]).sum((2, 3)) * after
    return drawn, stood


@lru_cache(8)
def _outcomes(key: BetKey, options: int) -> tuple[Array, Array]:
    """What every three cards come to, in order, and every two."""
    with_third, without = np.zeros((CARDS, CARDS, CARDS), np.int64), np.zeros((CARDS, CARDS), np.int64)
    for first, second in product(range(CARDS), repeat=2):
        two = row_of((first, second))
        without[first, second] = classified(key.bet, two, EMPTY_ROW, options)
        for third in range(CARDS):
            with_third[first, second, third] = classified(key.bet, two, row_of((third,)), options)
    return with_third, without


def _draws(choice: Choice) -> Array:
    """By the ranks of the first two cards and of up and hole card, whether the best strategy draws, the dealer having
    looked for blackjack where the rules say so."""
    game = choice.game
    sheet = compute_strategy(first_choice(choice))
    if not isinstance(sheet, StrategySheet):
        raise NotComputedError(f'The odds of "{choice.wager.id}" need a strategy of blackjack.', code="not_computed")
    tables = sheet.tables()
    rules = game.rules_under(choice.switches, seats=1)
    stakes = [2] * MOST_SEATS

    def answer(first: int, second: int, up: int) -> bool:
        hands = np.zeros(game.declared.memory, np.int64).tolist()
        set_hand(hands, slot(0, 0), first << 2, second << 2, 2, 0, 0)
        hands[COUNT_AT] = 1
        if total_of(hands[slot(0, 0) + HAND]) == 21:
            return False
        legal = legal_actions(hands, rules, 0, 0, True)
        action = play_answer(tables, hands, stakes, rules, up << 2, 0, 0, legal) & CHOICE_MASK
        return action not in (STAND, SURRENDER)

    ranks = range(RANKS)
    draws = np.array([[[answer(a, b, up) for up in ranks] for b in ranks] for a in ranks])
    natural = [[is_blackjack(add_card(add_card(EMPTY, up << 2), hole << 2)) for hole in ranks] for up in ranks]
    return np.asarray(draws[:, :, :, None] & ~(np.array(natural) & (rules.peek == 1)))
