"""The requests about review queues."""

from typing import Unpack, cast

from setright.client.answers import Correction
from setright.client.inputs import VerdictFields
from setright.client.paging import Page, page_of
from setright.client.records import Receipt
from setright.client.request import Plan, Request, checked_key
from setright.client.requests.corrections import verdict_body
from setright.client.reviews import (
    ClaimedRun,
    ReviewClaim,
    ReviewItem,
    ReviewItemFilters,
    ReviewQueue,
    ReviewQueueChanges,
    ReviewQueueFields,
    ReviewQueueFilters,
)
from setright.client.values import Convert, ours, query, segment

_ACCEPTED = 202


def _filter(value: object) -> object:
    return ours(value, {"subject": ours})


_FIELDS: dict[str, Convert] = {"filter": _filter}


def create(*, key: str | None = None, **queue: Unpack[ReviewQueueFields]) -> Request[ReviewQueue]:
    """Make a queue of a project's finished runs for people to judge."""
    body = ours(queue, _FIELDS)
    return Request[ReviewQueue].write("POST", "/v1/review-queues", ReviewQueue.read, body, key=key)


def get(queue_id: str) -> Request[ReviewQueue]:
    """Read a review queue with how many of its runs stand where."""
    return Request[ReviewQueue].get(_queue(queue_id), ReviewQueue.read)


def page(**filters: Unpack[ReviewQueueFilters]) -> Request[Page[ReviewQueue]]:
    """Read one page of the review queues, newest first."""
    return Request[Page[ReviewQueue]].get("/v1/review-queues", page_of(ReviewQueue), query(**filters))


def change(
    queue_id: str,
    *,
    if_match: str | None = None,
    key: str | None = None,
    **changes: Unpack[ReviewQueueChanges],
) -> Request[ReviewQueue]:
    """Change what a review queue asks for from now on; which runs it is about never changes.

    With `if_match`, the ETag that a change answered (`.receipt.etag`), a queue that another changed since is refused.
    """
    path = _queue(queue_id)
    return Request[ReviewQueue].write(
        "PATCH", path, ReviewQueue.read, ours(changes), key=key, if_match=if_match
    )


def close(queue_id: str, *, key: str | None = None) -> Request[ReviewQueue]:
    """Close a review queue for good: unfinished items are dropped, and what was said of them is shown."""
    return Request[ReviewQueue].write("POST", f"{_queue(queue_id)}/close", ReviewQueue.read, key=key)


def claim(queue_id: str, *, run_id: str | None = None, key: str | None = None) -> Plan[ClaimedRun | None]:
    """Get the next run to judge, with its content; None when there is none for you now.

    With `run_id` take up again a run that you released or for which your time ran out. A server that passed over very
    many runs without finding one is asked again at once.
    """
    path, whole, asked = f"{_queue(queue_id)}/claims", checked_key(key), 0
    body = {} if run_id is None else {"runId": run_id}
    while True:
        own = whole if asked == 0 else f"{whole}.{asked}"
        found = yield Request[ClaimedRun | bool].write("POST", path, _handed, body, key=own)
        if found is not True:
            return cast("ClaimedRun | None", found or None)
        asked += 1


def answer(
    queue_id: str, claim_id: str, *, key: str | None = None, **verdict: Unpack[VerdictFields]
) -> Request[Correction]:
    """Say what was right or wrong with a run that you claimed; others see it when all its reviewers have spoken."""
    path, body = f"{_claim(queue_id, claim_id)}/correction", verdict_body(verdict)
    return Request[Correction].write("POST", path, Correction.read, body, key=key)


def release(queue_id: str, claim_id: str, *, key: str | None = None) -> Request[ReviewClaim]:
    """Give a run back for others; you may take it up again."""
    path = f"{_claim(queue_id, claim_id)}/release"
    return Request[ReviewClaim].write("POST", path, ReviewClaim.read, key=key)


def skip(queue_id: str, claim_id: str, *, key: str | None = None) -> Request[ReviewClaim]:
    """Leave a run to others for good."""
    path = f"{_claim(queue_id, claim_id)}/skip"
    return Request[ReviewClaim].write("POST", path, ReviewClaim.read, key=key)


def items_page(queue_id: str, **filters: Unpack[ReviewItemFilters]) -> Request[Page[ReviewItem]]:
    """Read one page of the runs of a queue that were handed out, newest first, and how far their reviews are."""
    return Request[Page[ReviewItem]].get(f"{_queue(queue_id)}/items", page_of(ReviewItem), query(**filters))


def adjudicate(
    queue_id: str, run_id: str, *, key: str | None = None, **verdict: Unpack[VerdictFields]
) -> Request[Correction]:
    """Decide where the reviewers of a run disagree, by a correction of your own; needs the role admin."""
    path = f"{_queue(queue_id)}/items/{segment('run_id', run_id)}/adjudication"
    return Request[Correction].write("POST", path, Correction.read, verdict_body(verdict), key=key)


def _handed(value: object, receipt: Receipt) -> ClaimedRun | bool:
    """The claim; True: ask again; False: there is none."""
    if value is None:
        return False
    return receipt.status == _ACCEPTED or ClaimedRun.read(value, receipt)


def _queue(queue_id: str) -> str:
    return f"/v1/review-queues/{segment('queue_id', queue_id)}"


def _claim(queue_id: str, claim_id: str) -> str:
    return f"{_queue(queue_id)}/claims/{segment('claim_id', claim_id)}"
