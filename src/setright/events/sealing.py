"""Sealing events: by who writes them where there is one writer, else in the order of commits, a while later."""

from collections.abc import Mapping
from typing import Any

from setright.events import store
from setright.events.chain import BEGINNING, seal
from setright.storage import Row, Tx

AT_ONCE = 500


class Head:
    """How far the log of a tenant is sealed: by which seal, over how many events."""

    def __init__(self, tx: Tx, tenant_id: str, row: Row | None) -> None:
        self._tx = tx
        self._tenant_id = tenant_id
        self._seal = BEGINNING
        self._count = 0
        if row is not None and row["seal"] is not None:
            self._seal, self._count = row["seal"], row["count"]

    def add(self, event: Mapping[str, Any]) -> str:
        """The seal of the next event."""
        self._seal = seal(self._seal, event)
        self._count += 1
        return self._seal

    def keep(self) -> None:
        """Store how far it is."""
        self._tx.run(store.SET_HEAD, tenant_id=self._tenant_id, seal=self._seal, count=self._count)


def head_of_writer(tx: Tx) -> Head | None:
    """The head of the caller's tenant, which the one writer moves on; None where events are sealed later.

    That is so on PostgreSQL, and as long as there are events from before there were seals.
    """
    if tx.engine == "postgresql":
        return None
    row = tx.one(store.HEAD_TO_WRITE, tenant_id=tx.actor.tenant_id)
    return None if row is None or row["waiting"] else Head(tx, tx.actor.tenant_id, row)


def seal_some(tx: Tx) -> int:
    """Seal some events that no running transaction can still come before, tenant by tenant; how many."""
    rows = tx.all(store.UNSEALED, count=AT_ONCE)
    by_tenant: dict[str, list[Row]] = {}
    for row in rows:
        by_tenant.setdefault(row["tenant_id"], []).append(row)
    for tenant_id, found in sorted(by_tenant.items()):
        head = Head(tx, tenant_id, tx.one(store.HOLD_HEAD, tenant_id=tenant_id))
        for row in found:
            tx.run(store.SET_SEAL, of_seq=row["seq"], new_seal=head.add(row))
        head.keep()
    return len(rows)
