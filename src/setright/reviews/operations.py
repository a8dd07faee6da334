"""What an admin does with a review queue: make it, change it, close it, and decide where reviewers disagree."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from setright import corrections, identity, jobs
from setright.corrections import Correction, NewVerdict, Review
from setright.kernel.actor import Role
from setright.kernel.errors import ChangedMeanwhile
from setright.kernel.events import Event
from setright.kernel.ids import with_prefix
from setright.kernel.paging import Place
from setright.reviews import items, store
from setright.reviews.claiming import hold_queue, open_queue
from setright.reviews.errors import ReviewItemNotFound, ReviewNotDisagreed
from setright.reviews.jobs import DROP_ITEMS, DROPPED_AT_ONCE
from setright.reviews.lifecycle import QUEUE_LIFE
from setright.reviews.model import (
    CLAIM,
    CountedQueue,
    NewReviewQueue,
    QueueFilter,
    ReviewQueue,
    ReviewQueueChange,
    RunFilter,
)
from setright.reviews.queries import counted
from setright.storage import Tx
from setright.subjects import fold


def create_queue(tx: Tx, new: NewReviewQueue) -> ReviewQueue:
    """Make a review queue of a project's finished runs; needs the role admin there. Nothing is put into it."""
    project_id = identity.find_project(tx, new.project_id).id
    tx.actor.require(Role.ADMIN, project_id)
    chosen = _filter(new.filter)
    begin = Place(chosen.since or 0, "")
    queue = ReviewQueue(
        id=tx.new_id("rvq"),
        tenant_id=tx.actor.tenant_id,
        project_id=project_id,
        name=new.name,
        filter=chosen,
        sample_rate=1.0 if new.sample_rate is None else new.sample_rate + 0.0,
        reviewers_per_item=new.reviewers_per_item or 1,
        claim_seconds=new.claim_seconds or CLAIM,
        min_reviewer_role=new.min_reviewer_role,
        created_by_kind=tx.actor.kind,
        created_by_id=tx.actor.id,
        created_at=tx.now,
        updated_at=tx.now,
        closed_at=None,
        settled=begin,
        ahead=begin,
    )
    tx.add(store.ADD_QUEUE, **store.row_of(queue))
    _announce(tx, queue, "create", ("status",))
    return queue


def change_queue(
    tx: Tx, queue_id: str, change: ReviewQueueChange, known: Collection[int] | None = None
) -> ReviewQueue:
    """Change what a queue asks for from now on; with `known`, only if its updatedAt is one of these.

    A larger sample is looked for among the runs that were passed over, too.
    """
    held = open_queue(tx, queue_id, Role.ADMIN)
    now = held.queue
    if known is not None and now.updated_at not in known:
        raise ChangedMeanwhile("review queue", now)
    given: dict[str, Any] = change.given()
    fields = tuple(
        wire for name, wire in _FIELDS.items() if name in given and given[name] != getattr(now, name)
    )
    if not fields:
        return now
    if given.get("sample_rate", 0) > now.sample_rate:
        given["settled"] = Place(now.filter.since or 0, "")
    held.set(**given, updated_at=tx.now)
    held.save(tx)
    _announce(tx, held.queue, "change", fields)
    return held.queue


_FIELDS = {
    "name": "name",
    "sample_rate": "sampleRate",
    "reviewers_per_item": "reviewersPerItem",
    "claim_seconds": "claimSeconds",
    "min_reviewer_role": "minReviewerRole",
}


def close_queue(tx: Tx, queue_id: str) -> CountedQueue:
    """Hand out nothing more and take no answer more, for good; what reviewers said blind until then is shown.

    Again changes nothing. Of very many unfinished items some are dropped at once, and the others by a job.
    """
    held = hold_queue(tx, queue_id, Role.ADMIN)
    if held.queue.closed_at is None:
        _announce(tx, held.queue, "close", ("status",))
        held.set(closed_at=tx.now, updated_at=tx.now)
        held.save(tx)
        tx.add(store.END_CLAIMS, of_tenant=held.queue.tenant_id, of_queue=held.queue.id, at=tx.now)
        if items.drop_unfinished(tx, held.queue, DROPPED_AT_ONCE) == DROPPED_AT_ONCE:
            jobs.ask(tx, DROP_ITEMS, held.queue.id, {"queueId": held.queue.id})
    return counted(tx, held.queue)


def adjudicate_item(tx: Tx, queue_id: str, run_id: str, verdict: NewVerdict) -> Correction:
    """Decide where the reviewers of a run disagree, by a correction of one's own; needs the role admin.

    What the reviewers said stays readable, moves no more and is no case of a test.
    """
    held = hold_queue(tx, queue_id, Role.ADMIN)
    stored = with_prefix("run", run_id)
    item = items.find_item(tx, held.queue, stored)
    if item is None:
        raise ReviewItemNotFound(run_id)
    if item.state != "disagreed":
        raise ReviewNotDisagreed(item.run_id, item.state, item.adjudicated_by)
    said = tuple(one.id for one in items.answers(tx, held.queue, item.run_id))
    made = corrections.record_correction(tx, verdict.of_run(item.run_id), Review(adjudicates=said))
    store.set_item(tx, replace(item, state="adjudicated", adjudicated_by=made.id))
    items.announce(tx, held.queue, "adjudicate", item)
    return made


def _filter(wanted: QueueFilter | None) -> RunFilter:
    if wanted is None:
        return RunFilter()
    subject = wanted.subject
    if subject is None:
        return RunFilter(status=wanted.status, since=wanted.since)
    key = fold(subject.id)
    return RunFilter(subject.kind, key, subject.id, subject.version, wanted.status, wanted.since)


def _announce(tx: Tx, queue: ReviewQueue, verb: str, changed: tuple[str, ...]) -> None:
    move = QUEUE_LIFE.find(verb, None if verb == "create" else queue.status)
    if move is not None:
        tx.announce(Event(move.event, "review-queue", queue.id, queue.project_id, changed))
