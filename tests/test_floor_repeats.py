"""Two copies of one command under way at the same moment: both are answered, and alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.floor import Floor, demo_floor
from croupier.floor.desk import Ask, Desk, TableView
from croupier.store import open_store
from tests.desks import EXECUTIVE, NOW, ask, lock

Step = Callable[[Desk, Ask], TableView]
STEPS: dict[str, Step] = {
    "sense": lambda desk, asked: desk.sense(replace(asked, revision=None), "ddm_2", 3, 1, lit=True),
    "start": lambda desk, asked: desk.start(replace(asked, revision=0), "ddm_2", chips=0),
    "pick": lambda desk, asked: desk.pick(asked, "ddm_1", 1, 1, "other_22"),
    "end": lambda desk, asked: desk.end(asked, "ddm_1"),
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    made.set_up(ask(EXECUTIVE), demo_floor())
    yield made
    made.book.close()


@pytest.mark.parametrize("step", STEPS)
def test_a_copy_that_is_booked_while_the_other_is_decided_answers_both(
    step: str, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first copy is booked just after the second has looked whether it was: the moment is made, not waited for."""
    asked = replace(ask(id="asked-twice"), revision=lock(desk, "ddm_1", 1).revision)
    read_floor = desk.floor
    first: list[TableView] = []

    def floor_read_late() -> Floor:
        monkeypatch.undo()
        first.append(STEPS[step](desk, asked))
        return read_floor()

    monkeypatch.setattr(desk, "floor", floor_read_late)
    second = STEPS[step](desk, asked)
    assert [second] == first
    assert len([one for one in desk.book.entries() if one.entry.id == "asked-twice"]) == 1
