"""The tables of retention: how long what is kept, and what the passings cut."""

from sqlalchemy import ForeignKeyConstraint, Index, Table

from setright.storage import json_text, metadata, moment, number, text

retentions = Table(
    "retentions",
    metadata,
    text("tenant_id", primary_key=True),
    text("project_id", primary_key=True),
    number("runs", null=True),
    number("reads", null=True),
    number("outputs", null=True),
    number("interactions", null=True),
    number("briefings", null=True),
    text("set_by_kind"),
    text("set_by_id"),
    moment("updated_at"),
)
"""Days by kind of content; the project of the tenant's own is the empty text."""

retention_passings = Table(
    "retention_passings",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    text("state"),
    json_text("counts"),
    text("asked_by_kind"),
    text("asked_by_id"),
    moment("created_at"),
    moment("updated_at"),
    moment("ended_at", null=True),
)
_P = retention_passings.c
Index("ix_retention_passings_page", _P.tenant_id, _P.created_at, _P.id)

retention_cuts = Table(
    "retention_cuts",
    metadata,
    text("tenant_id", primary_key=True),
    text("passing_id", primary_key=True),
    text("project_id", primary_key=True),
    text("kind", primary_key=True),
    number("days"),
    moment("before"),
    number("cut"),
    number("held"),
    ForeignKeyConstraint(
        ["tenant_id", "passing_id"], ["retention_passings.tenant_id", "retention_passings.id"]
    ),
)
"""What a passing cut of a kind in a project; only where it cut something, or a hold kept it from that."""
