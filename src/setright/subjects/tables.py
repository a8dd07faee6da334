"""The tables of agents and flows, their versions, where they run, and what the tools of a project do."""

from sqlalchemy import ForeignKeyConstraint, Index, Table

from setright.storage import json_text, metadata, moment, text

subjects = Table(
    "subjects",
    metadata,
    text("tenant_id", primary_key=True),
    text("kind", primary_key=True),
    text("key", primary_key=True),
    text("id"),
    text("name", null=True),
    json_text("description", null=True),
    text("owner_id", null=True),
    text("latest_version", null=True),
    text("latest_change_id", null=True),
    moment("created_at"),
    moment("updated_at"),
)
Index("ix_subjects_page", subjects.c.tenant_id, subjects.c.kind, subjects.c.created_at, subjects.c.key)

subject_versions = Table(
    "subject_versions",
    metadata,
    text("tenant_id", primary_key=True),
    text("kind", primary_key=True),
    text("key", primary_key=True),
    text("version", primary_key=True),
    moment("first_seen_at"),
    moment("deployed_at", null=True),
    ForeignKeyConstraint(
        ["tenant_id", "kind", "key"], ["subjects.tenant_id", "subjects.kind", "subjects.key"]
    ),
)

subject_projects = Table(
    "subject_projects",
    metadata,
    text("tenant_id", primary_key=True),
    text("kind", primary_key=True),
    text("key", primary_key=True),
    text("project_id", primary_key=True),
    moment("first_seen_at"),
    ForeignKeyConstraint(
        ["tenant_id", "kind", "key"], ["subjects.tenant_id", "subjects.kind", "subjects.key"]
    ),
)
Index(
    "ix_subject_projects_project",
    subject_projects.c.tenant_id,
    subject_projects.c.project_id,
    subject_projects.c.first_seen_at,
)

version_changes = Table(
    "version_changes",
    metadata,
    text("id", primary_key=True),
    text("tenant_id"),
    text("verb"),
    text("project_id"),
    text("kind"),
    text("key"),
    text("version", null=True),
    text("before", null=True),
    json_text("why", null=True),
    text("by_kind"),
    text("by_id"),
    moment("at"),
    ForeignKeyConstraint(
        ["tenant_id", "kind", "key"], ["subjects.tenant_id", "subjects.kind", "subjects.key"]
    ),
)
_H = version_changes.c
Index("ix_version_changes_subject", _H.tenant_id, _H.kind, _H.key, _H.at, _H.id)
Index("ix_version_changes_project", _H.tenant_id, _H.project_id, _H.at, _H.id)

pins = Table(
    "pins",
    metadata,
    text("tenant_id", primary_key=True),
    text("project_id", primary_key=True),
    text("kind", primary_key=True),
    text("key", primary_key=True),
    text("version"),
    text("change_id"),
    ForeignKeyConstraint(
        ["tenant_id", "kind", "key"], ["subjects.tenant_id", "subjects.kind", "subjects.key"]
    ),
)

tool_effects = Table(
    "tool_effects",
    metadata,
    text("tenant_id", primary_key=True),
    text("project_id", primary_key=True),
    text("tool", primary_key=True),
    text("effect"),
    text("by_kind"),
    text("by_id"),
    moment("at"),
    ForeignKeyConstraint(["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"]),
)
Index(
    "ix_tool_effects_page",
    tool_effects.c.tenant_id,
    tool_effects.c.project_id,
    tool_effects.c.at,
    tool_effects.c.tool,
)
