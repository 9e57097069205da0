"""Refused attempts get a chain of their own. Those of earlier programs stay in the ledger."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "refusals",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=False),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("at_micros", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.create_index("refusals_by_time", "refusals", ["at_micros"])
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER refusals_no_{change.lower()} BEFORE {change} ON refusals "
                "BEGIN SELECT RAISE(ABORT, 'refusals are append-only'); END"
            )
    else:
        op.execute(
            "CREATE TRIGGER refusals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON refusals "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only()"
        )
