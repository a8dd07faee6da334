"""The tables of traces that come in, and of their parts."""

from sqlalchemy import ForeignKeyConstraint, Index, Table

from setright.storage import json_text, metadata, moment, number, text

traces = Table(
    "traces",
    metadata,
    text("tenant_id", primary_key=True),
    text("project_id", primary_key=True),
    text("trace_id", primary_key=True),
    text("state"),
    text("run_id", null=True),
    text("reason", null=True),
    number("span_count"),
    number("late_count"),
    moment("created_at"),
    moment("last_at"),
    ForeignKeyConstraint(["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"]),
)
"""`last_at` is when the last part came that was not there; `reason` says why the trace could not become a run."""
_T = traces.c
Index("ix_traces_page", _T.tenant_id, _T.created_at, _T.trace_id)
Index(
    "ix_traces_run",
    _T.tenant_id,
    _T.run_id,
    sqlite_where=_T.run_id.is_not(None),
    postgresql_where=_T.run_id.is_not(None),
)

trace_parts = Table(
    "trace_parts",
    metadata,
    text("tenant_id", primary_key=True),
    text("project_id", primary_key=True),
    text("trace_id", primary_key=True),
    text("part_key", primary_key=True),
    text("kind"),
    number("late"),
    json_text("content", null=True),
    moment("created_at"),
    ForeignKeyConstraint(
        ["tenant_id", "project_id", "trace_id"], ["traces.tenant_id", "traces.project_id", "traces.trace_id"]
    ),
)
"""`kind` is span, log or evaluation; the content of a span or log goes when its trace has become a run."""
