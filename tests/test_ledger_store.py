"""The ledger in its databases. Every test without "sqlite" or "postgresql" in its name runs on both."""

from __future__ import annotations

import gzip
import sqlite3
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from msgspec import structs
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from croupier.errors import CroupierError, LedgerError
from croupier.jackpot import (
    AnyEvent,
    Entry,
    HitJackpot,
    JackpotHit,
    PayAward,
    Posting,
    RecordFact,
    RejectAward,
    Request,
    Sealed,
    WagersLocked,
    decide,
)
from croupier.jackpot.chain import digest
from croupier.store import Book, backup, open_store, play, probe, restore, schema, simulations, verify
from croupier.store.book import _Job
from croupier.store.engine import make_engine
from croupier.store.writing import Batch, Run
from tests.ledger import Desk, community, fixed, locked, opened, usd
from tests.ledger_simulator import full_disk
from tests.postgres import Server


def evening(book: Book) -> Desk:
    """Some of everything: two tables, an award paid, one rejected, one pending, a fact."""
    desk = Desk(book)
    desk.do(opened(reserve_ppm=12_345), id="open")
    desk.do(locked(1, 1, 2, 3), id="start-1")
    desk.do(locked(1, 4, 5, table="two", wager="0.37"), id="start-2")
    desk.do(community(1, 100_000), id="ten-percent")
    desk.do(PayAward(award="ten-percent", approved_by=("supervisor",)), id="pay")
    desk.do(fixed(1, "50", 4, table="two"), id="suited")
    desk.do(RejectAward(award="suited", note="not suited"), id="reject")
    desk.do(fixed(1, "15", 4, table="two"), id="colored")
    desk.do(RecordFact(subject="table/one", kind="set_up", body={"decks": 6}), id="fact")
    return desk


def refused(code: str, do: Callable[[], object]) -> str:
    with pytest.raises(CroupierError) as refusal:
        do()
    assert refusal.value.code == code, str(refusal.value)
    return str(refusal.value)


def engine_of(url: str) -> Engine:
    return make_engine(url)


def test_what_was_posted_is_there_after_reopening(book: Book, store_url: str) -> None:
    evening(book)
    balances, head = book.balances(), book.head()
    book.close()
    again = open_store(store_url)
    assert (again.balances(), again.head()) == (balances, head)
    assert again.meter_micros("push") == usd("9000.698")
    assert again.award("ten-percent").status == "paid"
    assert [award.id for award in again.awards()] == ["colored", "suited", "ten-percent"]
    assert [award.id for award in again.awards(status="pending")] == ["colored"]
    fact = again.fact("table/one")
    assert fact is not None and fact.body == {"decks": 6}
    assert [fact.subject for fact in again.facts("table/")] == ["table/one"]
    played = again.round("two")
    assert played is not None and [bet.seat for bet in played.bets] == [4, 5]
    Desk(again).do(locked(2, 1), id="start-3")
    assert verify(again).is_good
    again.close()


def test_a_repeat_gets_the_first_entry_also_after_reopening(book: Book, store_url: str) -> None:
    desk = evening(book)
    again = open_store(store_url)
    later = Desk(again)
    first = book.entry("start-1")
    assert again.post(later.request(locked(1, 1, 2, 3), id="start-1")) == first
    refused("id_reused", lambda: again.post(later.request(locked(1, 1), id="start-1")))
    refused("id_reused", lambda: desk.book.post(desk.request(locked(1, 1), id="start-1")))
    assert again.head() == book.head()
    again.close()


def test_two_open_books_take_turns_and_see_each_other(book: Book, store_url: str) -> None:
    other = open_store(store_url)
    Desk(book).do(opened(), id="open")
    for played in range(1, 6):
        Desk(other).do(locked(played, 1, table="two"), id=f"two-{played}")
        Desk(book).do(locked(played, 1, table="one"), id=f"one-{played}")
    assert book.meter_micros("push") == usd("10002")
    assert verify(other).is_good
    other.close()


