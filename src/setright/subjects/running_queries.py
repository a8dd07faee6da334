"""What can be asked about versions that run, their history, and what tools do."""

from collections.abc import Mapping, Sequence
from typing import Any

from setright.identity import get_project
from setright.kernel.paging import Page, Place, page_of
from setright.storage import Snapshot, Tx
from setright.storage.lists import page_values
from setright.subjects import version_store
from setright.subjects.errors import PinNotFound
from setright.subjects.model import Kind, Running, ToolEffect, VersionChange
from setright.subjects.queries import get_subject


def list_running(at: Snapshot, project_id: str, after: Place | None, limit: int) -> Page[Running]:
    """What a project runs and why, of every agent and flow that was seen in it, the newest seen first."""
    project = get_project(at, project_id).id
    values = {"tenant_id": at.actor.tenant_id, "project_id": project} | page_values(after, limit)
    rows = at.all(version_store.RUNNING_PAGE, **values)
    return page_of(
        rows,
        limit,
        lambda row: Place(row["first_seen_at"], f"{row['kind']}:{row['key']}"),
        version_store.running_in,
    )


def running_version(at: Snapshot, project_id: str, kind: str, key: str) -> str | None:
    """The version of a subject that a project runs, None when none; who may know is the caller's to check."""
    this = {"tenant_id": at.actor.tenant_id, "project_id": project_id, "kind": kind, "key": key}
    row = at.one(version_store.RUNNING_ONE, **this)
    return row["version"] if row else None


def hold_what_runs(tx: Tx, kind: str, key: str) -> None:
    """Let nobody deploy, pin or unpin a subject until the end of this transaction, whoever asks."""
    tx.one(version_store.HOLD_WHAT_RUNS, tenant_id=tx.actor.tenant_id, kind=kind, key=key)


def change_that_runs(at: Snapshot, project_id: str, kind: str, key: str) -> VersionChange | None:
    """Through what a project runs a version: its pin, else the newer of its last unpin and the last deploy.

    None where no version runs; who may know is the caller's to check.
    """
    this = {"tenant_id": at.actor.tenant_id, "project_id": project_id, "kind": kind, "key": key}
    pinned = at.one(version_store.PINNED, **this)
    if pinned is not None:
        return get_change(at, pinned["change_id"])
    row = at.one(version_store.FOLLOWED, **this)
    return None if row is None or row["version"] is None else version_store.change_in(row)


def list_pins(at: Snapshot, project_id: str, after: Place | None, limit: int) -> Page[VersionChange]:
    """Every pin and unpin of a project, newest first."""
    project = get_project(at, project_id).id
    values = {"tenant_id": at.actor.tenant_id, "project_id": project} | page_values(after, limit)
    return _changes(at, "project", values, limit)


def list_deploys(
    at: Snapshot, kind: Kind, subject_id: str, after: Place | None, limit: int
) -> Page[VersionChange]:
    """Every deploy of a subject, newest first."""
    subject = get_subject(at, kind, subject_id).subject
    values = {"tenant_id": at.actor.tenant_id, "kind": kind, "key": subject.key} | page_values(after, limit)
    return _changes(at, "deploys", values, limit)


def get_change(at: Snapshot, change_id: str) -> VersionChange:
    """A deploy, pin or unpin of the tenant, whoever asks; for rooms that act on it."""
    row = at.one(version_store.GET_CHANGE, tenant_id=at.actor.tenant_id, id=change_id)
    if row is None:
        raise PinNotFound(change_id)
    return version_store.change_in(row)


def projects_that_follow(at: Snapshot, kind: str, key: str) -> Sequence[str]:
    """The projects that run a subject's Latest, by id; for rooms that act on a deploy."""
    this = {"tenant_id": at.actor.tenant_id, "kind": kind, "key": key}
    return [row["project_id"] for row in at.all(version_store.FOLLOWING, **this)]


def effects(at: Snapshot, project_id: str) -> Mapping[str, str] | None:
    """What the tools of a project do, by their names; None where nothing was declared."""
    rows = at.all(version_store.EFFECTS, tenant_id=at.actor.tenant_id, project_id=project_id)
    return {row["tool"]: row["effect"] for row in rows} or None


def list_tool_effects(at: Snapshot, project_id: str, after: Place | None, limit: int) -> Page[ToolEffect]:
    """What was declared of the tools of a project, newest first."""
    project = get_project(at, project_id).id
    values = {"tenant_id": at.actor.tenant_id, "project_id": project} | page_values(after, limit)
    rows = at.all(version_store.EFFECTS_PAGE, **values)
    return page_of(rows, limit, lambda row: Place(row["at"], row["tool"]), version_store.effect_in)


def _changes(at: Snapshot, where: str, values: Mapping[str, Any], limit: int) -> Page[VersionChange]:
    rows = at.all(version_store.changes_page(where), **values)
    return page_of(rows, limit, lambda row: Place(row["at"], row["id"]), version_store.change_in)
