"""What can be asked about jobs."""

from collections.abc import Sequence
from typing import Any

from setright.jobs import store
from setright.jobs.errors import JobNotFound
from setright.jobs.model import Backlog, Job
from setright.kernel.clock import SECOND
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place, page_of
from setright.storage import Snapshot
from setright.storage.lists import page_values
from setright.storage.moments import database_now


def get_job(at: Snapshot, job_id: str) -> Job:
    """A job of the caller's tenant, for its admins."""
    at.actor.require_admin()
    row = at.one(store.GET, tenant_id=at.actor.tenant_id, id=with_prefix("job", job_id))
    if row is None:
        raise JobNotFound(job_id)
    return store.job_in(row)


def list_jobs(
    at: Snapshot, state: str | None, name: str | None, after: Place | None, limit: int
) -> Page[Job]:
    """A page of the tenant's jobs, newest first, for its admins; those in state `failed` are the dead letters."""
    at.actor.require_admin()
    narrowed: dict[str, Any] = {"state": state, "name": name}
    present = {field: value for field, value in narrowed.items() if value is not None}
    rows = at.all(
        store.page(frozenset(present)), tenant_id=at.actor.tenant_id, **present, **page_values(after, limit)
    )
    return page_of(rows, limit, lambda row: Place(row["created_at"], row["id"]), store.job_in)


def unfinished(at: Snapshot, name: str) -> Sequence[Job]:
    """The tenant's jobs of this name that wait or run, oldest first; who may know of them is the caller's to check."""
    return [store.job_in(row) for row in at.all(store.UNDONE, tenant_id=at.actor.tenant_id, name=name)]


def is_due(at: Snapshot) -> bool:
    """Whether a worker would find something to do, in any tenant."""
    return at.one(store.IS_DUE, now=database_now(at)) is not None


def recurs_now(at: Snapshot) -> bool:
    """Whether the time of something that recurs has come."""
    return at.one(store.RECURS_NOW, now=database_now(at)) is not None


def backlog(at: Snapshot) -> Backlog:
    """How jobs stand in the whole ledger, for who operates it."""
    now = database_now(at)
    oldest = at.one(store.OLDEST, now=now)
    due = None if oldest is None else oldest["due_at"]
    counts = {row["state"]: row["count"] for row in at.all(store.BY_STATE)}
    return Backlog(counts, 0.0 if due is None else max(now - due, 0) / SECOND)
