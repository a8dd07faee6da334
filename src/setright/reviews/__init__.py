"""Review queues: who is handed which run to judge, what nobody sees before all have spoken, and who decides then."""

from setright.reviews.claiming import answer_claim, claim_run, release_claim, skip_claim
from setright.reviews.jobs import DROP_ITEMS, drop_items
from setright.reviews.lifecycle import CLAIM_LIFE, ITEM_LIFE, QUEUE_LIFE, ClaimState, ItemState
from setright.reviews.model import (
    ClaimedRun,
    ClaimWish,
    CountedQueue,
    Looking,
    NewReviewQueue,
    QueueFilters,
    ReviewClaim,
    ReviewItem,
    ReviewQueue,
    ReviewQueueChange,
)
from setright.reviews.operations import adjudicate_item, change_queue, close_queue, create_queue
from setright.reviews.queries import get_queue, list_items, list_queues
from setright.reviews.reactions import ANNOUNCES, follow_newer, withdraw
from setright.reviews.soundness import faults

__all__ = [
    "ANNOUNCES",
    "CLAIM_LIFE",
    "DROP_ITEMS",
    "ITEM_LIFE",
    "QUEUE_LIFE",
    "ClaimState",
    "ClaimWish",
    "ClaimedRun",
    "CountedQueue",
    "ItemState",
    "Looking",
    "NewReviewQueue",
    "QueueFilters",
    "ReviewClaim",
    "ReviewItem",
    "ReviewQueue",
    "ReviewQueueChange",
    "adjudicate_item",
    "answer_claim",
    "change_queue",
    "claim_run",
    "close_queue",
    "create_queue",
    "drop_items",
    "faults",
    "follow_newer",
    "get_queue",
    "list_items",
    "list_queues",
    "release_claim",
    "skip_claim",
    "withdraw",
]
