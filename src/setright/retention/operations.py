"""What can be done about retention: it is set for a project or the tenant, and kept to before its daily passing."""

from collections.abc import Collection

from setright import jobs
from setright.identity import find_project, require_whole_rights
from setright.kernel.actor import Role
from setright.kernel.errors import ChangedMeanwhile
from setright.kernel.events import Event
from setright.retention import store
from setright.retention.jobs import CUT, DAY, begun
from setright.retention.model import NewProjectRetention, NewTenantRetention, Passing, Retention
from setright.storage import Tx


def set_project_retention(
    tx: Tx, project_id: str, new: NewProjectRetention, known: Collection[int] | None = None
) -> Retention:
    """Say how long content of a project is kept; needs the role admin in it.

    The next daily passing keeps to it; the first comes a day after retention was set for the first time. With
    `known`, only if its updatedAt is one of these.
    """
    project = find_project(tx, project_id)
    tx.actor.require(Role.ADMIN, project.id)
    require_whole_rights(tx.actor)
    return _set(tx, project.id, new, known)


def set_tenant_retention(tx: Tx, new: NewTenantRetention, known: Collection[int] | None = None) -> Retention:
    """Say how long content that belongs to no project is kept; for admins of the tenant. As above."""
    tx.actor.require_admin()
    return _set(tx, None, new, known)


def begin_passing(tx: Tx) -> Passing:
    """Keep to what is set now, and not at the next daily passing; for admins of the tenant."""
    tx.actor.require_admin()
    made = begun(tx)
    jobs.ask(tx, CUT, made.id, {"passingId": made.id})
    return made


def _set(
    tx: Tx,
    project_id: str | None,
    new: NewProjectRetention | NewTenantRetention,
    known: Collection[int] | None,
) -> Retention:
    before = store.hold(tx, project_id)
    if known is not None and before.updated_at not in known:
        raise ChangedMeanwhile("retention", before)
    given: dict[str, int | None] = {kind: getattr(new, kind) for kind in sorted(new.model_fields_set)}
    changed = tuple(kind for kind, days in given.items() if days != before.days.get(kind))
    if not changed:
        return before
    tx.happens_after(before.updated_at)
    wanted = {**before.days, **given}
    now = Retention(
        project_id=project_id,
        days={kind: days for kind, days in wanted.items() if days is not None},
        updated_at=tx.now,
        set_by_kind=tx.actor.kind,
        set_by_id=tx.actor.id,
        longer=[kind for kind in changed if _is_longer(before.days.get(kind), given[kind])],
    )
    store.put(tx, now)
    jobs.again_and_again(tx, CUT, DAY, first=tx.now + DAY)
    thing = ("tenant", tx.actor.tenant_id) if project_id is None else ("project", project_id)
    tx.announce(Event("retention.changed", *thing, project_id, changed))
    return now


def _is_longer(before: int | None, now: int | None) -> bool:
    return before is not None and (now is None or now > before)
