"""What the tests of the desk share: people of every role, commands with fresh ids, and short ways to say a round."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from croupier.errors import CroupierError
from croupier.floor import Role
from croupier.floor.desk import Ask, Desk, TableView

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
_numbers = count()


def ask(by: Person = DEALER, *, id: str = "", revision: int | None = None) -> Ask:
    return Ask(id=id or f"t-{next(_numbers)}", by=by, revision=revision)


def lock(desk: Desk, table: str, *seats: int) -> TableView:
    for seat in seats:
        desk.sense(ask(), table, seat, 1, lit=True)
    return desk.start(ask(), table, chips=len(seats))


def meter(desk: Desk, jackpot: str = "push_22") -> int:
    return next(one.meter_micros for one in desk.meters() if one.jackpot == jackpot)


def refused(code: str) -> Any:
    return pytest.RaisesExc(CroupierError, check=lambda error: error.code == code)
