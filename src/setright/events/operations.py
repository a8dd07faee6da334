"""Writing to the event log."""

from typing import Any

from setright.events import store
from setright.events.sealing import head_of_writer
from setright.kernel import json
from setright.storage import Tx


def append(tx: Tx) -> None:
    """Write everything that this transaction announced, in order; once a transaction.

    Where there is one writer each event is sealed at once. On PostgreSQL commits come in another order than events,
    and a job seals them afterwards.
    """
    if not tx.events:
        return
    head = head_of_writer(tx)
    for event in tx.events:
        by = event.by or tx.actor
        row: dict[str, Any] = {
            "tenant_id": tx.actor.tenant_id,
            "project_id": event.project_id,
            "at": tx.now,
            "by_kind": by.kind,
            "by_id": by.id,
            "kind": event.kind,
            "subject_kind": event.subject_kind,
            "subject_id": event.subject_id,
            "changed": json.write_text(event.changed),
            "about": event.about,
            "blind": 1 if event.blind else None,
            "by_hash": None,
            "subject_hash": None,
        }
        tx.add(store.INSERT, **row, seal=None if head is None else head.add(row))
    if head is not None:
        head.keep()
