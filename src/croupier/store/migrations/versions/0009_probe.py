"""A row outside the chain that is written to find out whether the store can be."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    probe = op.create_table(
        "probe",
        sa.Column("one", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at_micros", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(probe, [{"one": 1, "at_micros": 0}])
