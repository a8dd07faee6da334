"""Corrections that are blind or adjudicated, and the events about blind ones (pre: before the new code)."""

from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns; what is there is neither blind nor adjudicated."""
    op.add_column("corrections", exact("blind", null=True))
    op.add_column("corrections", plain("adjudicates", null=True))
    op.add_column("corrections", exact("adjudicated_by", null=True))
    op.add_column("events", big("blind", null=True))


def downgrade() -> None:
    """Drop the columns; what was blind is seen by everybody then."""
    op.drop_column("events", "blind")
    for name in ("adjudicated_by", "adjudicates", "blind"):
        op.drop_column("corrections", name)
