"""Schema versions, oldest first, run by Alembic."""
