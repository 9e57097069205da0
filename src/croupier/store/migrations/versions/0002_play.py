"""Tables that the software deals: where each stands, players' purses of play money, finished rounds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "play_tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("changed_micros", sa.BigInteger, nullable=False),
        sa.Column("due_micros", sa.BigInteger),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("play_tables_by_due", "play_tables", ["due_micros"])
    op.create_table(
        "players",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("token_sha256", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("micros", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "purse_entries",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("at_micros", sa.BigInteger, nullable=False),
        sa.Column("micros", sa.BigInteger, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
    )
    op.create_index("purse_entries_by_player", "purse_entries", ["player", "at_micros"])
    op.create_table(
        "play_rounds",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("round", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at_micros", sa.BigInteger, nullable=False),
        sa.Column("log", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
    )
    op.create_table(
        "play_results",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("round", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at_micros", sa.BigInteger, nullable=False),
        sa.Column("staked_micros", sa.BigInteger, nullable=False),
        sa.Column("returned_micros", sa.BigInteger, nullable=False),
    )
    op.create_index("play_results_by_player", "play_results", ["player", "at_micros"])
