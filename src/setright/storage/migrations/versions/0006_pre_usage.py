"""What each tenant used of its quotas on a day (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table of usage."""
    op.create_table(
        "usage",
        exact("tenant_id"),
        big("day"),
        big("runs"),
        big("run_bytes"),
        big("corrections"),
        sa.PrimaryKeyConstraint("tenant_id", "day", name="pk_usage"),
    )


def downgrade() -> None:
    """Drop the table of usage."""
    op.drop_table("usage")
