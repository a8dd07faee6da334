"""What a reviewer does: claim a run, judge it, give it back or skip it."""

from dataclasses import replace

from setright import corrections, identity, runs
from setright.corrections import Correction, NewVerdict, Review
from setright.kernel.actor import Role
from setright.kernel.clock import SECOND
from setright.kernel.events import Event
from setright.kernel.ids import with_prefix
from setright.kernel.paging import MAX_LIMIT
from setright.reviews import items, store
from setright.reviews.errors import (
    ReviewClaimEnded,
    ReviewClaimExpired,
    ReviewClaimNotFound,
    ReviewerRoleMissing,
    ReviewItemNotFound,
    ReviewItemTaken,
    ReviewQueueClosed,
    ReviewQueueNotFound,
    RunAlreadyCorrected,
    TooManyClaims,
)
from setright.reviews.lifecycle import CLAIM_LIFE, UNFINISHED
from setright.reviews.model import ClaimedRun, Looking, ReviewClaim, ReviewQueue
from setright.reviews.picking import next_run
from setright.reviews.store import Held
from setright.storage import Tx
from setright.storage.moments import database_now

MOST_CLAIMS = 100
OVERDUE = 500


def claim_run(tx: Tx, queue_id: str, run_id: str | None = None) -> ClaimedRun | Looking | None:
    """Hand the caller the next run to judge, never one that it had before, or the one that it takes up again.

    None: there is none for it now. A reviewer holds a run until the queue's time is over, then another may get it.
    """
    held = open_queue(tx, queue_id)
    _check_reviewer(tx, held.queue)
    now = database_now(tx)
    expire_claims(tx, held, now)
    if run_id is not None:
        claim = _taken_up(tx, held, with_prefix("run", run_id), now)
    else:
        found = next_run(tx, held)
        if found is None or isinstance(found, Looking):
            held.save(tx)
            return found
        if found.new:
            items.begin(tx, held, found.run_id, "claimed")
        claim = _claimed(tx, held, found.run_id, now)
    items.settle(tx, held, claim.run_id)
    held.save(tx)
    return ClaimedRun(claim, runs.read_run(tx, claim.run_id, calls_limit=MAX_LIMIT))


def answer_claim(tx: Tx, queue_id: str, claim_id: str, verdict: NewVerdict) -> Correction:
    """Record what the reviewer says of its run: blind until all reviewers of the run have spoken, then all is shown."""
    held = open_queue(tx, queue_id)
    _check_reviewer(tx, held.queue)
    claim = _active(tx, held.queue, claim_id)
    earlier = corrections.own_correction(tx, claim.run_id)
    if earlier is not None:
        raise RunAlreadyCorrected(claim.run_id, earlier)
    blind = None if _is_last(tx, held.queue, claim) else held.queue.id
    made = corrections.record_correction(tx, verdict.of_run(claim.run_id), Review(blind=blind))
    move_claim(tx, held.queue, claim, "answer", correction_id=made.id)
    items.settle(tx, held, claim.run_id)
    held.save(tx)
    return made


def release_claim(tx: Tx, queue_id: str, claim_id: str) -> ReviewClaim:
    """Give a run back for others; its reviewer may take it up again, and is not handed it as the next one."""
    return _given_back(tx, queue_id, claim_id, "release")


def skip_claim(tx: Tx, queue_id: str, claim_id: str) -> ReviewClaim:
    """Leave a run to others for good."""
    return _given_back(tx, queue_id, claim_id, "skip")


def hold_queue(tx: Tx, queue_id: str, role: Role) -> Held:
    """A queue in the hand of this transaction, for a caller with a role in its project."""
    held = store.hold(tx, with_prefix("rvq", queue_id))
    if held is None:
        raise ReviewQueueNotFound(queue_id)
    tx.actor.require(role, held.queue.project_id)
    return held


def open_queue(tx: Tx, queue_id: str, role: Role = Role.WRITE) -> Held:
    """`hold_queue` for what only an open queue can do."""
    held = hold_queue(tx, queue_id, role)
    if held.queue.closed_at is not None:
        raise ReviewQueueClosed(held.queue.id)
    return held


def expire_claims(tx: Tx, held: Held, now: int) -> None:
    """Notice which claims ran out, so that others get their runs."""
    more = True
    while more:
        rows = tx.all(store.OVERDUE, **store.of_queue(held.queue), now=now, count=OVERDUE)
        for row in rows:
            move_claim(tx, held.queue, ReviewClaim(**row), "expire")
        for run_id in dict.fromkeys(row["run_id"] for row in rows):
            items.settle(tx, held, run_id)
        more = len(rows) == OVERDUE


def move_claim(
    tx: Tx, queue: ReviewQueue, claim: ReviewClaim, verb: str, correction_id: str | None = None
) -> ReviewClaim:
    """End a claim by a verb of its life; what became of it is told to its reviewer and to admins only."""
    move = CLAIM_LIFE.find(verb, claim.state)
    if move is None:
        raise ReviewClaimEnded(claim, [one.verb for one in CLAIM_LIFE.open_from(claim.state)])
    moved = replace(
        claim,
        state=move.end,
        lease_until=None,
        ended_at=tx.now,
        correction_id=correction_id or claim.correction_id,
    )
    store.set_claim(tx, moved)
    _announce(tx, queue, moved, move.event)
    return moved


