"""The statements about traces; every one filters by tenant."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import and_, bindparam, func, literal_column, null, select, update

from setright.exchange.tables import trace_parts, traces
from setright.exchange.traces.model import Trace, TraceFilters
from setright.kernel.paging import Page, Place, page_of
from setright.storage import Row, Snapshot, Sql, Tx, insert_or_ignore
from setright.storage.lists import any_of, before, numbered, page_values

MOST_SHOWN = 100
_T, _P = traces.c, trace_parts.c
_THIS = and_(
    _T.tenant_id == bindparam("of_tenant"),
    _T.project_id == bindparam("of_project"),
    _T.trace_id == bindparam("of_trace"),
)
_PARTS = and_(
    _P.tenant_id == bindparam("of_tenant"),
    _P.project_id == bindparam("of_project"),
    _P.trace_id == bindparam("of_trace"),
)
BEGIN = insert_or_ignore(traces)
HOLD = Sql(select(traces).where(_THIS).with_for_update(key_share=True))
FIND = Sql(select(traces).where(_T.tenant_id == bindparam("tenant_id"), _T.trace_id == bindparam("trace_id")))
ADD_PART = insert_or_ignore(trace_parts)
PUT_PART = Sql(
    update(trace_parts)
    .where(_PARTS, _P.part_key == bindparam("of_part"))
    .values(content=bindparam("new_content"))
)
GROW = Sql(
    update(traces)
    .where(_THIS)
    .values(
        span_count=_T.span_count + bindparam("spans"),
        late_count=_T.late_count + bindparam("late"),
        last_at=bindparam("now"),
    )
)
END = Sql(
    update(traces)
    .where(_THIS)
    .values(state=bindparam("new_state"), run_id=bindparam("new_run"), reason=bindparam("new_reason"))
)
CONTENT = Sql(select(_P.kind, _P.content).where(_PARTS, _P.content.is_not(None)).order_by(_P.part_key))
SIZE = Sql(select(func.sum(func.length(_P.content)).label("size")).where(_PARTS))
EMPTY = Sql(
    update(trace_parts)
    .where(_PARTS, _P.kind != literal_column("'evaluation'"), _P.late == literal_column("0"))
    .values(content=null())
)
SHOWN = Sql(
    select(_P.part_key, _P.content, _P.created_at)
    .where(_PARTS, _P.kind == bindparam("kind"), _P.late >= bindparam("late"))
    .order_by(_P.created_at, _P.part_key)
    .limit(bindparam("count"))
)


@lru_cache(maxsize=16)
def of_runs(count: int) -> Sql:
    """The traces that became some runs."""
    shown = (_T.project_id, _T.trace_id)
    return Sql(select(*shown).where(_T.tenant_id == bindparam("tenant_id"), any_of(_T.run_id, "run", count)))


ERASED = "erased"
MARK_ERASED = Sql(update(traces).where(_THIS).values(reason=literal_column(f"'{ERASED}'")))
ERASE = Sql(update(trace_parts).where(_PARTS, _P.content.is_not(None)).values(content=null()))


def this(at: Snapshot, project_id: str, trace_id: str) -> dict[str, Any]:
    """The values that name a trace."""
    return {"of_tenant": at.actor.tenant_id, "of_project": project_id, "of_trace": trace_id}


def hold(tx: Tx, project_id: str, trace_id: str) -> Trace | None:
    """A trace, which nobody else changes before the end of the transaction."""
    row = tx.one(HOLD, **this(tx, project_id, trace_id))
    return None if row is None else trace_in(row)


@lru_cache(maxsize=64)
def _page(names: frozenset[str], projects: int) -> Sql:
    statement = select(traces).where(
        _T.tenant_id == bindparam("tenant_id"),
        before(_T.created_at, _T.trace_id),
        *(_T[name] == bindparam(name) for name in sorted(names)),
        *([any_of(_T.project_id, "project", projects)] if projects else ()),
    )
    return Sql(statement.order_by(_T.created_at.desc(), _T.trace_id.desc()).limit(bindparam("count")))


def page(
    at: Snapshot, filters: TraceFilters, projects: Sequence[str] | None, after: Place | None, limit: int
) -> Page[Trace]:
    """A page of traces, newest first; of all projects where `projects` is None."""
    given = {"project_id": filters.project_id, "state": filters.state}
    values = {name: value for name, value in given.items() if value is not None}
    statement = _page(frozenset(values), len(projects or ()))
    names: Mapping[str, Any] = numbered("project", projects or ())[1]
    rows = at.all(statement, tenant_id=at.actor.tenant_id, **values, **names, **page_values(after, limit))
    return page_of(rows, limit, lambda row: Place(row["created_at"], row["trace_id"]), trace_in)


def trace_in(row: Row) -> Trace:
    """A row as a record."""
    return Trace(
        project_id=row["project_id"],
        trace_id=row["trace_id"],
        state=row["state"],
        run_id=row["run_id"],
        reason=row["reason"],
        span_count=row["span_count"],
        late_count=row["late_count"],
        created_at=row["created_at"],
        last_at=row["last_at"],
    )
