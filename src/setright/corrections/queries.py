"""What can be asked about corrections."""

from collections.abc import Sequence
from typing import Any

from setright import events, identity, runs
from setright.corrections import reviewing, store, story, waiting_store
from setright.corrections.errors import CorrectionNotFound
from setright.corrections.lists import list_statement
from setright.corrections.model import Correction, CorrectionFilters, CorrectionWithCopy
from setright.events import EventPage
from setright.kernel.actor import Role
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place, page_of
from setright.kernel.pointers import resolve
from setright.runs import RunCopy
from setright.storage import Row, Snapshot
from setright.storage.lists import among, numbered, page_values
from setright.subjects import fold

FEW_PROJECTS = 32


def get_correction(at: Snapshot, correction_id: str) -> CorrectionWithCopy:
    """A correction with the copy of its run and what each item's pointer leads to."""
    correction = readable(at, correction_id)
    copy = runs.copy_of(at, correction.run_id)
    return CorrectionWithCopy(correction, _copy_on_wire(copy), _values(correction, copy))


def read_correction(at: Snapshot, correction_id: str) -> CorrectionWithCopy:
    """`get_correction` for who is shown it: what its run said is logged as read where the project asks for that."""
    found = get_correction(at, correction_id)
    if found.copy:
        runs.note_reads(at, found.correction.project_id, [found.correction.run_id])
    return found


def correction_history(at: Snapshot, correction_id: str, after: int = 0, limit: int = 100) -> EventPage:
    """What happened to a correction, oldest first, after the event with the seq `after`; a move with what it changed."""
    correction = readable(at, correction_id)
    page = events.history(at, correction.id, after, limit)
    return EventPage(story.told(at, correction.id, page.data), page.has_more)


def list_corrections(
    at: Snapshot, filters: CorrectionFilters, after: Place | None, limit: int
) -> Page[Correction]:
    """A page of the corrections that the caller may read, newest first; superseded ones only when asked for."""
    projects = _projects(at, filters.project_id)
    if projects is not None and not projects:
        return Page([])
    values = _values_of(filters)
    count, seeing = _seeing(at, projects)
    statement = list_statement(frozenset(values), len(projects or ()), len(filters.status), count)
    names = {name: value for name, value in values.items() if name not in _FLAGS}
    names |= (
        page_values(after, limit)
        | numbered("project", projects or ())[1]
        | numbered("status", filters.status)[1]
        | seeing
    )
    rows = at.all(statement, tenant_id=at.actor.tenant_id, **names)
    return page_of(rows, limit, _place, store.record)


_FLAGS = ("expert", "not_expert")


def _values_of(filters: CorrectionFilters) -> dict[str, Any]:
    """The filters that are present, by the names that the list statement knows."""
    subject_id = filters.agent_id if filters.agent_id is not None else filters.flow_id
    found: dict[str, Any] = {
        "run_id": filters.run_id and with_prefix("run", filters.run_id),
        "subject_kind": None if subject_id is None else ("agent" if filters.agent_id is not None else "flow"),
        "subject_key": None if subject_id is None else fold(subject_id),
        "subject_version": filters.agent_version,
        "sorted_to": filters.sorted_to,
        "decisions": filters.decisions,
        "answer": filters.answer,
        "corrector_group_id": filters.corrector_group_id and with_prefix("grp", filters.corrector_group_id),
        "participant_key": filters.participant_id,
        "made_by_id": filters.made_by and _principal(filters.made_by),
        "since": filters.since,
        "until": filters.until,
        "place": None if filters.include_unregistered else "",
        "expert": filters.expert or None,
        "not_expert": True if filters.expert is False else None,
    }
    return {name: value for name, value in found.items() if value is not None}


def _principal(text: str) -> str:
    """A bare ULID may be a user's or a token's; users are meant unless the prefix says otherwise."""
    return text if text.startswith("tok_") else with_prefix("usr", text)


def _projects(at: Snapshot, asked: str | None) -> list[str] | None:
    """The projects to read: the one asked for, else those that the caller may read (None: all, and many)."""
    if asked is not None:
        project = identity.get_project(at, asked)
        return [project.id]
    readable = at.actor.readable_projects()
    if readable is not None:
        return readable
    few = identity.list_projects(at, limit=FEW_PROJECTS)
    return [project.id for project in few.data] if few.next is None else None


def _seeing(at: Snapshot, projects: Sequence[str] | None) -> tuple[int | None, dict[str, str]]:
    """What the list statement needs to know of who asks, to leave out what is blind for it."""
    actor = at.actor
    administered = actor.projects_with(Role.ADMIN)
    if administered is None or (projects is not None and set(projects) <= set(administered)):
        return None, {}
    count, names = among("admin", administered)
    return count, {**names, "my_kind": actor.kind, "my_id": actor.id}


def readable(at: Snapshot, correction_id: str) -> Correction:
    """A correction that the caller may read."""
    correction = store.find(at, with_prefix("cor", correction_id))
    if correction is None or not reviewing.sees(at.actor, correction):
        raise not_found(at, correction_id)
    at.actor.require(Role.READ, correction.project_id)
    return correction


def not_found(at: Snapshot, correction_id: str) -> CorrectionNotFound:
    """Why there is no such correction: perhaps it is held, and waits for its run."""
    held = waiting_store.find(at, with_prefix("cor", correction_id))
    if held is None:
        return CorrectionNotFound(correction_id)
    at.actor.require(Role.READ, held.project_id)
    return CorrectionNotFound(held.id, held.state)


def _place(row: Row) -> Place:
    return Place(row["created_at"], row["id"])


def _copy_on_wire(copy: RunCopy | None) -> dict[str, Any]:
    if copy is None:
        return {}
    shown: dict[str, Any] = {"input": copy.input, "calls": copy.calls}
    if copy.has_output:
        shown["output"] = copy.output
    if copy.answer is not None:
        shown["answer"] = copy.answer
    return shown


def _values(correction: Correction, copy: RunCopy | None) -> dict[str, Any]:
    if copy is None or not copy.has_output:
        return {}
    items = [item for item in correction.said.get("items", ()) if "pointer" in item]
    found = {item["key"]: resolve(copy.output, item["pointer"]) for item in items}
    return {key: value for key, (there, value) in found.items() if there}
