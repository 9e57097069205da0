"""A demonstration floor at the command line, and the words to use it: fixtures of the tests of `croupier jackpot`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from croupier.floor.files import DEMO
from croupier.floor.people import Person
from croupier.floor.roles import Role
from croupier.floor.service import FloorService
from croupier.house_time import house_clock
from croupier.store import open_store

if TYPE_CHECKING:
    from tests.conftest import Croupier, Said

SECOND_PIN = "840271"


@dataclass
class Terminal:
    """`croupier jackpot` on one store."""

    run: Croupier
    store: Path
    folder: Path
    second_executive: str = ""

    def say(self, *arguments: str, by: str = "dealer") -> Said:
        return self.run("jackpot", *arguments, "--store", str(self.store), *self._card(arguments, by))

    def do(self, *arguments: str, by: str = "dealer") -> dict[str, Any]:
        """What a verb that works answers, as JSON."""
        said = self.say(*arguments, "--json", by=by)
        assert (said.status, said.err) == (0, ""), said
        answer: dict[str, Any] = json.loads(said.out)
        return answer

    def refused(self, code: str, *arguments: str, by: str = "dealer") -> str:
        """The sentence of a refusal, which has this code and leaves nothing on stdout."""
        said = self.say(*arguments, "--json", by=by)
        assert (said.status, said.out) == (2, ""), said
        assert said.err.startswith(f"croupier: {code}: "), said.err
        assert said.err.count("\n") == 1
        return said.err

    def lock(self, table: str, *seats: int) -> dict[str, Any]:
        for seat in seats:
            self.do("light", table, str(seat))
        return self.do("start", table, "--chips", str(len(seats)))

    def meter(self, jackpot: str = "push_22", amount: str = "meter") -> str:
        return str(next(one[amount] for one in self.do("meters")["meters"] if one["jackpot"] == jackpot))

    @contextmanager
    def office(self) -> Iterator[tuple[FloorService, Person, Person]]:
        """The same floor as the manager has it, with an executive and an accountant, for what is no verb."""
        book = open_store(str(self.store))
        people = [Person(id=f"demo-{role}", role=role) for role in (Role.EXECUTIVE, Role.ACCOUNTING)]
        yield FloorService(book, clock=house_clock), people[0], people[1]
        book.close()

    def _card(self, arguments: tuple[str, ...], by: str) -> tuple[str, ...]:
        if "--card" in arguments or arguments[0] in ("tables", "meters", "verify", "restore"):
            return ()
        return ("--card", self.second_executive if by == "second" else f"demo-card-{by}")


@pytest.fixture
def new_terminal(croupier: Croupier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Terminal]:
    for name in ("CROUPIER_STORE", "CROUPIER_CARD", "CROUPIER_PIN", "CROUPIER_SECOND_PIN", "CROUPIER_NEW_PIN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return lambda: Terminal(croupier, tmp_path / "floor.db", tmp_path)


@pytest.fixture
def at(new_terminal: Callable[[], Terminal], tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """The demo floor, just opened; made once and copied."""
    terminal = new_terminal()
    made = tmp_path_factory.getbasetemp() / "opened-by-the-command-line.db"
    if not made.exists():
        said = terminal.run("jackpot", "init", "--demo", "--store", str(made))
        assert said.status == 0, said
    shutil.copy(made, terminal.store)
    return terminal


def with_second_executive(at: Terminal) -> None:
    pin = at.folder / "pin"
    pin.write_text(f"{SECOND_PIN}\n", encoding="utf-8")
    given = at.do("people", "add", "max", "executive", "--new-pin-file", str(pin), by="executive")
    at.second_executive = given["card"]


REAL = (
    ("demo = true", "demo = false"),
    ('pay_table = "3"\n', 'pay_table = "3"\nsettings = { counts = "own_side" }\nconfirmed = "Answer of 2025-02-20"\n'),
)
"""What makes the demo floor a real one."""


def changed(at: Terminal, *replacements: tuple[str, str]) -> str:
    """A file with the demo floor, some of its text replaced."""
    text = DEMO.read_text(encoding="utf-8")
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    file = at.folder / "changed.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.fixture
def in_a_round(at: Terminal, tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    made = tmp_path_factory.getbasetemp() / "in-a-round-by-the-command-line.db"
    if not made.exists():
        at.lock("ddm_1", 1)
        shutil.copy(at.store, made)
    shutil.copy(made, at.store)
    return at
