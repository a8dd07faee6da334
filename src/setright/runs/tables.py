"""The tables of runs, their content and their calls."""

from sqlalchemy import ForeignKeyConstraint, Index, Table, and_

from setright.storage import json_text, metadata, moment, number, text

runs = Table(
    "runs",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    text("project_id"),
    text("subject_kind"),
    text("subject_key"),
    text("subject_id"),
    text("subject_version"),
    text("status"),
    text("participant_id", null=True),
    json_text("tags", null=True),
    text("start_hash"),
    text("finish_hash", null=True),
    number("call_count"),
    number("byte_count"),
    text("recorded_by_kind"),
    text("recorded_by_id"),
    moment("created_at"),
    moment("finished_at", null=True),
    moment("copy_kept_at", null=True),
    moment("content_expired_at", null=True),
    moment("content_erased_at", null=True),
    ForeignKeyConstraint(["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"]),
)
Index("ix_runs_page", runs.c.tenant_id, runs.c.created_at, runs.c.id)
Index("ix_runs_project", runs.c.tenant_id, runs.c.project_id, runs.c.created_at, runs.c.id)
Index(
    "ix_runs_subject", runs.c.tenant_id, runs.c.subject_kind, runs.c.subject_key, runs.c.created_at, runs.c.id
)
Index(
    "ix_runs_participant",
    runs.c.tenant_id,
    runs.c.participant_id,
    runs.c.created_at,
    sqlite_where=runs.c.participant_id.is_not(None),
    postgresql_where=runs.c.participant_id.is_not(None),
)
Index(
    "ix_runs_finished",
    runs.c.tenant_id,
    runs.c.project_id,
    runs.c.finished_at,
    runs.c.id,
    sqlite_where=runs.c.finished_at.is_not(None),
    postgresql_where=runs.c.finished_at.is_not(None),
)
_WITH_CONTENT = and_(
    runs.c.finished_at.is_not(None), runs.c.content_expired_at.is_(None), runs.c.content_erased_at.is_(None)
)
Index(
    "ix_runs_with_content",
    runs.c.tenant_id,
    runs.c.project_id,
    runs.c.finished_at,
    runs.c.id,
    sqlite_where=_WITH_CONTENT,
    postgresql_where=_WITH_CONTENT,
)
"""By it what retention is to cut is found, however much was cut before."""

run_contents = Table(
    "run_contents",
    metadata,
    text("tenant_id", primary_key=True),
    text("run_id", primary_key=True),
    json_text("input", null=True),
    json_text("messages", null=True),
    json_text("output", null=True),
    json_text("answer", null=True),
    ForeignKeyConstraint(["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"]),
)

read_logs = Table(
    "read_logs",
    metadata,
    text("tenant_id", primary_key=True),
    text("project_id", primary_key=True),
    number("kept"),
    text("set_by_kind"),
    text("set_by_id"),
    moment("updated_at"),
    ForeignKeyConstraint(["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"]),
)
"""Which projects ever asked for a log of reads, and whether it is kept now."""

run_reads = Table(
    "run_reads",
    metadata,
    text("tenant_id", primary_key=True),
    text("project_id", primary_key=True),
    moment("at", primary_key=True, autoincrement=False),
    text("id", primary_key=True),
    text("run_id"),
    text("via"),
    text("by_kind"),
    text("by_id"),
    ForeignKeyConstraint(["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"]),
)
for _name in ("run_id", "by_id"):
    _R = run_reads.c
    Index(f"ix_run_reads_{_name}", _R.tenant_id, _R.project_id, _R[_name], _R.at, _R.id)

run_calls = Table(
    "run_calls",
    metadata,
    text("tenant_id", primary_key=True),
    text("run_id", primary_key=True),
    number("position", primary_key=True, autoincrement=False),
    json_text("call"),
    number("byte_count"),
    ForeignKeyConstraint(["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"]),
)
