"""What the reviews room refuses."""

from collections.abc import Sequence
from typing import Any

from setright.kernel.errors import Kind, PermissionDenied, Refusal
from setright.reviews.model import ReviewClaim


class ReviewQueueNotFound(Refusal):
    """There is no such review queue in the caller's tenant."""

    kind, code = Kind.MISSING, "review-queue-not-found"

    def __init__(self, queue_id: str) -> None:
        super().__init__(f"There is no review queue {queue_id}.", {"queueId": queue_id})


class ReviewQueueClosed(Refusal):
    """The queue was closed: it hands out nothing, takes no answer and is changed no more."""

    kind, code = Kind.CONFLICT, "review-queue-closed"

    def __init__(self, queue_id: str) -> None:
        super().__init__(
            f"Review queue {queue_id} was closed, and closed is final. What you found can still be recorded as a "
            "correction of its own (POST /v1/corrections), which everybody in the project sees.",
            {"queueId": queue_id, "open": []},
        )


class ReviewClaimNotFound(Refusal):
    """The caller has no such claim in this queue."""

    kind, code = Kind.MISSING, "review-claim-not-found"

    def __init__(self, claim_id: str) -> None:
        super().__init__(f"You have no claim {claim_id} in this queue.", {"claimId": claim_id})


class ReviewClaimEnded(Refusal):
    """The claim was answered, released, skipped or withdrawn, and the verb needs an active one."""

    kind, code = Kind.CONFLICT, "review-claim-ended"

    def __init__(self, claim: ReviewClaim, moves: Sequence[str]) -> None:
        way = "; take the run up again with its runId in POST …/claims" if "take up again" in moves else ""
        details: dict[str, Any] = {"claimId": claim.id, "state": claim.state, "open": list(moves)}
        if claim.correction_id is not None:
            details["correctionId"] = claim.correction_id
        super().__init__(
            f"Claim {claim.id} is {claim.state}, and only an active one can be answered, released or skipped{way}.",
            details,
        )


class ReviewClaimExpired(Refusal):
    """The time for the claim ran out, so its run may be with another reviewer now."""

    kind, code = Kind.CONFLICT, "review-claim-expired"

    def __init__(self, claim_id: str, run_id: str) -> None:
        super().__init__(
            f"The time for claim {claim_id} ran out, and nothing was recorded. Take the run up again, if nobody else "
            f'has it meanwhile: POST …/claims with {{"runId": "{run_id}"}}; then answer. Or claim the next run.',
            {"claimId": claim_id, "runId": run_id, "open": ["take up again"]},
        )


class ReviewItemNotFound(Refusal):
    """The queue has no such item: nobody was handed that run, or it is not in the queue."""

    kind, code = Kind.MISSING, "review-item-not-found"

    def __init__(self, run_id: str) -> None:
        super().__init__(f"The queue has no item {run_id!r}.", {"runId": run_id})


class ReviewItemTaken(Refusal):
    """The run cannot be taken up again: others have all its places, its review is over, or it was skipped or answered."""

    kind, code = Kind.CONFLICT, "review-item-taken"

    def __init__(self, run_id: str, why: str) -> None:
        super().__init__(
            f"You cannot take up run {run_id!r}: {why}. Claim the next run.", {"runId": run_id, "why": why}
        )


class ReviewNotDisagreed(Refusal):
    """Only what reviewers disagree on is adjudicated, once."""

    kind, code = Kind.CONFLICT, "review-not-disagreed"

    def __init__(self, run_id: str, state: str, adjudicated_by: str | None) -> None:
        says = {
            "complete": "its reviewers agree",
            "adjudicated": f"it was adjudicated by {adjudicated_by}; unregister that correction first",
            "dropped": "its review ended before it was complete",
        }.get(state, "not all of its reviewers have spoken")
        details = {"runId": run_id, "state": state}
        if adjudicated_by is not None:
            details["adjudicatedBy"] = adjudicated_by
        super().__init__(f"Run {run_id!r} is not to be adjudicated: {says}.", details)


class RunAlreadyCorrected(Refusal):
    """The reviewer has said of the run already what it thinks, outside of this review."""

    kind, code = Kind.CONFLICT, "run-already-corrected"

    def __init__(self, run_id: str, correction_id: str) -> None:
        super().__init__(
            f"You corrected run {run_id!r} already, outside of this review, as {correction_id}: a blind review by you "
            "is not possible any more. Skip the run.",
            {"runId": run_id, "correctionId": correction_id},
        )


class ReviewerRoleMissing(PermissionDenied):
    """The queue asks for a reviewer role that the caller, as a member of the project, does not have."""

    def __init__(self, project_id: str, needs: str, has: str | None) -> None:
        super().__init__(
            f"This queue needs the reviewer role {needs} in project {project_id}; yours is {has or 'none'}. "
            "An admin of the project gives it to a member.",
            {"projectId": project_id, "needsReviewerRole": needs},
        )


class TooManyClaims(Refusal):
    """A reviewer may hold only so many runs of one queue at once."""

    kind, code = Kind.TOO_MANY, "too-many-claims"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"You hold {most} runs of this queue, which is as many as one reviewer may. Answer, release or skip some.",
            {"limit": most},
            retry_after=1,
        )
