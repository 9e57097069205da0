"""Cover All: a wager that the best hand on the table decides, whoever holds it.

Folded hands have been dealt like all others, so they count; a wager that dies with its own hand is lost. Cards that all
hands share are those which a hand that was shown has besides its own; the dealer's hand counts where it has as many
cards as the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from croupier.kernels.bets import LOSE
from croupier.kernels.sets import count_bits, set_of
from croupier.pay import Row
from croupier.rules.trial import classified
from croupier.table.events import DEALERS_HAND
from croupier.table.payment import returned_for
from croupier.table.setup import SideBet

Hands = Mapping[int, Row | None]
"""The hands that were dealt, by seat from 1 and `DEALERS_HAND`, with the row that each comes to."""


@dataclass(frozen=True)
class Ended:
    """How the wager of a seat, from 1, ended."""

    seat: int
    row: str
    returned: int
    by: int
    """Whose hand was the best; 0 where none is good enough."""


def settle_covered(
    side: SideBet,
    staked: Mapping[int, int],
    shown: Mapping[int, int],
    seats: Mapping[int, Sequence[int]],
    dealer: Sequence[int],
) -> Iterator[Ended]:
    """All by seat from 1: `staked` is what lies on the wager, `shown` the hands that the round has shown, none of a
    seat whose wager has died, `seats` the cards before each seat."""
    hands = _hands(side, shown, seats, dealer)
    order = [row.row for row in side.choice.rows]
    for seat, money in staked.items():
        row, by = best_for(seat, hands, order) if shown.get(seat) else (None, 0)
        if row is None:
            yield Ended(seat, "lose", 0, 0)
        else:
            paid = msgspec.structs.replace(row, pays=row.pays_among(len(hands)))
            yield Ended(seat, row.row, returned_for(paid, money), by)


def best_for(seat: int, hands: Hands, order: Sequence[str]) -> tuple[Row | None, int]:
    """The best row on the table and whose hand it is: the own one before others that are as good, the dealer's last."""
    best: tuple[Row | None, int] = (None, 0)
    for whose in sorted(hands, key=lambda whose: (whose != seat, whose == DEALERS_HAND, whose)):
        row = hands[whose]
        if row is not None and (best[0] is None or order.index(row.row) < order.index(best[0].row)):
            best = (row, whose)
    return best


def _hands(side: SideBet, shown: Mapping[int, int], seats: Mapping[int, Sequence[int]], dealer: Sequence[int]) -> Hands:
    shared = next((hand & ~set_of(seats[seat]) for seat, hand in shown.items() if hand), 0)
    hands = {seat: set_of(cards) | shared for seat, cards in seats.items() if cards}
    if dealer:
        hands[DEALERS_HAND] = set_of(dealer) | shared
    return {whose: _row(side, hand) for whose, hand in hands.items() if count_bits(hand) == side.bet.scene.own_cards}


def _row(side: SideBet, hand: int) -> Row | None:
    outcome = classified(side.bet, hand, 0, side.options)
    return side.rows.get(side.bet.outcomes[outcome]) if outcome != LOSE else None