def test_a_refused_request_writes_nothing_and_its_id_stays_free(book: Book) -> None:
    desk = evening(book)
    head = book.head()
    refused("no_locked_wager", lambda: desk.do(fixed(1, "5", 7), id="later"))
    assert book.head() == head
    desk.do(locked(2, 7), id="start-3")
    desk.do(fixed(2, "5", 7), id="later")


def test_linked_requests_are_booked_together_or_not_at_all(book: Book) -> None:
    desk = evening(book)
    before = (book.head(), book.balances(), book.fact("table/one"))

    def link(seat: int, name: str) -> tuple[Request, Request, Request]:
        return (
            desk.request(RecordFact(subject="table/one", kind="round", body={"round": 2}), id=f"{name}-fact"),
            desk.request(locked(2, 1, 2), id=f"{name}-lock"),
            desk.request(fixed(2, "5", seat), id=f"{name}-hit"),
        )

    refused("no_locked_wager", lambda: book.post_all(link(7, "bad")))
    assert (book.head(), book.balances(), book.fact("table/one")) == before
    answers = book.post_all(link(1, "good"))
    assert [answer.entry.seq for answer in answers] == [before[0][0] + 1, before[0][0] + 2, before[0][0] + 3]
    assert book.post_all(link(1, "good")) == answers
    assert verify(book).is_good


