"""Runs migrations on the connection that `croupier.store.migrate` opened."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
