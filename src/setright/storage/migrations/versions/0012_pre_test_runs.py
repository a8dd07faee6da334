"""Test runs, their cases, results and verdicts (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0012"
down_revision = "0011"
_OF_CASE = (["tenant_id", "case_id"], ["test_cases.tenant_id", "test_cases.id"])
_COUNTS = ("case", "done", "erased", "correction", "right", "wrong", "not_evaluated")


def upgrade() -> None:
    """Make the tables."""
    _test_runs()
    _cases()
    op.create_table(
        "case_results",
        exact("tenant_id"),
        exact("case_id"),
        exact("run_id", null=True),
        plain("content", null=True),
        exact("hash"),
        exact("by_kind"),
        exact("by_id"),
        big("at"),
        sa.PrimaryKeyConstraint("tenant_id", "case_id", name="pk_case_results"),
        sa.ForeignKeyConstraint(*_OF_CASE, name="fk_case_results_tenant_id"),
    )
    key = ("tenant_id", "test_run_id", "correction_id", "repetition")
    op.create_table(
        "verdicts",
        *map(exact, key[:3]),
        big("repetition"),
        exact("case_id"),
        exact("verdict"),
        exact("reason", null=True),
        exact("wrong_aspect", null=True),
        exact("rule"),
        plain("aspects"),
        exact("corrector_group_id"),
        big("expert"),
        big("at"),
        sa.PrimaryKeyConstraint(*key, name="pk_verdicts"),
        sa.ForeignKeyConstraint(*_OF_CASE, name="fk_verdicts_tenant_id"),
    )


def _test_runs() -> None:
    op.create_table(
        "test_runs",
        *map(exact, ("tenant_id", "id", "project_id")),
        *(exact(f"subject_{part}") for part in ("kind", "key", "id", "version")),
        plain("filter"),
        big("repeat"),
        exact("status"),
        plain("next_place", null=True),
        *(big(f"{name}_count") for name in _COUNTS),
        exact("made_by_kind"),
        exact("made_by_id"),
        big("created_at"),
        big("updated_at"),
        big("ended_at", null=True),
        sa.PrimaryKeyConstraint("tenant_id", "id", name="pk_test_runs"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"], name="fk_test_runs_tenant_id"
        ),
    )
    op.create_index("ix_test_runs_page", "test_runs", ["tenant_id", "created_at", "id"])
    op.create_index("ix_test_runs_project", "test_runs", ["tenant_id", "project_id", "created_at", "id"])
    of_subject = ["tenant_id", "project_id", "subject_kind", "subject_key", "ended_at", "id"]
    op.create_index("ix_test_runs_subject", "test_runs", of_subject)


def _cases() -> None:
    op.create_table(
        "test_cases",
        *map(exact, ("tenant_id", "id", "test_run_id", "run_id")),
        big("repetition"),
        big("position"),
        plain("correction_ids"),
        exact("state"),
        big("next_at", null=True),
        exact("lease", null=True),
        big("done_at", null=True),
        sa.PrimaryKeyConstraint("tenant_id", "id", name="pk_test_cases"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "test_run_id"],
            ["test_runs.tenant_id", "test_runs.id"],
            name="fk_test_cases_tenant_id_test_run_id",
        ),
        sa.ForeignKeyConstraint(
            ["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"], name="fk_test_cases_tenant_id_run_id"
        ),
    )
    one_of_a_run = ["tenant_id", "test_run_id", "run_id", "repetition"]
    op.create_index("uq_test_cases_run", "test_cases", one_of_a_run, unique=True)
    waiting = sa.text("next_at IS NOT NULL")
    op.create_index(
        "ix_test_cases_next",
        "test_cases",
        ["tenant_id", "test_run_id", "next_at", "repetition", "position"],
        sqlite_where=waiting,
        postgresql_where=waiting,
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("verdicts", "case_results", "test_cases", "test_runs"):
        op.drop_table(table)
