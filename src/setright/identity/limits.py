"""The limits that one tenant has of its own, and how many things of a kind it has, held against the cap for them."""

from collections.abc import Callable, Mapping

from setright.identity import store
from setright.kernel import json
from setright.kernel.events import Event
from setright.kernel.limits import over_cap
from setright.storage import Snapshot, Sql, Tx, raise_identity_version

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
    there = _count_of(tx, word) if count is None else count()
    if there >= cap:
        raise over_cap(word, cap, there, _WAYS_OUT[word])


def count_capped(at: Snapshot) -> dict[str, int]:
    """How many tokens that work, users who may come in, and projects the tenant has, by the words for their caps."""
    return {word: _count_of(at, word) for word in _COUNTS}


def _count_of(at: Snapshot, word: str) -> int:
    row = at.one(_COUNTS[word], tenant_id=at.actor.tenant_id, now=at.now)
    return 0 if row is None else int(row["count"])


def own_limits(at: Snapshot) -> dict[str, int]:
    """The limits that the caller's tenant has of its own, by the words of `kernel.limits`."""
    row = at.one(store.OWN_LIMITS, tenant_id=at.actor.tenant_id)
    return store.limits_in(None if row is None else row["limits"])


def set_own_limits(tx: Tx, changes: Mapping[str, int | None]) -> dict[str, int]:
    """The tenant has these limits of its own from its next call on, None being what every tenant has.

    For the machine's own administrator only. `changes` are by the words of `kernel.limits`; 0 is no limit.
    """
    raise_identity_version(tx)
    before = own_limits(tx)
    merged = {**before, **changes}
    after = {word: most for word, most in merged.items() if most is not None}
    changed = tuple(sorted(word for word in changes if before.get(word) != after.get(word)))
    if changed:
        tenant_id = tx.actor.tenant_id
        tx.run(store.PUT_OWN_LIMITS, tenant_id=tenant_id, limits=json.write_text(after), updated_at=tx.now)
        tx.announce(Event("tenant.limited", "tenant", tenant_id, changed=changed))
    return after
