"""The log of who was shown what runs said, for projects that ask for one: of people only, before they are shown it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, and_, bindparam, delete, func, select, tuple_

from setright.identity import find_project, require_whole_rights
from setright.kernel.actor import Role
from setright.kernel.events import Event
from setright.kernel.fields import Input, required
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place, page_of
from setright.runs.model import RunInFull
from setright.runs.queries import get_run
from setright.runs.tables import read_logs, run_reads
from setright.storage import Row, Snapshot, Sql, Tx, insert, upsert
from setright.storage.lists import among, any_of, before, page_values

_L, _R = read_logs.c, run_reads.c
_LOG = Sql(
    select(read_logs).where(_L.tenant_id == bindparam("tenant_id"), _L.project_id == bindparam("project_id"))
)
_SET = upsert(read_logs, ("tenant_id", "project_id"))
_ADD = insert(run_reads)
_OF_PROJECT = and_(_R.tenant_id == bindparam("tenant_id"), _R.project_id == bindparam("project_id"))
_NEXT = Sql(
    select(_R.at, _R.id, _R.run_id, _R.by_id)
    .where(
        _OF_PROJECT,
        _R.at < bindparam("before_moment"),
        tuple_(_R.at, _R.id) > tuple_(bindparam("after", type_=BigInteger()), bindparam("after_id")),
    )
    .order_by(_R.at, _R.id)
    .limit(bindparam("count"))
)
_COUNT = Sql(
    select(func.count().label("count"))
    .select_from(run_reads)
    .where(_OF_PROJECT, _R.at < bindparam("before_moment"))
)
_NARROWED = {
    "run_id": _R.run_id == bindparam("run_id"),
    "by_id": _R.by_id == bindparam("by_id"),
    "since": _R.at >= bindparam("since"),
    "until": _R.at < bindparam("until"),
}


class ReadLogChange(Input):
    """Whether reads of a project's runs are logged from now on."""

    kept: bool = required("True: every read of what a run said, by a person, is logged before it is shown.")


@dataclass(frozen=True, slots=True)
class ReadLog:
    """Whether a project's log of reads is kept; nobody set it where `updated_at` is 0."""

    project_id: str
    kept: bool
    updated_at: int = 0
    set_by_kind: str | None = None
    set_by_id: str | None = None


@dataclass(frozen=True, slots=True)
class RunRead:
    """That a person was shown what a run said: `via` is the route or the tool."""

    id: str
    project_id: str
    run_id: str
    via: str
    by_kind: str
    by_id: str
    at: int


@dataclass(frozen=True, slots=True)
class ReadFilters:
    """Which reads of a project: all of what is given."""

    project_id: str
    run_id: str | None = None
    user_id: str | None = None
    since: int | None = None
    until: int | None = None


@lru_cache(maxsize=16)
def _page(present: frozenset[str]) -> Sql:
    narrowed = [condition for name, condition in _NARROWED.items() if name in present]
    return Sql(
        select(run_reads)
        .where(_OF_PROJECT, *narrowed, before(_R.at, _R.id))
        .order_by(_R.at.desc(), _R.id.desc())
        .limit(bindparam("count"))
    )


@lru_cache(maxsize=16)
def _dropped(count: int) -> Sql:
    these = (_R.tenant_id == bindparam("of_tenant"), _R.project_id == bindparam("of_project"))
    span = (_R.at >= bindparam("first"), _R.at <= bindparam("last"))
    return Sql(delete(run_reads).where(*these, *span, any_of(_R.id, "read", count)))


def read_run(at: Snapshot, run_id: str, calls_after: int = 0, calls_limit: int = 25) -> RunInFull:
    """`get_run` for who is shown it, which is logged where the run's project asks for that."""
    found = get_run(at, run_id, calls_after, calls_limit)
    if found.content is not None:
        note_reads(at, found.run.project_id, [found.run.id])
    return found


