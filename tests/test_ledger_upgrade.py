"""Stores that an earlier program wrote: opened by this one they are as if it had written them itself."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

import croupier.store
from croupier.jackpot import BackOutAward, PayAward, RejectAward, VoidRound
from croupier.store import Book, open_store, verify
from croupier.store.engine import make_engine
from tests.ledger import Desk, community, fixed, go_back, locked, opened


def as_an_earlier_program_left_it(book: Book, store_url: str, *more: str, version: str = "0002") -> None:
    """With version 0002 rounds did not keep what their wagers put where, with 0004 nobody counted the seed won."""
    book.close()
    engine = make_engine(store_url)
    with engine.begin() as connection:
        if version < "0003":
            assert without(connection, "rounds", "table_id", "accruals") >= 2
        if version < "0005":
            assert without(connection, "jackpots", "id", "seed_won_micros") == 1
            without(connection, "awards", "id", "seed_won_micros")
        go_back(connection, version)
        for statement in more:
            connection.execute(text(statement))
    engine.dispose()


def without(connection: Connection, table: str, key: str, field: str) -> int:
    """Takes a field out of the body of every row; returns in how many it was."""
    changed = 0
    for row in connection.execute(text(f"SELECT {key} AS key, body FROM {table}")).all():
        body = json.loads(row.body)
        had = [part.pop(field, None) for part in (body, *body.get("tallies", {}).values())]
        changed += had != [None] * len(had)
        new = json.dumps(body, sort_keys=True, separators=(",", ":"))
        connection.execute(text(f"UPDATE {table} SET body = :new WHERE {key} = :key"), {"new": new, "key": row.key})
    return changed


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


@pytest.mark.parametrize("version", ["0001", "0002", "0003", "0004", "0005"])
def test_a_store_of_every_earlier_version_becomes_what_this_program_would_have_written(
    book: Book, store_url: str, version: str
) -> None:
    desk = Desk(book)
    desk.do(opened(seed="100", contribution_ppm=700_000, reserve_ppm=12_345), id="open")
    for played, winner in enumerate(("paid", "rejected", "backed-out", "pending"), 1):
        desk.do(locked(played, 1, 2, 3))
        desk.do(locked(played, 4, table="two", wager="0.37"))
        desk.do(community(played), id=winner)
        desk.do(fixed(played, "50", 4, table="two"), id=f"{winner}-fixed")
        if winner in ("paid", "backed-out"):
            desk.do(PayAward(award=winner, approved_by=("supervisor",)))
        if winner == "backed-out":
            desk.do(BackOutAward(award=winner, note="No.", second="accounting"))
        if winner == "rejected":
            desk.do(RejectAward(award=winner, note="No."))
    desk.do(locked(1, 1, table="three"))
    desk.do(VoidRound(table="three", round=1, jackpots=("push",), note="A misdeal."))
    seen = (book.jackpots(), book.awards(limit=100), [book.round(name) for name in ("one", "two", "three")])
    assert any(award.seed_won_micros for award in seen[1])
    as_an_earlier_program_left_it(book, store_url, version=version)
    again = open_store(store_url)
    assert seen == (again.jackpots(), again.awards(limit=100), [again.round(name) for name in ("one", "two", "three")])
    found = verify(again)
    assert found.is_good, found.problem
    again.close()


def test_no_migration_leans_on_what_the_program_is_today() -> None:
    """A table of the schema, imported, would have the columns of later versions too."""
    folder = Path(croupier.store.__file__).parent / "migrations"
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            assert not [name for name in modules if name.startswith("croupier")], file.name
