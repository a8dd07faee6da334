"""The tables of erasures, and of the legal holds that keep them off."""

from sqlalchemy import Index, Table

from setright.storage import json_text, metadata, moment, text

erasures = Table(
    "erasures",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    text("kind"),
    text("target", null=True),
    text("target_hash"),
    text("pseudonym", null=True),
    text("words"),
    text("reason"),
    text("state"),
    json_text("counts"),
    text("held_by", null=True),
    text("asked_by_kind"),
    text("asked_by_id"),
    moment("created_at"),
    moment("updated_at"),
    moment("ended_at", null=True),
)
"""`target` is gone once an erasure is done; `target_hash` is keyed, so that only who has the ledger can ask it back."""
_E = erasures.c
Index("ix_erasures_page", _E.tenant_id, _E.created_at, _E.id)

legal_holds = Table(
    "legal_holds",
    metadata,
    text("tenant_id", primary_key=True),
    text("id", primary_key=True),
    text("kind"),
    text("target"),
    text("reason"),
    text("placed_by_kind"),
    text("placed_by_id"),
    moment("created_at"),
    text("released_by_kind", null=True),
    text("released_by_id", null=True),
    moment("released_at", null=True),
)
_H = legal_holds.c
Index("ix_legal_holds_page", _H.tenant_id, _H.created_at, _H.id)
Index(
    "ix_legal_holds_target",
    _H.tenant_id,
    _H.kind,
    _H.target,
    sqlite_where=_H.released_at.is_(None),
    postgresql_where=_H.released_at.is_(None),
)
