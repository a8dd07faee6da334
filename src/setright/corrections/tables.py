"""The table of corrections: what was said, which never changes, and where the correction stands, which does."""

from sqlalchemy import ForeignKeyConstraint, Index, Table

from setright.storage import json_text, metadata, moment, number, text

corrections = Table(
    "corrections",
    metadata,
    text("id", primary_key=True),
    text("tenant_id"),
    text("project_id"),
    text("run_id"),
    text("subject_kind"),
    text("subject_key"),
    text("subject_id"),
    text("subject_version"),
    text("decisions", null=True),
    text("answer", null=True),
    json_text("said"),
    text("corrector_group_id", null=True),
    number("expert", null=True),
    text("made_by_kind"),
    text("made_by_id"),
    text("participant_key"),
    moment("created_at"),
    text("status"),
    text("sorted_to", null=True),
    json_text("sorted", null=True),
    json_text("link", null=True),
    json_text("fixed_in", null=True),
    json_text("reopened_in", null=True),
    json_text("status_note", null=True),
    moment("updated_at"),
    moment("unregistered_at", null=True),
    text("superseded_by", null=True),
    text("place"),
    moment("content_erased_at", null=True),
    ForeignKeyConstraint(["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"]),
)
_C = corrections.c
Index("ix_corrections_page", _C.tenant_id, _C.created_at, _C.id)
Index("ix_corrections_project", _C.tenant_id, _C.project_id, _C.created_at, _C.id)
Index("ix_corrections_status", _C.tenant_id, _C.project_id, _C.status, _C.created_at, _C.id)
Index("ix_corrections_subject", _C.tenant_id, _C.subject_kind, _C.subject_key, _C.created_at, _C.id)
Index("ix_corrections_maker", _C.tenant_id, _C.made_by_id, _C.created_at, _C.id)
Index(
    "uq_corrections_current",
    _C.tenant_id,
    _C.run_id,
    _C.made_by_kind,
    _C.made_by_id,
    _C.participant_key,
    _C.place,
    unique=True,
)
Index(
    "ix_corrections_participant",
    _C.tenant_id,
    _C.participant_key,
    _C.created_at,
    _C.id,
    sqlite_where=_C.participant_key != "",
    postgresql_where=_C.participant_key != "",
)
Index(
    "ix_corrections_group",
    _C.tenant_id,
    _C.corrector_group_id,
    _C.created_at,
    _C.id,
    sqlite_where=_C.corrector_group_id.is_not(None),
    postgresql_where=_C.corrector_group_id.is_not(None),
)
