"""Tables of a floor whose server dies at any statement: each step is done once or not at all, every round found again.

Terminals ask until they are answered, sometimes twice, with the id of the first time. A model of few lines follows what
was acknowledged; after every death a new process must find the floor as the model has it, or one step further: the step
whose answer was lost.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.errors import CroupierError
from croupier.floor import demo_floor
from croupier.floor.service import Ask, FloorService, TableView
from croupier.floor.terminal import Terminal
from croupier.store import open_store, verify
from croupier.store.book import Book
from tests.desks import CARDS, DEALER, EXECUTIVE, NOW, OTHER_EXECUTIVE, Person, ask
from tests.ledger_simulator import KilledError, mortal_engine

STEPS = 90
TABLES = ("ddm_1", "ddm_2")
HANDS = ("suited_4567_named", "suited_4567_other", "suited_22", "other_22")


class Server:
    """A desk that dies by chance, and comes back with what the disk has."""

    def __init__(self, path: str, chance: Random) -> None:
        self.path, self.chance, self.deaths = path, chance, 0
        book = open_store(path)
        FloorService(book, clock=lambda: NOW).set_up(ask(EXECUTIVE), demo_floor())
        book.close()
        self.desk = self.power_on()

    def power_on(self) -> FloorService:
        def maybe_die() -> None:
            if self.chance.random() < 0.01:
                raise KilledError

        return FloorService(Book(mortal_engine(self.path, maybe_die)), clock=lambda: NOW)

    def ask_until_answered(self, step: Any) -> TableView | CroupierError:
        while True:
            try:
                answer: TableView | CroupierError = step(self.desk)
            except CroupierError as error:
                if error.code == "storage_failed":
                    continue
                return error
            except KilledError:
                self.restart()
                continue
            if self.chance.random() < 0.1:  # the answer is lost, or the button is pressed twice
                continue
            return answer

    def restart(self) -> None:
        self.deaths += 1
        with suppress(KilledError):
            self.desk.book.close()
        self.desk = self.power_on()


def next_step(chance: Random, now: Terminal, id: str) -> Any:
    """What somebody at the table does next, sensible or not."""

    def asked(by: Person = DEALER) -> Ask:
        return Ask(id=id, by=by)

    seat, hand, table = chance.randint(1, 6), chance.choice(HANDS), now.table
    if chance.random() < 0.08:  # pressed at the wrong time
        return chance.choice(
            [
                lambda desk: desk.end(asked(), table),
                lambda desk: desk.start(asked(), table, chips=99),
                lambda desk: desk.pay(asked(DEALER), "no-such-award"),
            ]
        )
    if now.phase == "open":
        if len(now.lit) < 3 and chance.random() < 0.7:
            return lambda desk: desk.sense(asked(), table, seat, 1, lit=True)
        return lambda desk: desk.start(asked(), table, chips=len(now.lit))
    if now.claims:
        claim = now.claims[0]
        if chance.random() < 0.3:
            return lambda desk: desk.reject(asked(EXECUTIVE), claim, "No win.")
        return lambda desk: desk.pay(asked(EXECUTIVE), claim, second=OTHER_EXECUTIVE)
    if now.picks:
        cards = CARDS[now.picks[0].row]
        return lambda desk: desk.hit(asked(), table, evidence=cards)
    if chance.random() < 0.4:
        return lambda desk: desk.pick(asked(), table, seat, 1, hand)
    return lambda desk: desk.end(asked(), table)


@pytest.mark.parametrize("seed", range(24))
def test_every_step_is_done_once_or_not_at_all(seed: int, tmp_path: Path) -> None:
    chance = Random(seed)
    server = Server(str(tmp_path / "floor.db"), chance)
    seen = {table: TableView(Terminal(table=table), 0) for table in TABLES}
    for number in range(STEPS):
        table = chance.choice(TABLES)
        step = next_step(chance, seen[table].terminal, f"s{seed}-{number}")
        answer = server.ask_until_answered(step)
        if isinstance(answer, TableView):
            assert answer.revision == seen[table].revision + 1, f"seed {seed}: a step was lost or done twice"
            seen[answer.terminal.table] = answer
        else:
            assert answer.code != "id_reused", f"seed {seed}: {answer}"
    server.desk.book.close()
    book = open_store(str(tmp_path / "floor.db"))
    found = FloorService(book, clock=lambda: NOW)
    for table in TABLES:
        assert found.table(table).terminal == seen[table].terminal, f"seed {seed}"
        assert found.table(table).revision == seen[table].revision
        locked = book.round(table)
        assert (locked.round if locked else 0) <= seen[table].terminal.round
    pending = {award.id for award in book.awards(status="pending", limit=1000)}
    assert pending == {claim for view in seen.values() for claim in view.terminal.claims}, f"seed {seed}"
    assert verify(book).is_good, f"seed {seed}"
    assert sum(book.balances().values()) == 0
    assert server.deaths > 0, "nothing went wrong"
    book.close()
