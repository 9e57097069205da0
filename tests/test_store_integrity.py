"""Files whose pages are damaged, ids that stand in the log twice, purses that were edited: `verify` calls none good."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import psycopg
import pytest
from sqlalchemy import text

from croupier.errors import LedgerError
from croupier.jackpot import AdjustMeter
from croupier.store import Book, open_store, verify
from croupier.store.engine import make_engine
from croupier.store.play import PlayStore, PurseEntry
from tests.ledger import Desk, locked, opened, usd
from tests.postgres import Server

ID = "adjust-once-and-never-again"
GIFT = AdjustMeter(
    jackpot="push",
    reason="house_addition",
    micros=usd("1000"),
    note="For the season.",
    second="accounting",
)


def evening(url: str, rounds: int = 300) -> None:
    book = open_store(url)
    desk = Desk(book)
    desk.do(opened(), id="open")
    desk.do(GIFT, id=ID, actor="executive")
    requests = [desk.request(locked(one, 1), id=f"table-one/round-{one}/start") for one in range(1, rounds + 1)]
    for begin in range(0, rounds, 50):
        book.post_all(requests[begin : begin + 50])
    book.close()


def pages_of_index(data: bytes, page: int, size: int) -> list[int]:
    """The pages of a tree of SQLite's, from its root, by the file format."""
    begin = (page - 1) * size
    kind, cells = data[begin], int.from_bytes(data[begin + 3 : begin + 5], "big")
    assert kind in (2, 10), "an index"
    if kind == 10:
        return [page]
    below = [int.from_bytes(data[begin + 8 : begin + 12], "big")]
    for cell in range(cells):
        at = begin + int.from_bytes(data[begin + 12 + 2 * cell : begin + 14 + 2 * cell], "big")
        below.append(int.from_bytes(data[at : at + 4], "big"))
    return [page, *(one for child in below for one in pages_of_index(data, child, size))]


