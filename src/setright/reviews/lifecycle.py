"""The lives of a review queue, of an item in it (one run and its reviewers) and of a reviewer's claim on an item."""

from typing import Literal, get_args

from setright.kernel.lifecycle import Lifecycle, Move

ClaimState = Literal["active", "answered", "released", "skipped", "expired", "withdrawn"]
ItemState = Literal["waiting", "claimed", "complete", "disagreed", "adjudicated", "dropped"]

_ADMIN = "an admin of the queue's project"
_REVIEWER = "anyone with write in the project, and the queue's reviewer role if it asks for one"
_OWN = "the reviewer whose claim it is"
_TIME = "time: noticed when the queue is used next"
_ITEM = "its reviewers"
UNFINISHED = ("waiting", "claimed")

QUEUE_LIFE = Lifecycle(
    thing="review queue",
    statuses=("open", "closed"),
    moves=(
        Move("create", None, "open", _ADMIN, "review-queue.created"),
        Move("change", "open", "open", _ADMIN, "review-queue.changed"),
        Move("close", "open", "closed", _ADMIN, "review-queue.closed"),
    ),
    final=("closed",),
)

CLAIM_LIFE = Lifecycle(
    thing="review claim",
    statuses=get_args(ClaimState),
    moves=(
        Move("claim", None, "active", _REVIEWER, "review-claim.made"),
        Move("take up again", "released", "active", _OWN, "review-claim.taken-up"),
        Move("take up again", "expired", "active", _OWN, "review-claim.taken-up"),
        Move("answer", "active", "answered", _OWN, "review-claim.answered"),
        Move("release", "active", "released", _OWN, "review-claim.released"),
        Move("skip", "active", "skipped", _OWN, "review-claim.skipped"),
        Move("expire", "active", "expired", _TIME, "review-claim.expired"),
        Move("close the queue", "active", "released", _ADMIN, "review-queue.closed"),
        Move("withdraw", "answered", "withdrawn", "who removes its correction", "review-claim.withdrawn"),
    ),
    final=("skipped", "withdrawn"),
)

ITEM_LIFE = Lifecycle(
    thing="review item",
    statuses=get_args(ItemState),
    moves=(
        Move("begin", None, "claimed", _REVIEWER, "review-item.begun"),
        Move("begin", None, "waiting", "a reviewer who may not judge it", "review-item.begun"),
        Move("claim", "waiting", "claimed", _REVIEWER, "review-claim.made"),
        Move("claim", "claimed", "claimed", _REVIEWER, "review-claim.made"),
        Move("give back", "claimed", "waiting", _ITEM, "review-claim.released"),
        Move("give back", "claimed", "claimed", _ITEM, "review-claim.released"),
        Move("withdraw", "waiting", "waiting", _ITEM, "review-claim.withdrawn"),
        Move("withdraw", "claimed", "claimed", _ITEM, "review-claim.withdrawn"),
        Move("answer", "claimed", "waiting", _ITEM, "review-claim.answered"),
        Move("answer", "claimed", "claimed", _ITEM, "review-claim.answered"),
        Move("agree", "claimed", "complete", "its last reviewer", "review-item.completed"),
        Move("differ", "claimed", "disagreed", "its last reviewer", "review-item.disagreed"),
        Move("agree", "disagreed", "complete", "a reviewer, by a newer correction", "review-item.completed"),
        Move("differ", "complete", "disagreed", "a reviewer, by a newer correction", "review-item.disagreed"),
        Move("adjudicate", "disagreed", "adjudicated", _ADMIN, "review-item.adjudicated"),
        Move("agree", "adjudicated", "complete", "who removes the adjudication", "review-item.completed"),
        Move("differ", "adjudicated", "disagreed", "who removes the adjudication", "review-item.disagreed"),
        Move(
            "drop",
            "waiting",
            "dropped",
            f"{_ADMIN}, who closes it; or the run's content is gone",
            "review-item.dropped",
        ),
        Move(
            "drop",
            "claimed",
            "dropped",
            f"{_ADMIN}, who closes it; or the run's content is gone",
            "review-item.dropped",
        ),
    ),
    final=("dropped",),
)


def unfinished_state(active: int) -> str:
    """Where an item stands that is not complete, with so many active claims on it."""
    return "claimed" if active else "waiting"


def finished_state(differs: bool) -> str:
    """Where an item stands on which all reviewers have spoken."""
    return "disagreed" if differs else "complete"
