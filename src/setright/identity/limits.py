"""How many things of a kind a tenant has, held against the cap that it has for them."""

from collections.abc import Callable, Mapping

from setright.identity import store
from setright.kernel.limits import CAPS, over_cap
from setright.storage import Snapshot, Sql, Tx

_WAYS_OUT: Mapping[str, str] = {
    "tokens": "Revoke one that is not needed any more.",
    "users": "Disable one that is not needed any more.",
    "projects": "Use one of those.",
    "corrector-groups": "Retire one that is not needed any more.",
}
_COUNTS: Mapping[str, Sql] = {
    "tokens": store.COUNT_TOKENS,
    "users": store.COUNT_USERS,
    "projects": store.COUNT_PROJECTS,
}


def require_below_cap(tx: Tx, word: str, count: Callable[[], int] | None = None) -> None:
    """Refuse (`quota-exceeded`) one more of what `word` (of `kernel.limits.CAPS`) names, where the tenant is at its cap.

    `count` says how many there are, for what this room does not know. Nobody else can add one of any kind with a cap
    until the end of this transaction.
    """
    cap = tx.limits.cap(word)
    if not cap:
        return
    tx.one(store.HOLD_TENANT, tenant_id=tx.actor.tenant_id)
    there = count_of(tx, word) if count is None else count()
    if there >= cap:
        raise over_cap(word, cap, there, _WAYS_OUT[word])


def count_of(at: Snapshot, word: str) -> int:
    """How many tokens that work, users who may come in, or projects the tenant has."""
    row = at.one(_COUNTS[word], tenant_id=at.actor.tenant_id, now=at.now)
    return 0 if row is None else int(row["count"])


COUNTED = tuple(word for word in CAPS if word in _COUNTS)
"""The caps on what this room knows."""
