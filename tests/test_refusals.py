"""Refused attempts: once for a request, bounded by address, in a chain of their own beside the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from croupier.floor.security_log import BOUND_WITHIN, MOST_REFUSALS, REQUEST, Incoming
from croupier.store import Book, verify
from croupier.store.refusals import Refusal
from tests.people import Floor, refused
from tests.web_client import Web, demo_web


@pytest.fixture
def floor(book: Book) -> Floor:
    return Floor(book)


@pytest.fixture
def web(store_url: str) -> Iterator[Web]:
    with demo_web(store_url) as web:
        yield web


def test_a_refused_attempt_leaves_the_ledger_alone(floor: Floor) -> None:
    head = floor.book.head()
    refused("not_recognized", lambda: floor.people.present("card-nobody", "123987"))
    assert floor.book.head() == head
    (refusal,) = floor.book.refusals.between()
    assert (refusal.seq, refusal.who, refusal.why) == (1, "unknown", "unknown card")


def test_one_request_is_recorded_once_however_many_parts_refuse_it(floor: Floor) -> None:
    token = REQUEST.set(Incoming(address="10.0.0.7"))
    try:
        floor.people.log.deny(who="mia", what="pay", where="web", why="no right approve_award")
        floor.people.log.deny(who="mia", what="POST /pay", where="web", why="not_allowed")
    finally:
        REQUEST.reset(token)
    assert [(one.address, one.why) for one in floor.book.refusals.between()] == [("10.0.0.7", "no right approve_award")]


def test_a_flood_from_one_address_is_counted_and_not_recorded(floor: Floor) -> None:
    def attempt(address: str) -> None:
        token = REQUEST.set(Incoming(address=address))
        floor.people.log.deny(who="unknown", what="use a session", where="web", why="unknown session")
        REQUEST.reset(token)

    for _ in range(MOST_REFUSALS + 500):
        attempt("10.0.0.7")
    attempt("10.0.0.8")
    assert len(floor.book.refusals.between()) == MOST_REFUSALS + 1, "others are recorded as ever"
    floor.people.log.record_left_out()
    assert len(floor.book.refusals.between()) == MOST_REFUSALS + 1, "not before its time is over"
    floor.clock.now += BOUND_WITHIN
    floor.people.log.record_left_out()
    last = floor.book.refusals.between()[-1]
    assert (last.address, last.left_out) == ("10.0.0.7", 500)
    assert verify(floor.book).is_good


def test_strangers_and_harmless_attempts_keep_nothing_of_a_dealer_off_the_record(floor: Floor) -> None:
    for who, what in [("unknown", "use a session")] * 100 + [("mia", "GET /entries")] * 100:
        token = REQUEST.set(Incoming(address="10.0.0.7"))
        floor.people.log.deny(who=who, what=what, where="web", why="not_allowed")
        REQUEST.reset(token)
    token = REQUEST.set(Incoming(address="10.0.0.7"))
    floor.people.log.deny(who="mia", what="POST /people", where="web", why="no right manage_people")
    REQUEST.reset(token)
    found = floor.book.refusals.between()
    assert len(found) == 2 * MOST_REFUSALS + 1 and (found[-1].who, found[-1].what) == ("mia", "POST /people")


def test_a_repeated_request_id_is_recorded_once(floor: Floor) -> None:
    for _ in range(2):
        refused("not_recognized", lambda: floor.people.present("card-nobody", "123987", request_id="swipe-1"))
    assert [one.id for one in floor.book.refusals.between()] == ["denied/swipe-1"]


@pytest.mark.parametrize(
    "edit", ["UPDATE refusals SET text = replace(text, 'unknown', 'mia')", "DELETE FROM refusals WHERE seq = 1"]
)
def test_verify_finds_a_chain_of_refusals_that_was_edited(book: Book, edit: str) -> None:
    for id in ("a", "b"):
        at = datetime(2026, 11, 18, tzinfo=UTC)
        book.refusals.add(Refusal(seq=0, id=id, at=at, who="unknown", what="w", where="", why="y"))
    assert verify(book).is_good
    is_sqlite = book._engine.dialect.name == "sqlite"
    with book._engine.begin() as connection:
        for statement in (
            ("DROP TRIGGER refusals_no_update", "DROP TRIGGER refusals_no_delete")
            if is_sqlite
            else ("ALTER TABLE refusals DISABLE TRIGGER USER",)
        ):
            connection.execute(text(statement))
        connection.execute(text(edit))
        if not is_sqlite:
            connection.execute(text("ALTER TABLE refusals ENABLE TRIGGER USER"))
    assert verify(book).code in ("bad_refusal", "not_append_only")


def test_the_audit_has_refused_attempts_with_their_address(web: Web) -> None:
    web.role("dealer").refused(403, "not_allowed", "POST", "/people/demo-auditor/withdraw")
    (line,) = [line for line in web.role("auditor").get("/reports/audit")["lines"] if line["what"] == "denied"]
    assert (line["entry"], line["refusal"], line["actor"]) == (0, 1, "demo-dealer")
    assert line["detail"]["address"] == "testclient"
