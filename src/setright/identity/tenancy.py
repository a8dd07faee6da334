"""Which tenant somebody means who is not let in yet."""

from setright.identity import sign_in_store
from setright.storage import Snapshot


def tenant_called(at: Snapshot, called: str | None) -> str:
    """The id of the tenant of that name or id; without one, of the ledger's only tenant; empty where there is none."""
    if called is None:
        rows = at.all(sign_in_store.SOME_TENANTS)
        return rows[0]["id"] if len(rows) == 1 else ""
    row = at.one(sign_in_store.TENANT_CALLED, called=called)
    return "" if row is None else row["id"]
