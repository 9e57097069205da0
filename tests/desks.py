"""What the tests of the desk share: people of every role, commands with fresh ids, and short ways to say a round."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from croupier.errors import CroupierError
from croupier.floor import Role
from croupier.floor.service import Ask, FloorService, TableView

NOW = datetime(2026, 11, 16, 20, 0, tzinfo=UTC)
SEED = 50_000_000_000


@dataclass(frozen=True)
class Person:
    id: str
    role: Role


DEALER = Person("ann", Role.DEALER)
SUPERVISOR = Person("sue", Role.SUPERVISOR)
EXECUTIVE = Person("eve", Role.EXECUTIVE)
OTHER_EXECUTIVE = Person("max", Role.EXECUTIVE)
ACCOUNTING = Person("acc", Role.ACCOUNTING)
AUDITOR = Person("aud", Role.AUDITOR)
CARDS = {
    "suited_4567_named": "4s 5s 6s 7s",
    "suited_4567_other": "4h 5h 6h 7h",
    "suited_22": "Th 3h 9h",
    "same_colour_22": "Th 3d 9h",
    "other_22": "Th 6c 6d",
    "suited_six_cards": "Player Kd Qd Td, Banker 2d Jd 7d, wagered on banker",
}
"""Cards that give each row on the demo floor."""
_numbers = count()


def ask(by: Person = DEALER, *, id: str = "", revision: int | None = None) -> Ask:
    return Ask(id=id or f"t-{next(_numbers)}", by=by, revision=revision)


def lock(desk: FloorService, table: str, *seats: int) -> TableView:
    for seat in seats:
        desk.sense(ask(), table, seat, 1, lit=True)
    return desk.start(ask(), table, chips=len(seats))


def meter(desk: FloorService, jackpot: str = "push_22") -> int:
    return next(one.meter_micros for one in desk.meters() if one.jackpot == jackpot)


def refused(code: str) -> Any:
    return pytest.RaisesExc(CroupierError, check=lambda error: error.code == code)