def note_reads(at: Snapshot, project_id: str, run_ids: Sequence[str]) -> None:
    """Have it logged that the caller, if a person, is shown what these runs of a project said."""
    by, via = at.actor, at.via
    if not by.is_person or not run_ids or not log_of(at, project_id).kept:
        return

    def write(tx: Tx) -> None:
        for run_id in dict.fromkeys(run_ids):
            tx.add(
                _ADD,
                tenant_id=by.tenant_id,
                project_id=project_id,
                at=tx.now,
                id=tx.new_id("rrd"),
                run_id=run_id,
                via=via,
                by_kind=by.kind,
                by_id=by.id,
            )

    at.owes(write)


def log_of(at: Snapshot, project_id: str) -> ReadLog:
    """Whether a project's log of reads is kept; whose rights are not checked."""
    row = at.one(_LOG, tenant_id=at.actor.tenant_id, project_id=project_id)
    if row is None:
        return ReadLog(project_id, kept=False)
    return ReadLog(project_id, bool(row["kept"]), row["updated_at"], row["set_by_kind"], row["set_by_id"])


def get_read_log(at: Snapshot, project_id: str) -> ReadLog:
    """Whether reads of a project's runs are logged; everybody who may read there may know it."""
    project = find_project(at, project_id)
    at.actor.require(Role.READ, project.id)
    return log_of(at, project.id)


def set_read_log(tx: Tx, project_id: str, change: ReadLogChange) -> ReadLog:
    """Log reads of a project's runs from now on, or no more; needs the role admin in it, and the feed tells of it."""
    project = find_project(tx, project_id)
    tx.actor.require(Role.ADMIN, project.id)
    require_whole_rights(tx.actor)
    now = log_of(tx, project.id)
    if now.kept == change.kept:
        return now
    tx.happens_after(now.updated_at)
    made = ReadLog(project.id, change.kept, tx.now, tx.actor.kind, tx.actor.id)
    tx.run(
        _SET,
        tenant_id=tx.actor.tenant_id,
        project_id=project.id,
        kept=1 if made.kept else 0,
        set_by_kind=made.set_by_kind,
        set_by_id=made.set_by_id,
        updated_at=made.updated_at,
    )
    kind = "read-log.begun" if made.kept else "read-log.ended"
    tx.announce(Event(kind, "project", project.id, project.id, ("kept",)))
    return made


def list_reads(at: Snapshot, filters: ReadFilters, after: Place | None, limit: int) -> Page[RunRead]:
    """A page of the logged reads of a project's runs, newest first; needs the role admin in it."""
    project = find_project(at, filters.project_id)
    at.actor.require(Role.ADMIN, project.id)
    require_whole_rights(at.actor)
    given: Mapping[str, Any] = {
        "run_id": None if filters.run_id is None else with_prefix("run", filters.run_id),
        "by_id": None if filters.user_id is None else with_prefix("usr", filters.user_id),
        "since": filters.since,
        "until": filters.until,
    }
    present = {name: value for name, value in given.items() if value is not None}
    values = {"tenant_id": at.actor.tenant_id, "project_id": project.id}
    rows = at.all(_page(frozenset(present)), **values, **present, **page_values(after, limit))
    return page_of(rows, limit, lambda row: Place(row["at"], row["id"]), _read_in)


def due_reads(at: Snapshot, project_id: str, moment: int, after: Place, count: int) -> Sequence[Row]:
    """The next logged reads of a project after a place and from before a moment: at, id, run_id and by_id."""
    values = {"project_id": project_id, "before_moment": moment, "count": count}
    return at.all(_NEXT, tenant_id=at.actor.tenant_id, after=after.moment, after_id=after.id, **values)


def count_due_reads(at: Snapshot, project_id: str, moment: int) -> int:
    """How many logged reads of a project are from before a moment."""
    row = at.one(_COUNT, tenant_id=at.actor.tenant_id, project_id=project_id, before_moment=moment)
    return 0 if row is None else row["count"]


def drop_reads(tx: Tx, project_id: str, some: Sequence[Row]) -> int:
    """Drop these logged reads of a project, oldest first as they were found; how many were there."""
    if not some:
        return 0
    count, names = among("read", [row["id"] for row in some])
    span = {"first": some[0]["at"], "last": some[-1]["at"]}
    return tx.run(_dropped(count), of_tenant=tx.actor.tenant_id, of_project=project_id, **span, **names)


def _read_in(row: Row) -> RunRead:
    return RunRead(**{name: row[name] for name in row if name != "tenant_id"})
