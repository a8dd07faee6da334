"""The first schema: identity, subjects, runs, corrections, events and kept answers (pre: before the new code)."""

import sqlalchemy as sa
from alembic import op

from setright.storage.migrations.columns import auto_integer, big, blob, exact, plain

revision = "0001"
down_revision = None


def _events() -> None:
    op.create_table(
        "events",
        auto_integer("seq"),
        big("transaction", server_default=sa.text("0")),
        exact("tenant_id"),
        exact("project_id", null=True),
        big("at"),
        exact("by_kind"),
        exact("by_id"),
        exact("kind"),
        exact("subject_kind"),
        exact("subject_id"),
        plain("changed"),
        exact("about", null=True),
        sa.PrimaryKeyConstraint("seq", name="pk_events"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_feed", "events", ["tenant_id", "transaction", "seq"])
    op.create_index("ix_events_history", "events", ["tenant_id", "subject_id", "seq"])


def _kept_answers() -> None:
    op.create_table(
        "kept_answers",
        auto_integer("id"),
        blob("fingerprint"),
        exact("tenant_id"),
        blob("body_hash"),
        big("status"),
        plain("headers"),
        blob("body", null=True),
        plain("about"),
        big("at"),
        sa.PrimaryKeyConstraint("id", name="pk_kept_answers"),
        sa.UniqueConstraint("fingerprint", name="uq_kept_answers_fingerprint"),
        sqlite_autoincrement=True,
    )


def _marks() -> None:
    op.create_table(
        "marks",
        exact("name"),
        exact("value"),
        sa.PrimaryKeyConstraint("name", name="pk_marks"),
    )


def _subjects() -> None:
    op.create_table(
        "subjects",
        exact("tenant_id"),
        exact("kind"),
        exact("key"),
        exact("id"),
        exact("name", null=True),
        plain("description", null=True),
        exact("owner_id", null=True),
        exact("latest_version", null=True),
        big("created_at"),
        big("updated_at"),
        sa.PrimaryKeyConstraint("tenant_id", "kind", "key", name="pk_subjects"),
    )
    op.create_index("ix_subjects_page", "subjects", ["tenant_id", "kind", "created_at", "key"])


def _tenants() -> None:
    op.create_table(
        "tenants",
        exact("id"),
        exact("name"),
        big("created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_tenants"),
        sa.UniqueConstraint("name", name="uq_tenants_name"),
    )


def _projects() -> None:
    op.create_table(
        "projects",
        exact("tenant_id"),
        exact("id"),
        exact("name"),
        big("created_at"),
        big("updated_at"),
        sa.PrimaryKeyConstraint("tenant_id", "id", name="pk_projects"),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name="fk_projects_tenant_id"),
    )
    op.create_index("ix_projects_page", "projects", ["tenant_id", "created_at", "id"])


def _subject_projects() -> None:
    op.create_table(
        "subject_projects",
        exact("tenant_id"),
        exact("kind"),
        exact("key"),
        exact("project_id"),
        big("first_seen_at"),
        sa.PrimaryKeyConstraint("tenant_id", "kind", "key", "project_id", name="pk_subject_projects"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "kind", "key"],
            ["subjects.tenant_id", "subjects.kind", "subjects.key"],
            name="fk_subject_projects_tenant_id",
        ),
    )


def _subject_versions() -> None:
    op.create_table(
        "subject_versions",
        exact("tenant_id"),
        exact("kind"),
        exact("key"),
        exact("version"),
        big("first_seen_at"),
        big("deployed_at", null=True),
        sa.PrimaryKeyConstraint("tenant_id", "kind", "key", "version", name="pk_subject_versions"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "kind", "key"],
            ["subjects.tenant_id", "subjects.kind", "subjects.key"],
            name="fk_subject_versions_tenant_id",
        ),
    )


