"""Tables made anew from the log when the program keeps more in their rows than the one before it did."""

from __future__ import annotations

from sqlalchemy import Connection, Table, delete, insert

from croupier.errors import CroupierError
from croupier.store.verify import Replay

TOGETHER = 1000
"""Rows in one statement."""


def remake(connection: Connection, *wanted: Table) -> None:
    """For a migration. The log is the truth, and none of it changes; tables that are not named stay as they are.

    Where the log does not read nothing is done: the store opens, and `verify` names the first bad entry.
    """
    replay = Replay()
    try:
        for _ in replay.read(connection):
            pass
    except CroupierError:
        return
    for table, made in replay.tables():
        if table in wanted:
            connection.execute(delete(table))
            for start in range(0, len(made), TOGETHER):
                connection.execute(insert(table), made[start : start + TOGETHER])
