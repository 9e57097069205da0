"""`/health` says that the server lives, `/ready` that it can book; a store that cannot be written is not served."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from croupier.errors import LedgerError
from croupier.jackpot import RecordFact
from croupier.store.engine import make_engine
from croupier.store.probe import Probe
from croupier.web.app import make_app
from tests.conftest import Croupier
from tests.postgres import Server
from tests.test_store_integrity import evening, hide_id
from tests.web_client import CHEAP, WIDE, Web, demo_web


def ask(web: Web) -> tuple[int, Any]:
    """A new look at the store, not the answer of a moment ago."""
    web.room.readiness._until = 0.0
    answer = web.anonymous().call("GET", "/ready")
    return answer.status_code, answer.json()


def when_checked(web: Web) -> dict[str, Any]:
    """The answer once the check in the background is over."""
    until = time.monotonic() + 60
    while web.room.readiness.files.checked.state == "running":
        assert time.monotonic() < until
        time.sleep(0.01)
    status, data = ask(web)
    assert status == 200
    found: dict[str, Any] = data
    return found


def every_connection(probe: Probe, run: str) -> Callable[[], None]:
    """Runs a statement on every connection of the probe from now on; returns what ends that."""

    def set_up(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute(run)

    event.listen(probe._engine, "checkout", set_up)

    def end() -> None:
        event.remove(probe._engine, "checkout", set_up)
        probe._engine.dispose()

    return end


def test_a_server_that_can_book_says_so_and_how_its_files_are(store_url: str) -> None:
    with demo_web(store_url) as web:
        seen = when_checked(web)
        assert (seen["status"], seen["files"], seen["stopped"], seen["warnings"]) == ("ready", "good", [], [])
        assert seen["files_checked_at"] and seen["clock"]


def test_asking_often_writes_once_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with demo_web(str(tmp_path / "floor.db")) as web:
        written: list[object] = []
        monkeypatch.setattr(web.room.readiness.probe, "require_writable", written.append)
        monkeypatch.setattr("croupier.web.ready.KEPT_S", 3600.0)
        for _ in range(20):
            assert web.anonymous().call("GET", "/ready").status_code == 200
        assert len(written) == 1


@pytest.mark.parametrize(
    ("statement", "code", "word"),
    [
        ("PRAGMA query_only = 1", "read_only", "only be read"),
        ("PRAGMA max_page_count = 1", "disk_full", "is full"),
    ],
)
def test_a_store_that_cannot_be_written_is_not_ready_but_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str, code: str, word: str
) -> None:
    with demo_web(str(tmp_path / "floor.db")) as web:
        if code == "disk_full":  # an update in place needs no page, so this one asks for one
            monkeypatch.setattr("croupier.store.probe.update", lambda _: Growing())
        end = every_connection(web.room.readiness.probe, statement)
        status, data = ask(web)
        assert (status, data["error"]["code"]) == (503, code) and word in data["error"]["message"]
        assert web.anonymous().call("GET", "/health").status_code == 200
        end()
        monkeypatch.undo()
        assert ask(web)[0] == 200


class Growing:
    """In the place of the probe's update: a table more."""

    def values(self, **_: object) -> Any:
        return text("CREATE TABLE more (x TEXT)")


def test_a_database_that_is_gone_is_not_ready_and_its_words_stay_in_the_log(postgres: Server) -> None:
    with demo_web(postgres.new_database()) as web:
        postgres.stop("immediate")
        try:
            status, data = ask(web)
            assert (status, data["error"]["code"]) == (503, "not_ready")
            assert "socket" not in data["error"]["message"]
            assert web.anonymous().call("GET", "/health").status_code == 200
        finally:
            postgres.start()
        assert ask(web)[0] == 200


def test_files_found_damaged_in_the_background_stop_all_booking(tmp_path: Path) -> None:
    """The broken id is older than the latest thousand, which are looked up at the start."""
    file = tmp_path / "floor.db"
    evening(str(file), rounds=1100)
    hide_id(file)
    app = make_app(str(file), pin_cost=CHEAP, limits=WIDE)
    web = Web(app, str(file))
    try:
        until = time.monotonic() + 60
        while web.room.readiness.files.checked.state == "running":
            assert time.monotonic() < until
            time.sleep(0.01)
        status, data = ask(web)
        assert (status, data["error"]["code"]) == (503, "damaged_file")
        with pytest.raises(LedgerError) as refusal:
            web.room.people.log.put("a-fact", "eve", RecordFact(subject="test", kind="test", body={}))
        assert refusal.value.code == "damaged_file"
    finally:
        web.room.close()


def test_stopped_jackpots_wrong_purses_and_a_clock_set_back_are_told(tmp_path: Path) -> None:
    store = str(tmp_path / "floor.db")
    with demo_web(store) as web:
        web.room.hall.store.add_player("anna", "token", "Anna", 1_000_000, 1)
    engine = make_engine(store)
    with engine.begin() as connection:
        connection.execute(text("UPDATE players SET micros = 5"))
        connection.execute(text("UPDATE balances SET micros = micros + 1 WHERE jackpot = 'dragon'"))
    engine.dispose()
    with demo_web(store) as web:
        web.clock.now -= timedelta(hours=1)
        seen = when_checked(web)
        assert seen["stopped"] == ["dragon"]
        assert [word in " ".join(seen["warnings"]) for word in ("purse", "dragon", "3600 seconds behind")] == [True] * 3


def test_a_damaged_log_is_not_served(tmp_path: Path) -> None:
    file = tmp_path / "floor.db"
    evening(str(file), rounds=20)
    hide_id(file)
    with pytest.raises(LedgerError) as refusal:
        make_app(str(file), pin_cost=CHEAP, limits=WIDE)
    assert refusal.value.code == "damaged_file"


def test_serve_refuses_a_store_that_cannot_be_written(
    tmp_path: Path, croupier: Croupier, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "floor.db"
    evening(str(file), rounds=1)

    def read_only(url: str) -> Probe:
        probe = Probe(url)
        every_connection(probe, "PRAGMA query_only = 1")
        return probe

    monkeypatch.setattr("croupier.web.ready.Probe", read_only)
    said = croupier("serve", "--store", str(file), "--port", "0")
    assert said.status == 2 and said.err.startswith("croupier: read_only: The store can only be read")


def test_serve_refuses_what_is_no_plan_of_backups(tmp_path: Path, croupier: Croupier) -> None:
    file = tmp_path / "floor.db"
    evening(str(file), rounds=1)
    for options, code in (
        (("--backup-folder", str(tmp_path / "nowhere")), "bad_folder"),
        (("--backup-folder", str(tmp_path), "--backup-every", "0"), "bad_hours"),
        (("--backup-folder", str(tmp_path), "--backup-keep", "0"), "bad_keep"),
        (("--backup-folder", str(tmp_path), "--backup-key", str(file)), "unreadable_file"),
        (("--backup-key", str(file)), "no_folder"),
    ):
        said = croupier("serve", "--store", str(file), "--port", "0", *options)
        assert said.status == 2 and said.err.startswith(f"croupier: {code}: "), said.err
