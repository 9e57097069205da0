"""What the postings come to up to where the sums for reports go, so that a start need not add up the whole log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "balance_marks",
        sa.Column("jackpot", sa.Text, primary_key=True),
        sa.Column("level", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("micros", sa.BigInteger, nullable=False),
    )
    op.execute(
        "INSERT INTO balance_marks (jackpot, level, account, micros) SELECT jackpot, level, account, SUM(micros) "
        "FROM postings WHERE seq <= (SELECT MAX(seq) FROM report_position) GROUP BY jackpot, level, account"
    )
