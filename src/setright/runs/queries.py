"""What can be asked about runs."""

from collections.abc import Sequence
from typing import Any

from setright.identity import get_project
from setright.kernel.actor import Role
from setright.kernel.errors import InvalidParameter
from setright.kernel.ids import with_prefix
from setright.kernel.paging import DEFAULT_LIMIT, Page, Place, page_of
from setright.runs import store
from setright.runs.errors import RunNotFound
from setright.runs.lifecycle import RUN_LIFE
from setright.runs.model import Run, RunContent, RunCopy, RunFilters, RunInFull
from setright.storage import Snapshot
from setright.storage.lists import among, numbered, page_values
from setright.subjects import fold


def get_run(at: Snapshot, run_id: str, calls_after: int = 0, calls_limit: int = DEFAULT_LIMIT) -> RunInFull:
    """A run with its content and so many of its calls, after passing over `calls_after` of them."""
    this = {"tenant_id": at.actor.tenant_id, "run_id": with_prefix("run", run_id)}
    row = at.one(store.GET, **this)
    if row is None:
        raise RunNotFound(run_id)
    at.actor.require(Role.READ, row["project_id"])
    if row["content_expired_at"] is not None:
        # What is left of it is the copy of its corrections, and is read with them.
        return RunInFull(store.run_in(row), None, [], None)
    calls = store.calls_in(at.all(store.CALLS, **this, first=calls_after, count=calls_limit))
    seen = calls_after + len(calls)
    more = calls and seen < row["call_count"]
    return RunInFull(store.run_in(row), _content(at, this), calls, seen if more else None)


def copy_of(at: Snapshot, run_id: str) -> RunCopy | None:
    """The content that the corrections of a run hold, every call included; None when it is gone.

    Whose rights are not checked: whoever may read a correction may read its copy.
    """
    this = {"tenant_id": at.actor.tenant_id, "run_id": with_prefix("run", run_id)}
    content = _content(at, this)
    if content is None:
        return None
    calls = store.calls_in(at.all(store.ALL_CALLS, **this))
    return RunCopy(content.input, calls, content.output, content.has_output, content.answer)


def projects_of(at: Snapshot, run_ids: Sequence[str]) -> dict[str, str]:
    """In which project each of these runs stands, without those that are missing; whose rights are not checked."""
    count, names = among("run", run_ids)
    rows = at.all(store.projects_of(count), tenant_id=at.actor.tenant_id, **names)
    return {row["id"]: row["project_id"] for row in rows}


def list_runs(at: Snapshot, filters: RunFilters, after: Place | None, limit: int) -> Page[Run]:
    """A page of the runs that the caller may read, newest first, without their content."""
    _check(filters)
    projects = at.actor.readable_projects()
    if filters.project_id is not None:
        projects = [get_project(at, filters.project_id).id]
    if projects is not None and not projects:
        return Page([])
    few = projects is None or len(projects) <= store.FEW_PROJECTS
    count, among_projects = numbered("project", projects or ()) if few else among("project", projects or ())
    statuses, among_statuses = numbered("status", sorted(set(filters.status)))
    present = _values(filters)
    statement = store.page(frozenset(present), count, statuses)
    values = present | among_projects | among_statuses | page_values(after, limit)
    rows = at.all(statement, tenant_id=at.actor.tenant_id, **values)
    return page_of(rows, limit, store.place_of, store.run_in)


def _content(at: Snapshot, this: dict[str, str]) -> RunContent | None:
    row = at.one(store.CONTENT, **this)
    return None if row is None or row["input"] is None else store.content_in(row)


def _check(filters: RunFilters) -> None:
    """Refuse filters that no run could answer to."""
    if filters.agent_version is not None and filters.agent_id is None:
        raise InvalidParameter("agentVersion: needs agentId beside it.", {"parameter": "agentVersion"})
    if filters.agent_id is not None and filters.flow_id is not None:
        raise InvalidParameter(
            "flowId: cannot stand beside agentId; a run is one or the other's.", {"parameter": "flowId"}
        )
    for status in filters.status:
        if status not in RUN_LIFE.statuses:
            allowed = ", ".join(RUN_LIFE.statuses)
            raise InvalidParameter(f"status: {status!r} is none of {allowed}.", {"parameter": "status"})


def _values(filters: RunFilters) -> dict[str, Any]:
    """The filters that are present, by the names that the statement knows."""
    subject_id = filters.agent_id if filters.agent_id is not None else filters.flow_id
    found = {
        "subject_kind": "flow" if filters.agent_id is None else "agent",
        "subject_key": None if subject_id is None else fold(subject_id),
        "subject_version": filters.agent_version,
        "participant_id": filters.participant_id,
        "since": filters.since,
        "until": filters.until,
    }
    if subject_id is None:
        del found["subject_kind"]
    return {name: value for name, value in found.items() if value is not None}
