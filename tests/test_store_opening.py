"""Opening and keeping a store: full disks, writers in the way, backups that fail, triggers that are gone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, text

from croupier.errors import CroupierError, LedgerError
from croupier.jackpot.state import State
from croupier.store import Book, backup, open_store, restore, verify
from croupier.store.engine import make_engine
from croupier.store.writing import Batch
from tests.ledger import Desk, locked, opened

DROPPED = {"sqlite": "DROP TRIGGER postings_no_update", "postgresql": "DROP TRIGGER postings_append_only ON postings"}
EMPTIED = {
    "sqlite": "CREATE TRIGGER postings_no_update BEFORE UPDATE ON postings BEGIN SELECT 1; END",
    "postgresql": "ALTER TABLE entries DISABLE TRIGGER entries_append_only",
}


@pytest.fixture
def played(book: Book) -> Book:
    desk = Desk(book)
    desk.do(opened(), id="open")
    desk.do(locked(1, 1, 2), id="start")
    return book


def test_opening_on_a_full_disk_says_so_on_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_room(url: str) -> Engine:
        engine = make_engine(url)
        event.listen(engine, "connect", lambda connection, record: connection.execute("PRAGMA max_page_count = 1"))
        return engine

    monkeypatch.setattr("croupier.store.make_engine", without_room)
    with pytest.raises(LedgerError, match="make room") as refusal:
        open_store(str(tmp_path / "ledger.db"))
    assert refusal.value.code == "disk_full"


def test_a_store_that_is_up_to_date_is_opened_without_a_write(tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    book = open_store(str(file))
    Desk(book).do(opened(), id="open")
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")  # whoever wants to write now waits, and then fails
    again = open_store(str(file))
    assert again.head() == book.head() and verify(again).is_good
    writer.rollback()
    for one in (again, book, writer):
        one.close()


def test_verify_says_when_nothing_keeps_the_log_from_being_edited(played: Book, store_url: str) -> None:
    assert verify(played).is_good
    engine = make_engine(store_url)
    name = engine.dialect.name
    with engine.begin() as connection:
        connection.execute(text(DROPPED[name]))
    found = verify(played)
    assert (found.code, found.entries, found.bad_entry) == ("not_append_only", 2, 0)
    assert DROPPED[name].split()[2] in found.problem
    with engine.begin() as connection:
        connection.execute(text(EMPTIED[name]))
    assert verify(played).code == "not_append_only", "a trigger of that name that refuses nothing is none"
    engine.dispose()


def test_a_backup_that_fails_leaves_nothing_behind(
    played: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    folder = tmp_path / "backups"
    folder.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", fails)
        with pytest.raises(OSError, match="No space"):
            backup(played, folder / "floor.gz")
    assert not list(folder.iterdir())
    assert backup(played, folder / "floor.gz") == 2
    assert [one.name for one in folder.iterdir()] == ["floor.gz"]
    again = open_store(str(tmp_path / "again.db"))
    assert restore(again, folder / "floor.gz") == 2
    again.close()


def test_a_backup_never_overwrites_one_that_was_made_meanwhile(
    played: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "floor.gz"
    file.write_text("somebody else's")
    monkeypatch.setattr(Path, "exists", lambda self: False)  # as it was when this backup began
    with pytest.raises(CroupierError) as refusal:
        backup(played, file)
    assert refusal.value.code == "file_exists"
    assert file.read_text() == "somebody else's"
    assert not list(tmp_path.glob("*.part"))


def test_a_batch_that_does_not_follow_the_end_of_the_log_is_not_written(played: Book) -> None:
    (first,) = played.entries(limit=1)
    batch = Batch()
    batch.add(first, State())
    with pytest.raises(LedgerError) as refusal, played.exclusive() as connection:
        batch.write(connection)
    assert refusal.value.code == "log_moved_on"
    assert played.head()[0] == 2


@pytest.mark.parametrize("is_written", [True, False])
def test_a_file_that_is_lost_is_an_error_and_never_a_new_empty_one(tmp_path: Path, *, is_written: bool) -> None:
    file = tmp_path / "a ledger?#%.db"
    book = open_store(str(file))
    desk = Desk(book)
    desk.do(opened(), id="open")
    if is_written:  # the connection that writes is open
        desk.do(locked(1, 1, 2), id="start")
    head = book.head()
    away = tmp_path / "away.db"
    file.rename(away)
    for use in (book.head, lambda: desk.do(locked(2, 1), id="start-2"), lambda: desk.do(locked(2, 1), id="start-2")):
        with pytest.raises(LedgerError) as refusal:
            use()
        assert refusal.value.code == "storage_failed"
        assert not file.exists()
    away.rename(file)
    assert book.head() == head, "found again, it is used again"
    desk.do(locked(2, 1), id="start-2")
    assert verify(book).is_good
    book.close()


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    open_store(str(file)).close()
    assert file.stat().st_mode & 0o777 == 0o600