def _users() -> None:
    op.create_table(
        "users",
        exact("id"),
        exact("tenant_id"),
        exact("name"),
        exact("email", null=True),
        exact("role", null=True),
        big("created_at"),
        big("disabled_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name="fk_users_tenant_id"),
        sa.UniqueConstraint("tenant_id", "name", name="uq_users_tenant_id_name"),
    )


def _members() -> None:
    op.create_table(
        "members",
        exact("tenant_id"),
        exact("project_id"),
        exact("principal_kind"),
        exact("principal_id"),
        exact("role"),
        exact("reviewer_role", null=True),
        big("added_at"),
        sa.PrimaryKeyConstraint(
            "tenant_id", "project_id", "principal_kind", "principal_id", name="pk_members"
        ),
        sa.ForeignKeyConstraint(
            ["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"], name="fk_members_tenant_id"
        ),
    )
    op.create_index("ix_members_principal", "members", ["tenant_id", "principal_kind", "principal_id"])


def _runs() -> None:
    op.create_table(
        "runs",
        exact("tenant_id"),
        exact("id"),
        exact("project_id"),
        exact("subject_kind"),
        exact("subject_key"),
        exact("subject_id"),
        exact("subject_version"),
        exact("status"),
        exact("participant_id", null=True),
        plain("tags", null=True),
        exact("start_hash"),
        exact("finish_hash", null=True),
        big("call_count"),
        big("byte_count"),
        exact("recorded_by_kind"),
        exact("recorded_by_id"),
        big("created_at"),
        big("finished_at", null=True),
        big("copy_kept_at", null=True),
        big("content_expired_at", null=True),
        big("content_erased_at", null=True),
        sa.PrimaryKeyConstraint("tenant_id", "id", name="pk_runs"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"], name="fk_runs_tenant_id"
        ),
    )


def _runs_indexes() -> None:
    op.create_index("ix_runs_page", "runs", ["tenant_id", "created_at", "id"])
    op.create_index(
        "ix_runs_participant",
        "runs",
        ["tenant_id", "participant_id", "created_at"],
        sqlite_where=sa.text("participant_id IS NOT NULL"),
        postgresql_where=sa.text("participant_id IS NOT NULL"),
    )
    op.create_index("ix_runs_project", "runs", ["tenant_id", "project_id", "created_at", "id"])
    op.create_index(
        "ix_runs_subject", "runs", ["tenant_id", "subject_kind", "subject_key", "created_at", "id"]
    )


def _tokens() -> None:
    op.create_table(
        "tokens",
        exact("id"),
        exact("tenant_id"),
        exact("kind"),
        exact("user_id", null=True),
        exact("name"),
        exact("secret_hash"),
        exact("old_secret_hash", null=True),
        big("old_until", null=True),
        exact("role", null=True),
        exact("project_id", null=True),
        plain("scopes", null=True),
        exact("created_by_kind"),
        exact("created_by_id"),
        big("created_at"),
        big("rotated_at", null=True),
        big("expires_at", null=True),
        big("revoked_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name="fk_tokens_tenant_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_tokens_user_id"),
    )
    op.create_index("ix_tokens_page", "tokens", ["tenant_id", "created_at", "id"])


def _corrections() -> None:
    op.create_table(
        "corrections",
        exact("id"),
        exact("tenant_id"),
        exact("project_id"),
        exact("run_id"),
        exact("subject_kind"),
        exact("subject_key"),
        exact("subject_id"),
        exact("subject_version"),
        exact("decisions", null=True),
        exact("answer", null=True),
        plain("said"),
        exact("corrector_group_id", null=True),
        big("expert", null=True),
        exact("made_by_kind"),
        exact("made_by_id"),
        exact("participant_key"),
        big("created_at"),
        exact("status"),
        exact("sorted_to", null=True),
        plain("sorted", null=True),
        plain("link", null=True),
        plain("fixed_in", null=True),
        plain("reopened_in", null=True),
        plain("status_note", null=True),
        big("updated_at"),
        big("unregistered_at", null=True),
        exact("superseded_by", null=True),
        exact("place"),
        big("content_erased_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_corrections"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"], name="fk_corrections_tenant_id"
        ),
    )


def _corrections_indexes() -> None:
    op.create_index(
        "ix_corrections_group",
        "corrections",
        ["tenant_id", "corrector_group_id", "created_at", "id"],
        sqlite_where=sa.text("corrector_group_id IS NOT NULL"),
        postgresql_where=sa.text("corrector_group_id IS NOT NULL"),
    )
    op.create_index("ix_corrections_maker", "corrections", ["tenant_id", "made_by_id", "created_at", "id"])
    op.create_index("ix_corrections_page", "corrections", ["tenant_id", "created_at", "id"])
    op.create_index(
        "ix_corrections_participant",
        "corrections",
        ["tenant_id", "participant_key", "created_at", "id"],
        sqlite_where=sa.text("participant_key != ''"),
        postgresql_where=sa.text("participant_key != ''"),
    )
    op.create_index("ix_corrections_project", "corrections", ["tenant_id", "project_id", "created_at", "id"])
    op.create_index(
        "ix_corrections_status", "corrections", ["tenant_id", "project_id", "status", "created_at", "id"]
    )
    op.create_index(
        "ix_corrections_subject",
        "corrections",
        ["tenant_id", "subject_kind", "subject_key", "created_at", "id"],
    )
    op.create_index(
        "uq_corrections_current",
        "corrections",
        ["tenant_id", "run_id", "made_by_kind", "made_by_id", "participant_key", "place"],
        unique=True,
    )


def _run_calls() -> None:
    op.create_table(
        "run_calls",
        exact("tenant_id"),
        exact("run_id"),
        big("position"),
        plain("call"),
        big("byte_count"),
        sa.PrimaryKeyConstraint("tenant_id", "run_id", "position", name="pk_run_calls"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"], name="fk_run_calls_tenant_id"
        ),
    )


def _run_contents() -> None:
    op.create_table(
        "run_contents",
        exact("tenant_id"),
        exact("run_id"),
        plain("input", null=True),
        plain("messages", null=True),
        plain("output", null=True),
        plain("answer", null=True),
        sa.PrimaryKeyConstraint("tenant_id", "run_id", name="pk_run_contents"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"], name="fk_run_contents_tenant_id"
        ),
    )


def upgrade() -> None:
    """Make the tables and the mark that says when callers changed."""
    _events()
    _kept_answers()
    _marks()
    _subjects()
    _tenants()
    _projects()
    _subject_projects()
    _subject_versions()
    _users()
    _members()
    _runs()
    _runs_indexes()
    _tokens()
    _corrections()
    _corrections_indexes()
    _run_calls()
    _run_contents()
    op.execute("INSERT INTO marks (name, value) VALUES ('identity', '0')")


def downgrade() -> None:
    """Drop everything."""
    for table in (
        "run_contents",
        "run_calls",
        "corrections",
        "tokens",
        "runs",
        "members",
        "users",
        "subject_versions",
        "subject_projects",
        "projects",
        "tenants",
        "subjects",
        "marks",
        "kept_answers",
        "events",
    ):
        op.drop_table(table)
