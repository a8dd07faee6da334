"""Corrector groups: who speaks under which name, and how much it counts (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table of groups."""
    op.create_table(
        "corrector_groups",
        exact("id"),
        exact("tenant_id"),
        exact("name"),
        exact("name_key"),
        exact("scope_kind"),
        exact("project_id"),
        exact("agent_key"),
        exact("agent_id", null=True),
        plain("weight"),
        plain("assertable_by", null=True),
        exact("created_by_kind"),
        exact("created_by_id"),
        big("created_at"),
        big("updated_at"),
        big("retired_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_corrector_groups"),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name="fk_corrector_groups_tenant_id"),
    )
    op.create_index("ix_corrector_groups_page", "corrector_groups", ["tenant_id", "created_at", "id"])
    op.create_index(
        "uq_corrector_groups_name",
        "corrector_groups",
        ["tenant_id", "scope_kind", "project_id", "agent_key", "name_key"],
        unique=True,
    )


def downgrade() -> None:
    """Drop the table of groups."""
    op.drop_table("corrector_groups")
