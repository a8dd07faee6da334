"""The statements about how long content is kept, and about passings; every one filters by tenant."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import and_, bindparam, select, update

from setright.kernel import json
from setright.kernel.paging import Page, Place, page_of
from setright.retention.model import OF_PROJECT, OF_TENANT, Cut, Passing, Retention
from setright.retention.tables import retention_cuts, retention_passings, retentions
from setright.storage import Row, Snapshot, Sql, Tx, insert, insert_or_ignore, upsert
from setright.storage.lists import before, page_values

KINDS = (*OF_PROJECT, *OF_TENANT)
_T, _P, _C = retentions.c, retention_passings.c, retention_cuts.c
_THIS = and_(_T.tenant_id == bindparam("tenant_id"), _T.project_id == bindparam("project_id"))
_FIND = Sql(select(retentions).where(_THIS))
_HOLD = Sql(select(retentions).where(_THIS).with_for_update())
_BLANK = insert_or_ignore(retentions)
_SET = upsert(retentions, ("tenant_id", "project_id"))
_NEXT = Sql(
    select(retentions)
    .where(_T.tenant_id == bindparam("tenant_id"), _T.project_id >= bindparam("first"))
    .order_by(_T.project_id)
    .limit(bindparam("count"))
)
_PASSING = and_(_P.tenant_id == bindparam("of_tenant"), _P.id == bindparam("of_id"))
_ADD = insert(retention_passings)
_GET = Sql(select(retention_passings).where(_PASSING))
_GET_HELD = Sql(select(retention_passings).where(_PASSING).with_for_update(key_share=True))
_GO_ON = Sql(
    update(retention_passings)
    .where(_PASSING)
    .values(
        state=bindparam("new_state"),
        counts=bindparam("new_counts"),
        updated_at=bindparam("new_updated_at"),
        ended_at=bindparam("new_ended_at"),
    )
)
_PAGE = Sql(
    select(retention_passings)
    .where(_P.tenant_id == bindparam("tenant_id"), before(_P.created_at, _P.id))
    .order_by(_P.created_at.desc(), _P.id.desc())
    .limit(bindparam("count"))
)
_CUT = upsert(retention_cuts, ("tenant_id", "passing_id", "project_id", "kind"))
_CUTS = Sql(
    select(retention_cuts)
    .where(_C.tenant_id == bindparam("tenant_id"), _C.passing_id == bindparam("passing_id"))
    .order_by(_C.project_id, _C.kind)
)


def find(at: Snapshot, project_id: str | None) -> Retention:
    """How long a project's content is kept, or the tenant's own."""
    row = at.one(_FIND, tenant_id=at.actor.tenant_id, project_id=project_id or "")
    return Retention(project_id, {}) if row is None else _retention_in(row)


def hold(tx: Tx, project_id: str | None) -> Retention:
    """`find`, and nobody else changes it before the end of the transaction."""
    blank: dict[str, Any] = dict.fromkeys(KINDS)
    by = tx.actor
    this = {"tenant_id": by.tenant_id, "project_id": project_id or ""}
    tx.run(_BLANK, **this, set_by_kind=by.kind, set_by_id=by.id, updated_at=0, **blank)
    row = tx.one(_HOLD, tenant_id=tx.actor.tenant_id, project_id=project_id or "")
    return Retention(project_id, {}) if row is None else _retention_in(row)


def put(tx: Tx, now: Retention) -> None:
    """Store how long content is kept."""
    days: dict[str, Any] = {kind: now.days.get(kind) for kind in KINDS}
    tx.run(
        _SET,
        tenant_id=tx.actor.tenant_id,
        project_id=now.project_id or "",
        set_by_kind=now.set_by_kind,
        set_by_id=now.set_by_id,
        updated_at=now.updated_at,
        **days,
    )


def some(at: Snapshot, first: str, count: int) -> Sequence[Retention]:
    """What is set, the tenant's own first, then by the ids of projects from one on."""
    rows = at.all(_NEXT, tenant_id=at.actor.tenant_id, first=first, count=count)
    return [_retention_in(row) for row in rows]


def add(tx: Tx, made: Passing) -> None:
    """Store a passing that begins."""
    tx.run(
        _ADD,
        tenant_id=tx.actor.tenant_id,
        id=made.id,
        state=made.state,
        counts=json.write_text(made.counts),
        asked_by_kind=made.asked_by_kind,
        asked_by_id=made.asked_by_id,
        created_at=made.created_at,
        updated_at=made.updated_at,
        ended_at=made.ended_at,
    )


def passing(at: Snapshot, passing_id: str, *, with_cuts: bool = False) -> Passing | None:
    """A passing of the caller's tenant."""
    row = at.one(_GET, of_tenant=at.actor.tenant_id, of_id=passing_id)
    if row is None:
        return None
    found = _passing_in(row)
    return replace(found, cuts=cuts(at, passing_id)) if with_cuts else found


def hold_passing(tx: Tx, passing_id: str) -> Passing | None:
    """A passing that nobody else carries on before the end of the transaction."""
    row = tx.one(_GET_HELD, of_tenant=tx.actor.tenant_id, of_id=passing_id)
    return None if row is None else _passing_in(row)


def carry_on(tx: Tx, now: Passing) -> None:
    """Store how a passing stands."""
    tx.run(
        _GO_ON,
        of_tenant=tx.actor.tenant_id,
        of_id=now.id,
        new_state=now.state,
        new_counts=json.write_text(now.counts),
        new_updated_at=now.updated_at,
        new_ended_at=now.ended_at,
    )


def page(at: Snapshot, after: Place | None, limit: int) -> Page[Passing]:
    """A page of passings, newest first."""
    rows = at.all(_PAGE, tenant_id=at.actor.tenant_id, **page_values(after, limit))
    return page_of(rows, limit, lambda row: Place(row["created_at"], row["id"]), _passing_in)


def cuts(at: Snapshot, passing_id: str) -> Sequence[Cut]:
    """What a passing cut, project by project."""
    rows = at.all(_CUTS, tenant_id=at.actor.tenant_id, passing_id=passing_id)
    return [
        Cut(row["project_id"] or None, row["kind"], row["days"], row["before"], row["cut"], row["held"])
        for row in rows
    ]


def put_cut(tx: Tx, passing_id: str, now: Cut) -> None:
    """Store what a passing cut of a kind in a project until now."""
    tx.run(
        _CUT,
        tenant_id=tx.actor.tenant_id,
        passing_id=passing_id,
        project_id=now.project_id or "",
        kind=now.kind,
        days=now.days,
        before=now.before,
        cut=now.cut,
        held=now.held,
    )


def _retention_in(row: Row) -> Retention:
    days: Mapping[str, int] = {kind: row[kind] for kind in KINDS if row[kind] is not None}
    return Retention(row["project_id"] or None, days, row["updated_at"], row["set_by_kind"], row["set_by_id"])


def _passing_in(row: Row) -> Passing:
    return Passing(
        id=row["id"],
        state=row["state"],
        asked_by_kind=row["asked_by_kind"],
        asked_by_id=row["asked_by_id"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        counts=json.read_stored(row["counts"]),
        ended_at=row["ended_at"],
    )