def _check_reviewer(tx: Tx, queue: ReviewQueue) -> None:
    if queue.min_reviewer_role is None:
        return
    role = identity.reviewer_role(tx, queue.project_id)
    if not identity.reaches(role, queue.min_reviewer_role):
        raise ReviewerRoleMissing(queue.project_id, queue.min_reviewer_role, role)


def _claimed(tx: Tx, held: Held, run_id: str, now: int) -> ReviewClaim:
    """A new claim of the caller on a run."""
    queue = held.queue
    _check_number(tx, queue)
    claim = ReviewClaim(
        id=tx.new_id("rvc"),
        tenant_id=queue.tenant_id,
        queue_id=queue.id,
        run_id=run_id,
        reviewer_kind=tx.actor.kind,
        reviewer_id=tx.actor.id,
        state="active",
        claimed_at=tx.now,
        lease_until=now + queue.claim_seconds * SECOND,
        ended_at=None,
        correction_id=None,
    )
    tx.add(store.ADD_CLAIM, **{name: getattr(claim, name) for name in claim.__slots__})
    _announce(tx, queue, claim, "review-claim.made")
    return claim


def _taken_up(tx: Tx, held: Held, run_id: str, now: int) -> ReviewClaim:
    """The caller's claim on a run, active again; one that is active stays as it is."""
    queue = held.queue
    row = tx.one(store.MY_CLAIM, **store.of_queue(queue), **store.me(tx), run_id=run_id)
    if row is None:
        raise ReviewItemNotFound(run_id)
    claim = ReviewClaim(**row)
    if claim.state == "active":
        return claim
    move = CLAIM_LIFE.find("take up again", claim.state)
    if move is None:
        raise ReviewItemTaken(run_id, f"your claim on it is {claim.state}")
    _check_room(tx, queue, run_id)
    _check_number(tx, queue)
    lease = now + queue.claim_seconds * SECOND
    again = replace(claim, state=move.end, claimed_at=tx.now, lease_until=lease, ended_at=None)
    store.set_claim(tx, again)
    _announce(tx, queue, again, move.event)
    return again


def _check_room(tx: Tx, queue: ReviewQueue, run_id: str) -> None:
    item = items.find_item(tx, queue, run_id)
    if item is None or item.state not in UNFINISHED:
        raise ReviewItemTaken(run_id, "its review is over")
    if sum(items.held_places(tx, queue, run_id)) >= item.reviewers:
        raise ReviewItemTaken(run_id, "other reviewers have it now")


def _check_number(tx: Tx, queue: ReviewQueue) -> None:
    row = tx.one(store.MY_ACTIVE, **store.of_queue(queue), **store.me(tx))
    if row is not None and row["held"] >= MOST_CLAIMS:
        raise TooManyClaims(MOST_CLAIMS)


def _active(tx: Tx, queue: ReviewQueue, claim_id: str) -> ReviewClaim:
    """The caller's claim, whose time is not over."""
    claim = _own(tx, queue, claim_id)
    over = claim.lease_until is not None and claim.lease_until <= database_now(tx)
    if over or claim.state == "expired":
        raise ReviewClaimExpired(claim.id, claim.run_id)
    if claim.state != "active":
        raise ReviewClaimEnded(claim, [one.verb for one in CLAIM_LIFE.open_from(claim.state)])
    return claim


def _own(tx: Tx, queue: ReviewQueue, claim_id: str) -> ReviewClaim:
    stored = with_prefix("rvc", claim_id)
    row = tx.one(store.FIND_CLAIM, **store.of_queue(queue), **store.me(tx), claim_id=stored)
    if row is None:
        raise ReviewClaimNotFound(claim_id)
    return ReviewClaim(**row)


def _is_last(tx: Tx, queue: ReviewQueue, claim: ReviewClaim) -> bool:
    item = items.find_item(tx, queue, claim.run_id)
    _, answered = items.held_places(tx, queue, claim.run_id)
    return item is not None and answered + 1 >= item.reviewers


def _given_back(tx: Tx, queue_id: str, claim_id: str, verb: str) -> ReviewClaim:
    """A claim that ends without an answer; again is the same, and who lost the right to judge may still do it."""
    held = hold_queue(tx, queue_id, Role.READ)
    claim = _own(tx, held.queue, claim_id)
    if any(move.verb == verb and move.end == claim.state for move in CLAIM_LIFE.moves):
        return claim
    moved = move_claim(tx, held.queue, claim, verb)
    items.settle(tx, held, claim.run_id)
    held.save(tx)
    return moved


def _announce(tx: Tx, queue: ReviewQueue, claim: ReviewClaim, kind: str) -> None:
    reviewer = replace(tx.actor, kind=claim.reviewer_kind, id=claim.reviewer_id)
    event = Event(
        kind, "review-claim", claim.id, queue.project_id, ("state",), claim.run_id, reviewer, blind=True
    )
    tx.announce(event)
