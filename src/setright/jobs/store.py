"""The statements of the jobs room; a worker's go over all tenants, everybody else's filter by tenant."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sqlalchemy import and_, bindparam, delete, func, null, select, update

from setright.jobs.model import Job
from setright.jobs.tables import jobs, recurring_jobs
from setright.kernel import json
from setright.storage import Row, Sql, upsert
from setright.storage.lists import before

J, R = jobs.c, recurring_jobs.c
_SHOWN = [column for column in J if column.name not in ("place", "lease")]
_THIS = and_(J.tenant_id == bindparam("tenant_id"), J.id == bindparam("id"))
_MINE = and_(J.id == bindparam("id"), J.lease == bindparam("lease"), J.state == "running")
_DUE = and_(J.next_at.is_not(None), J.next_at <= bindparam("now"))
_OLD = and_(J.finished_at.is_not(None), J.finished_at < bindparam("before_moment"))

ASK = upsert(
    jobs,
    ("tenant_id", "name", "key", "place"),
    overwrites=("due_at", "next_at", "arguments", "updated_at"),
)
IS_DUE = Sql(select(J.id).where(_DUE).limit(1))
NEXT = Sql(select(*_SHOWN).where(_DUE).order_by(J.next_at, J.id).limit(1).with_for_update(skip_locked=True))
TAKE = Sql(
    update(jobs)
    .where(J.id == bindparam("id"))
    .values(
        state="running",
        place=J.id,
        lease=bindparam("new_lease"),
        next_at=bindparam("until"),
        attempt=bindparam("new_attempt"),
        updated_at=bindparam("now"),
    )
)
GO_ON = Sql(
    update(jobs)
    .where(_MINE)
    .values(
        next_at=bindparam("until"),
        cursor=bindparam("new_cursor"),
        done_count=J.done_count + bindparam("done"),
        attempt=1,
        updated_at=bindparam("now"),
    )
)
END = Sql(
    update(jobs)
    .where(_MINE)
    .values(
        state=bindparam("new_state"),
        next_at=bindparam("new_next"),
        due_at=bindparam("new_due"),
        failure=bindparam("new_failure"),
        done_count=J.done_count + bindparam("done"),
        lease=null(),
        finished_at=bindparam("new_finished"),
        updated_at=bindparam("now"),
    )
)
GET = Sql(select(*_SHOWN).where(_THIS))
HOLD = Sql(select(*_SHOWN).where(_THIS).with_for_update())
SET_STATE = Sql(
    update(jobs)
    .where(_THIS)
    .values(
        state=bindparam("new_state"),
        place=bindparam("new_place"),
        due_at=bindparam("new_due"),
        next_at=bindparam("new_next"),
        attempt=0,
        lease=null(),
        finished_at=bindparam("new_finished"),
        updated_at=bindparam("now"),
    )
)
_UNDONE = and_(J.tenant_id == bindparam("tenant_id"), J.name == bindparam("name"), J.next_at.is_not(None))
UNDONE = Sql(select(*_SHOWN).where(_UNDONE).order_by(J.created_at, J.id))
BY_STATE = Sql(select(J.state, func.count().label("count")).group_by(J.state))
OLDEST = Sql(select(func.min(J.due_at).label("due_at")).where(_DUE))
DROP_OLD = Sql(delete(jobs).where(J.id.in_(select(J.id).where(_OLD).limit(bindparam("batch")))))

SAY_RECURRING = upsert(recurring_jobs, ("tenant_id", "name", "key"), overwrites=("every", "arguments"))
RECURRING_DUE = Sql(
    select(recurring_jobs).where(R.next_at <= bindparam("now")).limit(100).with_for_update(skip_locked=True)
)
RECURS_NOW = Sql(select(R.name).where(R.next_at <= bindparam("now")).limit(1))
MOVE_RECURRING = Sql(
    update(recurring_jobs)
    .where(R.tenant_id == bindparam("tenant_id"), R.name == bindparam("name"), R.key == bindparam("key"))
    .values(next_at=bindparam("new_next"))
)


@lru_cache
def page(present: frozenset[str]) -> Sql:
    """A page of a tenant's jobs, newest first, narrowed to a state or a name where that is `present`."""
    narrowed = {"state": J.state == bindparam("state"), "name": J.name == bindparam("name")}
    where = [condition for field, condition in narrowed.items() if field in present]
    return Sql(
        select(*_SHOWN)
        .where(J.tenant_id == bindparam("tenant_id"), *where, before(J.created_at, J.id))
        .order_by(J.created_at.desc(), J.id.desc())
        .limit(bindparam("count"))
    )


def job_in(row: Row) -> Job:
    """A row as a record."""
    whole = dict(row)
    whole["arguments"] = json.read_stored(row["arguments"])
    for name in ("cursor", "failure"):
        whole[name] = None if row[name] is None else json.read_stored(row[name])
    return Job(**whole)


def job_arguments(row: Row) -> Mapping[str, Any]:
    """The arguments of a row."""
    return json.read_stored(row["arguments"])


def text_of(value: Any) -> str | None:
    """A value as it is stored."""
    return None if value is None else json.write_text(value)
