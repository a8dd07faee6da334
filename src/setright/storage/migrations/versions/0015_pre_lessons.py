"""Lessons, the wordings of their rules, and how many rules are in force where (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import big, exact, plain

revision = "0015"
down_revision = "0014"
_ORDER = ("weight", "broken_again", "created_at", "id")
_INDEXES = {
    "space": ("space_key", "created_at", "id"),
    "agent": ("agent_key", "created_at", "id"),
    "status": ("status", "created_at", "id"),
    "root": ("duplicate_of", "created_at", "id"),
    "source": ("from_correction_id", "created_at", "id"),
}
_IN_FORCE = {
    "in_force": ("agent_key", "space_key", *_ORDER),
    "in_force_anywhere": ("agent_key", *_ORDER),
    "rule": ("rule_key",),
}


def upgrade() -> None:
    """Make the tables."""
    _lessons()
    for name, columns in _INDEXES.items():
        op.create_index(f"ix_lessons_{name}", "lessons", ["tenant_id", *columns])
    _partly("page", ("created_at", "id"), "deleted_at IS NULL AND status != 'duplicate'")
    for name, columns in _IN_FORCE.items():
        _partly(name, columns, "in_force = 1")
    _wordings()
    op.create_table(
        "lesson_firsts",
        *map(exact, ("tenant_id", "said_key", "lesson_id")),
        big("at"),
        sa.PrimaryKeyConstraint("tenant_id", "said_key", name="pk_lesson_firsts"),
    )
    op.create_table(
        "lesson_turns",
        exact("tenant_id"),
        big("at"),
        sa.PrimaryKeyConstraint("tenant_id", name="pk_lesson_turns"),
    )
    op.create_table(
        "lesson_counts",
        *map(exact, ("tenant_id", "agent_key", "space_key")),
        *map(big, ("rules", "open_lessons")),
        sa.PrimaryKeyConstraint("tenant_id", "agent_key", "space_key", name="pk_lesson_counts"),
    )


def _wordings() -> None:
    op.create_table(
        "lesson_wordings",
        *map(exact, ("tenant_id", "lesson_id")),
        big("at"),
        exact("rule", null=True),
        big("until", null=True),
        plain("must_not_call", null=True),
        *map(exact, ("by_kind", "by_id")),
        sa.PrimaryKeyConstraint("tenant_id", "lesson_id", "at", name="pk_lesson_wordings"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "lesson_id"],
            ["lessons.tenant_id", "lessons.id"],
            name="fk_lesson_wordings_tenant_id",
        ),
    )


def _partly(name: str, columns: tuple[str, ...], where: str) -> None:
    only = sa.text(where)
    op.create_index(
        f"ix_lessons_{name}", "lessons", ["tenant_id", *columns], sqlite_where=only, postgresql_where=only
    )


def _lessons() -> None:
    op.create_table(
        "lessons",
        *map(exact, ("tenant_id", "id")),
        exact("project_id", null=True),
        *map(exact, ("space_key", "agent", "agent_key", "kind", "severity")),
        big("weight"),
        *map(exact, ("noticed_by", "what_happened")),
        *(exact(name, null=True) for name in ("expected", "rule", "rule_key")),
        exact("status"),
        big("in_force", null=True),
        plain("evidence", null=True),
        exact("session", null=True),
        big("broken_again"),
        exact("duplicate_of", null=True),
        big("occurrence", null=True),
        plain("supersedes", null=True),
        big("until", null=True),
        plain("must_not_call", null=True),
        exact("from_correction_id", null=True),
        *map(exact, ("recorded_by_kind", "recorded_by_id")),
        *_decided("adopted"),
        *_decided("verified"),
        big("ended", null=True),
        *map(big, ("created_at", "updated_at")),
        *(big(name, null=True) for name in ("deleted_at", "content_erased_at")),
        sa.PrimaryKeyConstraint("tenant_id", "id", name="pk_lessons"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"], name="fk_lessons_tenant_id"
        ),
    )


def _decided(stem: str) -> tuple[sa.Column[str] | sa.Column[int], ...]:
    who = (exact(f"{stem}_by_{part}", null=True) for part in ("kind", "id"))
    return *who, big(f"{stem}_at", null=True)


def downgrade() -> None:
    """Take the tables away."""
    for name in ("lesson_counts", "lesson_turns", "lesson_firsts", "lesson_wordings", "lessons"):
        op.drop_table(name)
