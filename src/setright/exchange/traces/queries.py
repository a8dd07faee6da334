"""What can be read of traces."""

from typing import Any

from setright.exchange.kinds import fields_of
from setright.exchange.traces import store
from setright.exchange.traces.errors import TraceNotFound
from setright.exchange.traces.model import Evaluation, LateSpan, Trace, TraceFilters, TraceInFull
from setright.identity import find_project
from setright.kernel import json
from setright.kernel.actor import Role
from setright.kernel.paging import Page, Place
from setright.storage import Row, Snapshot


def list_traces(at: Snapshot, filters: TraceFilters, after: Place | None, limit: int) -> Page[Trace]:
    """A page of the traces of projects that the caller may read, newest first."""
    readable = at.actor.readable_projects()
    if filters.project_id is not None:
        project = find_project(at, filters.project_id)
        at.actor.require(Role.READ, project.id)
        return store.page(at, TraceFilters(project.id, filters.state), None, after, limit)
    if readable is not None and not readable:
        return Page([])
    return store.page(at, filters, readable, after, limit)


def get_trace(at: Snapshot, trace_id: str, project_id: str | None) -> TraceInFull:
    """A trace with what came late; in which project is asked only where it is in several that the caller may read."""
    rows = at.all(store.FIND, tenant_id=at.actor.tenant_id, trace_id=trace_id.lower())
    if project_id is not None:
        wanted = find_project(at, project_id).id
        rows = [row for row in rows if row["project_id"] == wanted]
    readable = [row for row in rows if at.actor.may(Role.READ, row["project_id"])]
    if not rows:
        raise TraceNotFound(trace_id)
    if not readable:
        at.actor.require(Role.READ, rows[0]["project_id"])
    trace = store.trace_in(readable[0])
    late = [_late(row) for row in _shown(at, trace, "span", late=1)]
    return TraceInFull(trace, late, [_evaluation(row) for row in _shown(at, trace, "evaluation", late=0)])


def _shown(at: Snapshot, trace: Trace, kind: str, *, late: int) -> list[Row]:
    this = store.this(at, trace.project_id, trace.trace_id)
    return list(at.all(store.SHOWN, **this, kind=kind, late=late, count=store.MOST_SHOWN))


def _content(row: Row) -> dict[str, Any]:
    return {} if row["content"] is None else fields_of(json.read_stored(row["content"]))


def _late(row: Row) -> LateSpan:
    said = _content(row)
    return LateSpan(row["part_key"], said.get("name"), said.get("attributes"), row["created_at"])


def _evaluation(row: Row) -> Evaluation:
    said = fields_of(_content(row).get("attributes"))
    words = (said.get(f"gen_ai.evaluation.{name}") for name in ("name", "score.label", "explanation"))
    name, label, explanation = (word if isinstance(word, str) else None for word in words)
    score = said.get("gen_ai.evaluation.score.value")
    return Evaluation(row["part_key"].partition("-")[0], name, label, score, explanation, row["created_at"])
