"""Runs migrations on the connection that `croupier.store.migrate` opened."""

from alembic import context

from croupier.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
