"""When a session was last used, for all servers of a ledger."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "session_uses",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("used_micros", sa.BigInteger, nullable=False),
    )
