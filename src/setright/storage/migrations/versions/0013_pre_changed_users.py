"""When a user was last changed (pre: before the new code)."""

from alembic import op

from setright.storage.migrations.columns import big

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the time of the last change; users from before it have none, and count as changed when they were made."""
    with op.batch_alter_table("users") as users:
        users.add_column(big("updated_at", null=True))


def downgrade() -> None:
    """Drop the time of the last change."""
    with op.batch_alter_table("users") as users:
        users.drop_column("updated_at")
