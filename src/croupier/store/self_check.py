"""What a process checks before it first writes to a ledger: a damaged or edited one is not played on.

The whole log is read by `verify` alone, which takes a while. Here the end of the chain is checked, the latest entries,
and that every balance is the sum of its postings.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from croupier.errors import CroupierError
from croupier.jackpot import GENESIS
from croupier.jackpot.chain import unseal
from croupier.store import rows, schema

RECENT = 1000
"""Entries at the end of the log whose chain is checked."""


def require_end(connection: Connection, seq: int, hash: str) -> None:
    """The last entry must be the one that the end of the chain is noted to be."""
    table = schema.entries
    last = connection.execute(select(table.c.seq, table.c.hash).order_by(table.c.seq.desc()).limit(1)).one_or_none()
    found = (last.seq, last.hash) if last is not None else (0, GENESIS)
    if found != (seq, hash):
        raise rows.damaged(f"the log ends at entry {found[0]}, but its end is noted as {seq}", "truncated")


def require_sound(connection: Connection, seq: int, hash: str) -> dict[str, str]:
    """Raises what is wrong with the log. Returns the jackpots whose balances are wrong, each with the reason."""
    require_end(connection, seq, hash)
    _require_recent_chain(connection, seq)
    return _wrong_balances(connection)


def _require_recent_chain(connection: Connection, seq: int) -> None:
    table = schema.entries
    query = select(table.c.seq, table.c.text, table.c.hash).where(table.c.seq > seq - RECENT - 1)
    previous: tuple[int, str] | None = None if seq > RECENT else (0, GENESIS)
    for row in connection.execute(query.order_by(table.c.seq)):
        if previous is not None:
            if row.seq != previous[0] + 1:
                raise rows.damaged(f"entry {previous[0] + 1} is missing", "missing_entry")
            try:
                unseal(row.text, row.hash, row.seq, previous[1])
            except CroupierError as error:
                raise rows.damaged(f"entry {row.seq} is not what was written", error.code) from error
        previous = (row.seq, row.hash)


def _wrong_balances(connection: Connection) -> dict[str, str]:
    posted, kept = schema.postings, schema.balances
    key = (posted.c.jackpot, posted.c.level, posted.c.account)
    sums = connection.execute(select(*key, func.sum(posted.c.micros)).group_by(*key))
    right = {(jackpot, level, account): int(micros) for jackpot, level, account, micros in sums}
    wrong = {}
    for row in connection.execute(select(kept)):
        if right.pop((row.jackpot, row.level, row.account), 0) != row.micros:
            wrong[row.jackpot] = f"its {row.account} is not the sum of its postings."
    for (jackpot, _, account), micros in right.items():
        if micros:
            wrong[jackpot] = f"its {account} is missing."
    return wrong
