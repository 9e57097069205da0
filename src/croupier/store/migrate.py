"""Brings a database to the schema of this program."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from croupier.errors import LedgerError
from croupier.store.engine import reading

MIGRATING = 0x43726F75
"""The advisory lock that servers starting together take in turn."""


def migrate(engine: Engine) -> None:
    """Makes the tables, or the changes since the version that the database has. Refuses a newer database."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    scripts = ScriptDirectory.from_config(settings)
    with reading(engine).begin() as connection:
        if _version(connection) == scripts.get_current_head():
            return  # without a write, for which there may be no room, or somebody else's to wait for
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
        version = _version(connection)
        if version is not None and version not in {script.revision for script in scripts.walk_revisions()}:
            raise LedgerError(
                f'The database has schema version "{version}", which this program does not know: it was written by a '
                "newer one. Use that, or restore a backup.",
                code="schema_newer",
            )
        if version != scripts.get_current_head():
            settings.attributes["connection"] = connection
            command.upgrade(settings, "head")


def _version(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
