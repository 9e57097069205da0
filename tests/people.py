"""What the tests of people share: a floor with two of them, a clock that is set by hand, refusals."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count

import pytest

from croupier.errors import CroupierError
from croupier.floor.credentials import PinCost
from croupier.floor.devices import Devices
from croupier.floor.people import People
from croupier.floor.roles import Role
from croupier.floor.sessions import Sessions
from croupier.jackpot import FactRecorded
from croupier.store import Book
from tests.ledger import NOON

QUICK = PinCost(memory_kib=8, passes=1)
BOSS_PIN, MIA_PIN, NEW_PIN, WRONG_PIN = "83015274", "60427193", "49172638", "57203816"
MINUTE = timedelta(minutes=1)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def wait(self, time: timedelta) -> None:
        self.now += time


class Floor:
    """A book with an executive, "boss", and a dealer, "mia"."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.clock = Clock()
        self.people = self.restarted()
        self.sessions = Sessions(self.people)
        self.devices = Devices(self.people)
        self._numbers = count(1)
        self.boss_card = self.people.add_person("add-boss", "setup", "boss", Role.EXECUTIVE, BOSS_PIN)
        self.mia_card = self.people.add_person("add-mia", "boss", "mia", Role.DEALER, MIA_PIN)

    def restarted(self, *, demo: bool = False) -> People:
        return People(self.book, self.clock, cost=QUICK, demo=demo)

    def next_id(self) -> str:
        return f"request-{next(self._numbers)}"

    def add(self, id: str, role: Role, pin: str = MIA_PIN) -> str:
        return self.people.add_person(self.next_id(), "boss", id, role, pin)

    def fail(self, times: int) -> None:
        for _ in range(times):
            refused("not_recognized", lambda: self.people.present(self.mia_card, WRONG_PIN, where="table-7"))

    def denials(self) -> list[dict[str, object]]:
        """Refused attempts, then wrong PINs, which the ledger counts."""
        events = [sealed.entry.event for sealed in self.book.entries()]
        wrong_pins = [event.body for event in events if isinstance(event, FactRecorded) and event.kind == "denied"]
        refused = [
            {"who": one.who, "what": one.what, "where": one.where, "why": one.why}
            for one in self.book.refusals.between()
        ]
        return [*refused, *wrong_pins]


def refused(code: str, do: Callable[[], object]) -> str:
    with pytest.raises(CroupierError) as refusal:
        do()
    assert refusal.value.code == code, str(refusal.value)
    return str(refusal.value)


def together(*calls: Callable[[], object]) -> list[str]:
    """Runs all at the same time; the codes of what was refused."""
    codes: list[str] = []
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> None:
        start.wait()
        try:
            call()
        except CroupierError as error:
            codes.append(error.code)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return codes
