"""The limits that one tenant has of its own (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the table of limits."""
    op.create_table(
        "tenant_limits",
        exact("tenant_id"),
        plain("limits"),
        big("updated_at"),
        sa.PrimaryKeyConstraint("tenant_id", name="pk_tenant_limits"),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name="fk_tenant_limits_tenant_id"),
    )


def downgrade() -> None:
    """Drop the table of limits."""
    op.drop_table("tenant_limits")
