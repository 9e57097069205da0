"""A server that writes alone decides by what it has in memory. It must never answer by memory alone."""

from __future__ import annotations

import pytest
from msgspec import structs
from sqlalchemy import Engine, event, text

from croupier.errors import IllegalActionError
from croupier.jackpot import AnyEvent, Posting, RecordFact, Request, decide
from croupier.jackpot.chain import digest
from croupier.store import Book, open_store, verify
from croupier.store.book import _Job
from croupier.store.engine import make_engine
from croupier.store.writing import Batch, WritingConnection
from tests.ledger import Desk, community, fixed, locked, opened, usd
from tests.postgres import Server
from tests.test_ledger_store import refused

FACT = RecordFact(subject="table/one", kind="set_up", body={"decks": 6})


def alone(book: Book) -> Desk:
    """Somebody at a book that has written alone for a while."""
    desk = Desk(book)
    desk.do(opened(), id="open")
    desk.do(FACT, id="fact-1")
    for played in range(1, 4):
        desk.do(locked(played, 1), id=f"start-{played}")
    require_nothing_read(book, lambda: desk.do(locked(4, 1), id="start-4"))
    return desk


def require_nothing_read(book: Book, do: object) -> None:
    asked: list[str] = []

    def note(connection: object, cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    event.listen(book._engine, "before_cursor_execute", note)
    do()  # type: ignore[operator]
    event.remove(book._engine, "before_cursor_execute", note)
    assert asked == [], "it was not booked by memory"


def run(engine: Engine, statement: str) -> None:
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def test_memory_is_not_trusted_when_another_has_written(book: Book, store_url: str) -> None:
    desk = alone(book)
    other = open_store(store_url)
    Desk(other).do(community(4), id="hit")  # the meter is back at its seed
    desk.do(locked(5, 1), id="start-5")
    assert book.meter_micros("push") == usd("10000.2")
    desk.do(locked(6, 1), id="start-6")
    require_nothing_read(book, lambda: desk.do(locked(7, 1), id="start-7"))
    Desk(other).do(locked(8, 1), id="start-8")
    refused("round_order", lambda: desk.do(locked(8, 2), id="late"))
    desk.do(locked(9, 2), id="start-9")
    assert verify(book).is_good
    other.close()


def test_a_repeat_gets_its_first_entry(book: Book) -> None:
    desk = alone(book)
    head = book.head()
    for id, command in (("start-4", locked(4, 1)), ("start-2", locked(2, 1)), ("fact-1", FACT)):
        assert book.post(desk.request(command, id=id)) == book.entry(id)
        desk = Desk(book)
    refused("id_reused", lambda: book.post(desk.request(locked(5, 1), id="start-4")))
    refused("id_reused", lambda: book.post(desk.request(locked(5, 1), id="fact-1")))
    assert book.head() == head


def test_of_jobs_together_each_gets_its_own_answer(book: Book) -> None:
    desk = alone(book)
    requests = {
        "new": desk.request(locked(5, 1, 2), id="start-5"),
        "repeated": desk.request(locked(4, 1), id="start-4"),
        "refused": desk.request(fixed(5, "50", 7), id="no-wager"),
        "twice": desk.request(locked(5, 1, 2), id="start-5"),
        "reused": desk.request(locked(6, 1), id="start-3"),
    }
    jobs = {name: _Job((request,), (digest(request),)) for name, request in requests.items()}
    book._book(list(jobs.values()))
    assert jobs["new"].answers == jobs["twice"].answers == (book.entry("start-5"),)
    assert jobs["repeated"].answers == (book.entry("start-4"),)
    for name, code in (("refused", "no_locked_wager"), ("reused", "id_reused")):
        error = jobs[name].error
        assert isinstance(error, IllegalActionError) and error.code == code
    assert book.head()[0] == 7
    assert verify(book).is_good


def test_linked_requests_stay_together(book: Book) -> None:
    desk = alone(book)
    head = book.head()
    lock, hit = desk.request(locked(5, 1), id="start-5"), desk.request(fixed(5, "50", 2), id="no-wager")
    refused("no_locked_wager", lambda: book.post_all((lock, hit)))
    assert book.head() == head
    answers = book.post_all((lock, desk.request(fixed(5, "50", 1), id="hit")))
    assert [answer.entry.seq for answer in answers] == [head[0] + 1, head[0] + 2]
    assert verify(book).is_good


def test_a_wrong_sum_stops_its_jackpot(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = alone(book)

    def wrong(state: object, request: Request) -> AnyEvent:
        made = decide(state, request)  # type: ignore[arg-type]
        return structs.replace(made, postings=(*made.postings, Posting("push", "main", "meter", 1)))

    with monkeypatch.context() as patched:
        patched.setattr("croupier.store.book.decide", wrong)
        refused("sum_not_zero", lambda: desk.do(locked(5, 1), id="bad"))
    refused("jackpot_stopped", lambda: desk.do(locked(5, 1), id="good"))
    assert verify(book).is_good


def test_an_end_of_the_log_that_was_edited_is_not_written_on(book: Book, store_url: str) -> None:
    desk = alone(book)
    run(make_engine(store_url), "UPDATE head SET hash = 'edited'")
    refused("truncated", lambda: desk.do(locked(5, 1), id="start-5"))
    assert len(book.entries()) == 6


def test_what_was_written_without_an_answer_is_not_written_twice(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = alone(book)
    write = WritingConnection.write

    def link_lost(line: WritingConnection, batch: Batch) -> bool:
        assert write(line, batch)
        return False

    monkeypatch.setattr(WritingConnection, "write", link_lost)
    desk.do(locked(5, 1), id="start-5")
    assert [sealed.entry.id for sealed in book.entries(after=6)] == ["start-5"]
    assert verify(book).is_good


def test_what_the_database_refuses_leaves_nothing(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """The statements fail after the first of them: none may stay."""
    desk = alone(book)
    head = book.head()
    rows = Batch._rows

    def no_account(batch: Batch) -> object:
        return [
            (table, [{**row, "micros": None} for row in made] if table.name == "balances" else made)
            for table, made in rows(batch)
        ]

    with monkeypatch.context() as patched:
        patched.setattr(Batch, "_rows", no_account)
        refused("storage_failed", lambda: desk.do(locked(5, 1), id="start-5"))
    assert book.head() == head and len(book.entries()) == head[0]
    desk.do(locked(5, 1), id="start-5")
    assert verify(book).is_good


def test_a_restarted_postgresql_is_found_again(postgres: Server) -> None:
    book = open_store(postgres.new_database())
    desk = alone(book)
    postgres.stop("fast")
    postgres.start()
    desk.do(locked(5, 1), id="start-5")
    assert book.head()[0] == 7
    assert verify(book).is_good
    book.close()
