"""Strategies as the tables of `kernels/strategy.py`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.graph import hand_graph
from croupier.exact.strategy.position import TEN
from croupier.exact.strategy.view import Shoe
from croupier.kernels.strategy import StrategyTables, cards_of, first_slot

Array = NDArray[Any]

_SLOTS = 1 << 13


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


def strategy_tables(
    codes: Array, context: int, shoe: Shoe, *, switch: Array | None = None, flex: Array | None = None
) -> StrategyTables:
    """Tables of one strategy; `codes[up, context, hand]`."""
    nothing = np.zeros(1, np.int8)
    return StrategyTables(
        hands=hand_slots(),
        codes=codes,
        context=context,
        switch=nothing if switch is None else switch.reshape(-1),
        flex=nothing if flex is None else flex.reshape(-1),
        tens=0 if shoe.endless else int(shoe.cards[TEN]),
        cards=int(shoe.total),
    )
