"""Kept counts of corrections, filled from those that are there (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact

revision = "0005"
down_revision = "0004"

KEYS = (
    "tenant_id",
    "project_id",
    "subject_kind",
    "subject_key",
    "subject_version",
    "status",
    "corrector_group_id",
)
AMOUNTS = {
    "corrections": "1 = 1",
    "decisions_right": "decisions = 'right'",
    "decisions_wrong": "decisions = 'wrong'",
    "answer_right": "answer = 'right'",
    "answer_wrong": "answer = 'wrong'",
    "items_right": "items = 'right'",
    "items_wrong": "items = 'wrong'",
    "to_improve": "sorted_to = 'improve'",
    "to_developer": "sorted_to = 'developer'",
    "to_owner": "sorted_to = 'owner'",
}
ITEMS = {
    "sqlite": (
        "EXISTS (SELECT 1 FROM json_each(said, '$.items') AS item"
        " WHERE json_extract(item.value, '$.verdict') = 'wrong')",
        "json_array_length(said, '$.items') > 0",
    ),
    "postgresql": (
        "jsonb_path_exists(CAST(said AS jsonb), '$.items[*] ? (@.verdict == \"wrong\")')",
        "jsonb_path_exists(CAST(said AS jsonb), '$.items[0]')",
    ),
}


def upgrade() -> None:
    """Make the table and count what is there."""
    op.create_table(
        "correction_counts",
        *map(exact, KEYS),
        big("expert"),
        *map(big, AMOUNTS),
        sa.PrimaryKeyConstraint(*KEYS, "expert", name="pk_correction_counts"),
        sqlite_with_rowid=False,
    )
    wrong, some = ITEMS[op.get_bind().dialect.name]
    items = (
        f"CASE WHEN said NOT LIKE '%\"items\":%' THEN NULL WHEN {wrong} THEN 'wrong'"
        f" WHEN {some} THEN 'right' END"
    )
    sums = ", ".join(f"SUM(CASE WHEN {condition} THEN 1 ELSE 0 END)" for condition in AMOUNTS.values())
    columns = ", ".join((*KEYS, "expert"))
    counted = (
        "SELECT tenant_id, project_id, subject_kind, subject_key, subject_version, status, decisions, answer,"  # noqa: S608 - only words of this file
        " sorted_to, COALESCE(corrector_group_id, '') AS corrector_group_id, COALESCE(expert, 0) AS expert,"
        f" {items} AS items FROM corrections WHERE superseded_by IS NULL AND blind IS NULL"
    )
    op.execute(
        f"INSERT INTO correction_counts ({columns}, {', '.join(AMOUNTS)})"  # noqa: S608 - only words of this file
        f" SELECT {columns}, {sums} FROM ({counted}) AS counted GROUP BY {columns}"
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("correction_counts")
