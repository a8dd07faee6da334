"""The ids that an identity provider has for users (pre: before the new code)."""

from alembic import op

from setright.storage.migrations.columns import exact

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """Add the column; nobody has one yet."""
    op.add_column("users", exact("external_id", null=True))
    op.create_index("ix_users_external_id", "users", ["tenant_id", "external_id"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_users_external_id", "users")
    op.drop_column("users", "external_id")
