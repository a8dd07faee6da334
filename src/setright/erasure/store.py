"""The statements about erasures and legal holds; every one filters by tenant."""

import hashlib
import hmac
import secrets
from collections.abc import Collection, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

from sqlalchemy import and_, bindparam, exists, literal_column, select, update

from setright.erasure.model import Erasure, LegalHold, Remembered
from setright.erasure.tables import erasures, legal_holds
from setright.kernel import json
from setright.kernel.paging import Page, Place, page_of
from setright.storage import Row, Snapshot, Sql, Tx, insert
from setright.storage.kept import mark
from setright.storage.lists import among, any_of, before, page_values

SECRET = "erasure-secret"  # noqa: S105 - the name of the mark, not the secret
_E, _H = erasures.c, legal_holds.c
_THIS = and_(_E.tenant_id == bindparam("of_tenant"), _E.id == bindparam("of_id"))
_THIS_HOLD = and_(_H.tenant_id == bindparam("of_tenant"), _H.id == bindparam("of_id"))
_ADD, _ADD_HOLD = insert(erasures), insert(legal_holds)
_FIND = Sql(select(erasures).where(_THIS))
_FIND_HOLD = Sql(select(legal_holds).where(_THIS_HOLD).with_for_update())
_SET = Sql(
    update(erasures)
    .where(_THIS)
    .values(
        state=bindparam("new_state"),
        target=bindparam("new_target"),
        counts=bindparam("new_counts"),
        held_by=bindparam("new_held_by"),
        updated_at=bindparam("new_updated_at"),
        ended_at=bindparam("new_ended_at"),
    )
)
_RELEASE = Sql(
    update(legal_holds)
    .where(_THIS_HOLD)
    .values(
        released_by_kind=bindparam("new_by_kind"),
        released_by_id=bindparam("new_by_id"),
        released_at=bindparam("now"),
    )
)
_PAGE = Sql(
    select(erasures)
    .where(_E.tenant_id == bindparam("tenant_id"), before(_E.created_at, _E.id))
    .order_by(_E.created_at.desc(), _E.id.desc())
    .limit(bindparam("count"))
)
_HOLDS_PAGE = Sql(
    select(legal_holds)
    .where(_H.tenant_id == bindparam("tenant_id"), before(_H.created_at, _H.id))
    .order_by(_H.created_at.desc(), _H.id.desc())
    .limit(bindparam("count"))
)
_HOLDS_RUNS = Sql(
    select(
        exists()
        .where(
            _H.tenant_id == bindparam("tenant_id"),
            _H.kind.in_([literal_column("'run'"), literal_column("'project'")]),
            _H.released_at.is_(None),
        )
        .label("held")
    )
)
_HOLDS = Sql(
    select(exists().where(_H.tenant_id == bindparam("tenant_id"), _H.released_at.is_(None)).label("held"))
)
_PSEUDONYMS = Sql(
    select(_E.pseudonym).where(_E.tenant_id == bindparam("tenant_id"), _E.pseudonym.is_not(None))
)
_ALL = Sql(
    select(_E.tenant_id, _E.id, _E.kind, _E.target_hash, _E.words, _E.reason, _E.created_at).order_by(
        _E.tenant_id, _E.id
    )
)


@lru_cache(maxsize=16)
def _holding(count: int) -> Sql:
    these = (_H.tenant_id == bindparam("tenant_id"), _H.kind == bindparam("kind"), _H.released_at.is_(None))
    return Sql(select(_H.id, _H.target).where(*these, any_of(_H.target, "target", count)).order_by(_H.id))


def secret_of(tx: Tx, known: str | None = None) -> str:
    """The ledger's key for hashes of what was erased; where it has none yet, one that is known, or a new one."""
    return mark(tx, SECRET, known or secrets.token_hex(32))


def hash_of(tenant_id: str, kind: str, target: str, secret: str) -> str:
    """The keyed hash by which a target is known again, and by nobody who has not the key."""
    text = json.write([tenant_id, kind, target])
    return hmac.new(bytes.fromhex(secret), text, hashlib.sha256).hexdigest()


def pseudonyms(at: Snapshot, tenant_id: str) -> set[str]:
    """Every user that stands in the place of an erased one."""
    return {row["pseudonym"] for row in at.all(_PSEUDONYMS, tenant_id=tenant_id)}


