"""The tables of agents and flows, their versions and the projects they were seen in."""

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
