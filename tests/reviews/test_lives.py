"""The lives of queues, claims and items: what each verb does in each status is what the tables say."""

from collections.abc import Callable
from typing import Any, get_args

import pytest

from setright.reviews import (
    CLAIM_LIFE,
    ITEM_LIFE,
    QUEUE_LIFE,
    ClaimState,
    ItemState,
    ReviewClaim,
    ReviewQueue,
)
from setright.reviews.errors import (
    ReviewClaimEnded,
    ReviewClaimExpired,
    ReviewItemTaken,
    ReviewNotDisagreed,
    ReviewQueueClosed,
)
from tests.reviews.reviewing import RIGHT, WRONG, Desk

CLAIM_STATES: tuple[str, ...] = get_args(ClaimState)
ITEM_STATES: tuple[str, ...] = get_args(ItemState)
CLAIM_VERBS = ("answer", "release", "skip", "take up again", "withdraw")
AGAIN = {("released", "release"), ("skipped", "skip"), ("active", "take up again")}
"""What is there already when the verb comes: it answers the same, and changes nothing."""


def a_claim(desk: Desk, state: str) -> tuple[Any, ReviewQueue, ReviewClaim, Any]:
    """A reviewer and its claim in a state, with the correction that answered it, if one did."""
    desk.run()
    queue, reviewer = desk.queue(reviewersPerItem=2), desk.reviewer()
    claim, made = desk.claim(reviewer, queue), None
    if state in ("answered", "withdrawn"):
        made = desk.answer(reviewer, claim)
        if state == "withdrawn":
            desk.remove(reviewer, made)
    if state == "expired":
        desk.run_out(claim)
        desk.look(desk.reviewer(), queue)
    for ended, verb in (("released", desk.release), ("skipped", desk.skip)):
        if state == ended:
            verb(reviewer, claim)
    return reviewer, queue, claim, made


def state_of(desk: Desk, queue: ReviewQueue, claim: ReviewClaim) -> str:
    return next(one.state for one in desk.items(queue)[claim.run_id].claims if one.id == claim.id)


def done(desk: Desk, verb: str, reviewer: Any, queue: ReviewQueue, claim: ReviewClaim, made: Any) -> Any:
    verbs: dict[str, Callable[[], Any]] = {
        "answer": lambda: desk.answer(reviewer, claim),
        "release": lambda: desk.release(reviewer, claim),
        "skip": lambda: desk.skip(reviewer, claim),
        "take up again": lambda: desk.claim(reviewer, queue, claim.run_id),
        "withdraw": lambda: desk.remove(reviewer, made),
    }
    return verbs[verb]()


@pytest.mark.parametrize("verb", CLAIM_VERBS)
@pytest.mark.parametrize("state", CLAIM_STATES)
def test_a_claim_goes_where_the_table_says_and_nowhere_else(desk: Desk, state: str, verb: str) -> None:
    reviewer, queue, claim, made = a_claim(desk, state)
    assert state_of(desk, queue, claim) == state
    move = CLAIM_LIFE.find(verb, state)
    if verb == "withdraw" and made is None:
        assert move is None
        return
    if (state, verb) in AGAIN or move is not None or verb == "withdraw":
        done(desk, verb, reviewer, queue, claim, made)
        assert state_of(desk, queue, claim) == (state if move is None else move.end)
        return
    with pytest.raises((ReviewClaimEnded, ReviewClaimExpired, ReviewItemTaken)) as caught:
        done(desk, verb, reviewer, queue, claim, made)
    assert state_of(desk, queue, claim) == state
    if isinstance(caught.value, ReviewItemTaken):
        assert state in str(caught.value)
    else:
        assert caught.value.details["open"] == [one.verb for one in CLAIM_LIFE.open_from(state)]


@pytest.mark.parametrize("state", CLAIM_STATES)
def test_closing_the_queue_ends_active_claims_and_no_others(desk: Desk, state: str) -> None:
    _, queue, claim, _ = a_claim(desk, state)
    desk.close(queue)
    move = CLAIM_LIFE.find("close the queue", state)
    assert state_of(desk, queue, claim) == (state if move is None else move.end)


@pytest.mark.parametrize("verb", ["change", "close", "claim"])
@pytest.mark.parametrize("status", QUEUE_LIFE.statuses)
def test_a_closed_queue_is_only_closed_again(desk: Desk, status: str, verb: str) -> None:
    queue = desk.queue()
    if status == "closed":
        desk.close(queue)
    verbs: dict[str, Callable[[], Any]] = {
        "change": lambda: desk.change(queue, name="x").status,
        "close": lambda: desk.close(queue).queue.status,
        "claim": lambda: desk.look(desk.reviewer(), queue),
    }
    move = QUEUE_LIFE.find(verb, status)
    if status == "open" or verb == "close":
        assert verbs[verb]() == (status if move is None else move.end) or verb == "claim"
    else:
        with pytest.raises(ReviewQueueClosed):
            verbs[verb]()


def an_item(desk: Desk, state: str) -> tuple[ReviewQueue, str]:
    """An item in a state."""
    run_id, queue = desk.run(), desk.queue(reviewersPerItem=2)
    people = [desk.reviewer() for _ in range(2)]
    if state == "waiting":
        desk.release(people[0], desk.claim(people[0], queue))
    else:
        claims = [desk.claim(person, queue) for person in people]
        if state in ("complete", "disagreed", "adjudicated"):
            desk.answer(people[0], claims[0], **RIGHT)
            desk.answer(people[1], claims[1], **(RIGHT if state == "complete" else WRONG))
    if state == "adjudicated":
        desk.adjudicate(desk.admin, queue, run_id)
    if state == "dropped":
        desk.close(queue)
    return queue, run_id


@pytest.mark.parametrize("state", ITEM_STATES)
def test_only_what_is_disagreed_on_is_adjudicated(desk: Desk, state: str) -> None:
    queue, run_id = an_item(desk, state)
    assert desk.state(queue, run_id) == state
    move = ITEM_LIFE.find("adjudicate", state)
    if move is None:
        with pytest.raises(ReviewNotDisagreed) as caught:
            desk.adjudicate(desk.admin, queue, run_id)
        assert caught.value.details["state"] == state
    else:
        desk.adjudicate(desk.admin, queue, run_id)
    assert desk.state(queue, run_id) == (state if move is None else move.end)


@pytest.mark.parametrize("state", ITEM_STATES)
def test_closing_drops_what_is_unfinished_and_nothing_else(desk: Desk, state: str) -> None:
    queue, run_id = an_item(desk, state)
    desk.close(queue)
    move = ITEM_LIFE.find("drop", state)
    assert desk.state(queue, run_id) == (state if move is None else move.end)


@pytest.mark.parametrize("state", ITEM_STATES)
def test_only_an_item_with_room_is_handed_to_another(desk: Desk, state: str) -> None:
    queue, _ = an_item(desk, state)
    if state == "dropped":
        with pytest.raises(ReviewQueueClosed):
            desk.look(desk.reviewer(), queue)
    else:
        assert (desk.look(desk.reviewer(), queue) is not None) == (state == "waiting")


@pytest.mark.parametrize("life", [QUEUE_LIFE, CLAIM_LIFE, ITEM_LIFE], ids=lambda life: life.thing)
def test_every_status_is_reached_and_only_final_ones_are_left_by_no_move(life: Any) -> None:
    assert {move.end for move in life.moves} == set(life.statuses)
    assert {status for status in life.statuses if not life.open_from(status)} == set(life.final)
