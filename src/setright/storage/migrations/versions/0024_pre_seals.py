"""Seals over the events of a tenant (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Add the columns; what is there already is sealed by the first worker."""
    for name in ("seal", "by_hash", "subject_hash"):
        op.add_column("events", exact(name, null=True))
    unsealed = sa.text("seal IS NULL")
    op.create_index(
        "ix_events_unsealed",
        "events",
        ["tenant_id", "transaction", "seq"],
        sqlite_where=unsealed,
        postgresql_where=unsealed,
    )
    op.create_table(
        "event_heads",
        exact("tenant_id"),
        exact("seal"),
        big("count"),
        sa.PrimaryKeyConstraint("tenant_id", name="pk_event_heads"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("event_heads")
    op.drop_index("ix_events_unsealed", "events")
    for name in ("subject_hash", "by_hash", "seal"):
        op.drop_column("events", name)
