"""Simulations that pages have asked for: those that wait, the one that is played, and results that are kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "simulations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("asked_micros", sa.BigInteger, nullable=False),
        sa.Column("changed_micros", sa.BigInteger, nullable=False),
        sa.Column("lease_micros", sa.BigInteger, nullable=False),
        sa.Column("stop_asked", sa.Boolean, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("program", sa.Text, nullable=False),
        sa.Column("rounds", sa.BigInteger, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("run", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("standing", sa.Text, nullable=False),
    )
    op.create_index("simulations_by_state", "simulations", ["state", "asked_micros"])
