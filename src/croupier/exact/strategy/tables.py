"""Strategies as the tables of `kernels/strategy.py`."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.graph import hand_graph
from croupier.exact.strategy.position import TEN
from croupier.exact.strategy.view import ClassShoe
from croupier.kernels.effects import DOUBLE, SPLIT, SURRENDER
from croupier.kernels.strategy import (
    LEGAL_SETS,
    LOOK_AT_CARDS,
    STATES,
    StrategyTables,
    answer_of_code,
    cards_of,
    first_slot,
)

Array = NDArray[Any]

_SLOTS = 1 << 13
_ENDLESS = 1 << 20
"""So many decks that a few cards gone change no answer."""


@cache
def hand_slots() -> Array:
    """The hands of the graph, scattered by their cards."""
    slots = np.full((_SLOTS, 2), -1, np.int64)
    for index, hand in enumerate(hand_graph().hands.tolist()):
        cards = cards_of(hand)
        at = first_slot(cards, _SLOTS)
        while slots[at, 0] != -1:
            at = (at + 1) & (_SLOTS - 1)
        slots[at] = cards, index
    return slots


def answers_by_total(codes: Array, *, any_cards: bool) -> Array:
    """Where all hands that can be in question are played alike, their answer; else LOOK_AT_CARDS."""
    graph = hand_graph()
    states = graph.hands & (STATES - 1)
    two_cards = graph.size == 2
    pairs = two_cards & (graph.counts.max(axis=1) == 2)
    answers = np.full((codes.shape[0], codes.shape[1], LEGAL_SETS, STATES), LOOK_AT_CARDS, np.int8)
    every_code = np.arange(256).astype(np.int8)
    for legal in range(LEGAL_SETS):
        by_code = np.array([answer_of_code(int(code), legal << 1 | 1) for code in every_code], np.int8)
        can = {action: legal << 1 >> action & 1 == 1 for action in (DOUBLE, SPLIT, SURRENDER)}
        in_question = graph.total < 21
        if (can[SURRENDER] or can[DOUBLE]) and not any_cards:
            in_question = in_question & two_cards
        if can[SPLIT]:
            in_question = in_question & pairs
        hands = np.flatnonzero(in_question)
        hands = hands[np.argsort(states[hands], kind="stable")]
        totals, first = np.unique(states[hands], return_index=True)
        answered = by_code[codes[:, :, hands].view(np.uint8)]
        least, most = (edge.reduceat(answered, first, axis=2) for edge in (np.minimum, np.maximum))
        answers[:, :, legal, totals] = np.where(least == most, least, LOOK_AT_CARDS)
    return answers.reshape(-1)


def strategy_tables(
    codes: Array,
    context: int,
    shoe: ClassShoe,
    insurance: Fraction | None,
    *,
    any_cards: bool = False,
    switch: Array | None = None,
    flex: Array | None = None,
    before_play: Array | None = None,
) -> StrategyTables:
    """Tables of one strategy; `codes[up, context, hand]`. `any_cards`: more than two cards may be doubled or given up.

    `insurance` is the profit of a unit of it that wins; None where nobody insures.
    """
    nothing = np.zeros(1, np.int8)
    returned, decks = (insurance or 0) + Fraction(1), _ENDLESS if shoe.endless else 1
    return StrategyTables(
        hands=hand_slots(),
        codes=codes,
        answers=answers_by_total(codes, any_cards=any_cards),
        contexts=codes.shape[1],
        context=context,
        switch=nothing if switch is None else switch.reshape(-1),
        flex=nothing if flex is None else flex.reshape(-1),
        tens=0 if insurance is None else int(shoe.cards[TEN]) * decks,
        cards=int(shoe.total) * decks,
        insurance_returns=returned.numerator,
        insurance_stake=returned.denominator,
        before_play=nothing if before_play is None else before_play.reshape(-1),
    )
