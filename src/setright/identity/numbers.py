"""Whole numbers that a tenant gives to its things of one kind, from 1."""

from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

from setright.identity.tables import tenant_numbers
from setright.storage import Snapshot, Sql, Tx

_FIRST: dict[str, Any] = {"tenant_id": bindparam("tenant_id"), "kind": bindparam("kind"), "last": 1}
_KEY = ("tenant_id", "kind")
_NEXT = {"last": tenant_numbers.c.last + 1}
NEXT = Sql(
    sqlite.insert(tenant_numbers)
    .values(_FIRST)
    .on_conflict_do_update(index_elements=_KEY, set_=_NEXT)
    .returning(tenant_numbers.c.last),
    postgresql=postgresql.insert(tenant_numbers)
    .values(_FIRST)
    .on_conflict_do_update(index_elements=_KEY, set_=_NEXT)
    .returning(tenant_numbers.c.last),
)

GIVEN = Sql(
    select(tenant_numbers.c.kind, tenant_numbers.c.last).where(
        tenant_numbers.c.tenant_id == bindparam("tenant_id")
    )
)


def next_number(tx: Tx, kind: str) -> int:
    """The next number of a kind in the caller's tenant; to be taken late in a transaction.

    Nobody else of the tenant gets one of that kind until the end of the transaction, which gives it back if it fails.
    """
    row = tx.returned(NEXT, tenant_id=tx.actor.tenant_id, kind=kind)
    if row is None:
        raise LookupError(kind)
    return int(row["last"])


def numbers_given(at: Snapshot) -> dict[str, int]:
    """The last number of each kind that the caller's tenant gave."""
    return {row["kind"]: row["last"] for row in at.all(GIVEN, tenant_id=at.actor.tenant_id)}
