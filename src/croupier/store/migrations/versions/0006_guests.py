"""Players keep when they last did something, by which guests who are gone are forgotten."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("active_micros", sa.BigInteger, nullable=False, server_default="0"))
    # Of players from before, the last that their purse knows.
    op.execute(
        "UPDATE players SET active_micros = COALESCE("
        "(SELECT MAX(at_micros) FROM purse_entries WHERE purse_entries.player = players.id), 0)"
    )
    op.create_index("players_by_active", "players", ["active_micros"])
