"""Writing to the event log."""

from setright.events import store
from setright.kernel import json
from setright.storage import Tx


def append(tx: Tx) -> None:
    """Write everything that this transaction announced, in order; once a transaction."""
    for event in tx.events:
        by = event.by or tx.actor
        tx.add(
            store.INSERT,
            tenant_id=tx.actor.tenant_id,
            project_id=event.project_id,
            at=tx.now,
            by_kind=by.kind,
            by_id=by.id,
            kind=event.kind,
            subject_kind=event.subject_kind,
            subject_id=event.subject_id,
            changed=json.write_text(event.changed),
            about=event.about,
            blind=1 if event.blind else None,
        )
