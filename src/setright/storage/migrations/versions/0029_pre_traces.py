"""Traces that come in span by span (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0029"
down_revision = "0028"
_THIS = ("tenant_id", "project_id", "trace_id")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "traces",
        *map(exact, _THIS),
        exact("state"),
        exact("run_id", null=True),
        exact("reason", null=True),
        big("span_count"),
        big("late_count"),
        big("created_at"),
        big("last_at"),
        sa.PrimaryKeyConstraint(*_THIS, name="pk_traces"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"], name="fk_traces_tenant_id"
        ),
    )
    op.create_index("ix_traces_page", "traces", ["tenant_id", "created_at", "trace_id"])
    became = sa.text("run_id IS NOT NULL")
    op.create_index(
        "ix_traces_run", "traces", ["tenant_id", "run_id"], sqlite_where=became, postgresql_where=became
    )
    op.create_table(
        "trace_parts",
        *map(exact, _THIS),
        exact("part_key"),
        exact("kind"),
        big("late"),
        plain("content", null=True),
        big("created_at"),
        sa.PrimaryKeyConstraint(*_THIS, "part_key", name="pk_trace_parts"),
        sa.ForeignKeyConstraint(
            list(_THIS), [f"traces.{name}" for name in _THIS], name="fk_trace_parts_tenant_id"
        ),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("trace_parts")
    op.drop_index("ix_traces_run", "traces")
    op.drop_index("ix_traces_page", "traces")
    op.drop_table("traces")
