"""Jackpots and awards keep how much of the house's seed was won, which it cannot recover: made anew from the log."""

from __future__ import annotations

from alembic import op

from croupier.store import schema
from croupier.store.remake import remake

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    remake(op.get_bind(), schema.jackpots, schema.awards)
