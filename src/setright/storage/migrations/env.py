"""How the migration tool runs on an engine that `storage.migrate` gives it."""

from alembic import context
from sqlalchemy import text

from setright.storage.types import metadata

engine = context.config.attributes["engine"]
with engine.connect() as connection:
    if connection.dialect.name == "sqlite":
        connection.execute(text("PRAGMA foreign_keys=OFF"))
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
