"""Two copies of one command under way at the same moment: both are answered, and alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from croupier.errors import CroupierError
from croupier.floor import Floor, Role, demo_floor
from croupier.floor.service import Ask, FloorService, TableView
from croupier.jackpot import Sealed
from croupier.store import Book, open_store
from tests.desks import ACCOUNTING, EXECUTIVE, NOW, OTHER_EXECUTIVE, ask, lock, refused
from tests.floors import with_jackpot, with_sensors, with_table
from tests.people import BOSS_PIN, MIA_PIN, NEW_PIN
from tests.people import Floor as Staff

Step = Callable[[FloorService, Ask], TableView]
STEPS: dict[str, Step] = {
    "sense": lambda desk, asked: desk.sense(replace(asked, revision=None), "ddm_2", 3, 1, lit=True),
    "start": lambda desk, asked: desk.start(replace(asked, revision=0), "ddm_2", chips=0),
    "pick": lambda desk, asked: desk.pick(asked, "ddm_1", 1, 1, "other_22"),
    "end": lambda desk, asked: desk.end(asked, "ddm_1"),
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FloorService]:
    made = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    made.set_up(ask(EXECUTIVE), demo_floor())
    yield made
    made.book.close()


@pytest.mark.parametrize("step", STEPS)
def test_a_copy_that_is_booked_while_the_other_is_decided_answers_both(
    step: str, desk: FloorService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first copy is booked just after the second has looked whether it was: the moment is made, not waited for."""
    asked = replace(ask(id="asked-twice"), revision=lock(desk, "ddm_1", 1).revision)
    read_floor = desk._floor_in_force
    first: list[TableView] = []

    def floor_read_late() -> tuple[int, Floor]:
        monkeypatch.undo()
        first.append(STEPS[step](desk, asked))
        return read_floor()

    monkeypatch.setattr(desk, "_floor_in_force", floor_read_late)
    second = STEPS[step](desk, asked)
    assert [second] == first
    assert len([one for one in desk.book.entries() if one.entry.id == "asked-twice"]) == 1


# Whatever else is done once: the first copy is booked when the second has looked for its id and found nothing.


def next_version(floor: Floor) -> Floor:
    return structs.replace(floor, version=structs.replace(floor.version, number=floor.version.number + 1))


def without_dragon_at_tables(floor: Floor) -> Floor:
    posted = tuple(one for one in floor.table("baccarat_1").posted if one != "jackpot_amount")
    return next_version(with_table(with_sensors(floor, "baccarat_1"), "baccarat_1", posted=posted))


def close(desk: FloorService) -> object:
    return desk.close_jackpot(ask(EXECUTIVE, id="twice"), "dragon", "A new game.", ACCOUNTING, to="push_22")


OTHERS: dict[str, Callable[[FloorService], object]] = {
    "change": lambda desk: desk.change(
        ask(EXECUTIVE, id="twice"),
        next_version(with_jackpot(without_dragon_at_tables(demo_floor()), "dragon", name="Dragon")),
        approved_by=OTHER_EXECUTIVE,
    ),
    "close": close,
    "account": lambda desk: desk.record_account(ask(ACCOUNTING, id="twice"), balance_micros=1, note="Slip."),
    "set up": lambda desk: desk.set_up(ask(EXECUTIVE, id="t-setup"), demo_floor()),
}


