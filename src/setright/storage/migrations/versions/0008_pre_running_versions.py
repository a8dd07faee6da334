"""Which version runs where: deploys, pins, their history, and what tools do (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0008"
down_revision = "0007"
_OF_SUBJECT = (["tenant_id", "kind", "key"], ["subjects.tenant_id", "subjects.kind", "subjects.key"])


def upgrade() -> None:
    """Make the tables, and the column that says which deploy made Latest what it is."""
    op.add_column("subjects", exact("latest_change_id", null=True))
    op.create_index(
        "ix_subject_projects_project", "subject_projects", ["tenant_id", "project_id", "first_seen_at"]
    )
    _changes()
    op.create_table(
        "pins",
        exact("tenant_id"),
        exact("project_id"),
        exact("kind"),
        exact("key"),
        exact("version"),
        exact("change_id"),
        sa.PrimaryKeyConstraint("tenant_id", "project_id", "kind", "key", name="pk_pins"),
        sa.ForeignKeyConstraint(*_OF_SUBJECT, name="fk_pins_tenant_id"),
    )
    op.create_table(
        "tool_effects",
        exact("tenant_id"),
        exact("project_id"),
        exact("tool"),
        exact("effect"),
        exact("by_kind"),
        exact("by_id"),
        big("at"),
        sa.PrimaryKeyConstraint("tenant_id", "project_id", "tool", name="pk_tool_effects"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "project_id"],
            ["projects.tenant_id", "projects.id"],
            name="fk_tool_effects_tenant_id",
        ),
    )
    op.create_index("ix_tool_effects_page", "tool_effects", ["tenant_id", "project_id", "at", "tool"])


def _changes() -> None:
    op.create_table(
        "version_changes",
        exact("id"),
        exact("tenant_id"),
        exact("verb"),
        exact("project_id"),
        exact("kind"),
        exact("key"),
        exact("version", null=True),
        exact("before", null=True),
        plain("why", null=True),
        exact("by_kind"),
        exact("by_id"),
        big("at"),
        sa.PrimaryKeyConstraint("id", name="pk_version_changes"),
        sa.ForeignKeyConstraint(*_OF_SUBJECT, name="fk_version_changes_tenant_id"),
    )
    op.create_index("ix_version_changes_subject", "version_changes", ["tenant_id", "kind", "key", "at", "id"])
    op.create_index("ix_version_changes_project", "version_changes", ["tenant_id", "project_id", "at", "id"])


def downgrade() -> None:
    """Drop what was made."""
    for table in ("tool_effects", "pins", "version_changes"):
        op.drop_table(table)
    op.drop_index("ix_subject_projects_project", "subject_projects")
    with op.batch_alter_table("subjects") as batch:
        batch.drop_column("latest_change_id")
