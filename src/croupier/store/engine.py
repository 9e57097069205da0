"""Connections that keep a promise: what was committed is on the disk."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError

from croupier.errors import LedgerError, NotationError

BUSY_SECONDS = 30
"""How long one process waits for another that is writing."""


def make_engine(url: str) -> Engine:
    """An engine for a file name, `sqlite:///FILE` or `postgresql://...`, set to full durability."""
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _sqlite(parsed)
    if parsed.get_backend_name() == "postgresql":
        return _postgresql(parsed)
    raise NotationError(
        f'The ledger is kept in SQLite or PostgreSQL, not in "{parsed.get_backend_name()}". Give a file name, '
        "sqlite:///FILE or postgresql://HOST/NAME.",
        code="bad_store_url",
    )


def parse_url(url: str) -> URL:
    """The address of a store, whose file name may stand alone."""
    if "://" not in url:
        return URL.create("sqlite", database=url)
    try:
        return make_url(url)
    except (ArgumentError, ValueError) as error:
        raise NotationError(
            "The address of the store cannot be read. Give a file name, sqlite:///FILE or postgresql://HOST/NAME.",
            code="bad_store_url",
        ) from error


def _sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:":
        raise NotationError("A ledger in memory would not outlive a power cut: give a file.", code="bad_store_url")
    if not Path(url.database).resolve().parent.is_dir():
        raise NotationError(f'The folder of "{url.database}" does not exist. Make it first.', code="bad_store_url")
    # A new file is its owner's alone; what cannot be made is told on opening. A file that is there is never opened
    # beside SQLite: closing it again would drop the locks that this process holds on it, and another process would then
    # take the log of writes away from under it.
    with suppress(OSError):
        os.close(os.open(url.database, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False, "uri": True})
    file = Path(url.database).absolute()

    @event.listens_for(engine, "do_connect")
    def open_what_is_there(dialect: Any, record: Any, arguments: list[Any], named: dict[str, Any]) -> None:
        # Never a new file: in place of one that was lost it would be an empty ledger, readable by everybody.
        arguments[0] = f"{file.as_uri()}?mode=rw"

    @event.listens_for(engine, "checkout")
    def require_same_file(connection: Any, record: Any, proxy: Any) -> None:
        if record.info["file"] != file_identity(engine):
            raise DisconnectionError  # and a new one is opened, if there is a file

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, record: Any) -> None:
        record.info["file"] = file_identity(engine)
        connection.isolation_level = None  # we say BEGIN ourselves
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")  # NORMAL may lose the last commits on power loss
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


def file_identity(engine: Engine) -> tuple[int, int] | None:
    """Which file it is that has the name of a SQLite store now. A connection to one that was taken away or replaced
    goes on writing into what nobody will find again."""
    try:
        status = os.stat(str(engine.url.database))  # noqa: PTH116 - asked by every press, and a `Path` takes its time
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _postgresql(url: URL) -> Engine:
    try:
        engine = create_engine(url.set(drivername="postgresql+psycopg"))
    except ModuleNotFoundError as error:
        raise NotationError(
            "PostgreSQL needs a driver: pip install 'croupier[postgres]'.", code="no_postgresql_driver"
        ) from error

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, record: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET synchronous_commit TO on")
        connection.commit()

    return engine


def require_durable(connection: Connection) -> None:
    """Refuses a PostgreSQL server that is set to lose data."""
    if connection.dialect.name == "postgresql" and connection.execute(text("SHOW fsync")).scalar_one() != "on":
        raise LedgerError(
            "This PostgreSQL server runs with fsync off and may lose money at a power cut. Turn it on.",
            code="not_durable",
        )


def reading(engine: Engine) -> Engine:
    """The same engine for reads: a snapshot of what is committed, never waiting for a writer."""
    return engine.execution_options(reading=True)
