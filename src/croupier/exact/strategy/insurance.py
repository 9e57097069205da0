"""When insurance is worth taking, in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from croupier.exact.strategy.position import TEN
from croupier.exact.strategy.view import ClassShoe
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import DEALER, DEALER_DOWN, HOLE, INSURANCE
from croupier.kernels.hands import ACE
from croupier.kernels.link import Kernel, link, plain
from croupier.kernels.rounds import find_round


class _AskedError(Exception):
    """The round has come to the question of insurance; the argument counts the seat's cards."""


def _draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """Only aces are dealt, so that insurance is offered."""
    return ACE, world + (place not in (DEALER, DEALER_DOWN, HOLE))


def _ask(world: Any, table: Any, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, Any]:
    if question == INSURANCE:
        raise _AskedError(world)
    return (legal & -legal).bit_length() - 1, world


def _pass(world: Any, *_: Any) -> Any:
    return world


def cards_seen(round_: str, rules: BlackjackRules) -> int:
    """Cards of its own that a seat has when it is asked about insurance: the round is played until then."""
    declared = find_round(round_)
    assert declared is not None
    ignored = dict.fromkeys(("stake", "pay", "settle", "tell"), _pass)
    effects: dict[str, Kernel] = {"draw": _draw, "ask": _ask, **ignored}
    memory, stakes = np.zeros(declared.memory, np.int64), declared.stakes(2)
    try:
        link(declared.play, plain, effects)(0, None, memory, stakes, rules._replace(seats=1, cap=0, unit=1))
    except _AskedError as asked:
        return int(asked.args[0])
    return 0


def when_to_insure(round_: str, rules: BlackjackRules, shoe: ClassShoe, pays: Fraction) -> str:
    """With how many ten-values among the own cards enough of the unseen ones are left to make it pay."""
    own = cards_seen(round_, rules)
    unseen = shoe.total if shoe.endless else shoe.total - 1 - own
    left = [shoe.cards[TEN] - (0 if shoe.endless else tens) for tens in range(own + 1)]
    fitting = [tens for tens in range(own + 1) if float(pays + 1) * left[tens] > unseen]
    if not fitting or len(fitting) == own + 1:
        return "always" if fitting else "never"
    cards = "card" if own == 1 else f"{own} cards"
    if len(fitting) == 1:
        return f"with no ten-value among your {cards}"
    return f"with {max(fitting)} ten-value{'s'[: max(fitting) - 1]} or fewer among your {cards}"
