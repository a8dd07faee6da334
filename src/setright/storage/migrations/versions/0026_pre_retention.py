"""How long content is kept, and what was cut of it (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0026"
down_revision = "0025"
KINDS = ("runs", "outputs", "interactions", "briefings")
KNOWLEDGE = (("interactions", "created_at", "number"), ("outputs", "generated_at", "id"))
WITH_CONTENT = "finished_at IS NOT NULL AND content_expired_at IS NULL AND content_erased_at IS NULL"


def upgrade() -> None:
    """Add the tables, and the indexes by which content is found that is there."""
    _add_retentions()
    _add_passings()
    _index("ix_case_results_run", "case_results", ["tenant_id", "run_id"], "run_id IS NOT NULL")
    _index("ix_runs_with_content", "runs", ["tenant_id", "project_id", "finished_at", "id"], WITH_CONTENT)
    for table, moment, key in KNOWLEDGE:
        op.add_column(table, big("content_expired_at", null=True))
        _index(f"ix_{table}_with_content", table, ["tenant_id", moment, key], "content_expired_at IS NULL")
    op.create_index("ix_lesson_sessions_old", "lesson_sessions", ["tenant_id", "at"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_lesson_sessions_old", "lesson_sessions")
    for table, _, _ in KNOWLEDGE:
        op.drop_index(f"ix_{table}_with_content", table)
        op.drop_column(table, "content_expired_at")
    op.drop_index("ix_runs_with_content", "runs")
    op.drop_index("ix_case_results_run", "case_results")
    for table in ("retention_cuts", "retention_passings", "retentions"):
        op.drop_table(table)


def _add_retentions() -> None:
    op.create_table(
        "retentions",
        exact("tenant_id"),
        exact("project_id"),
        *(big(kind, null=True) for kind in KINDS),
        exact("set_by_kind"),
        exact("set_by_id"),
        big("updated_at"),
        sa.PrimaryKeyConstraint("tenant_id", "project_id", name="pk_retentions"),
    )


def _add_passings() -> None:
    op.create_table(
        "retention_passings",
        exact("tenant_id"),
        exact("id"),
        exact("state"),
        plain("counts"),
        exact("asked_by_kind"),
        exact("asked_by_id"),
        big("created_at"),
        big("updated_at"),
        big("ended_at", null=True),
        sa.PrimaryKeyConstraint("tenant_id", "id", name="pk_retention_passings"),
    )
    op.create_index("ix_retention_passings_page", "retention_passings", ["tenant_id", "created_at", "id"])
    op.create_table(
        "retention_cuts",
        exact("tenant_id"),
        exact("passing_id"),
        exact("project_id"),
        exact("kind"),
        big("days"),
        big("before"),
        big("cut"),
        big("held"),
        sa.PrimaryKeyConstraint("tenant_id", "passing_id", "project_id", "kind", name="pk_retention_cuts"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "passing_id"],
            ["retention_passings.tenant_id", "retention_passings.id"],
            name="fk_retention_cuts_tenant_id",
        ),
    )


def _index(name: str, table: str, columns: list[str], where: str) -> None:
    only = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=only, postgresql_where=only)
