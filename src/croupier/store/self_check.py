"""What a process checks before it first writes to a ledger: a damaged or edited one is not played on.

The whole log is read by `verify` alone, which takes a while. Here the end of the chain is checked, the latest entries
and that the index of ids finds them, and that every balance is the sum of its postings: of those up to the marks as
they were added up before, which a server does anew in the background.
"""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from croupier.errors import CroupierError
from croupier.jackpot import GENESIS
from croupier.jackpot.chain import unseal
from croupier.store import rows, schema
from croupier.store.balances import wrong_balances
from croupier.store.integrity import planned_without

RECENT = 1000
"""Entries at the end of the log whose chain is checked."""
_BY_ID = select(schema.entries.c.id, schema.entries.c.seq).where(
    schema.entries.c.id.in_(bindparam("ids", expanding=True))
)
"""Entries by the index of ids: a query that SQLite answers from the index alone."""


def require_end(connection: Connection, seq: int, hash: str) -> None:
    """The last entry must be the one that the end of the chain is noted to be."""
    table = schema.entries
    last = connection.execute(select(table.c.seq, table.c.hash).order_by(table.c.seq.desc()).limit(1)).one_or_none()
    end = (last.seq, last.hash) if last is not None else (0, GENESIS)
    if end != (seq, hash):
        raise rows.damaged(f"the log ends at entry {end[0]}, but its end is noted as {seq}", "truncated")


def require_sound(connection: Connection, seq: int, hash: str) -> dict[str, str]:
    """Raises what is wrong with the log. Returns the jackpots whose balances are wrong, each with the reason."""
    require_end(connection, seq, hash)
    _require_found_by_id(connection, _require_recent_chain(connection, seq))
    return wrong_balances(connection)


def _require_recent_chain(connection: Connection, seq: int) -> dict[str, int]:
    """Returns the ids of the latest entries with their numbers, by the log itself."""
    table = schema.entries
    query = select(table.c.seq, table.c.id, table.c.text, table.c.hash).where(table.c.seq > seq - RECENT - 1)
    ids: dict[str, int] = {}
    previous: tuple[int, str] | None = None if seq > RECENT else (0, GENESIS)
    for row in connection.execute(query.order_by(table.c.seq)):
        if previous is not None:
            if row.seq != previous[0] + 1:
                raise rows.damaged(f"entry {previous[0] + 1} is missing", "missing_entry")
            try:
                entry = unseal(row.text, row.hash, row.seq, previous[1]).entry
            except CroupierError as error:
                raise rows.damaged(f"entry {row.seq} is not what was written", error.code) from error
            if entry.id in ids:
                raise rows.damaged(f"entries {ids[entry.id]} and {row.seq} have one id", "id_twice")
            ids[entry.id] = row.seq
        previous = (row.seq, row.hash)
    return ids


def _require_found_by_id(connection: Connection, ids: dict[str, int]) -> None:
    """An id that the index does not find would be booked a second time."""
    if connection.dialect.name == "sqlite":
        entries = connection.execute(_BY_ID, {"ids": list(ids)}).all()
    else:
        with planned_without(connection, "enable_seqscan"):
            entries = connection.execute(_BY_ID, {"ids": list(ids)}).all()
    by_index = {row.id: row.seq for row in entries}
    if by_index != ids:
        missed = next((number for id, number in ids.items() if by_index.get(id) != number), 0)
        raise rows.damaged(f"entry {missed} is not found by its id: the index is broken", "damaged_file")
