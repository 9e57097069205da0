"""Play money never meets real books: refused at setup and where it would be booked, kept in a store of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from msgspec import structs
from sqlalchemy import func, select

from croupier.cli.serve import show_closed
from croupier.floor import service as desks
from croupier.floor.files import demo_hall, floor_to_toml
from croupier.floor.people import People
from croupier.floor.roles import SOFTWARE, Role
from croupier.floor.service import Ask, FloorService
from croupier.floor.setup import Floor
from croupier.floor.terminal import Pick, Spot
from croupier.jackpot import JackpotHit, WagersLocked
from croupier.store import open_store, verify
from croupier.store.play import PlayStore, play_tables, players
from croupier.store.play_database import open_play_database, play_database_beside
from croupier.web.app import make_app
from tests.conftest import Croupier
from tests.desks import CARDS, NOW, Person, refused
from tests.floors import as_real
from tests.web_client import CHEAP, WIDE, Clock, Web, share_work

PIN = "83015274"
DEALER = Person(SOFTWARE, Role.DEALER)
PEOPLE = {"eve": Role.EXECUTIVE, "max": Role.EXECUTIVE, "sue": Role.SUPERVISOR, "ann": Role.DEALER}
REAL = as_real(demo_hall())
PLAIN = structs.replace(REAL, tables=tuple(table for table in REAL.tables if table.id not in ("ddm_3", "baccarat_2")))
PLAIN = structs.replace(
    PLAIN, links=tuple(structs.replace(link, tables=("ddm_1", "ddm_2")) for link in REAL.links if link.id == "madness")
)
"""The hall as a real floor may be: the software deals without sensors."""


def store_floor(url: str, floor: Floor, monkeypatch: pytest.MonkeyPatch | None = None) -> dict[str, dict[str, str]]:
    """The floor in a store, as an earlier program let it in, and everybody's cards."""
    book = open_store(url)
    people = People(book, lambda: NOW, cost=CHEAP)
    cards = {
        name: {"card": people.add_person(f"add-{name}", "eve", name, role, PIN), "pin": PIN}
        for name, role in PEOPLE.items()
    }
    if monkeypatch is not None:
        monkeypatch.setattr(desks, "check_floor", lambda *arguments: [])
    FloorService(book, clock=lambda: NOW).set_up(Ask("open", people.person("eve")), floor)
    if monkeypatch is not None:
        monkeypatch.undo()
    book.close()
    return cards


@contextmanager
def served(url: str) -> Iterator[Web]:
    app = make_app(url, clock=Clock(), limits=WIDE, pin_cost=CHEAP)
    share_work(app)
    try:
        yield Web(app, url)
    finally:
        app.state.room.close()


def browser(web: Web) -> TestClient:
    """Without a cookie, through a TLS proxy."""
    return TestClient(web.app, base_url="https://testserver")


def press(http: TestClient, path: str, do: str, **fields: str) -> Any:
    text = http.get("/play/blackjack").text
    found = re.search(r'name="csrf" value="(\w+)"', text)
    assert found is not None
    number = press.__dict__.setdefault("number", iter(range(10**6)))
    body = {"csrf": found[1], "command": f"command-{next(number)}", "do": do, **fields}
    return http.post(path, data=body)


def test_a_hall_that_is_no_demonstration_is_refused_at_init(croupier: Croupier, tmp_path: Path) -> None:
    file, store = tmp_path / "hall.toml", tmp_path / "floor.db"
    file.write_text(floor_to_toml(REAL), encoding="utf-8")
    said = croupier("jackpot", "init", str(file), "--executive", "eve", "--store", str(store))
    assert said.status == 2 and said.err.startswith("croupier: play_money: "), said
    assert not store.exists()
    checked = croupier("jackpot", "check", str(file))
    assert checked.status == 1 and checked.out.count("play_money") == 2


