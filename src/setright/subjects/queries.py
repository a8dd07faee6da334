"""Reading subjects."""

from collections.abc import Collection, Mapping

from setright.kernel.paging import Page, Place, page_of
from setright.storage import Snapshot
from setright.storage.lists import among, page_values
from setright.subjects import store
from setright.subjects.errors import subject_not_found
from setright.subjects.model import Kind, Subject, SubjectInFull, SubjectVersion, fold


def list_subjects(at: Snapshot, kind: Kind, after: Place | None, limit: int) -> Page[Subject]:
    """The agents, or the flows, that were seen in the projects that the caller may read, newest first."""
    count, projects = _readable(at)
    values = {"tenant_id": at.actor.tenant_id, "kind": kind} | projects | page_values(after, limit)
    rows = at.all(store.page(count), **values)
    return page_of(rows, limit, lambda row: Place(row["created_at"], row["key"]), store.subject_in)


def get_subject(at: Snapshot, kind: Kind, subject_id: str) -> SubjectInFull:
    """One subject with all its versions; refuses one that was seen in none of the caller's projects."""
    count, projects = _readable(at)
    this = {"tenant_id": at.actor.tenant_id, "kind": kind, "key": fold(subject_id)}
    row = at.one(store.one(count), **this, **projects)
    if row is None:
        raise subject_not_found(kind, subject_id)
    versions = [SubjectVersion(**version) for version in at.all(store.VERSIONS, **this)]
    return SubjectInFull(store.subject_in(row), versions)


def spellings(at: Snapshot, wanted: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
    """How the ids of subjects, named by kind and key, were first written; whose rights are not checked."""
    count, keys = among("key", sorted({key for _, key in wanted}))
    rows = at.all(store.spellings(count), tenant_id=at.actor.tenant_id, **keys)
    return {(row["kind"], row["key"]): row["id"] for row in rows}


def projects_of(at: Snapshot, kind: str, key: str) -> list[str]:
    """The projects in which a subject was seen; whose rights are not checked."""
    rows = at.all(store.PROJECTS, tenant_id=at.actor.tenant_id, kind=kind, key=key)
    return sorted(row["project_id"] for row in rows)


def _readable(at: Snapshot) -> tuple[int | None, dict[str, str]]:
    projects = at.actor.readable_projects()
    return (None, {}) if projects is None else among("project", projects)
