"""The tables of jobs and of what is asked for again and again."""

from sqlalchemy import Index, Table

from setright.storage import json_text, metadata, moment, number, text

jobs = Table(
    "jobs",
    metadata,
    text("id", primary_key=True),
    text("tenant_id"),
    text("name"),
    text("key"),
    text("place"),
    json_text("arguments"),
    text("state"),
    moment("due_at"),
    moment("next_at", null=True),
    text("lease", null=True),
    number("attempt"),
    json_text("cursor", null=True),
    number("done_count"),
    json_text("failure", null=True),
    text("asked_by_kind"),
    text("asked_by_id"),
    moment("created_at"),
    moment("updated_at"),
    moment("finished_at", null=True),
)
_J = jobs.c
Index("uq_jobs_not_started", _J.tenant_id, _J.name, _J.key, _J.place, unique=True)
Index(
    "ix_jobs_next",
    _J.next_at,
    _J.id,
    sqlite_where=_J.next_at.is_not(None),
    postgresql_where=_J.next_at.is_not(None),
)
Index("ix_jobs_page", _J.tenant_id, _J.created_at, _J.id)
Index("ix_jobs_state", _J.tenant_id, _J.state, _J.created_at, _J.id)
Index(
    "ix_jobs_finished",
    _J.finished_at,
    sqlite_where=_J.finished_at.is_not(None),
    postgresql_where=_J.finished_at.is_not(None),
)

recurring_jobs = Table(
    "recurring_jobs",
    metadata,
    text("tenant_id", primary_key=True),
    text("name", primary_key=True),
    text("key", primary_key=True),
    json_text("arguments"),
    number("every"),
    moment("next_at"),
)
Index("ix_recurring_jobs_next", recurring_jobs.c.next_at)
