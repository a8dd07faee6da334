"""What versions made of corrections, what moved by it, and when a hand last set a status (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact

revision = "0016"
down_revision = "0015"
_TEST_RUN = (["tenant_id", "test_run_id"], ["test_runs.tenant_id", "test_runs.id"])


def upgrade() -> None:
    """Make the tables, and the column; of what is there nobody knows when a hand set it."""
    op.add_column("corrections", big("status_set_at", null=True))
    of_version = ("tenant_id", *(f"subject_{part}" for part in ("kind", "key", "version")))
    key = (*of_version, "project_id", "correction_id")
    op.create_table(
        "newest_verdicts",
        *map(exact, key),
        exact("verdict"),
        exact("wrong_aspect", null=True),
        exact("test_run_id"),
        big("ended_at"),
        sa.PrimaryKeyConstraint(*key, name="pk_newest_verdicts"),
        sa.ForeignKeyConstraint(*_TEST_RUN, name="fk_newest_verdicts_tenant_id_test_run_id"),
        sqlite_with_rowid=False,
    )
    once = ("tenant_id", "cause_id", "correction_id")
    op.create_table(
        "evidence_moves",
        *map(exact, once),
        *map(exact, ("test_run_id", "subject_version", "verdict", "status")),
        big("at"),
        sa.PrimaryKeyConstraint(*once, name="pk_evidence_moves"),
        sa.ForeignKeyConstraint(
            ["correction_id"], ["corrections.id"], name="fk_evidence_moves_correction_id"
        ),
        sa.ForeignKeyConstraint(*_TEST_RUN, name="fk_evidence_moves_tenant_id_test_run_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_evidence_moves_correction", "evidence_moves", ["correction_id", "at"])


def downgrade() -> None:
    """Drop them; where corrections stand stays."""
    op.drop_table("evidence_moves")
    op.drop_table("newest_verdicts")
    op.drop_column("corrections", "status_set_at")