def test_a_guest_moves_nothing_of_a_floor_that_was_let_in_before(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report's steps: sit at the table with a sensor, put free money on it, deal."""
    store_floor(store_url, REAL, monkeypatch)
    with served(store_url) as web:
        head, http = web.room.book.head(), browser(web)
        path = "/play/double_down_madness/ddm_3"
        page = http.get(path)
        assert page.status_code == 409 and "play_money" in page.text and "closed" in page.text
        for do, fields in (
            ("sit 1", {}),
            ("lay 1 main", {"chip": "5"}),
            ("on 1 push_22_progressive 5000000", {}),
            ("deal", {}),
        ):
            answer = press(http, path, do, **fields)
            assert answer.status_code == 409 and "play_money" in answer.text
        desk = web.room.desk
        with refused("play_money"):
            desk.start(Ask("a-start", DEALER), "ddm_3", chips=1, lit=[Spot(1, 1)])
        web.room.hall.tick()
        assert web.room.book.head() == head, "not one entry came into the ledger"
        assert http.get("/").status_code == 200 and 'href="/play/double_down_madness/ddm_3"' not in http.get("/").text
        assert http.get("/play/blackjack/blackjack_1").status_code == 200, "the others are open"


def test_a_closed_table_is_said_to_the_manager_at_check_and_at_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, croupier: Croupier, capsys: pytest.CaptureFixture[str]
) -> None:
    url = str(tmp_path / "floor.db")
    cards = store_floor(url, REAL, monkeypatch)
    with served(url) as web:
        show_closed(web.room)
        assert "play_money" in capsys.readouterr().out
        executive = web.sign_in(cards["eve"], secure=True)
        for path in ("/manager", "/manager/tables/ddm_3"):
            page = executive.http.get(path)
            assert page.status_code == 200 and "The software deals at table &#34;ddm_3&#34;" in page.text
    checked = croupier("jackpot", "check", "--store", url)
    assert checked.status == 1 and "tables.ddm_3.dealing" in checked.out


