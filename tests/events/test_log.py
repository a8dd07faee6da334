"""The log and its feed: written with the effect, seen by those who may, passed by nobody."""

from dataclasses import replace

import pytest

from setright import events
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import InvalidCursor, PermissionDenied, Refusal
from setright.kernel.events import Event
from setright.storage import Tx
from tests.support.ledger import Ledger


class Refused(Refusal):
    """Undoes an attempt."""


def happened(subject_id: str, project_id: str | None = "default", kind: str = "thing.made") -> Event:
    return Event(kind, "thing", subject_id, project_id, ("name", "size"), about="thing_0")


def log(ledger: Ledger, actor: Actor, *announced: Event) -> None:
    def write(tx: Tx) -> None:
        for event in announced:
            tx.announce(event)
        events.append(tx)

    ledger.write(write, actor)


def seen(
    ledger: Ledger, actor: Actor, after: int = 0, limit: int = 100, project_id: str | None = None
) -> list[str]:
    page = ledger.read(lambda at: events.feed(at, after, limit, project_id), actor)
    return [event.subject_id for event in page.data]


def test_an_event_says_what_happened_to_what_by_whom_and_when(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    log(ledger, tenant.admin, happened("a"))
    (event,) = ledger.read(lambda at: events.feed(at, 0, 10), tenant.admin).data
    assert (event.kind, event.subject_kind, event.subject_id) == ("thing.made", "thing", "a")
    assert (event.by_kind, event.by_id, event.project_id) == ("user", tenant.admin.id, "default")
    assert (event.changed, event.about) == (("name", "size"), "thing_0")
    assert 0 < event.at <= ledger.clock.now()


def test_the_feed_is_oldest_first_and_goes_on_after_the_last_event_seen(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    log(ledger, tenant.admin, *(happened(name) for name in "abc"))
    log(ledger, tenant.admin, *(happened(name) for name in "de"))
    after, found, more = 0, "", True
    while more:
        page = ledger.read(lambda at, after=after: events.feed(at, after, 2), tenant.admin)
        found += "".join(event.subject_id for event in page.data)
        after, more = page.data[-1].seq, page.has_more
    assert found == "abcde"
    assert seen(ledger, tenant.admin, after) == []


def test_a_refused_part_of_a_transaction_leaves_no_event(ledger: Ledger) -> None:
    tenant = ledger.tenant()

    def write(tx: Tx) -> None:
        def refused() -> None:
            tx.announce(happened("refused"))
            raise Refused("no")

        tx.announce(happened("before"))
        tx.attempt(refused)
        tx.announce(happened("after"))
        events.append(tx)

    ledger.write(write, tenant.admin)
    assert seen(ledger, tenant.admin) == ["before", "after"]


def test_a_caller_sees_the_events_of_the_projects_it_may_read(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    other = ledger.project(tenant, "other")
    log(ledger, tenant.admin, happened("mine"), happened("theirs", other), happened("everybody's", None))
    reader = ledger.actor(tenant, Role.READ)
    both = replace(reader, roles={**reader.roles, other: Role.READ})
    assert seen(ledger, reader) == ["mine"]
    assert seen(ledger, both) == ["mine", "theirs"]
    assert seen(ledger, both, project_id=other) == ["theirs"]
    assert seen(ledger, tenant.admin) == ["mine", "theirs", "everybody's"]
    assert seen(ledger, tenant.admin, project_id=other) == ["theirs"]
    nothing = ledger.read(lambda at: events.feed(at, 0, 1), ledger.actor(tenant))
    assert (list(nothing.data), nothing.has_more) == ([], False)
    with pytest.raises(PermissionDenied):
        seen(ledger, reader, project_id=other)


@pytest.mark.parametrize("after", [-1, 10**9, 2**53, 2**70])
def test_an_event_that_is_not_there_is_no_place_to_begin(ledger: Ledger, after: int) -> None:
    tenant = ledger.tenant()
    with pytest.raises(InvalidCursor, match="after"):
        seen(ledger, tenant.admin, after)
    with pytest.raises(InvalidCursor, match="after"):
        ledger.read(lambda at: events.history(at, "a", after), tenant.admin)


def test_another_tenants_event_is_no_place_to_begin(ledger: Ledger) -> None:
    ours, theirs = ledger.tenant(), ledger.tenant()
    log(ledger, theirs.admin, happened("theirs"))
    (event,) = ledger.read(lambda at: events.feed(at, 0, 10), theirs.admin).data
    with pytest.raises(InvalidCursor, match="after"):
        seen(ledger, ours.admin, event.seq)


def test_a_history_is_one_things_events_in_one_tenant(ledger: Ledger) -> None:
    ours, theirs = ledger.tenant(), ledger.tenant()
    log(ledger, ours.admin, happened("a"), happened("b"), happened("a", kind="thing.moved"))
    log(ledger, theirs.admin, happened("a"))
    page = ledger.read(lambda at: events.history(at, "a", limit=1), ours.admin)
    assert [event.kind for event in page.data] == ["thing.made"]
    assert page.has_more
    rest = ledger.read(lambda at: events.history(at, "a", page.data[-1].seq, 1), ours.admin)
    assert [event.kind for event in rest.data] == ["thing.moved"]
    assert not rest.has_more


def test_the_last_moment_is_that_of_the_newest_event(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    before = ledger.clock.now()
    log(ledger, tenant.admin, happened("a"))
    assert before <= ledger.read(events.last_moment) <= ledger.clock.now()
