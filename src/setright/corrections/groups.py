"""Corrector groups: made, changed, retired, read, and asserted by who corrects a run under one."""

from collections.abc import Collection
from dataclasses import replace

from setright import identity
from setright.corrections import group_store as store
from setright.corrections.errors import (
    CorrectorGroupExists,
    CorrectorGroupNotAllowed,
    CorrectorGroupNotApplicable,
    CorrectorGroupNotFound,
)
from setright.corrections.group_model import (
    Assertable,
    AssertableBy,
    CorrectorGroup,
    CorrectorGroupChange,
    GroupFilters,
    GroupScope,
    NewCorrectorGroup,
    Scope,
)
from setright.corrections.group_rules import covers, parts_not_held
from setright.corrections.lifecycle import GROUP_LIFE
from setright.identity import TokenNotFound, UserNotFound
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import ChangedMeanwhile, fault_at, refuse_faults
from setright.kernel.events import Event
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place, page_of
from setright.runs import RunToCorrect
from setright.storage import Row, Snapshot, Tx
from setright.storage.lists import among, page_values
from setright.subjects import fold


def create_group(tx: Tx, new: NewCorrectorGroup) -> CorrectorGroup:
    """Make a corrector group; needs the role admin where it counts: in its project, or in the tenant."""
    scope = _scope(tx, new.scope)
    _require_admin(tx.actor, scope)
    group = CorrectorGroup(
        id=tx.new_id("grp"),
        tenant_id=tx.actor.tenant_id,
        name=new.name,
        scope=scope,
        weight=_weight(1 if new.weight is None else new.weight),
        assertable_by=_restriction(tx, new.assertable_by),
        created_by_kind=tx.actor.kind,
        created_by_id=tx.actor.id,
        created_at=tx.now,
        updated_at=tx.now,
        retired_at=None,
    )
    _check_name(tx, group)
    identity.require_below_cap(tx, "corrector-groups", lambda: count_groups(tx))
    store.add(tx, group)
    tx.announce(_event("group.created", group, ("name", "weight", "scope", "assertableBy", "status")))
    return group


def change_group(
    tx: Tx, group_id: str, change: CorrectorGroupChange, known: Collection[int] | None = None
) -> CorrectorGroup:
    """Give a group another name, weight or restriction; what was recorded under it is not rewritten.

    With `known`, only if its updatedAt is one of these. A retired group may be changed too: its corrections still count.
    """
    now = _to_change(tx, group_id)
    if known is not None and now.updated_at not in known:
        raise ChangedMeanwhile("corrector group", now)
    changed = replace(
        now,
        name=now.name if change.name is None else change.name,
        weight=now.weight if change.weight is None else _weight(change.weight),
        assertable_by=_restriction(tx, change.assertable_by) if change.restricts() else now.assertable_by,
    )
    _check_name(tx, changed)
    return _kept(tx, now, changed, "change")


def retire_group(tx: Tx, group_id: str) -> CorrectorGroup:
    """From now on nobody corrects under the group, for good; it stays readable and its corrections count. Again is the same."""
    now = _to_change(tx, group_id)
    if GROUP_LIFE.find("retire", now.status) is None:
        return now
    return _kept(tx, now, replace(now, retired_at=tx.now), "retire")


def asserted_group(tx: Tx, group_id: str, run: RunToCorrect) -> CorrectorGroup:
    """The group under which the caller corrects a run, which stays as it is until the end of this transaction.

    Refused where it is not there, is retired or does not cover the run, and then where the caller may not assert it.
    """
    group = store.hold_shared(tx, with_prefix("grp", group_id))
    if group is None or not covers(group.scope, run.project_id, run.subject_kind, run.subject_key):
        raise CorrectorGroupNotApplicable(group_id)
    if group.retired_at is not None:
        raise CorrectorGroupNotApplicable(group.id, group.retired_at)
    if group.assertable_by is not None:
        _check_asserter(tx, group, group.assertable_by, run.project_id)
    return group


def get_group(at: Snapshot, group_id: str) -> CorrectorGroup:
    """A group that the caller may read: the tenant's, or one of a project that it may read."""
    group = store.find(at, with_prefix("grp", group_id))
    if group is None:
        raise CorrectorGroupNotFound(group_id)
    if group.scope.project_id is not None:
        at.actor.require(Role.READ, group.scope.project_id)
    return group


def count_groups(at: Snapshot) -> int:
    """How many groups of the tenant may still be asserted."""
    return store.count(at)


