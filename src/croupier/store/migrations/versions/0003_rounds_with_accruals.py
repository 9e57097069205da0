"""A round keeps what its wagers put where, by which a misdeal is voided: rounds are made anew from the log."""

from __future__ import annotations

from alembic import op

from croupier.store import schema
from croupier.store.remake import remake

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    remake(op.get_bind(), schema.rounds)
