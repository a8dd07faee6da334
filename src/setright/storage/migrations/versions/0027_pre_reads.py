"""A log of who was shown what runs said (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact

revision = "0027"
down_revision = "0026"
NARROWED = ("run_id", "by_id")


def upgrade() -> None:
    """Add the tables, and how long the log is kept."""
    op.create_table(
        "read_logs",
        exact("tenant_id"),
        exact("project_id"),
        big("kept"),
        exact("set_by_kind"),
        exact("set_by_id"),
        big("updated_at"),
        sa.PrimaryKeyConstraint("tenant_id", "project_id", name="pk_read_logs"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "project_id"],
            ["projects.tenant_id", "projects.id"],
            name="fk_read_logs_tenant_id",
        ),
    )
    op.create_table(
        "run_reads",
        exact("tenant_id"),
        exact("project_id"),
        big("at"),
        exact("id"),
        exact("run_id"),
        exact("via"),
        exact("by_kind"),
        exact("by_id"),
        sa.PrimaryKeyConstraint("tenant_id", "project_id", "at", "id", name="pk_run_reads"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"], name="fk_run_reads_tenant_id"
        ),
    )
    for name in NARROWED:
        op.create_index(f"ix_run_reads_{name}", "run_reads", ["tenant_id", "project_id", name, "at", "id"])
    op.add_column("retentions", big("reads", null=True))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("retentions", "reads")
    op.drop_table("run_reads")
    op.drop_table("read_logs")
