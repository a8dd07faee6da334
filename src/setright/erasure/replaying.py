"""Erasing again what a ledger that was restored holds once more."""

import hmac
from collections.abc import Iterator, Sequence

from setright import corrections, identity, jobs, runs
from setright.erasure import store
from setright.erasure.model import Erasure, Remembered
from setright.erasure.operations import ERASE
from setright.storage import Snapshot, Tx

RUNS_AT_ONCE = 1000


def missing(at: Snapshot, known: Sequence[Remembered]) -> Sequence[Remembered]:
    """Those erasures that are known outside and that the ledger, being older, knows nothing of; of tenants it has."""
    there = {(one.tenant_id, one.id) for one in store.remembered(at)}
    tenants = {tenant.id for tenant in identity.list_tenants(at)}
    return [one for one in known if one.tenant_id in tenants and (one.tenant_id, one.id) not in there]


def replay(tx: Tx, one: Remembered, secret: str) -> bool:
    """Ask for an erasure again, in the name of its tenant's ledger; False where nothing of it came back.

    It is about what was there when it was first asked for, and no legal hold keeps it off: it was done before.
    """
    secret = store.secret_of(tx, secret)
    target = next(
        (
            who
            for who in _who(tx, one.kind)
            if hmac.compare_digest(store.hash_of(one.tenant_id, one.kind, who, secret), one.target_hash)
        ),
        None,
    )
    made = Erasure(
        id=one.id,
        kind=one.kind,
        target=target,
        words=one.words,
        reason=one.reason,
        state="done" if target is None else "running",
        asked_by_kind=tx.actor.kind,
        asked_by_id=tx.actor.id,
        created_at=one.created_at,
        updated_at=one.created_at,
        pseudonym=identity.retire_user(tx, target, even_last=True) if target and one.kind == "user" else None,
        ended_at=one.created_at if target is None else None,
    )
    store.add(tx, made, one.target_hash)
    if target is not None:
        jobs.ask(tx, ERASE, made.id, {"erasureId": made.id})
    return target is not None


def _who(at: Snapshot, kind: str) -> Iterator[str]:
    """Everybody and everything of a kind that is in the ledger now."""
    if kind == "user":
        yield from identity.user_ids(at)
    elif kind == "participant":
        yield from runs.participants(at)
        yield from corrections.participants(at)
    else:
        after = ""
        while found := runs.run_ids(at, after, RUNS_AT_ONCE):
            yield from found
            after = found[-1]