def index_of_ids(file: Path) -> tuple[list[int], int]:
    """Pages of the index, and their size."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)
        root = "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_entries_1'"
        (page,), (size,) = connection.execute(root).fetchone(), connection.execute("PRAGMA page_size").fetchone()
    return pages_of_index(file.read_bytes(), page, size), size


def hide_id(file: Path) -> None:
    """One bit of one id changes in the index, and nowhere else."""
    pages, size = index_of_ids(file)
    data = bytearray(file.read_bytes())
    places = [(page - 1) * size + data[(page - 1) * size : page * size].find(ID.encode()) for page in pages]
    (at,) = [place for place, page in zip(places, pages, strict=True) if place >= (page - 1) * size]
    data[at + 3] ^= 1
    file.write_bytes(data)


def said_by_sqlite(file: Path) -> str:
    with closing(sqlite3.connect(file)) as connection:
        try:
            return str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
        except sqlite3.DatabaseError as error:
            return str(error)


def test_verify_is_bad_wherever_sqlite_finds_its_index_of_ids_bad(tmp_path: Path) -> None:
    whole, file = tmp_path / "whole.db", tmp_path / "flipped.db"
    evening(str(whole))
    pages, size = index_of_ids(whole)
    assert len(pages) > 3
    chance = Random(4)
    bad = 0
    for _ in range(60):
        shutil.copy(whole, file)
        at = (chance.choice(pages) - 1) * size + chance.randrange(size)
        with file.open("r+b") as raw:
            raw.seek(at)
            before = raw.read(1)[0]
            raw.seek(at)
            raw.write(bytes([before ^ (1 << chance.randrange(8))]))
        is_bad = said_by_sqlite(file) != "ok"
        bad += is_bad
        book = open_store(str(file))
        found = verify(book)
        assert found.is_good is not is_bad, (at, found)
        book.close()
    assert bad > 30


def test_a_store_whose_index_hides_an_id_is_not_booked_on(tmp_path: Path) -> None:
    file = tmp_path / "floor.db"
    evening(str(file))
    hide_id(file)
    book = open_store(str(file))
    assert book.entry(ID) is None, "the index does not find it"
    for attempt in (book.check, lambda: Desk(book).do(GIFT, id=ID, actor="executive")):
        with pytest.raises(LedgerError, match="verify") as refusal:
            attempt()
        assert refusal.value.code == "damaged_file"
    assert book.head()[0] == 302 and book.meter_micros("push") == usd("11060")
    assert verify(book).code == "damaged_file"
    book.close()


def test_two_entries_of_one_id_are_found_by_the_log_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "floor.db"
    evening(str(file))
    hide_id(file)
    monkeypatch.setattr("croupier.store.book.require_sound", lambda *_: {})  # a program that does not look
    book = open_store(str(file))
    Desk(book).do(GIFT, id=ID, actor="executive")
    assert book.meter_micros("push") == usd("12060"), "booked twice, as it was before"
    found = verify(book)
    assert (found.code, found.bad_entry, found.entries) == ("id_twice", 303, 302)
    assert found.head == book.entries(after=301, limit=1)[0].hash
    book.close()


def test_two_entries_of_one_id_are_found_in_postgresql(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    url = postgres.new_database()
    evening(url, rounds=1)
    engine = make_engine(url)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE entries DROP CONSTRAINT entries_id_key"))
    book = open_store(url)
    assert verify(book).code == "ids_not_unique"
    monkeypatch.setattr(Book, "_known", lambda *_: {})
    Desk(book).do(GIFT, id=ID, actor="executive")
    with engine.begin() as connection:
        connection.execute(text("CREATE INDEX entries_id_key ON entries (id)"))
    engine.dispose()
    monkeypatch.setitem(verify.__globals__, "require_unique_ids", lambda _: None)
    found = verify(book)
    assert (found.code, found.bad_entry) == ("id_twice", 4)
    book.close()


def test_an_index_of_postgresql_that_hides_an_id_is_found_before_booking(postgres: Server) -> None:
    url = postgres.new_database()
    evening(url)
    with psycopg.connect(url) as connection:
        (place,) = connection.execute("SELECT pg_relation_filepath('entries_id_key')").fetchone() or ("",)
    postgres.stop("fast")
    file = postgres.folder / "data" / place
    data = bytearray(file.read_bytes())
    at = data.find(ID.encode())
    assert at > 0 and data.find(ID.encode(), at + 1) < 0
    data[at + 3] ^= 1
    file.write_bytes(data)
    postgres.start()
    book = open_store(url)
    found = verify(book)
    assert (found.code, found.bad_entry) == ("damaged_file", 0), found.problem
    with pytest.raises(LedgerError) as refusal:
        Desk(book).do(GIFT, id=ID, actor="executive")
    assert refusal.value.code == "damaged_file"
    assert book.head()[0] == 302
    book.close()


def test_verify_says_when_postgresql_may_not_check_its_indexes(postgres: Server) -> None:
    url = postgres.new_database()
    name = url.removeprefix("postgresql://croupier@/").partition("?")[0]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE ROLE plain LOGIN")
        connection.execute(f"ALTER DATABASE {name} OWNER TO plain".encode())
        connection.execute("ALTER SCHEMA public OWNER TO plain")
    plain = url.replace("croupier@", "plain@")
    evening(plain, rounds=1)
    book = open_store(plain)
    found = verify(book)
    assert found.is_good and "amcheck" in found.notes[0]
    book.close()
    book = open_store(url)
    assert verify(book).notes == ()
    book.close()
    book = open_store(plain)  # the extension is there by now, and its functions are not for everybody
    found = verify(book)
    assert found.is_good and "amcheck" in found.notes[0]
    book.close()


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        ("UPDATE players SET micros = micros + 1 WHERE id = 'anna'", 'player "anna" holds 1000001 micros'),
        ("DELETE FROM purse_entries WHERE player = 'bert'", 'player "bert" holds 500000 micros'),
        ("DELETE FROM players WHERE id = 'bert'", 'entries of player "bert"'),
    ],
)
def test_a_purse_edited_by_sql_is_found(book: Book, store_url: str, edit: str, says: str) -> None:
    Desk(book).do(opened(), id="open")
    play = PlayStore(store_url)
    play.add_player("anna", "token-a", "Anna", 1_000_000, 1)
    play.add_player("bert", "token-b", "Bert", 0, 1)
    play.enter(PurseEntry(id="more", player="bert", micros=500_000, why="more"), 2)
    assert verify(book).is_good
    engine = make_engine(store_url)
    with engine.begin() as connection:
        connection.execute(text(edit))
    engine.dispose()
    play.close()
    found = verify(book)
    assert (found.code, found.bad_entry) == ("bad_purse", 0) and says in found.problem
