"""Reading the event log."""

from collections.abc import Mapping, Sequence

from setright.events import store
from setright.events.model import EventPage, LoggedEvent
from setright.kernel import json
from setright.kernel.actor import Role
from setright.kernel.errors import InvalidCursor
from setright.storage import Row, Snapshot
from setright.storage.lists import among


def feed(at: Snapshot, after: int, limit: int, project_id: str | None = None) -> EventPage:
    """Events of the projects that the caller may read, oldest first, after the one with the number `after` (0: all).

    Whoever goes on after the last event of each page sees every event exactly once, also one that commits late.
    Events that belong to no project are for those with a role in the whole tenant. Whether the project exists is
    for the caller to ask first.
    """
    projects = at.actor.readable_projects()
    if project_id is not None:
        at.actor.require(Role.READ, project_id)
        projects = [project_id]
    transaction = _transaction_of(at, after)
    if projects is not None and not projects:
        return EventPage((), has_more=False)
    count, administered = _administered(at)
    rows = at.all(
        store.feed_statement(None if projects is None else len(projects), count),
        tenant_id=at.actor.tenant_id,
        transaction=transaction,
        after=after,
        count=limit + 1,
        **{f"project_{number}": project for number, project in enumerate(projects or ())},
        **administered,
    )
    return _page(rows, limit)


def history(at: Snapshot, subject_id: str, after: int = 0, limit: int = 100) -> EventPage:
    """What happened to one thing, oldest first, its newest committed event included.

    The caller has made sure that whoever asks may see the thing: what was blind is told with the rest.
    """
    _transaction_of(at, after)
    values = {"tenant_id": at.actor.tenant_id, "subject_id": subject_id}
    return _page(at.all(store.HISTORY, after=after, count=limit + 1, **values), limit)


def histories(
    at: Snapshot, subject_kind: str, subject_ids: Sequence[str]
) -> Mapping[str, Sequence[LoggedEvent]]:
    """What happened to each of several things, oldest first; whose rights are not checked."""
    count, subjects = among("subject", subject_ids)
    values = {"tenant_id": at.actor.tenant_id, "subject_kind": subject_kind}
    found: dict[str, list[LoggedEvent]] = {}
    for row in at.all(store.histories(count), **values, **subjects):
        found.setdefault(row["subject_id"], []).append(_event(row))
    return found


def last_moment(at: Snapshot) -> int:
    """When the newest event of the whole ledger happened (microseconds), 0 in an empty one."""
    row = at.one(store.LAST_MOMENT)
    return row["at"] or 0 if row else 0


def _administered(at: Snapshot) -> tuple[int | None, dict[str, str]]:
    """What `feed_statement` needs to know of who asks, to leave out what is blind for it."""
    projects = at.actor.projects_with(Role.ADMIN)
    if projects is None:
        return None, {}
    count, names = among("admin", projects)
    return count, {**names, "my_kind": at.actor.kind, "my_id": at.actor.id}


def _transaction_of(at: Snapshot, after: int) -> int:
    if after == 0:
        return 0
    known = 0 < after <= json.MAX_INTEGER
    row = at.one(store.PLACE_OF, tenant_id=at.actor.tenant_id, after=after) if known else None
    if row is None:
        raise InvalidCursor(
            "after: there is no such event; use the seq of the last event you saw, or 0 to begin.",
            {"parameter": "after", "value": after},
        )
    return row["transaction"]


def _page(rows: Sequence[Row], limit: int) -> EventPage:
    return EventPage([_event(row) for row in rows[:limit]], has_more=len(rows) > limit)


def _event(row: Row) -> LoggedEvent:
    row["changed"] = tuple(json.read_stored(row["changed"]))
    return LoggedEvent(**row)
