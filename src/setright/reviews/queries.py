"""What can be asked about review queues and their items."""

from dataclasses import replace

from setright import identity
from setright.kernel.actor import Role
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Page, Place, page_of
from setright.reviews import store
from setright.reviews.errors import ReviewQueueNotFound
from setright.reviews.lifecycle import UNFINISHED
from setright.reviews.model import (
    CountedQueue,
    Counts,
    QueueFilters,
    ReviewClaim,
    ReviewItem,
    ReviewQueue,
)
from setright.storage import Row, Snapshot
from setright.storage.lists import among, page_values
from setright.storage.moments import database_now


def get_queue(at: Snapshot, queue_id: str) -> CountedQueue:
    """A queue with its counts; what other reviewers hold is counted as waiting, but for admins."""
    return counted(at, _readable(at, queue_id))


def list_queues(at: Snapshot, filters: QueueFilters, after: Place | None, limit: int) -> Page[ReviewQueue]:
    """A page of the queues in the projects that the caller may read, newest first."""
    projects = at.actor.readable_projects()
    if filters.project_id is not None:
        projects = [identity.get_project(at, filters.project_id).id]
    count, chosen = (None, {}) if projects is None else among("project", projects)
    present = frozenset([filters.status] if filters.status else [])
    statement = store.page_of_queues(present, count)
    rows = at.all(statement, tenant_id=at.actor.tenant_id, **chosen, **page_values(after, limit))
    return page_of(rows, limit, lambda row: Place(row["created_at"], row["id"]), store.queue_in)


def list_items(
    at: Snapshot, queue_id: str, state: str | None, after: Place | None, limit: int
) -> Page[ReviewItem]:
    """A page of the runs that were handed out, newest first.

    Who is no admin learns of an unfinished item only what it did itself: a review is blind.
    """
    queue = _readable(at, queue_id)
    blind = not at.actor.may(Role.ADMIN, queue.project_id)
    values = store.of_queue(queue) | page_values(after, limit) | {"now": database_now(at)}
    if blind:
        values |= store.me(at)
    if state not in (None, *UNFINISHED):
        values["state"] = state
    rows = at.all(store.page_of_items(state, only_mine=blind), **values)
    page = page_of(rows, limit, lambda row: Place(row["began_at"], row["run_id"]), store.item_in)
    claims = _claims(at, queue, [item.run_id for item in page.data])
    shown = [_with_claims(at, item, claims.get(item.run_id, []), blind=blind) for item in page.data]
    return Page(shown, page.next)


def counted(at: Snapshot, queue: ReviewQueue) -> CountedQueue:
    """A queue with its counts, from its rows."""
    rows = at.all(store.COUNTS, **store.of_queue(queue))
    found = {row["state"]: row["items"] for row in rows}
    admin = at.actor.may(Role.ADMIN, queue.project_id)
    live = {**store.of_queue(queue), "now": database_now(at)}
    row = at.one(store.LIVE_ITEMS, **live) if admin else at.one(store.MY_LIVE_ITEMS, **live, **store.me(at))
    unfinished = sum(found.pop(state, 0) for state in UNFINISHED)
    claimed = min(row["items"] if row else 0, unfinished)
    return CountedQueue(queue, replace(Counts(**found), waiting=unfinished - claimed, claimed=claimed))


def _readable(at: Snapshot, queue_id: str) -> ReviewQueue:
    queue = store.find(at, with_prefix("rvq", queue_id))
    if queue is None:
        raise ReviewQueueNotFound(queue_id)
    at.actor.require(Role.READ, queue.project_id)
    return queue


def _claims(at: Snapshot, queue: ReviewQueue, run_ids: list[str]) -> dict[str, list[ReviewClaim]]:
    if not run_ids:
        return {}
    count, values = among("run", run_ids)
    rows: list[Row] = at.all(store.claims_of(count, only_mine=False), **store.of_queue(queue), **values)
    found: dict[str, list[ReviewClaim]] = {}
    for row in rows:
        found.setdefault(row["run_id"], []).append(ReviewClaim(**row))
    return found


def _with_claims(at: Snapshot, item: ReviewItem, claims: list[ReviewClaim], *, blind: bool) -> ReviewItem:
    """The item with those of its claims that the reader may know of."""
    over = item.state not in UNFINISHED
    shown = [
        claim
        for claim in claims
        if not blind
        or (claim.reviewer_kind, claim.reviewer_id) == (at.actor.kind, at.actor.id)
        or (over and claim.state == "answered")
    ]
    return replace(item, claims=tuple(shown))
