"""By what rules are found that are alike (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Make the column, its index and the tables."""
    op.add_column("lessons", exact("skeleton_key", null=True))
    only = sa.text("in_force = 1")
    op.create_index(
        "ix_lessons_skeleton",
        "lessons",
        ["tenant_id", "skeleton_key"],
        sqlite_where=only,
        postgresql_where=only,
    )
    with op.batch_alter_table("lesson_counts") as counts:
        counts.add_column(big("changes", server_default="0"))
        counts.alter_column("changes", server_default=None)
    op.create_table(
        "rule_words",
        *map(exact, ("tenant_id", "word", "lesson_id")),
        sa.PrimaryKeyConstraint("tenant_id", "word", "lesson_id", name="pk_rule_words"),
    )
    op.create_index("ix_rule_words_lesson", "rule_words", ["tenant_id", "lesson_id"])
    op.create_table(
        "rule_word_counts",
        *map(exact, ("tenant_id", "word")),
        big("rules"),
        sa.PrimaryKeyConstraint("tenant_id", "word", name="pk_rule_word_counts"),
    )


def downgrade() -> None:
    """Take them away."""
    op.drop_column("lesson_counts", "changes")
    op.drop_table("rule_word_counts")
    op.drop_table("rule_words")
    op.drop_index("ix_lessons_skeleton", "lessons")
    op.drop_column("lessons", "skeleton_key")
