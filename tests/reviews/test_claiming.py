"""Claiming: the next run for who asks, each once, and what becomes of a claim."""

from dataclasses import replace

import pytest

from setright.kernel.actor import Role
from setright.kernel.errors import PermissionDenied
from setright.reviews.claiming import MOST_CLAIMS
from setright.reviews.errors import (
    ReviewClaimEnded,
    ReviewClaimExpired,
    ReviewClaimNotFound,
    ReviewerRoleMissing,
    ReviewItemNotFound,
    ReviewItemTaken,
    ReviewQueueNotFound,
    RunAlreadyCorrected,
    TooManyClaims,
)
from tests.reviews.reviewing import Desk


def test_runs_are_handed_out_in_the_order_in_which_they_finished(desk: Desk) -> None:
    late = desk.run(status="running", output=None)
    first, second = desk.run(), desk.run()
    queue, reviewer = desk.queue(), desk.reviewer()
    assert [desk.claim(reviewer, queue).run_id for _ in range(2)] == [first, second]
    assert desk.look(reviewer, queue) is None
    desk.finish(late)
    assert desk.claim(reviewer, queue).run_id == late
    assert desk.look(reviewer, queue) is None


def test_a_claim_comes_with_what_is_to_be_judged(desk: Desk) -> None:
    run_id = desk.run(calls=[{"tool": "look_up", "args": {"order": 1}, "result": "paid"}])
    queue = desk.queue(claimSeconds=60)
    found = desk.look(desk.reviewer(), queue)
    assert (found.claim.run_id, found.claim.state) == (run_id, "active")
    assert found.run.content.input == "how long?"
    assert found.run.content.output == "30 days"
    assert found.run.calls[0]["tool"] == "look_up"


def test_a_run_goes_to_one_reviewer_when_one_is_asked_for(desk: Desk) -> None:
    desk.run()
    queue, one, other = desk.queue(), desk.reviewer(), desk.reviewer()
    claim = desk.claim(one, queue)
    assert desk.look(other, queue) is None
    desk.answer(one, claim)
    assert desk.look(other, queue) is None
    assert desk.counts(queue) == {"complete": 1}


def test_a_run_goes_to_as_many_reviewers_as_are_asked_for_before_the_next(desk: Desk) -> None:
    runs = [desk.run(), desk.run()]
    queue, people = desk.queue(reviewersPerItem=2), [desk.reviewer() for _ in range(4)]
    assert [desk.claim(person, queue).run_id for person in people] == [runs[0], runs[0], runs[1], runs[1]]
    assert desk.look(desk.reviewer(), queue) is None


def test_no_reviewer_is_handed_a_run_twice(desk: Desk) -> None:
    for _ in range(3):
        desk.run()
    queue, reviewer = desk.queue(reviewersPerItem=3), desk.reviewer()
    answered, skipped, released = (desk.claim(reviewer, queue) for _ in range(3))
    desk.answer(reviewer, answered)
    desk.skip(reviewer, skipped)
    desk.release(reviewer, released)
    assert len({answered.run_id, skipped.run_id, released.run_id}) == 3
    assert desk.look(reviewer, queue) is None
    other = desk.reviewer()
    assert {desk.claim(other, queue).run_id for _ in range(3)} == {
        answered.run_id,
        skipped.run_id,
        released.run_id,
    }


@pytest.mark.parametrize(
    ("chosen", "fits"),
    [
        ({"subject": {"kind": "agent", "id": "SUPPORT"}}, ["a", "b", "c"]),
        ({"subject": {"kind": "agent", "id": "support", "version": "v2"}}, ["b"]),
        ({"subject": {"kind": "flow", "id": "support"}}, ["f"]),
        ({"status": "failed"}, ["c"]),
        ({"subject": {"kind": "agent", "id": "nobody"}}, []),
        (None, ["a", "b", "c", "f"]),
    ],
)
def test_the_filter_says_which_runs_are_reviewed(desk: Desk, chosen: object, fits: list[str]) -> None:
    def subject(kind: str, version: str) -> dict[str, str]:
        return {"kind": kind, "id": "Support", "version": version}

    made = {
        "a": desk.run(),
        "b": desk.run(subject=subject("agent", "v2")),
        "c": desk.run(status="failed", output=None),
        "f": desk.run(subject=subject("flow", "v1")),
    }
    desk.ledger.project(desk.tenant, "elsewhere")
    desk.run(projectId="elsewhere")
    queue, reviewer = desk.queue(filter=chosen), desk.reviewer()
    assert [desk.claim(reviewer, queue).run_id for _ in fits] == [made[name] for name in fits]
    assert desk.look(reviewer, queue) is None


def test_since_counts_from_when_a_run_finished(desk: Desk) -> None:
    desk.run()
    since = desk.ask(desk.admin, lambda at: at.now)
    after = desk.run()
    queue = desk.queue()
    wire = "2026-01-01T00:00:00Z"
    assert desk.claim(desk.reviewer(), desk.queue(filter={"since": wire})).run_id != after
    queue = replace(queue, filter=replace(queue.filter, since=since))
    assert queue.filter.since == since


def test_a_claim_that_ran_out_leaves_its_run_to_another(desk: Desk) -> None:
    desk.run()
    queue, one, other = desk.queue(), desk.reviewer(), desk.reviewer()
    claim = desk.claim(one, queue)
    desk.run_out(claim)
    assert desk.counts(queue) == {"waiting": 1}
    with pytest.raises(ReviewClaimExpired, match="Take the run up again"):
        desk.answer(one, claim)
    assert desk.look(one, queue) is None
    taken = desk.claim(other, queue)
    assert taken.run_id == claim.run_id
    with pytest.raises(ReviewClaimExpired):
        desk.answer(one, claim)
    with pytest.raises(ReviewItemTaken, match="other reviewers have it"):
        desk.claim(one, queue, claim.run_id)
    desk.answer(other, taken)
    with pytest.raises(ReviewItemTaken, match="review is over"):
        desk.claim(one, queue, claim.run_id)


