"""Alembic's entry: runs on the connection and in the transaction that the caller hands over."""

from __future__ import annotations

from alembic import context

from memory_lib.adapters.sql.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
