"""Jobs: work in batches that workers take by a lease, and what recurs (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables of jobs and of what recurs."""
    _jobs()
    op.create_table(
        "recurring_jobs",
        exact("tenant_id"),
        exact("name"),
        exact("key"),
        plain("arguments"),
        big("every"),
        big("next_at"),
        sa.PrimaryKeyConstraint("tenant_id", "name", "key", name="pk_recurring_jobs"),
    )
    op.create_index("ix_recurring_jobs_next", "recurring_jobs", ["next_at"])


def _jobs() -> None:
    op.create_table(
        "jobs",
        exact("id"),
        exact("tenant_id"),
        exact("name"),
        exact("key"),
        exact("place"),
        plain("arguments"),
        exact("state"),
        big("due_at"),
        big("next_at", null=True),
        exact("lease", null=True),
        big("attempt"),
        plain("cursor", null=True),
        big("done_count"),
        plain("failure", null=True),
        exact("asked_by_kind"),
        exact("asked_by_id"),
        big("created_at"),
        big("updated_at"),
        big("finished_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
    )
    op.create_index("uq_jobs_not_started", "jobs", ["tenant_id", "name", "key", "place"], unique=True)
    op.create_index("ix_jobs_page", "jobs", ["tenant_id", "created_at", "id"])
    op.create_index("ix_jobs_state", "jobs", ["tenant_id", "state", "created_at", "id"])
    for name, columns in (("next", ["next_at", "id"]), ("finished", ["finished_at"])):
        there = sa.text(f"{columns[0]} IS NOT NULL")
        op.create_index(f"ix_jobs_{name}", "jobs", columns, sqlite_where=there, postgresql_where=there)


def downgrade() -> None:
    """Drop both tables."""
    op.drop_table("recurring_jobs")
    op.drop_table("jobs")
