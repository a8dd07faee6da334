"""The tables of review queues, of the runs in them, of the reviewers' claims, and how far each reviewer looked."""

from sqlalchemy import ForeignKeyConstraint, Index, Table

from setright.storage import json_text, metadata, moment, number, text

review_queues = Table(
    "review_queues",
    metadata,
    text("id", primary_key=True),
    text("tenant_id"),
    text("project_id"),
    text("name"),
    text("subject_kind", null=True),
    text("subject_key", null=True),
    text("subject_id", null=True),
    text("subject_version", null=True),
    text("run_status", null=True),
    moment("since", null=True),
    json_text("sample_rate"),
    number("reviewers_per_item"),
    number("claim_seconds"),
    text("min_reviewer_role", null=True),
    text("created_by_kind"),
    text("created_by_id"),
    moment("created_at"),
    moment("updated_at"),
    moment("closed_at", null=True),
    moment("settled_at"),
    text("settled_id"),
    moment("ahead_at"),
    text("ahead_id"),
    number("turn"),
    ForeignKeyConstraint(["tenant_id", "project_id"], ["projects.tenant_id", "projects.id"]),
)
_Q = review_queues.c
Index("ix_review_queues_page", _Q.tenant_id, _Q.created_at, _Q.id)

review_items = Table(
    "review_items",
    metadata,
    text("tenant_id", primary_key=True),
    text("queue_id", primary_key=True),
    text("run_id", primary_key=True),
    text("state"),
    number("reviewers"),
    number("turn", null=True),
    moment("began_at"),
    moment("ended_at", null=True),
    json_text("differs", null=True),
    text("adjudicated_by", null=True),
    ForeignKeyConstraint(["queue_id"], ["review_queues.id"]),
    ForeignKeyConstraint(["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"]),
)
"""`turn` is there while the item has room for a reviewer; it is a new one whenever room is regained."""
_I = review_items.c
Index("ix_review_items_page", _I.tenant_id, _I.queue_id, _I.began_at, _I.run_id)
Index("ix_review_items_state", _I.tenant_id, _I.queue_id, _I.state, _I.began_at, _I.run_id)
Index(
    "ix_review_items_turn",
    _I.tenant_id,
    _I.queue_id,
    _I.turn,
    sqlite_where=_I.turn.is_not(None),
    postgresql_where=_I.turn.is_not(None),
)
Index(
    "ix_review_items_adjudicated",
    _I.tenant_id,
    _I.adjudicated_by,
    sqlite_where=_I.adjudicated_by.is_not(None),
    postgresql_where=_I.adjudicated_by.is_not(None),
)

review_claims = Table(
    "review_claims",
    metadata,
    text("id", primary_key=True),
    text("tenant_id"),
    text("queue_id"),
    text("run_id"),
    text("reviewer_kind"),
    text("reviewer_id"),
    text("state"),
    moment("claimed_at"),
    moment("lease_until", null=True),
    moment("ended_at", null=True),
    text("correction_id", null=True),
    ForeignKeyConstraint(
        ["tenant_id", "queue_id", "run_id"],
        ["review_items.tenant_id", "review_items.queue_id", "review_items.run_id"],
    ),
)
"""`lease_until` is there while the claim is active."""
_C = review_claims.c
Index(
    "uq_review_claims_reviewer",
    _C.tenant_id,
    _C.queue_id,
    _C.run_id,
    _C.reviewer_kind,
    _C.reviewer_id,
    unique=True,
)
Index(
    "ix_review_claims_lease",
    _C.tenant_id,
    _C.queue_id,
    _C.lease_until,
    sqlite_where=_C.lease_until.is_not(None),
    postgresql_where=_C.lease_until.is_not(None),
)
Index(
    "ix_review_claims_correction",
    _C.tenant_id,
    _C.correction_id,
    sqlite_where=_C.correction_id.is_not(None),
    postgresql_where=_C.correction_id.is_not(None),
)

review_fronts = Table(
    "review_fronts",
    metadata,
    text("tenant_id", primary_key=True),
    text("queue_id", primary_key=True),
    text("reviewer_kind", primary_key=True),
    text("reviewer_id", primary_key=True),
    number("seen"),
    ForeignKeyConstraint(["queue_id"], ["review_queues.id"]),
)
"""The turn up to which no item of the queue can be one for the reviewer."""