@pytest.mark.parametrize("most_together", [3, 512])
def test_many_threads_share_commits_and_lose_nothing(
    book: Book, most_together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.store.book.MOST_TOGETHER", most_together)
    Desk(book).do(opened(contribution_ppm=333_333), id="open")
    answers: list[Sealed] = []

    def play(table: str) -> None:
        for played in range(1, 11):
            request = Desk(book).request(locked(played, 1, 2, table=table), id=f"{table}-{played}")
            answers.append(book.post(request))

    threads = [threading.Thread(target=play, args=(f"table-{number}",)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.entry.seq for answer in answers) == list(range(2, 162))
    assert book.meter_micros("push") == usd("10000") + 320 * 333_333
    assert verify(book).is_good


def test_nobody_is_answered_before_the_commit(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that is woken early, while another books its request, must go on waiting."""
    Desk(book).do(opened(), id="open")
    write = Batch.write_by
    writing, go_on = threading.Semaphore(0), threading.Semaphore(0)

    def slow(batch: Batch, run: Run, dialect: str) -> bool:
        writing.release()
        go_on.acquire()
        return write(batch, run, dialect)

    monkeypatch.setattr(Batch, "write_by", slow)
    answered: list[str] = []

    def play(table: str) -> None:
        book.post(Desk(book).request(locked(1, 1, table=table), id=table))
        answered.append(table)

    threads = [threading.Thread(target=play, args=(f"table-{number}",)) for number in range(6)]
    threads[0].start()
    writing.acquire()  # the first is being booked, the others queue up behind it
    for thread in threads[1:]:
        thread.start()
    until = time.monotonic() + 60
    while len(book._waiting) < 5:
        assert time.monotonic() < until, "the others did not queue up"
        time.sleep(0.001)
    go_on.release()
    writing.acquire()  # the others are decided and not committed
    threads[0].join()
    for _ in range(20):
        with book._changed:
            book._changed.notify_all()
        time.sleep(0.005)
    assert answered == ["table-0"]
    go_on.release()
    for thread in threads[1:]:
        thread.join()
    assert len(answered) == 6


def test_hits_at_the_same_moment_have_one_order_and_one_winner_of_the_old_meter(book: Book) -> None:
    desk = Desk(book)
    desk.do(opened(seed="100", contribution_ppm=1_000_000), id="open")
    tables = [f"table-{number}" for number in range(8)]
    for table in tables:
        desk.do(locked(1, 1, table=table), id=f"start-{table}")
    start = threading.Barrier(len(tables))
    hits: list[Entry] = []

    def hit(table: str) -> None:
        request = Desk(book).request(community(1, table=table), id=f"hit-{table}")
        start.wait()
        hits.append(book.post(request).entry)

    threads = [threading.Thread(target=hit, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    in_order = [entry.event for entry in sorted(hits, key=lambda entry: entry.seq)]
    amounts = [event.amount_micros for event in in_order if isinstance(event, JackpotHit)]
    assert amounts == [usd("108")] + [usd("100")] * 7


def test_entries_and_postings_can_be_neither_changed_nor_removed(book: Book, store_url: str) -> None:
    evening(book)
    engine = engine_of(store_url)
    for table in ("entries", "postings"):
        for statement in (f"UPDATE {table} SET seq = seq + 100", f"DELETE FROM {table}"):
            with pytest.raises(DBAPIError, match="append-only"), engine.begin() as connection:
                connection.execute(text(statement))
    engine.dispose()


def without_triggers(url: str, *statements: str) -> None:
    """What somebody with the database's password could do."""
    engine = engine_of(url)
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars().all()
            for name in names:
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            connection.execute(text("ALTER TABLE entries DISABLE TRIGGER ALL"))
            connection.execute(text("ALTER TABLE postings DISABLE TRIGGER ALL"))
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


@pytest.mark.parametrize(
    ("statement", "bad_entry", "code"),
    [
        ("UPDATE entries SET text = replace(text, 'supervisor', 'supervisox') WHERE seq = 5", 5, "bad_hash"),
        ("UPDATE entries SET actor = 'nobody' WHERE seq = 4", 4, "bad_columns"),
        ("DELETE FROM entries WHERE seq = 3", 3, "missing_entry"),
        ("DELETE FROM entries WHERE seq >= 8", 8, "bad_posting"),
        ("DELETE FROM entries WHERE seq = 9", 9, "truncated"),
        ("UPDATE postings SET micros = micros + 1 WHERE seq = 2 AND account = 'meter'", 2, "bad_posting"),
        ("DELETE FROM postings WHERE seq = 6", 6, "bad_posting"),
        ("UPDATE balances SET micros = micros + 1 WHERE account = 'meter'", 0, "balance_mismatch"),
        ("DELETE FROM balances WHERE account = 'paid'", 0, "balance_mismatch"),
        ("UPDATE awards SET status = 'paid' WHERE id = 'colored'", 0, "bad_row"),
        ("DELETE FROM rounds", 0, "bad_row"),
        ("UPDATE facts SET version = 7", 0, "bad_row"),
        ("UPDATE head SET seq = 5", 10, "truncated"),
    ],
)
def test_verify_names_the_first_bad_entry(
    book: Book, store_url: str, statement: str, bad_entry: int, code: str
) -> None:
    evening(book)
    assert verify(book).is_good
    without_triggers(store_url, statement)
    found = verify(book)
    assert (found.bad_entry, found.code) == (bad_entry, code), found.problem


def test_verify_finds_an_entry_rewritten_with_its_hash(book: Book, store_url: str) -> None:
    evening(book)
    entry = book.entries(after=4)[0]
    forged = entry.text.replace("supervisor", "supervisox")
    forged_hash = sha256(forged.encode()).hexdigest()
    forged = forged.replace(":", "\\:")  # no parameters of SQLAlchemy's
    without_triggers(store_url, f"UPDATE entries SET text = '{forged}', hash = '{forged_hash}' WHERE seq = 5")
    found = verify(book)
    assert (found.bad_entry, found.code) == (6, "broken_chain")


def test_an_anchor_from_elsewhere_finds_a_log_cut_off_as_a_whole(book: Book) -> None:
    evening(book)
    seq, head = book.head()
    assert verify(book, anchors=[(seq, head)]).is_good
    assert verify(book, anchors=[(seq + 1, head)]).code == "truncated"
    assert verify(book, anchors=[(seq - 1, head)]).code == "anchor_mismatch"


def test_a_jackpot_whose_balances_do_not_add_up_stops_and_writes_nothing(book: Book, store_url: str) -> None:
    evening(book)
    without_triggers(store_url, "UPDATE balances SET micros = micros + 1 WHERE account = 'meter'")
    again = open_store(store_url)
    head = again.head()
    assert "verify" in refused("balance_mismatch", lambda: Desk(again).do(locked(2, 1), id="start-3"))
    assert again.head() == head
    again.close()


def test_one_bad_jackpot_does_not_stop_the_others(book: Book, store_url: str) -> None:
    evening(book)
    Desk(book).do(opened("dragon"), id="open-dragon")
    without_triggers(store_url, "UPDATE balances SET micros = micros + 1 WHERE account = 'meter' AND jackpot = 'push'")
    again = open_store(store_url)
    desk = Desk(again)
    refused("balance_mismatch", lambda: desk.do(locked(2, 1), id="start-3"))
    desk.do(locked(1, 1, table="three", jackpot="dragon"), id="start-4")
    again.close()


def test_money_moved_between_two_balances_is_not_played_on(book: Book, store_url: str) -> None:
    """The sum is still zero, but the postings say otherwise."""
    evening(book)
    for sign, account in (("+", "meter"), ("-", "seed")):
        change = f"UPDATE balances SET micros = micros {sign} 1000 WHERE account = '{account}' AND jackpot = 'push'"
        without_triggers(store_url, change)
    again = open_store(store_url)
    refused("jackpot_stopped", lambda: Desk(again).do(locked(2, 1), id="start-3"))
    again.close()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("DELETE FROM entries WHERE seq = (SELECT MAX(seq) FROM entries)", "truncated"),
        ("DELETE FROM entries WHERE seq = 3", "missing_entry"),
        ("UPDATE entries SET text = replace(text, 'dealer', 'dealex') WHERE seq = 4", "bad_hash"),
    ],
)
def test_a_log_that_was_edited_is_not_written_on(book: Book, store_url: str, change: str, code: str) -> None:
    evening(book)
    without_triggers(store_url, change)
    again = open_store(store_url)
    before = again.head()
    refused(code, lambda: Desk(again).do(locked(2, 1), id="start-3"))
    assert again.head() == before
    again.close()


@pytest.mark.parametrize("at_once", [1, 10**6])
def test_a_backup_restores_to_the_same_chain(
    book: Book, tmp_path: Path, postgres: Server, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(restore.__globals__, "PAGE_CHARACTERS", at_once)
    evening(book)
    file = tmp_path / "evening.backup"
    assert backup(book, file) == 9
    for url in (str(tmp_path / "restored.db"), postgres.new_database()):
        restored = open_store(url)
        assert restore(restored, file) == 9
        assert restored.head() == book.head()
        assert restored.entries() == book.entries()
        assert restored.balances() == book.balances()
        assert verify(restored).is_good
        Desk(restored).do(PayAward(award="colored", approved_by=("supervisor",)), id="pay-2")
        refused("not_empty", lambda into=restored: restore(into, file))  # type: ignore[misc]
        restored.close()
    refused("file_exists", lambda: backup(book, file))


def test_a_damaged_backup_restores_nothing(book: Book, tmp_path: Path) -> None:
    evening(book)
    whole = tmp_path / "whole"
    backup(book, whole)
    data = whole.read_bytes()
    lines = gzip.decompress(data).splitlines(keepends=True)
    damaged = {
        "truncated file": data[: len(data) // 2],
        "not a backup": b"hello",
        "another format": gzip.compress(b"{}\n"),
        "end line missing": gzip.compress(b"".join(lines[:-1])),
        "entry missing": gzip.compress(b"".join(lines[:3] + lines[4:])),
        "entry changed": gzip.compress(b"".join(lines).replace(b"supervisor", b"supervisox")),
        "something after the end": gzip.compress(b"".join([*lines, lines[-1]])),
    }
    for number, (what, content) in enumerate(damaged.items()):
        file = tmp_path / f"damaged-{number}"
        file.write_bytes(content)
        empty = open_store(str(tmp_path / f"empty-{number}.db"))
        with pytest.raises(LedgerError):
            restore(empty, file)
        assert empty.head()[0] == 0, what
        assert empty.entries() == (), what
        empty.close()


def test_watchers_get_every_entry_in_order(book: Book, store_url: str) -> None:
    evening(book)
    other = open_store(store_url)
    watching = other.watch(after=7, idle_s=0.05)
    assert [sealed.entry.id for sealed in next(watching)] == ["colored", "fact"]
    assert next(watching) == ()
    late = threading.Timer(0.1, lambda: Desk(book).do(locked(2, 1), id="start-3"))
    late.start()
    patient = other.watch(after=9, idle_s=30)
    (sealed,) = next(patient)
    assert isinstance(sealed.entry.event, WagersLocked)
    late.join()
    watching.close()  # type: ignore[attr-defined]
    patient.close()  # type: ignore[attr-defined]
    other.close()


def test_the_schema_is_what_the_program_thinks(book: Book, store_url: str) -> None:
    engine = engine_of(store_url)
    known = [schema.metadata, play.metadata, simulations.metadata, probe.metadata]
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), known) == []  # type: ignore[arg-type]
    engine.dispose()


def test_a_newer_schema_is_refused(book: Book, store_url: str) -> None:
    book.close()
    engine = engine_of(store_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    assert "newer" in refused("schema_newer", lambda: open_store(store_url))


def test_sqlite_is_set_to_lose_nothing(tmp_path: Path) -> None:
    engine = make_engine(str(tmp_path / "ledger.db"))
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar_one() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar_one() == 2
    engine.dispose()


@pytest.mark.parametrize(
    "url",
    ["mysql://host/name", "sqlite://", "sqlite:///:memory:", "no/such/folder/ledger.db", "postgresql://host:port/x"],
)
def test_an_address_that_cannot_hold_a_ledger_is_refused(url: str) -> None:
    refused("bad_store_url", lambda: open_store(url))


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    file.write_text("This is not a database, and long enough to be taken for a damaged one. " * 20)
    refused("cannot_open", lambda: open_store(str(file)))


def test_a_server_that_is_not_there_is_refused(tmp_path: Path) -> None:
    refused("cannot_open", lambda: open_store(f"postgresql://croupier@/nothing?host={tmp_path}"))


def test_a_full_disk_refuses_and_goes_on_when_there_is_room_on_sqlite(tmp_path: Path) -> None:
    book = open_store(str(tmp_path / "ledger.db"))
    desk = evening(book)
    big = RecordFact(subject="big", kind="picture", body={"x": "y" * 100_000})
    head = book.head()
    with full_disk(book):
        assert "same id" in refused("storage_failed", lambda: desk.do(big, id="big"))
        assert book.head() == head
    desk.do(big, id="big")
    assert verify(book).is_good
    book.close()


def test_a_damaged_sqlite_file_is_found(tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    book = open_store(str(file))
    evening(book)
    book.close()
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    size = file.stat().st_size
    with file.open("r+b") as raw:
        raw.truncate(size // 2)
    with pytest.raises(LedgerError) as refusal:
        open_store(str(file))
    assert refusal.value.code == "cannot_open"


def test_a_share_of_a_house_prize_needs_a_wager(book: Book) -> None:
    desk = evening(book)
    hit = HitJackpot(jackpot="push", table="one", round=1, seats=(9,), share_ppm=1_000_000)
    assert "seats with one: 1, 2, 3" in refused("no_locked_wager", lambda: desk.do(hit))


@pytest.mark.parametrize("amount", [1.0, 1e6, "1", None, True])
def test_money_that_is_no_integer_does_not_get_in(book: Book, amount: object) -> None:
    desk = evening(book)
    command = locked(2, 1)
    bet = structs.replace(command.bets[0], amount_micros=amount)
    refused("bad_request", lambda: desk.do(structs.replace(command, bets=(bet,))))


def test_a_fault_of_ours_refuses_one_request_and_no_other(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = evening(book)
    head = book.head()

    def wrong(state: object, request: Request) -> AnyEvent:
        if request.id == "bad":
            raise LedgerError("-1 micros cannot be moved.", code="bad_move")
        return decide(state, request)  # type: ignore[arg-type]

    monkeypatch.setattr("croupier.store.book.decide", wrong)
    requests = [desk.request(locked(2, 1), id="good"), desk.request(locked(2, 1, table="two"), id="bad")]
    jobs = [_Job((request,), (digest(request),)) for request in requests]
    book._book(jobs)
    assert jobs[0].answers is not None
    assert isinstance(jobs[1].error, LedgerError) and jobs[1].error.code == "bad_move"
    assert book.head()[0] == head[0] + 1
    assert verify(book).is_good


def test_postings_that_do_not_add_up_stop_their_jackpot_only(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = evening(book)
    desk.do(opened("dragon"), id="open-dragon")

    def wrong(state: object, request: Request) -> AnyEvent:
        event = decide(state, request)  # type: ignore[arg-type]
        if request.id != "bad":
            return event
        return structs.replace(event, postings=(*event.postings, Posting("push", "main", "meter", 1)))

    monkeypatch.setattr("croupier.store.book.decide", wrong)
    refused("sum_not_zero", lambda: desk.do(locked(2, 1), id="bad"))
    refused("jackpot_stopped", lambda: desk.do(locked(2, 1), id="good"))
    refused("jackpot_stopped", lambda: desk.do(PayAward(award="colored", approved_by=("supervisor",))))
    desk.do(locked(1, 1, table="three", jackpot="dragon"), id="other")
    assert verify(book).is_good


def test_a_watcher_is_told_when_postgresql_goes_away(postgres: Server) -> None:
    book = open_store(postgres.new_database())
    watching = book.watch(after=0, idle_s=0.01)
    assert next(watching) == ()
    postgres.stop("immediate")
    refused("storage_failed", lambda: next(watching))
    refused("storage_failed", book.head)
    postgres.start()
    Desk(book).do(opened(), id="open")
    assert [sealed.entry.id for sealed in next(book.watch(after=0))] == ["open"]
    book.close()


def test_a_write_that_postgresql_refuses_is_told_and_leaves_nothing(postgres: Server) -> None:
    url = postgres.new_database()
    book = open_store(url)
    desk = evening(book)
    engine = make_engine(url)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE rounds ADD CONSTRAINT no_more CHECK (round < 2)"))
    head = book.head()
    refused("storage_failed", lambda: desk.do(locked(2, 1), id="start-3"))
    assert book.head() == head
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE rounds DROP CONSTRAINT no_more"))
    desk.do(locked(2, 1), id="start-3")
    assert verify(book).is_good
    engine.dispose()
    book.close()


def test_books_survive_a_restart_of_postgresql(postgres: Server) -> None:
    book = open_store(postgres.new_database())
    desk = evening(book)
    postgres.stop("immediate")
    refused("storage_failed", lambda: desk.do(locked(2, 1), id="start-3"))
    postgres.start()
    desk.do(locked(2, 1), id="start-3")
    postgres.stop("fast")
    postgres.start()
    desk.do(locked(3, 1), id="start-4")
    assert book.meter_micros("push") == usd("9001.098")
    assert verify(book).is_good
    book.close()


def test_a_postgresql_that_may_lose_data_is_refused(postgres: Server) -> None:
    url = postgres.new_database()
    engine = make_engine(url)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ALTER SYSTEM SET fsync = off"))
        connection.execute(text("SELECT pg_reload_conf()"))
    try:
        for _ in range(50):
            with engine.connect() as connection:
                if connection.execute(text("SHOW fsync")).scalar_one() == "off":
                    break
        refused("not_durable", lambda: open_store(url))
    finally:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("ALTER SYSTEM RESET fsync"))
            connection.execute(text("SELECT pg_reload_conf()"))
        engine.dispose()
