"""What the reviews room does when a correction that answers or decides an item is superseded, or removed."""

from collections.abc import Sequence
from dataclasses import replace

from setright import corrections
from setright.kernel.events import Event
from setright.reviews import items, store
from setright.reviews.claiming import move_claim
from setright.reviews.lifecycle import UNFINISHED
from setright.reviews.model import ReviewClaim, ReviewItem
from setright.reviews.store import Held
from setright.storage import Tx

ANNOUNCES = frozenset({"review-claim.withdrawn", "review-item.completed", "review-item.disagreed"})
"""What these reactions may lead to."""


def follow_newer(tx: Tx, told: Sequence[Event]) -> None:
    """The newer correction stands for its reviewer, or for the admin who decided; reviewers may agree by it, or not."""
    for event in told:
        earlier = corrections.known_correction(tx, event.subject_id)
        newer = None if earlier is None else earlier.superseded_by
        claim, item = _claim_of(tx, event.subject_id), _decided_by(tx, event.subject_id)
        if claim is not None:
            store.set_claim(tx, replace(claim, correction_id=newer))
            _look_again(tx, claim)
        if item is not None:
            store.set_item(tx, replace(item, adjudicated_by=newer))


def withdraw(tx: Tx, told: Sequence[Event]) -> None:
    """A removed correction answers and decides nothing: another reviewer is needed, or it is open again who is right."""
    for event in told:
        claim, item = _claim_of(tx, event.subject_id), _decided_by(tx, event.subject_id)
        if claim is not None and claim.state == "answered":
            move_claim(tx, _held(tx, claim.queue_id).queue, claim, "withdraw")
            _look_again(tx, claim)
        if item is not None:
            items.weigh(tx, _held(tx, item.queue_id).queue, item)


def _look_again(tx: Tx, claim: ReviewClaim) -> None:
    """Where the item of a claim stands, now that its answer is another one or none."""
    held = _held(tx, claim.queue_id)
    item = items.find_item(tx, held.queue, claim.run_id)
    if item is None:
        return
    if item.state in UNFINISHED:
        items.settle(tx, held, claim.run_id)
        held.save(tx)
    elif item.state in ("complete", "disagreed"):
        items.weigh(tx, held.queue, item)


def _held(tx: Tx, queue_id: str) -> Held:
    held = store.hold(tx, queue_id)
    if held is None:
        raise LookupError(f"there is an item of the queue {queue_id}, and no such queue")
    return held


def _claim_of(tx: Tx, correction_id: str) -> ReviewClaim | None:
    row = tx.one(store.CLAIM_OF_CORRECTION, tenant_id=tx.actor.tenant_id, correction_id=correction_id)
    return None if row is None else ReviewClaim(**row)


def _decided_by(tx: Tx, correction_id: str) -> ReviewItem | None:
    row = tx.one(store.ADJUDICATED_ITEM, tenant_id=tx.actor.tenant_id, correction_id=correction_id)
    return None if row is None else store.item_in(row)
