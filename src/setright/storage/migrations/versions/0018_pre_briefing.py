"""What a briefing is read by, which session was told which rules, and stopped calls (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact

revision = "0018"
down_revision = "0017"
_PARTLY = {
    "open": (("agent_key", "space_key", "created_at", "id"), "deleted_at IS NULL AND status = 'open'"),
    "open_anywhere": (("agent_key", "created_at", "id"), "deleted_at IS NULL AND status = 'open'"),
    "ending": (("agent_key", "until", "space_key"), "in_force = 1 AND until IS NOT NULL"),
    "guard": (("agent_key", "space_key", "id"), "in_force = 1 AND must_not_call IS NOT NULL"),
}


def upgrade() -> None:
    """Make the indexes and the tables."""
    for name, (columns, where) in _PARTLY.items():
        only = sa.text(where)
        op.create_index(
            f"ix_lessons_{name}", "lessons", ["tenant_id", *columns], sqlite_where=only, postgresql_where=only
        )
    op.create_table(
        "lesson_sessions",
        *map(exact, ("tenant_id", "agent_key", "session", "hash")),
        big("at"),
        sa.PrimaryKeyConstraint("tenant_id", "agent_key", "session", name="pk_lesson_sessions"),
    )
    op.create_index("ix_lesson_sessions_hash", "lesson_sessions", ["tenant_id", "hash"])
    op.create_index("ix_lesson_sessions_at", "lesson_sessions", ["at", "tenant_id", "agent_key", "session"])
    op.create_table(
        "lesson_served",
        *map(exact, ("tenant_id", "lesson_id", "hash")),
        sa.PrimaryKeyConstraint("tenant_id", "lesson_id", "hash", name="pk_lesson_served"),
    )
    op.create_index("ix_lesson_served_hash", "lesson_served", ["tenant_id", "hash"])
    op.create_table(
        "lesson_stops",
        *map(exact, ("tenant_id", "lesson_id")),
        big("stops"),
        sa.PrimaryKeyConstraint("tenant_id", "lesson_id", name="pk_lesson_stops"),
    )


def downgrade() -> None:
    """Take the tables and the indexes away."""
    for table in ("lesson_stops", "lesson_served", "lesson_sessions"):
        op.drop_table(table)
    for name in _PARTLY:
        op.drop_index(f"ix_lessons_{name}", "lessons")
