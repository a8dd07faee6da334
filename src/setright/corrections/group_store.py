"""The statements about corrector groups; every one filters by tenant."""

from collections.abc import Mapping
from functools import lru_cache

from sqlalchemy import and_, bindparam, func, select, update

from setright.corrections.group_model import AssertableBy, CorrectorGroup, Scope
from setright.corrections.tables import corrections, corrector_groups
from setright.kernel import json
from setright.storage import Row, Snapshot, Sql, Tx, insert
from setright.storage.lists import any_of, before
from setright.subjects import fold

_G, _C = corrector_groups.c, corrections.c
_MINE = select(corrector_groups).where(_G.tenant_id == bindparam("tenant_id"))
_THIS = _MINE.where(_G.id == bindparam("id"))
_ADD = insert(corrector_groups)
_FIND = Sql(_THIS)
_HOLD = Sql(_THIS.with_for_update(key_share=True))
_HOLD_SHARED = Sql(_THIS.with_for_update(read=True))
_NAMED = Sql(
    _MINE.where(
        _G.scope_kind == bindparam("scope_kind"),
        _G.project_id == bindparam("project_id"),
        _G.agent_key == bindparam("agent_key"),
        _G.name_key == bindparam("name_key"),
    )
)
_CHANGE = Sql(
    update(corrector_groups)
    .where(_G.tenant_id == bindparam("of_tenant"), _G.id == bindparam("of_id"))
    .values(
        name=bindparam("new_name"),
        name_key=bindparam("new_name_key"),
        weight=bindparam("new_weight"),
        assertable_by=bindparam("new_assertable_by"),
        updated_at=bindparam("new_updated_at"),
        retired_at=bindparam("new_retired_at"),
    )
)
_LAST_ASSERTED = Sql(
    select(_C.created_at)
    .where(_C.tenant_id == bindparam("tenant_id"), _C.corrector_group_id == bindparam("id"))
    .order_by(_C.created_at.desc(), _C.id.desc())
    .limit(1)
)
_WEIGHTS = Sql(select(_G.id, _G.weight).where(_G.tenant_id == bindparam("tenant_id")))
_COUNT = Sql(
    select(func.count().label("count")).where(_G.tenant_id == bindparam("tenant_id"), _G.retired_at.is_(None))
)
_FILTERS = {
    "project_id": _G.project_id == bindparam("project_id"),
    "agent_key": and_(_G.scope_kind == "agent", _G.agent_key == bindparam("agent_key")),
    "scope_kind": _G.scope_kind == bindparam("scope_kind"),
    "not_retired": _G.retired_at.is_(None),
}


@lru_cache(maxsize=128)
def page(filters: frozenset[str], projects: int | None) -> Sql:
    """A page of groups, newest first: all, or the tenant's and those of `projects` projects (`project_0` and on)."""
    chosen = _MINE.where(before(_G.created_at, _G.id), *(_FILTERS[name] for name in sorted(filters)))
    if projects is not None:
        chosen = chosen.where(any_of(_G.project_id, "project", projects))
    return Sql(chosen.order_by(_G.created_at.desc(), _G.id.desc()).limit(bindparam("count")))


def weights(at: Snapshot) -> dict[str, float]:
    """What each group of the caller's tenant weighs now, retired ones included; under no group it is 1."""
    rows = at.all(_WEIGHTS, tenant_id=at.actor.tenant_id)
    return {row["id"]: float(json.read_stored(row["weight"])) for row in rows}


def count(at: Snapshot) -> int:
    """How many groups of the caller's tenant may still be asserted."""
    row = at.one(_COUNT, tenant_id=at.actor.tenant_id)
    return 0 if row is None else int(row["count"])


def add(tx: Tx, group: CorrectorGroup) -> None:
    """Store a new group."""
    tx.add(
        _ADD,
        id=group.id,
        tenant_id=group.tenant_id,
        name=group.name,
        name_key=fold(group.name),
        **_place(group.scope),
        agent_id=group.scope.agent_id,
        weight=json.write_text(group.weight),
        assertable_by=_restriction(group),
        created_by_kind=group.created_by_kind,
        created_by_id=group.created_by_id,
        created_at=group.created_at,
        updated_at=group.updated_at,
        retired_at=group.retired_at,
    )


def change(tx: Tx, group: CorrectorGroup) -> None:
    """Store what a group is now."""
    tx.add(
        _CHANGE,
        of_tenant=group.tenant_id,
        of_id=group.id,
        new_name=group.name,
        new_name_key=fold(group.name),
        new_weight=json.write_text(group.weight),
        new_assertable_by=_restriction(group),
        new_updated_at=group.updated_at,
        new_retired_at=group.retired_at,
    )


def find(at: Snapshot, group_id: str) -> CorrectorGroup | None:
    """A group of the caller's tenant."""
    row = at.one(_FIND, tenant_id=at.actor.tenant_id, id=group_id)
    return record(row) if row else None


def named(at: Snapshot, scope: Scope, name: str) -> CorrectorGroup | None:
    """The group of a scope that has this name, however it is written."""
    row = at.one(_NAMED, tenant_id=at.actor.tenant_id, **_place(scope), name_key=fold(name))
    return record(row) if row else None


def hold(tx: Tx, group_id: str) -> CorrectorGroup | None:
    """A group that nobody else changes or asserts until the end of this transaction, which comes after all who did."""
    this = {"tenant_id": tx.actor.tenant_id, "id": group_id}
    row = tx.one(_HOLD, **this)
    if row is None:
        return None
    tx.happens_after(row["updated_at"])
    asserted = tx.one(_LAST_ASSERTED, **this)
    if asserted is not None:
        tx.happens_after(asserted["created_at"])
    return record(row)


def hold_shared(tx: Tx, group_id: str) -> CorrectorGroup | None:
    """A group that nobody changes until the end of this transaction; others may assert it meanwhile."""
    row = tx.one(_HOLD_SHARED, tenant_id=tx.actor.tenant_id, id=group_id)
    if row is None:
        return None
    tx.happens_after(row["updated_at"])
    return record(row)


def record(row: Row) -> CorrectorGroup:
    """A row as a record."""
    restriction: Mapping[str, object] | None = (
        None if row["assertable_by"] is None else json.read_stored(row["assertable_by"])
    )
    return CorrectorGroup(
        id=row["id"],
        tenant_id=row["tenant_id"],
        name=row["name"],
        scope=Scope(row["scope_kind"], row["project_id"] or None, row["agent_id"], row["agent_key"] or None),
        weight=float(json.read_stored(row["weight"])),
        assertable_by=None if restriction is None else AssertableBy.from_wire(restriction),
        created_by_kind=row["created_by_kind"],
        created_by_id=row["created_by_id"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        retired_at=row["retired_at"],
    )


def _place(scope: Scope) -> dict[str, str]:
    return {
        "scope_kind": scope.kind,
        "project_id": scope.project_id or "",
        "agent_key": scope.agent_key or "",
    }


def _restriction(group: CorrectorGroup) -> str | None:
    return None if group.assertable_by is None else json.write_text(group.assertable_by.on_wire())
