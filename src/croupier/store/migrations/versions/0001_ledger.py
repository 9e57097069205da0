"""The ledger: entries, what is made from them, and triggers that keep entries as they are."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

COUNT = sa.BigInteger().with_variant(sa.Integer, "sqlite")
APPEND_ONLY = ("entries", "postings")


def upgrade() -> None:
    op.create_table(
        "entries",
        sa.Column("seq", COUNT, primary_key=True, autoincrement=False),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at_micros", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("round", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.create_index("entries_by_time", "entries", ["at_micros"])
    seq = sa.Column("seq", COUNT, primary_key=True, autoincrement=False)
    op.create_table("postings", seq, *_account_columns(), sqlite_with_rowid=False)
    op.create_table("balances", *_account_columns(), sqlite_with_rowid=False)
    op.create_table(
        "jackpots",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "rounds",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("round", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "awards",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("hit_seq", sa.BigInteger, nullable=False),
        sa.Column("jackpot", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("amount_micros", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("awards_by_hit", "awards", ["hit_seq"])
    op.create_index("awards_by_status", "awards", ["status", "hit_seq"])
    op.create_table(
        "facts",
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    head = op.create_table(
        "head",
        sa.Column("one", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.bulk_insert(head, [{"one": 1, "seq": 0, "hash": "0" * 64}])
    _refuse_changes()


def _account_columns() -> tuple[sa.Column[Any], ...]:
    return (
        sa.Column("jackpot", sa.Text, primary_key=True),
        sa.Column("level", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("micros", sa.BigInteger, nullable=False),
    )


def _refuse_changes() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in APPEND_ONLY:
            for change in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
                )
        return
    op.execute(
        "CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
    )
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only()"
        )
