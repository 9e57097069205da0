"""A round keeps what its wagers put where, by which a misdeal is voided: taken from the entry that locked them.

Tables and shapes are written out as they were with this version, whatever later ones make of them.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ENTRIES = sa.table("entries", *map(sa.column, ("seq", "kind", "table_id", "round", "text")))
ROUNDS = sa.table("rounds", *map(sa.column, ("table_id", "round", "body")))


def upgrade() -> None:
    """Where the log does not read a round stays as it is: the store opens, and `verify` names the first bad entry."""
    connection = op.get_bind()
    last = sa.select(sa.func.max(ENTRIES.c.seq)).where(ENTRIES.c.kind == "WagersLocked").group_by(ENTRIES.c.table_id)
    query = sa.select(ENTRIES.c.table_id, ENTRIES.c.round, ENTRIES.c.text).where(ENTRIES.c.seq.in_(last))
    locked = {(row.table_id, row.round): row.text for row in connection.execute(query)}
    for row in connection.execute(sa.select(ROUNDS)).all():
        try:
            body = msgspec.json.decode(row.body)
            # A void round has no wagers, and nothing came of them.
            body["accruals"] = _accruals(locked[row.table_id, row.round]) if body["bets"] else []
            new = msgspec.json.encode(body, order="sorted").decode()
        except (msgspec.MsgspecError, KeyError, TypeError):
            continue
        connection.execute(sa.update(ROUNDS).where(ROUNDS.c.table_id == row.table_id).values(body=new))


def _accruals(entry: str) -> list[object]:
    """What the meters and reserves got of a round's wagers."""
    found: list[object] = msgspec.json.decode(entry)["event"]["accruals"]
    return found
