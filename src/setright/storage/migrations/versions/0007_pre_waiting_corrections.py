"""Corrections that wait for their run to finish (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0007"
down_revision = "0006"
_TABLE = "waiting_corrections"


def upgrade() -> None:
    """Make the table of what waits."""
    op.create_table(
        _TABLE,
        exact("id"),
        exact("tenant_id"),
        exact("project_id"),
        exact("run_id"),
        plain("request"),
        exact("made_by_kind"),
        exact("made_by_id"),
        big("held_at"),
        exact("state"),
        plain("refusal", null=True),
        big("withdrawn_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_waiting_corrections"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "project_id"],
            ["projects.tenant_id", "projects.id"],
            name="fk_waiting_corrections_tenant_id",
        ),
    )
    for name, columns in (
        ("state", ["tenant_id"]),
        ("project", ["tenant_id", "project_id"]),
        ("run", ["tenant_id", "run_id"]),
    ):
        op.create_index(f"ix_waiting_corrections_{name}", _TABLE, [*columns, "state", "held_at", "id"])
    waits = sa.text("state = 'waiting'")
    op.create_index(
        "ix_waiting_corrections_oldest", _TABLE, ["held_at"], sqlite_where=waits, postgresql_where=waits
    )


def downgrade() -> None:
    """Drop the table of what waits."""
    op.drop_table(_TABLE)
