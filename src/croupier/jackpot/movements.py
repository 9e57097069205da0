"""Every posting of an event with its cause.

The net change of a meter at a hit is taken apart here into award, seed and reserve, so that a reconciliation can show
each on its own. Whatever the event, the movements of one cause add up to zero over the accounts of a jackpot.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

from croupier.errors import LedgerError
from croupier.jackpot.accounts import Key
from croupier.jackpot.events import (
    AnyEvent,
    AwardBackedOut,
    AwardPaid,
    AwardRejected,
    FactRecorded,
    JackpotClosed,
    JackpotHit,
    MeterAdjusted,
    RoundVoided,
    WagersLocked,
)

Cause = Literal[
    "contributions",
    "voided",
    "awards",
    "returned",
    "paid",
    "seed",
    "reserve",
    "overflow",
    "receipts",
    "adjustments",
    "closed",
]
Movement = tuple[Key, Cause, int]

_ADJUSTED: dict[str, Cause] = {"record_receipts": "receipts", "recover_seed": "seed", "release_overflow": "overflow"}
_SIDE: dict[str, Cause] = {"seed": "seed", "reserve": "reserve", "overflow": "overflow"}


def movements(event: AnyEvent) -> list[Movement]:
    """Every movement of an event; over each account they add up to its posting."""
    if isinstance(event, JackpotHit):
        return _of_award(event, "awards")
    if isinstance(event, AwardRejected | AwardBackedOut):
        return _of_award(event, "returned")
    cause = _cause(event)
    return [(posting.key, cause, posting.micros) for posting in event.postings]


def _cause(event: AnyEvent) -> Cause:
    match event:
        case WagersLocked():
            return "contributions"
        case RoundVoided():
            return "voided"
        case AwardPaid():
            return "paid"
        case MeterAdjusted():
            return _ADJUSTED.get(event.code, "adjustments")
        case JackpotClosed():
            return "closed"
        case FactRecorded():
            raise LedgerError("A fact moves no money.", code="bad_entry")
        case _:
            return "seed"


def _of_award(event: JackpotHit | AwardRejected | AwardBackedOut, cause: Cause) -> list[Movement]:
    """The meter is one end of whatever seed, reserve and overflow got or gave; what is left of it is the award."""
    movements: list[Movement] = []
    meters: dict[Key, dict[Cause, int]] = defaultdict(lambda: defaultdict(int))
    for posting in event.postings:
        meter: Key = (posting.jackpot, posting.level, "meter")
        if posting.account == "meter":
            meters[meter][cause] += posting.micros
            continue
        side = _SIDE.get(posting.account, cause)
        movements.append((posting.key, side, posting.micros))
        if side != cause:
            meters[meter][side] -= posting.micros
            meters[meter][cause] += posting.micros
    movements += [(key, why, micros) for key, parts in meters.items() for why, micros in parts.items() if micros]
    return movements
