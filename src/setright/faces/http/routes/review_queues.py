"""Routes of review queues: made, claimed from, answered, adjudicated and closed."""

from typing import Any, Literal

from setright.app.catalog import OPERATIONS, QUERIES
from setright.corrections import NewVerdict
from setright.faces.http import samples, schemas, shapes
from setright.faces.http.parameters import PageQuery
from setright.faces.http.route import Asked, Example, Route
from setright.faces.http.show import Handed, Listed, One, path_to
from setright.faces.http.wire import review_queues as wire
from setright.kernel.fields import Id, optional
from setright.reviews import ClaimWish, ItemState, NewReviewQueue, QueueFilters, ReviewQueueChange


class ReviewQueueQuery(PageQuery):
    """What a list of review queues can be narrowed to."""

    project_id: Id | None = optional("Only queues of this project.")
    status: Literal["open", "closed"] | None = optional("Only queues that stand so.")


class ReviewItemQuery(PageQuery):
    """What the list of a queue's items can be narrowed to."""

    state: ItemState | None = optional("Only items that stand so.")


def _listed(asked: Asked) -> dict[str, Any]:
    filters = QueueFilters(asked.query.project_id, asked.query.status)
    return {"filters": filters, "after": asked.after, "limit": asked.query.limit}


def _queue(asked: Asked) -> dict[str, Any]:
    return {"queue_id": asked.path["queueId"]}


def _claim(asked: Asked) -> dict[str, Any]:
    return {**_queue(asked), "claim_id": asked.path["claimId"]}


_QUEUE = {"queueId": wire.QUEUE["id"]}
_CLAIM = {**_QUEUE, "claimId": wire.CLAIM["id"]}
_COUNTED = {**wire.QUEUE, "counts": wire.COUNTS}
_NO_QUEUE = ("review-queue-not-found", "permission-denied")
_NO_CLAIM = (*_NO_QUEUE, "review-claim-not-found", "review-claim-ended")
_NOT_RECORDED = (
    "corrector-group-not-applicable",
    "corrector-group-not-allowed",
    "item-not-found",
    "already-adjudicated",
    "run-erased",
    "run-content-expired",
    "quota-exceeded",
)
_RECORDED = One(
    shapes.correction,
    status=201,
    location=lambda made: path_to("corrections", made.id),
    stamp=lambda made: made.updated_at,
    about=lambda made: (made.id, made.run_id),
)
_ENDED = One(wire.review_claim, about=lambda ended: (ended.id, ended.run_id))

QUEUES = (
    Route(
        method="POST",
        path="/v1/review-queues",
        name="createReviewQueue",
        summary="Make a queue of a project's finished runs for people to judge.",
        does=OPERATIONS["create-review-queue"],
        more="Needs the role admin in the project. Nothing is put into the queue: a claim picks the next run that fits.",
        body=NewReviewQueue,
        arguments=lambda asked: {"new": asked.body},
        show=One(
            wire.review_queue,
            status=201,
            location=lambda made: path_to("review-queues", made.id),
            stamp=lambda made: made.updated_at,
            about=lambda made: (made.id,),
        ),
        answers=wire.ReviewQueue,
        example=Example(body=wire.NEW, answer=wire.QUEUE),
        refuses=("project-not-found", "permission-denied"),
    ),
    Route(
        method="GET",
        path="/v1/review-queues",
        name="listReviewQueues",
        summary="List the review queues of the projects that you may read, newest first.",
        does=QUERIES["list-review-queues"],
        query=ReviewQueueQuery,
        arguments=_listed,
        show=Listed(wire.review_queue),
        answers=wire.ReviewQueue,
        example=Example(query="status=open&limit=10", answer=wire.QUEUE),
        refuses=("project-not-found", "permission-denied"),
    ),
    Route(
        method="GET",
        path="/v1/review-queues/{queueId}",
        name="getReviewQueue",
        summary="Read a review queue with how many of its runs stand where.",
        does=QUERIES["get-review-queue"],
        more="What other reviewers hold is counted as waiting, but for admins of the project.",
        arguments=_queue,
        show=One(wire.counted_queue),
        answers=wire.ReviewQueue,
        example=Example(path=_QUEUE, answer=_COUNTED),
        refuses=_NO_QUEUE,
    ),
    Route(
        method="PATCH",
        path="/v1/review-queues/{queueId}",
        name="changeReviewQueue",
        summary="Change what a review queue asks for from now on; which runs it is about never changes.",
        does=OPERATIONS["change-review-queue"],
        more="Needs the role admin in the project. A larger sample is looked for among earlier runs too; "
        "reviewersPerItem counts for runs that are begun from now on.",
        body=ReviewQueueChange,
        arguments=lambda asked: {**_queue(asked), "change": asked.body, "known": asked.known},
        show=One(wire.review_queue, stamp=lambda kept: kept.updated_at, about=lambda kept: (kept.id,)),
        answers=wire.ReviewQueue,
        example=Example(path=_QUEUE, body=wire.CHANGE, answer={**wire.QUEUE, **wire.CHANGE}),
        refuses=(*_NO_QUEUE, "review-queue-closed", "changed-meanwhile"),
    ),
    Route(
        method="POST",
        path="/v1/review-queues/{queueId}/close",
        name="closeReviewQueue",
        summary="Close a review queue for good: nothing is handed out, and no answer taken. Again changes nothing.",
        does=OPERATIONS["close-review-queue"],
        more="Needs the role admin in the project. Claims end, unfinished items are dropped, and what was said of "
        "them is shown; of very many, some at once and the others by a job. What reviewers disagree on can still be "
        "adjudicated.",
        arguments=_queue,
        show=One(wire.counted_queue, about=lambda kept: (kept.queue.id,)),
        answers=wire.ReviewQueue,
        example=Example(path=_QUEUE, answer={**_COUNTED, "status": "closed", "closedAt": samples.LATER}),
        refuses=_NO_QUEUE,
    ),
)

