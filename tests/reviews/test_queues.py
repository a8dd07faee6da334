"""Queues: who makes, changes and closes them, what of them is shown to whom, and what closing leaves behind."""

from dataclasses import replace
from typing import Any

import pytest

from setright import reviews
from setright.identity import ProjectNotFound
from setright.kernel.actor import Role
from setright.kernel.clock import to_wire
from setright.kernel.errors import ChangedMeanwhile, PermissionDenied, Refusal
from setright.kernel.fields import validate
from setright.reviews import NewReviewQueue, QueueFilters, ReviewQueueChange
from setright.reviews.errors import ReviewQueueClosed, ReviewQueueNotFound
from setright.reviews.jobs import DROPPED_AT_ONCE, drop_items
from tests.reviews.reviewing import RIGHT, Desk


def test_a_queue_needs_a_project_and_a_name_and_fills_in_the_rest(desk: Desk) -> None:
    queue = desk.queue()
    assert (queue.sample_rate, queue.reviewers_per_item, queue.claim_seconds) == (1.0, 1, 1800)
    assert (queue.status, queue.min_reviewer_role, queue.created_by_id) == ("open", None, desk.admin.id)
    assert desk.ask(desk.admin, lambda at: reviews.get_queue(at, queue.id)).queue == queue


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"name": ""}, "/name"),
        ({"sampleRate": 1.5}, "/sampleRate"),
        ({"sampleRate": -0.1}, "/sampleRate"),
        ({"sampleRate": float("nan")}, "/sampleRate"),
        ({"reviewersPerItem": 0}, "/reviewersPerItem"),
        ({"reviewersPerItem": 6}, "/reviewersPerItem"),
        ({"claimSeconds": 0}, "/claimSeconds"),
        ({"claimSeconds": 604_801}, "/claimSeconds"),
        ({"minReviewerRole": "boss"}, "/minReviewerRole"),
        ({"filter": {"status": "running"}}, "/filter/status"),
        ({"filter": {"since": "yesterday"}}, "/filter/since"),
        ({"filter": {"subject": {"kind": "agent"}}}, "/filter/subject/id"),
        ({"filter": {"version": "v1"}}, "/filter/version"),
    ],
)
def test_a_queue_that_cannot_be_is_refused_by_the_name_of_the_field(
    body: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(Refusal) as caught:
        validate(NewReviewQueue, {"projectId": "default", "name": "Q", **body})
    assert [fault["pointer"] for fault in caught.value.details["faults"]] == [pointer]


@pytest.mark.parametrize(
    "body", [{}, {"name": None}, {"sampleRate": None}, {"filter": {}}, {"projectId": "p"}]
)
def test_what_a_change_cannot_say(body: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        validate(ReviewQueueChange, body)


def test_making_changing_and_closing_need_the_role_admin(desk: Desk) -> None:
    queue, writer = desk.queue(), desk.reviewer(Role.WRITE)
    for verb in (
        desk.queue,
        lambda actor: desk.change(queue, actor, name="x"),
        lambda actor: desk.close(queue, actor),
    ):
        with pytest.raises(PermissionDenied):
            verb(writer)
    admin = desk.reviewer(Role.ADMIN)
    assert desk.change(queue, admin, name="x").name == "x"
    assert desk.close(queue, admin).queue.status == "closed"
    with pytest.raises(ProjectNotFound):
        desk.queue(projectId="nowhere")


def test_another_tenants_queue_is_not_there(desk: Desk) -> None:
    queue, stranger = desk.queue(), desk.ledger.tenant().admin
    for verb in (
        lambda: desk.ask(stranger, lambda at: reviews.get_queue(at, queue.id)),
        lambda: desk.items(queue, stranger),
        lambda: desk.change(queue, stranger, name="x"),
        lambda: desk.close(queue, stranger),
        lambda: desk.adjudicate(stranger, queue, "run"),
    ):
        with pytest.raises(ReviewQueueNotFound):
            verb()
    assert desk.ask(stranger, lambda at: reviews.list_queues(at, QueueFilters(), None, 10)).data == []


def test_a_list_shows_the_queues_of_the_projects_that_one_may_read(desk: Desk) -> None:
    desk.ledger.project(desk.tenant, "other")
    mine, closed, theirs = desk.queue(), desk.queue(), desk.queue(projectId="other")
    desk.close(closed)
    reader = desk.reviewer(Role.READ)

    def listed(actor: Any, *filters: Any) -> list[str]:
        page = desk.ask(actor, lambda at: reviews.list_queues(at, QueueFilters(*filters), None, 10))
        return [queue.id for queue in page.data]

    assert listed(reader) == [closed.id, mine.id]
    assert listed(desk.admin) == [theirs.id, closed.id, mine.id]
    assert listed(desk.admin, "other") == [theirs.id]
    assert listed(reader, None, "open") == [mine.id]
    assert listed(reader, "default", "closed") == [closed.id]
    with pytest.raises(PermissionDenied):
        listed(reader, "other")
    with pytest.raises(PermissionDenied):
        desk.items(theirs, reader)


def test_a_change_counts_from_then_on(desk: Desk) -> None:
    first, second = desk.run(), desk.run()
    queue, one, other = desk.queue(), desk.reviewer(), desk.reviewer()
    desk.claim(one, queue)
    changed = desk.change(queue, reviewersPerItem=2, claimSeconds=5, minReviewerRole=None)
    assert changed.updated_at > queue.updated_at
    assert desk.change(changed, reviewersPerItem=2) == changed
    assert [desk.claim(one, queue).run_id, desk.claim(other, queue).run_id] == [second, second]
    assert {item.run_id: item.reviewers for item in desk.items(queue).values()} == {first: 1, second: 2}
    stale = validate(ReviewQueueChange, {"name": "x"})
    with pytest.raises(ChangedMeanwhile):
        desk.do(desk.admin, lambda tx: reviews.change_queue(tx, queue.id, stale, {queue.updated_at}))


def test_a_larger_sample_reaches_back_and_keeps_what_it_had(desk: Desk) -> None:
    runs = {desk.run() for _ in range(40)}
    queue, reviewer = desk.queue(sampleRate=0.3), desk.reviewer()

    def all_left() -> set[str]:
        found: set[str] = set()
        while (handed := desk.look(reviewer, queue)) is not None:
            found.add(handed.claim.run_id)
        return found

    few = all_left()
    assert 0 < len(few) < 40
    desk.change(queue, sampleRate=0.6)
    more = all_left()
    assert more
    assert not few & more
    desk.change(queue, sampleRate=1)
    assert all_left() == runs - few - more


def test_an_empty_sample_and_a_filter_that_nothing_fits_hand_out_nothing(desk: Desk) -> None:
    desk.run()
    for queue in (desk.queue(sampleRate=0), desk.queue(filter={"status": "failed"})):
        assert desk.look(desk.reviewer(), queue) is None
        assert desk.counts(queue) == {}


def test_since_counts_from_when_a_run_finished(desk: Desk) -> None:
    started = desk.run(status="running", output=None)
    desk.run()
    since = to_wire(desk.ledger.clock.now())
    desk.finish(started)
    queue, reviewer = desk.queue(filter={"since": since}), desk.reviewer()
    assert desk.claim(reviewer, queue).run_id == started
    assert desk.look(reviewer, queue) is None


def test_a_closed_queue_ends_every_claim_and_shows_what_was_said(desk: Desk) -> None:
    for _ in range(2):
        desk.run()
    queue, one, other = desk.queue(reviewersPerItem=2), desk.reviewer(), desk.reviewer()
    said = desk.answer(one, desk.claim(one, queue))
    open_claim = desk.claim(other, queue)
    closed = desk.close(queue)
    assert closed.queue.status == "closed"
    assert desk.counts(queue) == {"dropped": 1}
    assert desk.find(other, said).blind is None
    for verb in (
        lambda: desk.answer(other, open_claim),
        lambda: desk.look(other, queue),
        lambda: desk.change(queue, name="x"),
    ):
        with pytest.raises(ReviewQueueClosed, match="closed"):
            verb()
    assert desk.release(other, open_claim).state == "released"
    assert desk.close(queue) == closed


def test_of_a_closed_queue_what_was_disagreed_on_is_still_decided(desk: Desk) -> None:
    desk.run()
    queue, one, other = desk.queue(reviewersPerItem=2), desk.reviewer(), desk.reviewer()
    claim = desk.claim(one, queue)
    desk.answer(one, claim)
    desk.answer(other, desk.claim(other, queue), **RIGHT)
    desk.close(queue)
    desk.adjudicate(desk.admin, queue, claim.run_id)
    assert desk.state(queue, claim.run_id) == "adjudicated"


def test_many_unfinished_items_are_dropped_in_batches(desk: Desk) -> None:
    queue, one = desk.queue(reviewersPerItem=2), desk.reviewer()
    for _ in range(DROPPED_AT_ONCE + 1):
        desk.run()
        desk.skip(one, desk.claim(one, queue))
    closed = desk.close(queue)
    assert (closed.counts.dropped, closed.counts.waiting) == (DROPPED_AT_ONCE, 1)
    of_queue = {"queueId": queue.id}
    rest = desk.do(desk.admin, lambda tx: drop_items(tx, of_queue, None))
    assert (rest.done, rest.is_last) == (1, True)
    assert desk.counts(queue) == {"dropped": DROPPED_AT_ONCE + 1}
    assert replace(rest, done=0).is_last
