"""Review queues, and finished runs in the order in which they finished (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0014"
down_revision = "0013"


def _queues() -> None:
    op.create_table(
        "review_queues",
        exact("id"),
        exact("tenant_id"),
        exact("project_id"),
        exact("name"),
        exact("subject_kind", null=True),
        exact("subject_key", null=True),
        exact("subject_id", null=True),
        exact("subject_version", null=True),
        exact("run_status", null=True),
        big("since", null=True),
        plain("sample_rate"),
        big("reviewers_per_item"),
        big("claim_seconds"),
        exact("min_reviewer_role", null=True),
        exact("created_by_kind"),
        exact("created_by_id"),
        big("created_at"),
        big("updated_at"),
        big("closed_at", null=True),
        big("settled_at"),
        exact("settled_id"),
        big("ahead_at"),
        exact("ahead_id"),
        big("turn"),
        sa.PrimaryKeyConstraint("id", name="pk_review_queues"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "project_id"],
            ["projects.tenant_id", "projects.id"],
            name="fk_review_queues_tenant_id",
        ),
    )
    op.create_index("ix_review_queues_page", "review_queues", ["tenant_id", "created_at", "id"])


def _items() -> None:
    op.create_table(
        "review_items",
        exact("tenant_id"),
        exact("queue_id"),
        exact("run_id"),
        exact("state"),
        big("reviewers"),
        big("turn", null=True),
        big("began_at"),
        big("ended_at", null=True),
        plain("differs", null=True),
        exact("adjudicated_by", null=True),
        sa.PrimaryKeyConstraint("tenant_id", "queue_id", "run_id", name="pk_review_items"),
        sa.ForeignKeyConstraint(["queue_id"], ["review_queues.id"], name="fk_review_items_queue_id"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"], name="fk_review_items_tenant_id"
        ),
    )
    ordered = ["began_at", "run_id"]
    op.create_index("ix_review_items_page", "review_items", ["tenant_id", "queue_id", *ordered])
    op.create_index("ix_review_items_state", "review_items", ["tenant_id", "queue_id", "state", *ordered])
    _where_not_null("ix_review_items_turn", "review_items", ["tenant_id", "queue_id", "turn"])
    _where_not_null("ix_review_items_adjudicated", "review_items", ["tenant_id", "adjudicated_by"])


def _claims() -> None:
    op.create_table(
        "review_claims",
        exact("id"),
        exact("tenant_id"),
        exact("queue_id"),
        exact("run_id"),
        exact("reviewer_kind"),
        exact("reviewer_id"),
        exact("state"),
        big("claimed_at"),
        big("lease_until", null=True),
        big("ended_at", null=True),
        exact("correction_id", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_review_claims"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "queue_id", "run_id"],
            ["review_items.tenant_id", "review_items.queue_id", "review_items.run_id"],
            name="fk_review_claims_tenant_id",
        ),
    )
    op.create_index(
        "uq_review_claims_reviewer",
        "review_claims",
        ["tenant_id", "queue_id", "run_id", "reviewer_kind", "reviewer_id"],
        unique=True,
    )
    _where_not_null("ix_review_claims_lease", "review_claims", ["tenant_id", "queue_id", "lease_until"])
    _where_not_null("ix_review_claims_correction", "review_claims", ["tenant_id", "correction_id"])


def _fronts() -> None:
    op.create_table(
        "review_fronts",
        exact("tenant_id"),
        exact("queue_id"),
        exact("reviewer_kind"),
        exact("reviewer_id"),
        big("seen"),
        sa.PrimaryKeyConstraint(
            "tenant_id", "queue_id", "reviewer_kind", "reviewer_id", name="pk_review_fronts"
        ),
        sa.ForeignKeyConstraint(["queue_id"], ["review_queues.id"], name="fk_review_fronts_queue_id"),
    )


def _where_not_null(name: str, table: str, columns: list[str]) -> None:
    """An index of the rows whose last column is there."""
    there = sa.text(f"{columns[-1]} IS NOT NULL")
    op.create_index(name, table, columns, sqlite_where=there, postgresql_where=there)


def upgrade() -> None:
    """Make the tables and the index."""
    _queues()
    _items()
    _claims()
    _fronts()
    there = sa.text("finished_at IS NOT NULL")
    columns = ["tenant_id", "project_id", "finished_at", "id"]
    op.create_index("ix_runs_finished", "runs", columns, sqlite_where=there, postgresql_where=there)


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_runs_finished", "runs")
    for table in ("review_fronts", "review_claims", "review_items", "review_queues"):
        op.drop_table(table)
