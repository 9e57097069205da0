"""What players have learned is kept, and with a round how deep in its shoe it began."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "play_training",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("changed_micros", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    # Of rounds from before it is not known.
    op.add_column("play_rounds", sa.Column("shoe_start", sa.BigInteger))