CLAIMS = (
    Route(
        method="POST",
        path="/v1/review-queues/{queueId}/claims",
        name="claimRun",
        summary="Get the next run to judge, with its content; 204 when there is none for you.",
        does=OPERATIONS["claim-run"],
        more="Needs write in the project, and the queue's reviewer role. You are handed no run twice, and none that "
        "you corrected before. The claim runs out after the queue's claimSeconds, and then another may get the run. "
        "With runId you take up again a run that you released or for which your time ran out. 202 says that very many "
        "runs were passed over and the search is not at its end: ask again at once.",
        body=ClaimWish,
        optional_body=True,
        arguments=lambda asked: {**_queue(asked), "run_id": asked.body.run_id},
        show=Handed(wire.claimed_run, wire.looked, about=lambda made: (made.claim.id, made.claim.run_id)),
        answers=wire.ClaimedRun,
        example=Example(path=_QUEUE, body={}, answer={**wire.CLAIM, "run": samples.RUN_IN_FULL}),
        refuses=(
            *_NO_QUEUE,
            "review-queue-closed",
            "review-item-not-found",
            "review-item-taken",
            "too-many-claims",
        ),
    ),
    Route(
        method="POST",
        path="/v1/review-queues/{queueId}/claims/{claimId}/correction",
        name="answerClaim",
        summary="Say what was right or wrong with the run that you claimed.",
        does=OPERATIONS["answer-claim"],
        more="The fields are those of a correction. It is `blind` until all reviewers of the run have spoken: only you "
        "and admins of the project see it, in every read. Then all are shown at once.",
        body=NewVerdict,
        arguments=lambda asked: {**_claim(asked), "verdict": asked.body},
        show=_RECORDED,
        answers=schemas.Correction,
        example=Example(
            path=_CLAIM, body=wire.VERDICT, answer={**samples.CORRECTION, "blind": wire.QUEUE["id"]}
        ),
        refuses=(
            *_NO_CLAIM,
            *_NOT_RECORDED,
            "review-queue-closed",
            "review-claim-expired",
            "run-already-corrected",
        ),
    ),
    Route(
        method="POST",
        path="/v1/review-queues/{queueId}/claims/{claimId}/release",
        name="releaseClaim",
        summary="Give a run back for others; you may take it up again. Again changes nothing.",
        does=OPERATIONS["release-claim"],
        arguments=_claim,
        show=_ENDED,
        answers=wire.ReviewClaim,
        example=Example(path=_CLAIM, answer=wire.ENDED),
        refuses=_NO_CLAIM,
    ),
    Route(
        method="POST",
        path="/v1/review-queues/{queueId}/claims/{claimId}/skip",
        name="skipClaim",
        summary="Leave a run to others for good. Again changes nothing.",
        does=OPERATIONS["skip-claim"],
        arguments=_claim,
        show=_ENDED,
        answers=wire.ReviewClaim,
        example=Example(path=_CLAIM, answer={**wire.ENDED, "state": "skipped"}),
        refuses=_NO_CLAIM,
    ),
)

ITEMS = (
    Route(
        method="GET",
        path="/v1/review-queues/{queueId}/items",
        name="listReviewItems",
        summary="List the runs of a queue that were handed out, newest first, and how far their reviews are.",
        does=QUERIES["list-review-items"],
        more="Who is no admin of the project sees of an unfinished one only its own claim.",
        query=ReviewItemQuery,
        arguments=lambda asked: {
            **_queue(asked),
            "state": asked.query.state,
            "after": asked.after,
            "limit": asked.query.limit,
        },
        show=Listed(wire.review_item),
        answers=wire.ReviewItem,
        example=Example(path=_QUEUE, query="state=disagreed&limit=10", answer=wire.ITEM),
        refuses=_NO_QUEUE,
    ),
    Route(
        method="POST",
        path="/v1/review-queues/{queueId}/items/{runId}/adjudication",
        name="adjudicateItem",
        summary="Decide where the reviewers of a run disagree, by a correction of your own.",
        does=OPERATIONS["adjudicate-item"],
        more="Needs the role admin in the project. What the reviewers said stays readable, moves no more and is no "
        "case of a test; removing your correction undoes that.",
        body=NewVerdict,
        arguments=lambda asked: {**_queue(asked), "run_id": asked.path["runId"], "verdict": asked.body},
        show=_RECORDED,
        answers=schemas.Correction,
        example=Example(
            path={**_QUEUE, "runId": samples.RUN["id"]},
            body=wire.VERDICT,
            answer={**samples.CORRECTION, "adjudicates": ["cor_01KE5MCQ800000000000000009"]},
        ),
        refuses=(*_NO_QUEUE, *_NOT_RECORDED, "review-item-not-found", "review-not-disagreed"),
    ),
)

ROUTES = (*QUEUES, *CLAIMS, *ITEMS)
