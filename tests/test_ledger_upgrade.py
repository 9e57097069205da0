"""Stores that an earlier program wrote: opened by this one they are as if it had written them itself."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from croupier.jackpot import VoidRound
from croupier.store import Book, open_store, verify
from croupier.store.engine import make_engine
from tests.ledger import Desk, locked, opened

WITHOUT_ACCRUALS = {
    "sqlite": "UPDATE rounds SET body = json_remove(body, '$.accruals')",
    "postgresql": "UPDATE rounds SET body = (body::jsonb - 'accruals')::text",
}


def as_an_earlier_program_left_it(book: Book, store_url: str, *more: str) -> None:
    """With version 0002 rounds did not keep what their wagers put where, and there were no simulations."""
    book.close()
    engine = make_engine(store_url)
    with engine.begin() as connection:
        changed = connection.execute(text(WITHOUT_ACCRUALS[engine.dialect.name])).rowcount
        assert changed == 2
        back = ("DROP TABLE simulations", "UPDATE alembic_version SET version_num = '0002'")
        for statement in (*back, *more):
            connection.execute(text(statement))
    engine.dispose()


@pytest.fixture
def played(book: Book) -> Book:
    desk = Desk(book)
    desk.do(opened(reserve_ppm=12_345), id="open")
    desk.do(locked(1, 1, 2, 3), id="start-1")
    desk.do(locked(1, 4, 5, table="two", wager="0.37"), id="start-2")
    return book


def test_rounds_are_made_anew_from_the_log(played: Book, store_url: str) -> None:
    head, before = played.head(), played.round("two")
    as_an_earlier_program_left_it(played, store_url)
    again = open_store(store_url)
    assert again.round("two") == before and before is not None and before.accruals
    assert again.head() == head and verify(again).is_good
    Desk(again).do(VoidRound(table="two", round=1, jackpots=("push",), note="A misdeal."), id="void")
    assert verify(again).is_good
    again.close()


def test_what_was_edited_elsewhere_is_not_mended_by_the_way(played: Book, store_url: str) -> None:
    edit = "UPDATE balances SET micros = micros + 1 WHERE account = 'meter'"
    as_an_earlier_program_left_it(played, store_url, edit)
    again = open_store(store_url)
    assert verify(again).code == "balance_mismatch"
    again.close()


def test_a_log_that_does_not_read_is_left_for_verify_to_name(played: Book, store_url: str) -> None:
    sqlite = "DROP TRIGGER entries_no_delete"
    postgresql = "DROP TRIGGER entries_append_only ON entries"
    unlock = postgresql if store_url.startswith("postgresql") else sqlite
    as_an_earlier_program_left_it(played, store_url, unlock, "DELETE FROM entries WHERE seq = 2")
    again = open_store(store_url)
    found = verify(again)
    assert (found.bad_entry, found.code) == (2, "missing_entry")
    again.close()
