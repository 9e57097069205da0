"""Each command of a table killed at each of its statements and commits, one after another: done once or not at all.

Chance finds most moments of a crash; here none is left out. As the clock stands still, the log after the repeat must
end in the very hash that it has when nothing goes wrong.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from croupier.floor import demo_floor
from croupier.floor.service import FloorService
from croupier.floor.terminal import Pick
from croupier.store import open_store, verify
from croupier.store.book import Book
from tests.desks import ACCOUNTING, CARDS, DEALER, EXECUTIVE, NOW, OTHER_EXECUTIVE, SUPERVISOR, ask, lock
from tests.ledger_simulator import KilledError, mortal_engine

pytestmark = pytest.mark.slow

Deed = Callable[[FloorService], Any]
KEY = "the-command"


def claim(desk: FloorService, row: str) -> None:
    """Two seats at table 1 have hit, under the id "hit"."""
    lock(desk, "ddm_1", 1, 2)
    desk.pick(ask(), "ddm_1", 0, 1, row)
    desk.hit(ask(id="hit"), "ddm_1", evidence=CARDS[row])


def paid(desk: FloorService) -> None:
    claim(desk, "suited_4567_other")
    desk.pay(ask(EXECUTIVE), "hit/1")


def backed_out(desk: FloorService) -> None:
    paid(desk)
    desk.back_out(ask(EXECUTIVE), "hit/1", "Wrong hand.", ACCOUNTING)


def by_hand(desk: FloorService) -> Any:
    picks = [Pick(0, 1, "suited_4567_named")]
    asked = ask(EXECUTIVE, id=KEY)
    cards = CARDS["suited_4567_named"]
    return desk.award_by_hand(asked, "ddm_1", 1, picks=picks, evidence=cards, note="Spades.", second=ACCOUNTING)


def picked(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 2)
    desk.pick(ask(), "ddm_1", 0, 1, "suited_4567_named")


# What came before, and the command.
COMMANDS: dict[str, tuple[Deed, Deed]] = {
    "sense": (
        lambda desk: None,
        lambda desk: desk.sense(ask(DEALER, id=KEY), "ddm_1", 3, 1, lit=True),
    ),
    "start": (
        lambda desk: desk.sense(ask(), "ddm_1", 3, 1, lit=True),
        lambda desk: desk.start(ask(DEALER, id=KEY), "ddm_1", chips=1),
    ),
    "pick": (
        lambda desk: lock(desk, "ddm_1", 1, 2),
        lambda desk: desk.pick(ask(DEALER, id=KEY), "ddm_1", 1, 1, "suited_22"),
    ),
    "hit": (picked, lambda desk: desk.hit(ask(DEALER, id=KEY), "ddm_1", evidence="4s 5s 6s 7s")),
    "award by hand": (backed_out, by_hand),
    "pay": (
        lambda desk: claim(desk, "suited_4567_named"),
        lambda desk: desk.pay(ask(EXECUTIVE, id=KEY), "hit/1", second=OTHER_EXECUTIVE),
    ),
    "reject": (
        lambda desk: claim(desk, "suited_4567_named"),
        lambda desk: desk.reject(ask(SUPERVISOR, id=KEY), "hit/1", "The cards were two suits."),
    ),
    "back out": (paid, lambda desk: desk.back_out(ask(EXECUTIVE, id=KEY), "hit/1", "Wrong table.", ACCOUNTING)),
    "adjust": (
        lambda desk: None,
        lambda desk: desk.adjust(
            ask(EXECUTIVE, id=KEY),
            "push_22",
            reason="correct_display",
            micros=-1,
            note="Shown too high.",
            second=ACCOUNTING,
        ),
    ),
    "end": (lambda desk: lock(desk, "ddm_1", 1), lambda desk: desk.end(ask(DEALER, id=KEY), "ddm_1")),
    "clear": (
        lambda desk: lock(desk, "ddm_1", 1, 2),
        lambda desk: desk.clear(ask(SUPERVISOR, id=KEY), "ddm_1", "Stuck.", EXECUTIVE),
    ),
}


def opened_desk(path: Path) -> FloorService:
    return FloorService(open_store(str(path)), clock=lambda: NOW)


def dies_at(path: Path, moment: int, command: Deed) -> bool:
    """Whether the process died, at this statement or commit, counted from 0, or was done before."""
    passed = count()

    def maybe_die() -> None:
        if next(passed) == moment:
            raise KilledError

    desk = FloorService(Book(mortal_engine(str(path), maybe_die)), clock=lambda: NOW)
    try:
        command(desk)
    except KilledError:
        return True
    finally:
        desk.book.close()
    return False


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_killed_at_each_of_its_writes_is_done_once(name: str, tmp_path: Path) -> None:
    before, command = COMMANDS[name]
    start = tmp_path / "start.db"
    desk = opened_desk(start)
    desk.set_up(ask(EXECUTIVE), demo_floor())
    before(desk)
    head_before = desk.book.head()
    desk.book.close()  # checkpoints, so that the file is all there is
    faultless = tmp_path / "faultless.db"
    shutil.copy(start, faultless)
    desk = opened_desk(faultless)
    answer = command(desk)
    head_after, balances, tables = desk.book.head(), desk.book.balances(), desk.tables()
    desk.book.close()

    found_after_death = []
    for moment in count():
        file = tmp_path / f"death-{moment}.db"
        shutil.copy(start, file)
        if not dies_at(file, moment, command):
            break
        desk = opened_desk(file)
        found_after_death.append(desk.book.head())
        assert verify(desk.book).is_good
        assert command(desk) == answer
        assert (desk.book.head(), desk.book.balances(), desk.tables()) == (head_after, balances, tables)
        desk.book.close()
    # Nothing was there until the commit, and all of it after it.
    assert set(found_after_death) == {head_before, head_after}
    assert found_after_death == sorted(found_after_death)
