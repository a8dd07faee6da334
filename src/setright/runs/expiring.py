"""Cutting the content of finished runs that were kept for long enough: what stays says which version ran, when and how."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import BigInteger, bindparam, delete, func, null, select, tuple_, update

from setright.kernel.paging import Place
from setright.runs.tables import run_calls, run_contents, runs
from setright.storage import Snapshot, Sql, Tx
from setright.storage.lists import among, any_of

_R = runs.c
_OLDEST = (_R.finished_at, _R.id)
_DUE = (
    _R.tenant_id == bindparam("tenant_id"),
    _R.project_id == bindparam("project_id"),
    _R.finished_at.is_not(None),
    _R.finished_at < bindparam("before"),
    _R.content_expired_at.is_(None),
    _R.content_erased_at.is_(None),
)
_NEXT = Sql(
    select(_R.id, _R.finished_at, _R.byte_count)
    .where(*_DUE, tuple_(*_OLDEST) > tuple_(bindparam("after", type_=BigInteger()), bindparam("after_id")))
    .order_by(*_OLDEST)
    .limit(bindparam("count"))
)
_COUNT = Sql(select(func.count().label("count")).select_from(runs).where(*_DUE))


@dataclass(frozen=True, slots=True)
class DueRun:
    """A finished run whose content was kept for long enough, and how many bytes that has."""

    id: str
    finished_at: int
    byte_count: int


@lru_cache(maxsize=16)
def _held(count: int) -> Sql:
    these = (_R.tenant_id == bindparam("tenant_id"), any_of(_R.id, "run", count))
    shown = (_R.id, _R.copy_kept_at)
    there = (_R.finished_at.is_not(None), _R.content_expired_at.is_(None), _R.content_erased_at.is_(None))
    return Sql(select(*shown).where(*these, *there).order_by(_R.id).with_for_update(key_share=True))


@lru_cache(maxsize=16)
def _marked(count: int) -> Sql:
    these = (_R.tenant_id == bindparam("of_tenant"), any_of(_R.id, "run", count))
    return Sql(update(runs).where(*these).values(tags=null(), content_expired_at=bindparam("now")))


@lru_cache(maxsize=16)
def _dropped(count: int) -> tuple[Sql, ...]:
    return tuple(
        Sql(
            delete(table).where(
                table.c.tenant_id == bindparam("of_tenant"), any_of(table.c.run_id, "run", count)
            )
        )
        for table in (run_calls, run_contents)
    )


@lru_cache(maxsize=16)
def _whose(count: int) -> Sql:
    these = (_R.tenant_id == bindparam("tenant_id"), any_of(_R.id, "run", count))
    return Sql(select(_R.id, _R.project_id, _R.participant_id).where(*these))


def due_runs(at: Snapshot, project_id: str, before: int, after: Place, count: int) -> Sequence[DueRun]:
    """The next runs of a project after a place that finished before a moment and have their content, oldest first."""
    values = {"project_id": project_id, "before": before, "count": count}
    rows = at.all(_NEXT, tenant_id=at.actor.tenant_id, after=after.moment, after_id=after.id, **values)
    return [DueRun(**row) for row in rows]


def count_due_runs(at: Snapshot, project_id: str, before: int) -> int:
    """How many runs of a project finished before a moment and have their content."""
    row = at.one(_COUNT, tenant_id=at.actor.tenant_id, project_id=project_id, before=before)
    return 0 if row is None else row["count"]


def expire_runs(tx: Tx, run_ids: Sequence[str]) -> int:
    """Cut the content of finished runs; how many had any.

    What corrections hold of a run stays, for them alone. The hashes by which a run is known again stay, too, and so
    does its participant, so that an erasure finds it.
    """
    if not run_ids:
        return 0
    count, names = among("run", run_ids)
    found = tx.all(_held(count), tenant_id=tx.actor.tenant_id, **names)
    bare = [row["id"] for row in found if row["copy_kept_at"] is None]
    if bare:
        count, names = among("run", bare)
        for statement in _dropped(count):
            tx.run(statement, of_tenant=tx.actor.tenant_id, **names)
    if found:
        count, names = among("run", [row["id"] for row in found])
        tx.run(_marked(count), of_tenant=tx.actor.tenant_id, now=tx.now, **names)
    return len(found)


def whose_runs(at: Snapshot, run_ids: Sequence[str]) -> dict[str, tuple[str, str | None]]:
    """The project and the participant of each of these runs; whose rights are not checked."""
    if not run_ids:
        return {}
    count, names = among("run", run_ids)
    rows = at.all(_whose(count), tenant_id=at.actor.tenant_id, **names)
    return {row["id"]: (row["project_id"], row["participant_id"]) for row in rows}
