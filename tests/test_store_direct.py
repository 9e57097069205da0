"""Statements that go to the driver as they are: done whole or not at all, and connections that break are not kept."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError, OperationalError

from croupier.store import open_store
from croupier.store.direct import Direct
from croupier.store.engine import make_engine
from tests.postgres import Server

ADD = "INSERT INTO session_uses (session, used_micros) VALUES (:session, :used_micros)"
ALL = "SELECT session FROM session_uses ORDER BY session"


@pytest.fixture
def engine(store_url: str) -> Iterator[Engine]:
    open_store(store_url).close()
    engine = make_engine(store_url)
    yield engine
    engine.dispose()


def names(direct: Direct) -> list[str]:
    with direct.each_alone() as run:
        return [name for (name,) in run(ALL, {}).fetchall()]


def test_what_is_done_together_is_done_whole_or_not_at_all(engine: Engine) -> None:
    direct = Direct(engine)
    with direct.each_alone() as run:
        run(ADD, {"session": "first", "used_micros": 1})
    with pytest.raises(IntegrityError), direct.together() as run:
        run(ADD, {"session": "second", "used_micros": 1})
        run(ADD, {"session": "first", "used_micros": 1})
    with pytest.raises(ZeroDivisionError), direct.together() as run:
        run(ADD, {"session": "third", "used_micros": 1})
        _ = 1 / 0
    assert names(direct) == ["first"]
    with direct.together() as run:
        for name in ("second", "third"):
            run(ADD, {"session": name, "used_micros": 2})
    assert names(direct) == ["first", "second", "third"]


def test_a_connection_is_given_back_as_it_was(engine: Engine) -> None:
    direct = Direct(engine)
    with pytest.raises(IntegrityError), direct.each_alone() as run:
        for _ in range(2):
            run(ADD, {"session": "first", "used_micros": 1})
    for _ in range(3):  # what follows on it begins and ends transactions by itself
        with engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM session_uses")
            connection.rollback()
    assert names(direct) == ["first"]
    assert engine.pool.checkedout() == 0  # type: ignore[attr-defined]


def test_connections_that_a_restart_of_postgresql_has_cut_fail_once(postgres: Server) -> None:
    url = postgres.new_store()
    engine = make_engine(url)
    direct = Direct(engine)
    assert names(direct) == []
    end_all = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(end_all, (other.info.backend_pid,))
    with pytest.raises(OperationalError) as lost:
        names(direct)
    assert lost.value.connection_invalidated
    assert names(direct) == []
    engine.dispose()
    postgres.drop_database(url)
