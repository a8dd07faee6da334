"""What each move of a correction changed, and the words that were said of it (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Make the table; of earlier moves only the names of the changed fields are known."""
    key = ("tenant_id", "correction_id", "at")
    op.create_table(
        "correction_moves",
        exact("tenant_id"),
        exact("correction_id"),
        big("at"),
        plain("standing"),
        sa.PrimaryKeyConstraint(*key, name="pk_correction_moves"),
        sa.ForeignKeyConstraint(
            ["correction_id"], ["corrections.id"], name="fk_correction_moves_correction_id"
        ),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("correction_moves")