def remembered(at: Snapshot) -> Sequence[Remembered]:
    """Every erasure of every tenant, as it is remembered outside of the ledger."""
    return [Remembered(**row) for row in at.all(_ALL)]


def add(tx: Tx, made: Erasure, target_hash: str) -> None:
    """Store an erasure that begins."""
    row: Row = {field.name: getattr(made, field.name) for field in fields(made)}
    row["counts"] = json.write_text(made.counts)
    tx.run(_ADD, tenant_id=tx.actor.tenant_id, target_hash=target_hash, **row)


def set_standing(tx: Tx, now: Erasure) -> None:
    """Store how an erasure stands."""
    tx.run(
        _SET,
        of_tenant=tx.actor.tenant_id,
        of_id=now.id,
        new_state=now.state,
        new_target=now.target,
        new_counts=json.write_text(now.counts),
        new_held_by=now.held_by,
        new_updated_at=now.updated_at,
        new_ended_at=now.ended_at,
    )


def find(at: Snapshot, erasure_id: str) -> Erasure | None:
    """An erasure of the caller's tenant."""
    row = at.one(_FIND, of_tenant=at.actor.tenant_id, of_id=erasure_id)
    return None if row is None else _erasure_in(row)


def page(at: Snapshot, after: Place | None, limit: int) -> Page[Erasure]:
    """A page of erasures, newest first."""
    rows = at.all(_PAGE, tenant_id=at.actor.tenant_id, **page_values(after, limit))
    return page_of(rows, limit, _place, _erasure_in)


def add_hold(tx: Tx, made: LegalHold) -> None:
    """Store a legal hold."""
    row: dict[str, Any] = {field.name: getattr(made, field.name) for field in fields(made)}
    tx.run(_ADD_HOLD, tenant_id=tx.actor.tenant_id, **row)


def hold_hold(tx: Tx, hold_id: str) -> LegalHold | None:
    """A legal hold of the caller's tenant, which nobody else releases meanwhile."""
    row = tx.one(_FIND_HOLD, of_tenant=tx.actor.tenant_id, of_id=hold_id)
    return None if row is None else _hold_in(row)


def release(tx: Tx, hold_id: str) -> None:
    """Store that a legal hold was released."""
    by = tx.actor
    tx.run(_RELEASE, of_tenant=by.tenant_id, of_id=hold_id, new_by_kind=by.kind, new_by_id=by.id, now=tx.now)


def holds(at: Snapshot, after: Place | None, limit: int) -> Page[LegalHold]:
    """A page of legal holds, newest first, released ones too."""
    rows = at.all(_HOLDS_PAGE, tenant_id=at.actor.tenant_id, **page_values(after, limit))
    return page_of(rows, limit, _place, _hold_in)


def holding(at: Snapshot, kind: str, targets: Sequence[str]) -> tuple[str, str] | None:
    """The first legal hold on any of these targets: its id, and what it keeps."""
    if not targets:
        return None
    count, names = among("target", targets)
    row = at.one(_holding(count), tenant_id=at.actor.tenant_id, kind=kind, **names)
    return None if row is None else (row["id"], row["target"])


def held_among(at: Snapshot, kind: str, targets: Collection[str]) -> set[str]:
    """Those of these targets that a legal hold keeps."""
    if not targets:
        return set()
    count, names = among("target", sorted(targets))
    rows = at.all(_holding(count), tenant_id=at.actor.tenant_id, kind=kind, **names)
    return {row["target"] for row in rows}


def holds_anything(at: Snapshot) -> bool:
    """Whether the tenant has any legal hold that was not released."""
    row = at.one(_HOLDS, tenant_id=at.actor.tenant_id)
    return row is not None and bool(row["held"])


def holds_runs(at: Snapshot) -> bool:
    """Whether any run or project is held, so that the runs of an erasure are to be looked through."""
    row = at.one(_HOLDS_RUNS, tenant_id=at.actor.tenant_id)
    return row is not None and bool(row["held"])


def _erasure_in(row: Row) -> Erasure:
    shown = {name: row[name] for name in row if name not in ("tenant_id", "target_hash")}
    return Erasure(**{**shown, "counts": json.read_stored(row["counts"])})


def _hold_in(row: Row) -> LegalHold:
    return LegalHold(**{name: row[name] for name in row if name != "tenant_id"})


def _place(row: Row) -> Place:
    return Place(row["created_at"], row["id"])
