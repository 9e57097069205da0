"""When sessions were last used: beside the log, so that all servers of a ledger know it and none of them makes it grow.

It is no record. Where it cannot be read or written a session counts as last used when this server saw it, or when it
was signed in: nobody stays in too long.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from croupier.store.engine import reading
from croupier.store.rows import EPOCH, micros_since_epoch
from croupier.store.schema import session_uses

KEPT = timedelta(days=2)
"""Longer than any session lasts."""


@dataclass(frozen=True)
class SessionUses:
    """The table in the ledger's database. Safe to use from many threads and servers."""

    engine: Engine

    def note(self, session: str, at: datetime) -> None:
        """That it was used; an earlier use than the one that is noted changes nothing."""
        table, micros = session_uses, micros_since_epoch(at)
        here = table.c.session == session
        with suppress(DBAPIError), self.engine.begin() as connection:
            known = connection.execute(select(table.c.used_micros).where(here)).scalar()
            if known is None:
                connection.execute(delete(table).where(table.c.used_micros < micros_since_epoch(at - KEPT)))
                connection.execute(insert(table).values(session=session, used_micros=micros))
            else:
                later = here & (table.c.used_micros < micros)
                connection.execute(update(table).where(later).values(used_micros=micros))

    def last(self, session: str) -> datetime | None:
        """None where no use was noted."""
        query = select(session_uses.c.used_micros).where(session_uses.c.session == session)
        with suppress(DBAPIError), reading(self.engine).connect() as connection:
            micros = connection.execute(query).scalar()
            return None if micros is None else EPOCH + timedelta(microseconds=micros)
        return None