@pytest.mark.parametrize("end", ["run_out", "release"])
def test_a_run_that_came_back_can_be_taken_up_again(desk: Desk, end: str) -> None:
    desk.run()
    queue, reviewer = desk.queue(), desk.reviewer()
    claim = desk.claim(reviewer, queue)
    if end == "release":
        desk.release(reviewer, claim)
    else:
        desk.run_out(claim)
    again = desk.claim(reviewer, queue, claim.run_id)
    assert (again.id, again.state) == (claim.id, "active")
    assert desk.claim(reviewer, queue, claim.run_id) == again
    desk.answer(reviewer, again)
    assert desk.state(queue, claim.run_id) == "complete"


def test_what_was_skipped_or_answered_is_not_taken_up_again(desk: Desk) -> None:
    desk.run()
    desk.run()
    queue, reviewer = desk.queue(reviewersPerItem=2), desk.reviewer()
    skipped, answered = desk.claim(reviewer, queue), desk.claim(reviewer, queue)
    desk.skip(reviewer, skipped)
    desk.answer(reviewer, answered)
    for claim in (skipped, answered):
        with pytest.raises(ReviewItemTaken):
            desk.claim(reviewer, queue, claim.run_id)
    with pytest.raises(ReviewItemNotFound):
        desk.claim(desk.reviewer(), queue, skipped.run_id)


def test_a_claim_ends_once_and_the_same_end_again_is_fine(desk: Desk) -> None:
    for _ in range(3):
        desk.run()
    queue, reviewer = desk.queue(), desk.reviewer()
    released, skipped, answered = (desk.claim(reviewer, queue) for _ in range(3))
    assert desk.release(reviewer, released) == desk.release(reviewer, released)
    assert desk.skip(reviewer, skipped) == desk.skip(reviewer, skipped)
    made = desk.answer(reviewer, answered)
    for verb in (desk.release, desk.skip, desk.answer):
        with pytest.raises(ReviewClaimEnded) as caught:
            verb(reviewer, answered)
        assert caught.value.details["correctionId"] == made.id
    with pytest.raises(ReviewClaimEnded) as caught:
        desk.answer(reviewer, released)
    assert caught.value.details["open"] == ["take up again"]


def test_another_reviewers_claim_is_not_there(desk: Desk) -> None:
    desk.run()
    queue = desk.queue()
    claim = desk.claim(desk.reviewer(), queue)
    for other in (desk.reviewer(), desk.admin):
        for verb in (desk.answer, desk.release, desk.skip):
            with pytest.raises(ReviewClaimNotFound):
                verb(other, claim)


def test_who_corrected_a_run_before_is_not_asked_and_others_are(desk: Desk) -> None:
    run_id, queue = desk.run(), desk.queue()
    known, other = desk.reviewer(), desk.reviewer()
    desk.correct(known, run_id)
    assert desk.look(known, queue) is None
    assert desk.claim(other, queue).run_id == run_id


def test_who_corrects_the_run_meanwhile_cannot_review_it_any_more(desk: Desk) -> None:
    desk.run()
    queue, reviewer = desk.queue(reviewersPerItem=2), desk.reviewer()
    claim = desk.claim(reviewer, queue)
    made = desk.correct(reviewer, claim.run_id)
    with pytest.raises(RunAlreadyCorrected, match="Skip the run") as caught:
        desk.answer(reviewer, claim)
    assert caught.value.details["correctionId"] == made.id
    assert desk.skip(reviewer, claim).state == "skipped"
    assert desk.find(reviewer, made).superseded_by is None


def test_claiming_needs_write_and_the_queues_reviewer_role(desk: Desk) -> None:
    desk.run()
    queue = desk.queue(minReviewerRole="senior")
    for actor, refusal in (
        (desk.reviewer(Role.READ), PermissionDenied),
        (desk.reviewer(), ReviewerRoleMissing),
    ):
        with pytest.raises(refusal):
            desk.look(actor, queue)
    with pytest.raises(ReviewerRoleMissing):
        desk.look(desk.admin, queue)
    with pytest.raises(ReviewQueueNotFound):
        desk.look(desk.ledger.tenant().admin, queue)


def test_who_lost_the_right_answers_no_more_and_may_give_the_run_back(desk: Desk) -> None:
    desk.run()
    queue, reviewer = desk.queue(), desk.reviewer()
    claim = desk.claim(reviewer, queue)
    reader = replace(reviewer, roles={"default": Role.READ})
    with pytest.raises(PermissionDenied):
        desk.answer(reader, claim)
    assert desk.release(reader, claim).state == "released"
    assert desk.claim(desk.reviewer(), queue).run_id == claim.run_id


def test_nobody_holds_the_whole_queue(desk: Desk) -> None:
    for _ in range(MOST_CLAIMS + 1):
        desk.run()
    queue, reviewer = desk.queue(), desk.reviewer()
    claims = [desk.claim(reviewer, queue) for _ in range(MOST_CLAIMS)]
    with pytest.raises(TooManyClaims):
        desk.look(reviewer, queue)
    desk.skip(reviewer, claims[0])
    assert desk.claim(reviewer, queue).state == "active"
