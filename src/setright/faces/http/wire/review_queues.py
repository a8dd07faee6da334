"""How a review queue, a claim and an item look on the wire."""

from typing import Literal

from setright import reviews
from setright.faces.http import samples
from setright.faces.http.schemas import Principal, RunInFull, Shape, Time, absent
from setright.faces.http.shapes import Wire, present, run_in_full, time, who
from setright.kernel.clock import to_wire
from setright.reviews import ClaimState, ItemState


class ReviewedSubject(Shape):
    """The agent or flow whose runs are reviewed."""

    kind: Literal["agent", "flow"]
    id: str
    version: str = absent("Only runs of this version.")


class ReviewedRuns(Shape):
    """Which finished runs of the project are reviewed; without fields, all."""

    subject: ReviewedSubject = absent("Only runs of this agent or flow.")
    status: Literal["completed", "failed"] = absent("Only runs that ended so.")
    since: Time = absent("Only runs that finished at this time or later.")


class ReviewCounts(Shape):
    """How many runs of a queue stand where, of those that were handed out; claimed, for who is no admin, its own."""

    waiting: int
    claimed: int
    complete: int
    disagreed: int
    adjudicated: int
    dropped: int


class ReviewQueue(Shape):
    """Finished runs of a project that people judge, each without seeing what the others say before all have spoken."""

    id: str
    tenant_id: str
    project_id: str
    name: str
    filter: ReviewedRuns
    sample_rate: float
    reviewers_per_item: int
    claim_seconds: int
    min_reviewer_role: Literal["standard", "senior", "admin"] = absent("The reviewer role that it asks for.")
    status: Literal["open", "closed"]
    created_by: Principal
    created_at: Time
    updated_at: Time
    closed_at: Time = absent("Since when it hands out nothing and takes no answer.")
    counts: ReviewCounts = absent("Only when one queue is read or closed.")


class ReviewClaim(Shape):
    """A reviewer's hold on one run."""

    id: str
    queue_id: str
    run_id: str
    reviewer: Principal
    state: ClaimState
    claimed_at: Time
    expires_at: Time = absent("While it is active: when another may get the run.")
    ended_at: Time = absent("When it was answered, given back or skipped, or was noticed to have run out.")
    correction_id: str = absent("The correction that answers it.")


class ClaimedRun(ReviewClaim):
    """A claim with the run that is to be judged; further calls of a long run at GET /v1/runs/{runId}."""

    run: RunInFull


class ReviewItem(Shape):
    """A run of a queue and how far its review is; who is no admin sees of an unfinished one only its own claim."""

    queue_id: str
    run_id: str
    state: ItemState
    reviewers_per_item: int
    began_at: Time
    ended_at: Time = absent("When all had spoken, or when its review ended without that.")
    differs: list[str] = absent("Where its reviewers disagree: decisions, answer, items/<key>.")
    adjudicated_by: str = absent("The correction by which an admin decided.")
    claims: list[ReviewClaim]


def review_queue(found: reviews.ReviewQueue) -> Wire:
    """A queue without its counts."""
    rate = found.sample_rate
    return present(
        {
            "id": found.id,
            "tenantId": found.tenant_id,
            "projectId": found.project_id,
            "name": found.name,
            "filter": _filter(found),
            "sampleRate": int(rate) if rate.is_integer() else rate,
            "reviewersPerItem": found.reviewers_per_item,
            "claimSeconds": found.claim_seconds,
            "minReviewerRole": found.min_reviewer_role,
            "status": found.status,
            "createdBy": who(found.created_by_kind, found.created_by_id),
            "createdAt": to_wire(found.created_at),
            "updatedAt": to_wire(found.updated_at),
            "closedAt": time(found.closed_at),
        }
    )


def _filter(found: reviews.ReviewQueue) -> Wire:
    chosen = found.filter
    subject = present(
        {"kind": chosen.subject_kind, "id": chosen.subject_id, "version": chosen.subject_version}
    )
    return present({"subject": subject or None, "status": chosen.status, "since": time(chosen.since)})


def counted_queue(found: reviews.CountedQueue) -> Wire:
    """A queue with its counts."""
    counts = found.counts
    return {
        **review_queue(found.queue),
        "counts": {name: getattr(counts, name) for name in ReviewCounts.model_fields},
    }


def review_claim(found: reviews.ReviewClaim) -> Wire:
    """A claim without the run."""
    return present(
        {
            "id": found.id,
            "queueId": found.queue_id,
            "runId": found.run_id,
            "reviewer": who(found.reviewer_kind, found.reviewer_id),
            "state": found.state,
            "claimedAt": to_wire(found.claimed_at),
            "expiresAt": time(found.lease_until),
            "endedAt": time(found.ended_at),
            "correctionId": found.correction_id,
        }
    )


def claimed_run(found: reviews.ClaimedRun) -> Wire:
    """A claim with its run."""
    return {**review_claim(found.claim), "run": run_in_full(found.run)}


def looked(found: reviews.ClaimedRun | reviews.Looking) -> Wire | None:
    """How far a search came that has not ended, None for a claim."""
    return {"lookedUntil": to_wire(found.until)} if isinstance(found, reviews.Looking) else None


def review_item(found: reviews.ReviewItem) -> Wire:
    """An item with the claims that the reader may know of."""
    return present(
        {
            "queueId": found.queue_id,
            "runId": found.run_id,
            "state": found.state,
            "reviewersPerItem": found.reviewers,
            "beganAt": to_wire(found.began_at),
            "endedAt": time(found.ended_at),
            "differs": list(found.differs) or None,
            "adjudicatedBy": found.adjudicated_by,
            "claims": [review_claim(claim) for claim in found.claims],
        }
    )


NEW: samples.Sample = {
    "projectId": samples.PROJECT["id"],
    "name": "Refunds of the week",
    "filter": {"subject": {"kind": "agent", "id": "refunds"}, "status": "completed"},
    "sampleRate": 1,
    "reviewersPerItem": 2,
    "claimSeconds": 900,
}
CHANGE: samples.Sample = {"name": "Refunds of January", "claimSeconds": 1800}
QUEUE: samples.Sample = {
    "id": "rvq_01KE5MCQ800000000000000007",
    "tenantId": samples.TENANT,
    **NEW,
    "status": "open",
    "createdBy": samples.WHO,
    "createdAt": samples.AT,
    "updatedAt": samples.AT,
}
COUNTS: samples.Sample = {
    "waiting": 3,
    "claimed": 1,
    "complete": 12,
    "disagreed": 2,
    "adjudicated": 1,
    "dropped": 0,
}
CLAIM: samples.Sample = {
    "id": "rvc_01KE5MCQ800000000000000008",
    "queueId": QUEUE["id"],
    "runId": samples.RUN["id"],
    "reviewer": samples.WHO,
    "state": "active",
    "claimedAt": samples.AT,
    "expiresAt": "2026-01-05T01:15:00.000000Z",
}
ENDED: samples.Sample = {name: said for name, said in CLAIM.items() if name != "expiresAt"} | {
    "state": "released",
    "endedAt": samples.LATER,
}
VERDICT: samples.Sample = {name: said for name, said in samples.NEW_CORRECTION.items() if name != "runId"}
ITEM: samples.Sample = {
    "queueId": QUEUE["id"],
    "runId": samples.RUN["id"],
    "state": "disagreed",
    "reviewersPerItem": 2,
    "beganAt": samples.AT,
    "endedAt": samples.LATER,
    "differs": ["answer"],
    "claims": [{**ENDED, "state": "answered", "correctionId": samples.CORRECTION["id"]}],
}
