"""What the database says of its own files, and ids that stand in the log twice.

A damaged index is not seen by whoever reads the log in its order: it hides an entry from a look by its id, and the same
request is then booked again. So the engine checks its pages and indexes, and ids are compared without any index.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from croupier.errors import LedgerError
from croupier.store import schema

MOST_FINDINGS = 5
"""Of the engine, in one sentence; a broken file has thousands."""
NO_AMCHECK = (
    "PostgreSQL's indexes were not checked: its extension amcheck is missing, or this account may not use it. Let the "
    "server's administrator run CREATE EXTENSION amcheck in this database and grant EXECUTE on its functions."
)
_TWICE = (
    "SELECT id, MIN(seq) AS first, MAX(seq) AS last FROM entries {hint} GROUP BY id HAVING COUNT(*) > 1 "
    "ORDER BY last LIMIT 1"
)
_INDEXES = (
    "SELECT bt_index_check(pg_index.indexrelid, true) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
    "JOIN pg_am ON pg_am.oid = relam WHERE amname = 'btree' AND relpersistence = 'p' AND indisready AND indisvalid "
    "AND relnamespace = current_schema()::regnamespace"
)
_HEAPS = (
    "SELECT pg_class.relname, found.msg FROM pg_class, "
    "LATERAL verify_heapam(pg_class.oid, on_error_stop := true) AS found "
    "WHERE relkind = 'r' AND relpersistence = 'p' AND relnamespace = current_schema()::regnamespace"
)


class TwiceError(LedgerError):
    """Two entries of one id; `entry` is the number of the second."""

    code = "id_twice"

    def __init__(self, id: str, first: int, entry: int) -> None:
        super().__init__(f'Entries {first} and {entry} have the same id, "{id}": one request was booked twice.')
        self.entry = entry


def check_engine(connection: Connection) -> tuple[str, ...]:
    """Raises what the database finds wrong with its own files; returns what could not be checked, in sentences."""
    if connection.dialect.name == "sqlite":
        _check_sqlite(connection)
        return ()
    return _check_postgresql(connection)


def require_ids_once(connection: Connection) -> None:
    """No two entries have one id, by the log itself and not by the index that keeps others out."""
    if connection.dialect.name == "sqlite":
        twice = connection.execute(text(_TWICE.format(hint="NOT INDEXED"))).one_or_none()
    else:
        with planned_without(connection, "enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan"):
            twice = connection.execute(text(_TWICE.format(hint=""))).one_or_none()
    if twice is not None:
        raise TwiceError(twice.id, twice.first, twice.last)


def require_unique_ids(connection: Connection) -> None:
    """The database must keep a second entry of an id out by itself."""
    constraints = inspect(connection).get_unique_constraints(schema.entries.name)
    if [constraint["column_names"] for constraint in constraints] != [["id"]]:
        raise LedgerError(
            "Nothing in the database keeps two entries from having one id. A store restored from a backup does.",
            code="ids_not_unique",
        )


@contextmanager
def planned_without(connection: Connection, *ways: str) -> Iterator[None]:
    """PostgreSQL, within this transaction, leaves out ways to look for something."""
    for way in ways:
        connection.execute(text(f"SET LOCAL {way} TO off"))
    yield
    for way in ways:
        connection.execute(text(f"SET LOCAL {way} TO DEFAULT"))


def _check_sqlite(connection: Connection) -> None:
    """All pages, tables and indexes of the file; also those that are not the ledger's."""
    try:
        findings = [
            str(line) for line in connection.execute(text(f"PRAGMA integrity_check({MOST_FINDINGS})")).scalars()
        ]
    except SQLAlchemyError as error:
        findings = [str(getattr(error, "orig", error))]
    if findings != ["ok"]:
        raise _damaged("SQLite", "; ".join(" ".join(line.split()) for line in findings))


def _check_postgresql(connection: Connection) -> tuple[str, ...]:
    try:
        if not connection.execute(text("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'")).scalar():
            connection.execute(text("CREATE EXTENSION amcheck"))
            connection.commit()
    except DBAPIError:  # not on this machine, not by this account, or a standby
        connection.rollback()
        return (NO_AMCHECK,)
    try:
        connection.execute(text(_INDEXES)).all()
        findings = connection.execute(text(_HEAPS)).all()
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) == "42501":  # insufficient_privilege
            connection.rollback()
            return (NO_AMCHECK,)
        raise _damaged("PostgreSQL", str(error.orig).strip().splitlines()[0]) from error
    if findings:
        raise _damaged("PostgreSQL", "; ".join(f"{row.relname}: {row.msg}" for row in findings[:MOST_FINDINGS]))
    return ()


def _damaged(engine: str, findings: str) -> LedgerError:
    return LedgerError(
        f"{engine} finds its own files damaged: {findings}. An index may hide what was booked.", code="damaged_file"
    )