def overtaken(book: Book, id: str, do: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The answers of two copies: the first one is done just after the second has seen that the id is unused."""
    look, answers = book.entry, list[object]()

    def copy() -> None:
        try:
            answers.append(do())
        except CroupierError as error:
            answers.append(error.code)

    def seen_too_early(asked: str) -> Sealed | None:
        found = look(asked)
        if asked == id:
            monkeypatch.undo()
            copy()
        return found

    monkeypatch.setattr(book, "entry", seen_too_early)
    copy()
    return answers


@pytest.mark.parametrize("what", OTHERS)
def test_a_copy_of_any_command_of_the_desk_gets_the_first_answer(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE, id="t-setup"), demo_floor())
    desk.change(ask(EXECUTIVE), without_dragon_at_tables(demo_floor()), approved_by=OTHER_EXECUTIVE)
    if what == "set up":
        assert OTHERS[what](desk) == OTHERS[what](desk)
    else:
        first, second = overtaken(desk.book, "twice", lambda: OTHERS[what](desk), monkeypatch)
        assert first == second and not isinstance(first, str)
    assert len([one for one in desk.book.entries() if one.entry.id == "twice"]) == (what != "set up")
    desk.book.close()


STAFF: dict[str, Callable[[Staff], object]] = {
    "role": lambda floor: floor.people.set_role("twice", "boss", "mia", Role.SUPERVISOR),
    "withdraw": lambda floor: floor.people.withdraw("twice", "boss", "mia"),
    "unlock": lambda floor: floor.people.unlock("twice", "boss", "mia"),
    "sign out": lambda floor: floor.people.end_sessions("twice", "boss", "mia"),
    "pin": lambda floor: floor.people.change_pin("twice", floor.mia_card, MIA_PIN, NEW_PIN),
    "withdraw oneself": lambda floor: floor.people.withdraw("twice", "eva", "eva"),
    "withdraw device": lambda floor: floor.devices.withdraw("twice", "tom", "sign-1"),
}
TOKENS: dict[str, Callable[[Staff], object]] = {
    "add": lambda floor: floor.people.add_person("twice", "boss", "dan", Role.DEALER, MIA_PIN),
    "renew": lambda floor: floor.people.renew_card("twice", "boss", "mia", NEW_PIN),
    "register": lambda floor: floor.devices.register_device("twice", "tom", "sign-2", "sign", jackpots=("push_22",)),
    "renew device": lambda floor: floor.devices.renew("twice", "tom", "sign-1"),
}


@pytest.fixture
def staff(tmp_path: Path) -> Iterator[Staff]:
    floor = Staff(open_store(str(tmp_path / "staff.db")))
    floor.add("tom", Role.TECHNICIAN)
    floor.add("eva", Role.EXECUTIVE)
    floor.devices.register_device("sign", "tom", "sign-1", "sign", jackpots=("push_22",))
    yield floor
    floor.book.close()


@pytest.mark.parametrize("what", STAFF)
def test_a_copy_of_a_command_about_people_and_devices_is_answered_as_done(
    what: str, staff: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert overtaken(staff.book, "twice", lambda: STAFF[what](staff), monkeypatch) == [None, None]
    assert len([one for one in staff.book.entries() if one.entry.id == "twice"]) == 1


@pytest.mark.parametrize("what", TOKENS)
def test_a_copy_of_a_command_that_shows_a_token_is_told_that_it_was_shown(
    what: str, staff: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, again = overtaken(staff.book, "twice", lambda: TOKENS[what](staff), monkeypatch)
    assert isinstance(token, str) and len(token) > len(BOSS_PIN)
    assert again == "shown_once"


def test_an_id_that_another_command_took_meanwhile_is_reused(staff: Staff, monkeypatch: pytest.MonkeyPatch) -> None:
    look = staff.book.entry

    def seen_too_early(asked: str) -> Sealed | None:
        found = look(asked)
        monkeypatch.undo()
        staff.people.withdraw("twice", "boss", "mia")
        return found

    monkeypatch.setattr(staff.book, "entry", seen_too_early)
    with refused("id_reused"):
        staff.people.set_role("twice", "boss", "mia", Role.SUPERVISOR)


def test_a_sensor_that_names_no_revision_is_heard_beside_another(
    desk: FloorService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another light goes on between the look at the table and the entry."""
    view = desk._view

    def another_first(table: str) -> TableView:
        seen = view(table)
        monkeypatch.undo()
        desk.sense(ask(), "ddm_1", 5, 1, lit=True)
        return seen

    monkeypatch.setattr(desk, "_view", another_first)
    desk.sense(replace(ask(), revision=None), "ddm_1", 2, 1, lit=True)
    assert [spot.seat for spot in desk.table("ddm_1").terminal.lit] == [2, 5]


def other_wager(desk: FloorService) -> Floor:
    """The next setup, with another wager on the jackpot's sensors."""
    floor = with_jackpot(desk.floor(), "push_22", wager_micros=25_000_000, seed_micros=250_000_000_000)
    version = structs.replace(floor.version, number=floor.version.number + 1, reason="Larger wagers.")
    return structs.replace(floor, version=version)


def test_a_round_is_locked_by_the_set_up_in_force_or_not_at_all(
    desk: FloorService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The setup changes between START GAME's look at it and its entry."""
    desk.sense(ask(), "ddm_1", 2, 1, lit=True)
    new, view = other_wager(desk), desk._view

    def changed_meanwhile(table: str) -> TableView:
        monkeypatch.undo()
        seen = view(table)
        desk.change(ask(EXECUTIVE), new, approved_by=OTHER_EXECUTIVE)
        return seen

    monkeypatch.setattr(desk, "_view", changed_meanwhile)
    with refused("stale_revision"):
        desk.start(ask(), "ddm_1", chips=1)
    assert desk.table("ddm_1").terminal.phase == "open"
    desk.start(ask(), "ddm_1", chips=1)
    locked = desk.book.round("ddm_1")
    assert locked is not None and [bet.amount_micros for bet in locked.bets] == [25_000_000]


def test_a_change_waits_for_a_round_that_began_while_it_was_decided(
    desk: FloorService, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.sense(ask(), "ddm_1", 2, 1, lit=True)
    new, tables = other_wager(desk), desk.tables

    def started_meanwhile() -> tuple[TableView, ...]:
        monkeypatch.undo()
        seen = tables()
        desk.start(ask(), "ddm_1", chips=1)
        return seen

    monkeypatch.setattr(desk, "tables", started_meanwhile)
    with refused("round_in_progress"):
        desk.change(ask(EXECUTIVE), new, approved_by=OTHER_EXECUTIVE)
    assert desk.floor().version.number == new.version.number - 1
