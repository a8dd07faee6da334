"""Erasures, legal holds, and finding the cases of a run (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Make the tables, and the index."""
    op.create_table(
        "erasures",
        *map(exact, ("tenant_id", "id", "kind")),
        exact("target", null=True),
        exact("target_hash"),
        exact("pseudonym", null=True),
        *map(exact, ("words", "reason", "state")),
        plain("counts"),
        exact("held_by", null=True),
        *map(exact, ("asked_by_kind", "asked_by_id")),
        big("created_at"),
        big("updated_at"),
        big("ended_at", null=True),
        sa.PrimaryKeyConstraint("tenant_id", "id", name="pk_erasures"),
    )
    op.create_index("ix_erasures_page", "erasures", ["tenant_id", "created_at", "id"])
    op.create_table(
        "legal_holds",
        *map(exact, ("tenant_id", "id", "kind", "target", "reason", "placed_by_kind", "placed_by_id")),
        big("created_at"),
        exact("released_by_kind", null=True),
        exact("released_by_id", null=True),
        big("released_at", null=True),
        sa.PrimaryKeyConstraint("tenant_id", "id", name="pk_legal_holds"),
    )
    op.create_index("ix_legal_holds_page", "legal_holds", ["tenant_id", "created_at", "id"])
    unreleased = sa.text("released_at IS NULL")
    op.create_index(
        "ix_legal_holds_target",
        "legal_holds",
        ["tenant_id", "kind", "target"],
        sqlite_where=unreleased,
        postgresql_where=unreleased,
    )
    op.create_index("ix_test_cases_of_run", "test_cases", ["tenant_id", "run_id"])


def downgrade() -> None:
    """Drop them; what was erased stays so."""
    op.drop_index("ix_test_cases_of_run", "test_cases")
    op.drop_table("legal_holds")
    op.drop_table("erasures")
