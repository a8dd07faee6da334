"""The table of the event log."""

from sqlalchemy import Index, Table
from sqlalchemy import text as raw_sql

from setright.storage import counter, json_text, metadata, moment, number, text

events = Table(
    "events",
    metadata,
    counter("seq"),
    number("transaction", server_default=raw_sql("0")),
    text("tenant_id"),
    text("project_id", null=True),
    moment("at"),
    text("by_kind"),
    text("by_id"),
    text("kind"),
    text("subject_kind"),
    text("subject_id"),
    json_text("changed"),
    text("about", null=True),
    number("blind", null=True),
    text("seal", null=True),
    text("by_hash", null=True),
    text("subject_hash", null=True),
    sqlite_autoincrement=True,
)
"""`seal` is over the event and the seal before it; a hash is there where a pseudonym stands in the place of an id."""
Index("ix_events_feed", events.c.tenant_id, events.c.transaction, events.c.seq)
Index("ix_events_history", events.c.tenant_id, events.c.subject_id, events.c.seq)
Index(
    "ix_events_unsealed",
    events.c.tenant_id,
    events.c.transaction,
    events.c.seq,
    sqlite_where=events.c.seal.is_(None),
    postgresql_where=events.c.seal.is_(None),
)

event_heads = Table(
    "event_heads", metadata, text("tenant_id", primary_key=True), text("seal"), number("count")
)
"""The last seal of each tenant, and how many events were sealed until then."""