def test_what_was_booked_there_before_is_given_back_by_two_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round of play money was locked and won when the program still let it: the claim is not paid, only rejected."""
    url = str(tmp_path / "floor.db")
    cards = store_floor(url, REAL, monkeypatch)
    book = open_store(url)
    desk = FloorService(book, clock=lambda: NOW)
    monkeypatch.setattr(desks, "require_real_money", lambda *arguments: None)
    desk.start(Ask("old-start", DEALER), "ddm_3", chips=1, lit=[Spot(1, 1)])
    desk.hit(
        Ask("old-hit", DEALER), "ddm_3", picks=[Pick(0, 1, "suited_4567_other")], evidence=CARDS["suited_4567_other"]
    )
    monkeypatch.undo()
    book.close()
    with served(url) as web:
        supervisor, executive = (web.sign_in(cards[name], secure=True) for name in ("sue", "eve"))

        def asked(**more: Any) -> dict[str, Any]:
            return {"revision": supervisor.get("/tables/ddm_3")["revision"], **more}

        executive.refused(409, "play_money", "POST", "/claims/old-hit/1/pay", asked())
        clear = {"why": "Play money.", "second": cards["eve"]}
        supervisor.refused(409, "claim_open", "POST", "/tables/ddm_3/clear", asked(**clear))
        supervisor.done("POST", "/claims/old-hit/1/reject", asked(note="Play money."))
        same = {"why": "Play money.", "second": cards["sue"]}
        supervisor.refused(403, "same_person", "POST", "/tables/ddm_3/clear", asked(**same))
        cleared = supervisor.done("POST", "/tables/ddm_3/clear", asked(**clear))
        assert (cleared["phase"], cleared["lit"], cleared["claims"]) == ("open", [], [])
        assert verify(web.room.book).is_good
        kinds = [type(sealed.entry.event) for sealed in web.room.book.entries(after=0)]
        assert kinds.count(WagersLocked) == kinds.count(JackpotHit) == 1


def test_play_on_a_real_floor_is_kept_in_a_database_of_its_own(store_url: str) -> None:
    store_floor(store_url, PLAIN)
    with served(store_url) as web:
        head, http = web.room.book.head(), browser(web)
        for path, spot in (("/play/blackjack", 1), ("/play/blackjack/blackjack_1", 3)):
            assert press(http, path, f"sit {spot}").status_code == 200
            assert press(http, path, f"lay {spot} main", chip="5").status_code == 200
            assert press(http, path, "deal").status_code == 200
        assert web.room.book.head() == head
        web.room.hall.store.close()
    ledgers, play = PlayStore(store_url), PlayStore(play_database_beside(store_url))
    for store, counts in ((ledgers, (0, 0)), (play, (1, 2))):
        with store._read() as connection:
            found = [
                connection.execute(select(func.count()).select_from(one)).scalar_one() for one in (players, play_tables)
            ]
        assert tuple(found) == counts
        store.close()
    with served(store_url) as web:  # and found there again
        assert browser(web).get("/play/blackjack/blackjack_1").status_code == 200
        assert any(place.player for place in web.room.hall.table("blackjack_1").places)


def test_where_play_is_kept(tmp_path: Path) -> None:
    assert play_database_beside("floor.db") == "floor-play.db"
    assert play_database_beside("/a/b/floor") == "/a/b/floor-play"
    assert play_database_beside("sqlite:////a/floor.db") == "sqlite:////a/floor-play.db"
    assert play_database_beside("postgresql://u:p@host:5433/floor?x=1") == "postgresql://u:p@host:5433/floor_play?x=1"
    ledger, other = str(tmp_path / "floor.db"), str(tmp_path / "other.db")
    store_floor(ledger, PLAIN)
    with refused("play_in_ledger"):
        open_play_database(ledger, ledger)
    store_floor(other, PLAIN)
    with refused("play_in_ledger"):
        open_play_database(ledger, other)
    assert open_play_database(ledger, str(tmp_path / "play.db")) == str(tmp_path / "play.db")
    assert open_play_database(ledger, str(tmp_path / "play.db")), "and opened again"


def test_a_lost_database_of_play_stops_play_alone(tmp_path: Path) -> None:
    url = str(tmp_path / "floor.db")
    cards = store_floor(url, PLAIN)
    lost = [tmp_path / f"floor-play.db{end}" for end in ("", "-wal", "-shm")]
    with served(url) as web:
        guest, executive = browser(web), web.sign_in(cards["eve"], secure=True)
        for http in (guest, executive.http):
            assert press(http, "/play/blackjack", "lay 1 main", chip="5").status_code == 200
        assert executive.get("/ready")["warnings"] == []
        for file in lost:
            file.unlink(missing_ok=True)
        for http in (guest, executive.http):
            lobby = http.get("/")
            assert lobby.status_code == 200 and "Tables of play money cannot be reached" in lobby.text
        assert guest.get("/rules/blackjack").status_code == 200
        for path in ("/manager", "/manager/tables/blackjack_1", "/manager/people"):
            assert executive.http.get(path).status_code == 200
        table = guest.get("/play/blackjack")
        assert table.status_code == 503 and "play_failed" in table.text and "Tables of play money" in table.text
        web.room.readiness._until = 0.0
        (warning,) = executive.get("/ready")["warnings"]
        assert warning.startswith("Play money is out of reach")
        assert not any(file.exists() for file in lost)


def test_a_real_floor_is_not_opened_among_purses_of_play(croupier: Croupier, tmp_path: Path) -> None:
    file, store = tmp_path / "hall.toml", tmp_path / "play.db"
    file.write_text(floor_to_toml(PLAIN), encoding="utf-8")
    open_store(str(store)).close()
    play = PlayStore(str(store))
    play.add_player("p-1", "token", "Ann", 1_000_000, 1)
    play.close()
    said = croupier("jackpot", "init", str(file), "--executive", "eve", "--store", str(store))
    assert said.status == 2 and said.err.startswith("croupier: play_in_ledger: "), said
    book = open_store(str(store))
    assert book.head()[0] == 0
    book.close()


def test_no_key_of_a_client_is_like_the_softwares(tmp_path: Path) -> None:
    url = str(tmp_path / "floor.db")
    cards = store_floor(url, PLAIN)
    with served(url) as web:
        dealer = web.sign_in(cards["ann"], secure=True)
        body = {"revision": 0, "seat": 1, "sensor": 1, "lit": True}
        dealer.refused(422, "reserved_id", "POST", "/tables/ddm_1/sense", body, key="software:ddm_3:0:clock:1:lock")
        dealer.done("POST", "/tables/ddm_1/sense", body, key="ddm_3:clock:1:lock")
