"""Sums of the log for reports: equal to reading every entry, whatever the period and however far they were made."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.event import listen

from croupier.floor.service import TABLE
from croupier.jackpot import AdjustMeter, PayAward, RecordFact, RejectAward, Request
from croupier.jackpot.sums import Sums, Versions, add_entry
from croupier.reports.books.accrual import accrual
from croupier.reports.books.history import history
from croupier.store import Book, open_store, verify
from croupier.store.balances import wrong_balances
from croupier.store.sums import (
    PLAY,
    _store,
    add_up,
    balances_before,
    clock_set_back,
    notable_entries,
    sums_between,
    void_rounds,
)
from tests.ledger import community, locked, opened, voided

pytestmark = pytest.mark.slow

BEGIN = datetime(2026, 11, 14, 21, 30, tzinfo=UTC)
PERIODS = 60


def play_evenings(book: Book, random: Random, rounds: int) -> None:
    """Wagers, awards, voids, changes by hand and facts over three days, with a clock that is set back now and then."""
    at = BEGIN

    def post(id: str, command: object) -> None:
        book.post(Request(id=id, actor="dealer", at=at, command=command))  # type: ignore[arg-type]

    post("open", opened())
    for number in range(1, rounds + 1):
        at += timedelta(seconds=random.randrange(0, 500))
        if random.random() < 0.02:
            at -= timedelta(minutes=random.randrange(1, 90))
        post(f"lock-{number}", locked(number, *range(1, random.randrange(2, 6))))
        kind = random.random()
        if kind < 0.1:
            post(f"hit-{number}", community(number, 100_000))
            paid = PayAward(award=f"hit-{number}", approved_by=("boss",))
            rejected = RejectAward(award=f"hit-{number}", note="no")
            post(f"settle-{number}", paid if kind < 0.07 else rejected)
        elif kind < 0.15:
            post(f"void-{number}", voided(number))
        elif kind < 0.2:
            gift = AdjustMeter(jackpot="push", reason="house_addition", micros=5_000_000, second="boss", note="gift")
            post(f"adjust-{number}", gift)
        elif kind < 0.3:
            post(f"fact-{number}", RecordFact(subject=random.choice(["table:one", "person:x"]), kind="k", body={}))


def read_all(book: Book, start: datetime | None, end: datetime | None) -> Sums:
    """The same from every entry of the log."""
    total, versions = Sums(), Versions()
    for sealed in book.entries_between(None, None):
        if (start is None or sealed.entry.at >= start) and (end is None or sealed.entry.at < end):
            add_entry(total, sealed.entry, versions)
        versions.take(sealed.entry)
    return total


def without_zeros(sums: Sums) -> dict[object, int]:
    return {key: value for key, value in sums.items() if value}


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    book = open_store(str(tmp_path / "floor.db"))
    play_evenings(book, Random(7), 300)
    yield book
    book.close()


def periods(random: Random) -> Iterator[tuple[datetime | None, datetime | None]]:
    yield None, None
    for _ in range(PERIODS):
        start = BEGIN + timedelta(minutes=random.randrange(-100, 2500), seconds=random.randrange(60))
        length = random.choice([timedelta(minutes=7), timedelta(hours=5), timedelta(days=1), timedelta(days=2)])
        yield random.choice([(start, start + length), (start, None), (None, start), (start, start)])
    whole_hour = BEGIN.replace(minute=0) + timedelta(hours=3)
    yield whole_hour, whole_hour + timedelta(hours=1)
    midnight = BEGIN.replace(hour=0, minute=0) + timedelta(days=1)
    yield midnight, midnight + timedelta(days=1)


@pytest.mark.parametrize("slices", [0, 1, 3])
def test_sums_of_any_period_are_those_of_reading_every_entry(
    book: Book, slices: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = 0

    def store_some(*given: Any) -> bool:
        nonlocal stored
        stored += 1
        return stored <= slices and _store(*given)

    monkeypatch.setattr("croupier.store.sums.SLICE", 120)
    monkeypatch.setattr("croupier.store.sums._store", store_some)
    add_up(book, book._engine, at_least=1)
    for start, end in periods(Random(3)):
        assert without_zeros(sums_between(book, start, end)) == without_zeros(read_all(book, start, end))
        balances = balances_before(book, end)
        moved = {key: micros for key, micros in balances.items() if micros}
        if end is None:
            assert moved == {key: micros for key, micros in book.balances().items() if micros}


def test_notable_entries_are_all_that_are_no_play(book: Book) -> None:
    plain = [
        sealed.entry.seq
        for sealed in book.entries_between(None, None)
        if type(sealed.entry.event).__name__ != "WagersLocked"
        and not getattr(sealed.entry.event, "subject", "").startswith("table:")
    ]
    before = [sealed.entry.seq for sealed in notable_entries(book)]
    book.add_up(at_least=1)
    assert before == [sealed.entry.seq for sealed in notable_entries(book)] == plain
    assert len(plain) > 30


def test_a_clock_that_was_set_back_is_found_with_and_without_sums(book: Book) -> None:
    plain = book.set_back()
    book.add_up(at_least=1)
    assert clock_set_back(book) == plain != ()


def test_a_void_round_counts_in_the_time_it_was_locked(book: Book) -> None:
    voided = [sealed.entry for sealed in notable_entries(book, kinds=["RoundVoided"])]
    assert voided
    found = void_rounds(book, None, None)
    assert sum(times for key, times in found.items() if key[0] == "table_rounds") == len(voided)


def test_sums_made_in_many_steps_are_those_made_at_once(book: Book) -> None:
    book.add_up(at_least=1)
    at_once = sums_between(book, None, None)
    assert verify(book).is_good
    play_more = Request(id="more", actor="dealer", at=BEGIN, command=locked(301, 1, 2))
    book.post(play_more)
    book.add_up(at_least=1)
    assert verify(book).is_good
    assert sums_between(book, None, None)["table_rounds", "one"] == at_once["table_rounds", "one"] + 1


def test_verify_finds_sums_that_somebody_edited(book: Book) -> None:
    book.add_up(at_least=1)
    assert verify(book).is_good
    with book._engine.begin() as connection:
        connection.execute(text("UPDATE report_sums SET body = replace(body, '1', '2') WHERE span = 'day'"))
    assert verify(book).code == "bad_sums"


def test_two_servers_do_not_add_the_same_entries_twice(book: Book, tmp_path: Path) -> None:
    other = open_store(str(tmp_path / "floor.db"))
    book.add_up(at_least=1)
    other.add_up(at_least=1)
    book.add_up(at_least=1)
    assert verify(other).is_good
    other.close()


def test_steps_of_tables_are_what_the_desk_calls_them() -> None:
    assert PLAY == TABLE


def test_hours_add_up_to_the_books_and_meters_stood_where_the_log_says(book: Book) -> None:
    start, now = BEGIN + timedelta(hours=5), BEGIN + timedelta(hours=40)
    hours = history(book, start, now)
    floor = hours.hours[0].start
    total, line = hours.since(floor), accrual(book, floor, None).line()
    assert line.hits > 0
    assert (total.wagered_micros, total.hits, total.hit_micros) == (line.wagered_micros, line.hits, line.hit_micros)
    assert total.contributed_micros == line.meter_micros + line.reserve_micros + line.overflow_micros
    before, after = balances_before(book, floor), balances_before(book, None)
    own = ("receipts", "seed", "tray", "chips")
    gained = sum(after.get(key, 0) - before.get(key, 0) for key in after if key[2] in own)
    assert total.house_micros == gained
    for number in range(0, len(hours.hours), 7):
        end = hours.hours[number].start + timedelta(hours=1)
        stood = balances_before(book, end)["push", "main", "meter"]
        assert hours.meters["push", "main"][number] == stood


def test_a_start_adds_up_only_what_came_since_the_sums_were_made(book: Book, tmp_path: Path) -> None:
    book.add_up(at_least=1)
    for number in range(301, 304):
        book.post(Request(id=f"late-{number}", actor="dealer", at=BEGIN, command=locked(number, 1, 2)))
    asked: list[str] = []
    with book.snapshot() as connection:
        right = wrong_balances(connection)
        listen(connection, "before_cursor_execute", lambda *call: asked.append(f"{call[2]} {call[3]}"))
        assert wrong_balances(connection, all_postings=True) == right == {}
        (by_all,) = [query for query in asked if "sum(" in query]
        asked.clear()
        wrong_balances(connection)
        (since,) = [query for query in asked if "sum(" in query]
    assert "(0,)" in by_all and f"({book.head()[0] - 3},)" in since


def test_balances_marks_and_postings_that_were_edited_are_found(book: Book, tmp_path: Path) -> None:
    book.add_up(at_least=1)
    edits = {
        "UPDATE balances SET micros = micros + 1 WHERE account = 'meter'": ("push", "balance_mismatch"),
        "UPDATE balance_marks SET micros = micros + 1 WHERE account = 'meter'": ("push", "bad_sums"),
        "DELETE FROM balance_marks WHERE account = 'meter'": ("push", "bad_sums"),
    }
    for edit, (jackpot, code) in edits.items():
        undo = edit.replace("+ 1", "- 1")
        with book._engine.begin() as connection:
            connection.execute(text(edit))
            assert list(wrong_balances(connection)) == [jackpot]
        assert verify(book).code == code
        if undo != edit:
            with book._engine.begin() as connection:
                connection.execute(text(undo))
            assert verify(book).is_good
    with book._engine.begin() as connection:
        connection.execute(text("DROP TRIGGER postings_no_update"))
        connection.execute(text("UPDATE postings SET micros = micros + 1 WHERE account = 'meter' AND seq = 2"))
    assert book.stopped() == {}
    book.check_balances()  # what a start leaves to the check in the background
    assert list(book.stopped()) == ["push"]
