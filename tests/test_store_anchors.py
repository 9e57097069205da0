"""Ends of the log noted elsewhere: a log that was cut, or exchanged, is noticed at the next start and by `verify`."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from croupier.errors import CroupierError, LedgerError
from croupier.store import Book, backup, open_store, restore, verify
from croupier.store.anchors import AnchorFile, AnchorKeeper, open_anchors, require_anchored
from croupier.web.app import make_app
from croupier.web.ready import Keeping
from tests.conftest import Croupier
from tests.ledger import NOON, Desk, locked, opened
from tests.web_client import CHEAP, WIDE


@pytest.fixture(params=["file", "sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "postgresql":
        yield request.getfixturevalue("postgres").new_database()
    else:
        yield f"sqlite:///{tmp_path}/anchors.db" if request.param == "sqlite" else str(tmp_path / "anchors.txt")


def play(book: Book, rounds: int = 20) -> None:
    desk = Desk(book)
    desk.do(opened(), id="open")
    for number in range(1, rounds + 1):
        desk.do(locked(number, 1), id=f"start-{number}")


def keep(book: Book, place: str) -> AnchorKeeper:
    keeper = AnchorKeeper(book, [place], lambda: NOON)
    keeper.start()
    return keeper


def test_the_end_of_the_log_is_noted_at_the_start_as_it_grows_and_at_the_stop(tmp_path: Path, place: str) -> None:
    book = open_store(str(tmp_path / "floor.db"))
    play(book, 2)
    at_start = book.head()
    keeper = keep(book, place)
    Desk(book).do(locked(3, 1), id="start-3")
    meanwhile = book.head()
    keeper.note_all()
    keeper.note_all()
    Desk(book).do(locked(4, 1), id="start-4")
    keeper.stop()
    noted = open_anchors(place).noted()
    assert sorted(noted) == [at_start, meanwhile, book.head()]
    require_anchored(book, [open_anchors(place)])
    assert verify(book, anchors=noted).is_good
    book.close()


def test_a_log_that_is_shorter_than_noted_is_not_served(tmp_path: Path, place: str) -> None:
    store, old = tmp_path / "floor.db", tmp_path / "old.gz"
    book = open_store(str(store))
    play(book, 5)
    backup(book, old)
    for number in range(6, 10):
        Desk(book).do(locked(number, 1), id=f"start-{number}")
    keep(book, place).stop()
    book.close()
    cut_store = tmp_path / "cut.db"
    short = open_store(str(cut_store))
    restore(short, old)
    assert verify(short).is_good, "no chain can tell"
    found = verify(short, anchors=open_anchors(place).noted())
    assert (found.code, found.bad_entry) == ("truncated", 7)
    short.close()
    with pytest.raises(LedgerError, match="entries are gone") as refusal:
        make_app(str(cut_store), pin_cost=CHEAP, limits=WIDE, keeping=Keeping(anchors=(place,)))
    assert refusal.value.code == "truncated"


def test_another_log_than_the_noted_one_is_not_served(tmp_path: Path, place: str) -> None:
    for name, seed in (("one", "10000"), ("other", "20000")):
        book = open_store(str(tmp_path / f"{name}.db"))
        Desk(book).do(opened(seed=seed), id="open")
        if name == "one":
            keep(book, place).stop()
        else:
            with pytest.raises(LedgerError) as refusal:
                keep(book, place)
            assert refusal.value.code == "anchor_mismatch"
            assert verify(book, anchors=open_anchors(place).noted()).code == "anchor_mismatch"
        book.close()


@pytest.mark.parametrize("what", ["cut", "deleted"])
def test_a_write_ahead_log_that_lost_its_end_is_noticed(tmp_path: Path, what: str) -> None:
    """As after a power cut on a disk that lies: what is left opens as a good log that ends earlier."""
    chance = Random(7)
    place = str(tmp_path / "anchors.txt")
    store = tmp_path / "floor.db"
    book = open_store(str(store))
    play(book, 5)
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for number in range(6, 40):
        Desk(book).do(locked(number, 1), id=f"start-{number}")
    keep(book, place).stop()
    for number in range(5):
        left = tmp_path / f"left-{number}.db"
        shutil.copy(store, left)
        log = store.with_name("floor.db-wal").read_bytes()
        if what == "cut":
            left.with_name(left.name + "-wal").write_bytes(log[: chance.randrange(len(log) - 2000)])
        again = open_store(str(left))
        assert verify(again).is_good
        assert again.head()[0] < book.head()[0]
        with pytest.raises(LedgerError, match="entries are gone"):
            require_anchored(again, [open_anchors(place)])
        again.close()
    book.close()


def test_a_line_cut_by_a_power_failure_hides_no_other(tmp_path: Path) -> None:
    anchors = AnchorFile(str(tmp_path / "anchors.txt"))
    anchors.note(1, "a" * 64, NOON)
    with Path(anchors.place).open("a") as file:
        file.write("2:bbbb")
    anchors.note(3, "c" * 64, NOON)
    assert anchors.noted() == [(1, "a" * 64), (3, "c" * 64)]
    assert Path(anchors.place).stat().st_mode & 0o777 == 0o600


def test_a_place_that_cannot_be_written_is_told_at_the_start_and_later_at_ready(tmp_path: Path) -> None:
    book = open_store(str(tmp_path / "floor.db"))
    play(book, 1)
    with pytest.raises(LedgerError) as refusal:
        keep(book, str(tmp_path / "no" / "folder" / "anchors.txt"))
    assert refusal.value.code == "not_noted"
    folder = tmp_path / "disk"
    folder.mkdir()
    keeper = keep(book, str(folder / "anchors.txt"))
    shutil.rmtree(folder)
    keeper.note_all()
    assert keeper.problem == "", "the end is where it was"
    Desk(book).do(locked(2, 1), id="start-2")
    keeper.note_all()
    assert "could not be noted" in keeper.problem
    folder.mkdir()
    keeper.note_all()
    assert keeper.problem == ""
    keeper.stop()
    book.close()


def test_verify_takes_the_places_of_anchors_at_the_command_line(tmp_path: Path, croupier: Croupier) -> None:
    store, place = str(tmp_path / "floor.db"), str(tmp_path / "anchors.txt")
    book = open_store(store)
    play(book, 3)
    keep(book, place).stop()
    book.close()
    assert croupier("jackpot", "verify", "--store", store, "--anchors", place).status == 0
    AnchorFile(place).note(99, "9" * 64, NOON)
    said = croupier("jackpot", "verify", "--store", store, "--anchors", place)
    assert said.status == 2 and "entry 99 was noted elsewhere" in said.err
    said = croupier("jackpot", "verify", "--store", store, "--anchors", str(tmp_path / "nothing"))
    assert said.status == 2 and said.err.startswith("croupier: no_anchors:")
    with pytest.raises(CroupierError) as refusal:
        open_anchors(store).noted()
    assert refusal.value.code == "unreadable_anchors"
