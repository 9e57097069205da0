"""Stores that somebody has edited: one broken jackpot hides no other, and what does not read is said in a sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.errors import LedgerError
from croupier.floor import Role, demo_floor
from croupier.floor.credentials import PinCost
from croupier.floor.dealt import DealtTable
from croupier.floor.devices import Devices
from croupier.floor.people import People
from croupier.floor.service import FloorService
from croupier.floor.sessions import Sessions
from croupier.store import open_store, verify
from tests.desks import ACCOUNTING, DEALER, EXECUTIVE, NOW, ask, lock, refused
from tests.web_client import Web, demo_web, step
from tests.web_client import lock as lock_at

BROKEN = {
    "sum": "UPDATE balances SET micros = micros + 1 WHERE jackpot = 'dragon' AND account = 'meter'",
    "awards": "INSERT INTO balances VALUES ('dragon', 'main', 'pending', 1), ('dragon', 'main', 'adjustments', -1)",
    "sign": "INSERT INTO balances VALUES ('dragon', 'main', 'reserve', -1), ('dragon', 'main', 'adjustments', 1)",
    "level": "INSERT INTO balances VALUES ('dragon', 'other', 'meter', 1), ('dragon', 'other', 'seed', -1)",
    "gone": "DELETE FROM jackpots WHERE id = 'dragon'",
}


def edit(store: Path, statement: str) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(statement)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "floor.db"


@pytest.fixture
def desk(store: Path) -> Iterator[FloorService]:
    made = FloorService(open_store(str(store)), clock=lambda: NOW)
    made.set_up(ask(EXECUTIVE), demo_floor())
    yield made
    made.book.close()


@pytest.mark.parametrize("what", BROKEN)
def test_a_jackpot_whose_figures_cannot_be_right_is_named_and_the_others_are_shown(
    what: str, desk: FloorService, store: Path
) -> None:
    edit(store, BROKEN[what])
    assert [one.jackpot for one in desk.meters()] == ["push_22"]
    assert list(desk.figures().stopped) == ["dragon"]
    assert desk.figures().stopped["dragon"]
    lock(desk, "ddm_1", 1)
    assert not verify(desk.book).is_good


def test_what_a_process_found_wrong_when_it_wrote_is_not_shown_either(desk: FloorService, store: Path) -> None:
    """Figures that add up, and are not the sums of their postings: only a look at all postings finds that."""
    edit(store, "UPDATE balances SET micros = micros + 1 WHERE jackpot = 'dragon' AND account = 'meter'")
    edit(store, "UPDATE balances SET micros = micros - 1 WHERE jackpot = 'dragon' AND account = 'seed'")
    with closing(open_store(str(store))) as book:
        again = FloorService(book, clock=lambda: NOW)
        lock(again, "ddm_1", 1)
        assert "dragon" in again.figures().stopped
        with refused("jackpot_stopped"):
            lock(again, "baccarat_1", 1)


def test_a_dealt_table_with_a_stopped_jackpot_says_so(desk: FloorService, store: Path) -> None:
    edit(store, BROKEN["sum"].replace("dragon", "push_22"))
    with refused("jackpot_stopped"):
        DealtTable(desk, "ddm_1", DEALER)


EDITED: dict[str, tuple[str, Callable[[FloorService], object]]] = {
    "floor without its data": ("UPDATE facts SET body = '{}' WHERE subject = 'floor'", FloorService.floor),
    "floor that is no object": ("UPDATE facts SET body = '[]' WHERE subject = 'floor'", FloorService.floor),
    "floor of another shape": (
        "UPDATE facts SET body = '{\"floor\": {\"id\": 1}}' WHERE subject = 'floor'",
        FloorService.floor,
    ),
    "floor cut short": ("UPDATE facts SET body = '{' WHERE subject = 'floor'", FloorService.floor),
    "table": ("UPDATE facts SET body = '{}' WHERE subject = 'table:ddm_1'", FloorService.tables),
    "phase": (
        "UPDATE facts SET body = replace(body, 'locked', 'maybe') WHERE subject = 'table:ddm_1'",
        FloorService.tables,
    ),
    "account": ("UPDATE facts SET body = '{}' WHERE subject = 'account'", FloorService.account),
    "jackpot": ("UPDATE jackpots SET body = '{}'", FloorService.meters),
    "award": ("UPDATE awards SET body = '{}'", lambda desk: desk.book.award("won/1")),
    "round": ("UPDATE rounds SET body = 'x'", lambda desk: desk.book.round("ddm_1")),
    "balance": ("UPDATE balances SET micros = 'much'", FloorService.meters),
    "end of the log": ("DELETE FROM head", lambda desk: desk.book.head()),
    "end of the log, and a wager": ("DELETE FROM head", lambda desk: desk.end(ask(), "ddm_1")),
    "balance, and a wager": ("UPDATE balances SET micros = 'much'", lambda desk: lock(desk, "ddm_2", 1)),
}


@pytest.mark.parametrize("name", EDITED)
def test_what_was_edited_is_said_in_a_sentence(name: str, desk: FloorService, store: Path) -> None:
    statement, look = EDITED[name]
    lock(desk, "ddm_1", 1)
    desk.pick(ask(), "ddm_1", 1, 1, "other_22")
    desk.hit(ask(id="won"), "ddm_1")
    desk.pay_as_demo(ask(), "won/1")
    desk.record_account(ask(ACCOUNTING), balance_micros=1, note="A statement.")
    edit(store, statement)
    with closing(open_store(str(store))) as book, pytest.raises(LedgerError, match="damaged or edited") as refusal:
        look(FloorService(book, clock=lambda: NOW))
    assert refusal.value.code == "bad_store"


def test_edited_people_devices_and_sessions_are_said_in_a_sentence(desk: FloorService, store: Path) -> None:
    people = People(desk.book, lambda: NOW, cost=PinCost(memory_kib=8, passes=1))
    sessions, devices = Sessions(people), Devices(people)
    card = people.add_person("add", "eve", "eve", Role.EXECUTIVE, "83015274")
    people.add_person("add-tom", "eve", "tom", Role.TECHNICIAN, "60427193")
    token = devices.register_device("register", "tom", "sign-1", "sign", jackpots=("push_22",))
    signed_in = sessions.sign_in(card, "83015274", "terminal-1")
    edit(store, "UPDATE facts SET body = '{}'")
    for look in (
        people.everyone,
        lambda: people.present(card, "83015274"),
        devices.devices,
        lambda: devices.device(token),
        lambda: sessions.session(signed_in),
    ):
        with refused("bad_store"):
            look()


def test_over_http_an_edited_store_is_no_failure_of_the_server(store: Path) -> None:
    with demo_web(str(store)) as web:
        dealer = web.role("dealer")
        step(dealer, "ddm_1", "sense", seat=1, sensor=1, lit=True)
        edit(store, "UPDATE facts SET body = '{}' WHERE subject IN ('floor', 'table:ddm_1')")
        answer = dealer.refused(503, "bad_store", "GET", "/tables/ddm_1")
        assert "restore a backup" in answer.json()["error"]["message"]
    with refused("bad_store"), demo_web(str(store)):
        pass  # the next server does not start on it


@pytest.fixture
def web(store: Path) -> Iterator[Web]:
    with demo_web(str(store)) as made:
        yield made


def test_signs_are_told_which_jackpot_is_stopped_and_why(web: Web, store: Path) -> None:
    both, other = (web.device("sign", jackpots=names) for names in (["dragon", "push_22"], ["push_22"]))
    assert both.get("/meters")["stopped"] == []
    edit(store, BROKEN["sum"])
    answer = both.get("/meters")
    assert [one["jackpot"] for one in answer["meters"]] == ["push_22"]
    assert [one["jackpot"] for one in answer["stopped"]] == ["dragon"]
    assert "add up" in answer["stopped"][0]["why"]
    assert other.get("/meters")["stopped"] == [], "a sign is told of its own jackpots only"
    lock_at(web.role("dealer"), "ddm_1", 1)
