"""Where play money is kept on a real floor: in a database of its own, so that it never meets the ledger's.

Beside `floor.db` it is `floor-play.db`; on a PostgreSQL server, beside `floor`, `floor_play`. It has the same schema,
and a ledger in which nothing is ever booked.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from croupier.errors import LedgerError
from croupier.store import open_store
from croupier.store.engine import make_engine, parse_url
from croupier.store.play import PlayStore


def play_database_beside(ledger: str) -> str:
    """The address of the database of play that belongs to a ledger's.

    >>> play_database_beside("floor.db")
    'floor-play.db'
    """
    url = parse_url(ledger)
    name = url.database or ""
    if url.get_backend_name() != "sqlite":
        return url.set(database=f"{name}_play").render_as_string(hide_password=False)
    file = Path(name)
    beside = str(file.with_name(f"{file.stem}-play{file.suffix}"))
    return beside if "://" not in ledger else url.set(database=beside).render_as_string(hide_password=False)


def open_play_database(ledger: str, named: str = "") -> str:
    """The address of the database of play, which is made or brought to its schema. Refuses one that holds a ledger."""
    address = named or play_database_beside(ledger)
    if _is_same(parse_url(address), parse_url(ledger)):
        raise LedgerError(
            "On a real floor play money is kept apart: name another database for it than the ledger's.",
            code="play_in_ledger",
        )
    if not named and parse_url(ledger).get_backend_name() == "postgresql":
        _make_database(ledger, address)
    book = open_store(address)
    try:
        if book.head()[0]:
            raise LedgerError(
                "The database named for play money holds a jackpot ledger: name another one, which may be new and "
                "empty.",
                code="play_in_ledger",
            )
    finally:
        book.close()
    return address


def require_no_play(address: str) -> None:
    """Refuses a database in which guests have purses, as the ledger of a new real floor."""
    store = PlayStore(address)
    try:
        if store.has_players():
            raise LedgerError(
                f'The store "{address}" holds purses of play money; the ledger of a real floor is kept apart from '
                "them. Name a new store: --store.",
                code="play_in_ledger",
            )
    finally:
        store.close()


def _is_same(first: URL, second: URL) -> bool:
    if first.get_backend_name() == second.get_backend_name() == "sqlite":
        return Path(first.database or "").resolve() == Path(second.database or "").resolve()
    return (first.get_backend_name(), first.host, first.port, first.database, first.query.get("host")) == (
        second.get_backend_name(),
        second.host,
        second.port,
        second.database,
        second.query.get("host"),
    )


def _make_database(ledger: str, address: str) -> None:
    """Makes the database on the ledger's server where it is missing and the ledger's user may."""
    name = parse_url(address).database or ""
    engine = make_engine(ledger)
    known = text("SELECT 1 FROM pg_database WHERE datname = :name")
    try:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            if connection.execute(known, {"name": name}).first() is not None:
                return
            try:
                connection.exec_driver_sql(
                    f"CREATE DATABASE {engine.dialect.identifier_preparer.quote_identifier(name)}"
                )
            except DBAPIError as error:
                if connection.execute(known, {"name": name}).first() is not None:
                    return  # another server was faster
                raise LedgerError(
                    f'Play money is kept in a database of its own, "{name}", which cannot be made here: '
                    f"{str(error.orig).strip()}. Make it (createdb {name}), or name one with --play-database.",
                    code="no_play_database",
                ) from error
    except DBAPIError as error:
        raise LedgerError(f"The ledger cannot be opened: {str(error.orig).strip()}.", code="cannot_open") from error
    finally:
        engine.dispose()
