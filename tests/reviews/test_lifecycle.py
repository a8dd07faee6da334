"""The whole lives of review queues, items and claims, move by move."""

from setright.reviews.lifecycle import (
    CLAIM_LIFE,
    ITEM_LIFE,
    QUEUE_LIFE,
    UNFINISHED,
    finished_state,
    unfinished_state,
)
from tests.support.lives import told

QUEUE = """\
review queue: open, closed
final: closed
create: review-queue.created
    nothing > open
change: review-queue.changed
    open
close: review-queue.closed
    open > closed"""

CLAIM = """\
review claim: active, answered, released, skipped, expired, withdrawn
final: skipped, withdrawn
claim: review-claim.made
    nothing > active
take up again: review-claim.taken-up
    released > active, expired > active
answer: review-claim.answered
    active > answered
release: review-claim.released
    active > released
skip: review-claim.skipped
    active > skipped
expire: review-claim.expired
    active > expired
close the queue: review-queue.closed
    active > released
withdraw: review-claim.withdrawn
    answered > withdrawn"""

ITEM = """\
review item: waiting, claimed, complete, disagreed, adjudicated, dropped
final: dropped
begin: review-item.begun
    nothing > claimed, nothing > waiting
claim: review-claim.made
    waiting > claimed, claimed
give back: review-claim.released
    claimed > waiting, claimed
withdraw: review-claim.withdrawn
    waiting, claimed
answer: review-claim.answered
    claimed > waiting, claimed
agree: review-item.completed
    claimed > complete, disagreed > complete, adjudicated > complete
differ: review-item.disagreed
    claimed > disagreed, complete > disagreed, adjudicated > disagreed
adjudicate: review-item.adjudicated
    disagreed > adjudicated
drop: review-item.dropped
    waiting > dropped, claimed > dropped"""


def test_every_move_of_a_queue() -> None:
    assert told(QUEUE_LIFE) == QUEUE


def test_every_move_of_a_claim() -> None:
    assert told(CLAIM_LIFE) == CLAIM


def test_every_move_of_an_item() -> None:
    assert told(ITEM_LIFE) == ITEM


def test_an_item_is_claimed_as_long_as_anybody_has_it() -> None:
    assert [unfinished_state(active) for active in (0, 1, 2)] == ["waiting", "claimed", "claimed"]
    assert UNFINISHED == ("waiting", "claimed")


def test_where_all_have_spoken_they_agree_or_differ() -> None:
    assert (finished_state(differs=False), finished_state(differs=True)) == ("complete", "disagreed")