def list_groups(at: Snapshot, filters: GroupFilters, after: Place | None, limit: int) -> Page[CorrectorGroup]:
    """A page of the groups that the caller may read, newest first; retired ones only when asked for."""
    found = {
        "project_id": filters.project_id and identity.get_project(at, filters.project_id).id,
        "agent_key": None if filters.agent_id is None else fold(filters.agent_id),
        "scope_kind": filters.kind,
        "not_retired": None if filters.include_retired else "",
    }
    values = {name: value for name, value in found.items() if value is not None}
    readable = at.actor.readable_projects()
    count, chosen = (None, {}) if readable is None else among("project", ["", *readable])
    statement = store.page(frozenset(values), count)
    values.pop("not_retired", None)
    rows = at.all(statement, tenant_id=at.actor.tenant_id, **values, **chosen, **page_values(after, limit))
    return page_of(rows, limit, _place, store.record)


def _check_asserter(tx: Tx, group: CorrectorGroup, by: AssertableBy, project_id: str) -> None:
    """Refuse a caller for whom a part of the restriction does not hold; only here is a reviewer role needed."""
    role = identity.reviewer_role(tx, project_id) if by.min_reviewer_role is not None else None
    missing = parts_not_held(by, tx.actor.kind, tx.actor.id, role)
    if missing:
        raise CorrectorGroupNotAllowed(group.id, project_id, by, missing, role)


def _to_change(tx: Tx, group_id: str) -> CorrectorGroup:
    """The group, held until the end of the transaction, if the caller may change it."""
    group = store.hold(tx, with_prefix("grp", group_id))
    if group is None:
        raise CorrectorGroupNotFound(group_id)
    _require_admin(tx.actor, group.scope)
    return group


def _require_admin(actor: Actor, scope: Scope) -> None:
    if scope.project_id is None:
        actor.require_in_tenant(Role.ADMIN)
    else:
        actor.require(Role.ADMIN, scope.project_id)


def _scope(tx: Tx, wanted: GroupScope) -> Scope:
    """The scope as it is stored, whose project exists."""
    if wanted.project_id is None:
        return Scope(wanted.kind)
    project_id = identity.find_project(tx, wanted.project_id).id
    agent_key = None if wanted.agent_id is None else fold(wanted.agent_id)
    return Scope(wanted.kind, project_id, wanted.agent_id, agent_key)


def _weight(weight: float) -> float:
    """A weight as it is stored: no negative zero."""
    return float(weight) + 0.0


def _restriction(tx: Tx, wanted: Assertable | None) -> AssertableBy | None:
    """Who may assert, with principals that exist and that are of a kind that may."""
    if wanted is None:
        return None
    kinds = None if wanted.principal_kinds is None else tuple(wanted.principal_kinds)
    ids: list[str] | None = None
    if wanted.principal_ids is not None:
        ids, faults = [], list[dict[str, str]]()
        for index, text in enumerate(wanted.principal_ids):
            kind, principal_id, fault = _principal(tx, text)
            if fault is None and kinds is not None and kind not in kinds:
                fault = f"is a {kind}'s id, and principalKinds allows none"
            if fault is not None:
                faults.append(fault_at(f"/assertableBy/principalIds/{index}", fault))
            ids.append(principal_id)
        if faults:
            raise refuse_faults(faults)
    return AssertableBy(wanted.min_reviewer_role, kinds, None if ids is None else tuple(dict.fromkeys(ids)))


def _principal(tx: Tx, text: str) -> tuple[str, str, str | None]:
    """The kind and the stored id of whom an id names, and what is wrong with it: nobody, or no caller of that id."""
    try:
        if not text.startswith("tok_"):
            return "user", identity.find_user(tx, text).id, None
        token = identity.find_token(tx, text)
    except (UserNotFound, TokenNotFound):
        return "user", text, "is the id of no user and of no service token of this tenant"
    return "service", token.id, None if token.kind == "service" else "is a user's token; give the user's id"


def _check_name(tx: Tx, group: CorrectorGroup) -> None:
    """Refuse a name that another group of the scope has; who takes it at the same moment is met by the index."""
    other = store.named(tx, group.scope, group.name)
    if other is not None and other.id != group.id:
        raise CorrectorGroupExists(other)


_FIELDS = {"name": "name", "weight": "weight", "assertable_by": "assertableBy", "retired_at": "status"}


def _kept(tx: Tx, now: CorrectorGroup, changed: CorrectorGroup, verb: str) -> CorrectorGroup:
    """Store a change and announce which fields it changed; what changed nothing writes nothing."""
    fields = tuple(wire for name, wire in _FIELDS.items() if getattr(now, name) != getattr(changed, name))
    move = GROUP_LIFE.find(verb, now.status)
    if not fields or move is None:
        return now
    changed = replace(changed, updated_at=tx.now)
    store.change(tx, changed)
    tx.announce(_event(move.event, changed, fields))
    return changed


def _event(kind: str, group: CorrectorGroup, changed: tuple[str, ...]) -> Event:
    return Event(kind, "group", group.id, group.scope.project_id, changed)


def _place(row: Row) -> Place:
    return Place(row["created_at"], row["id"])
