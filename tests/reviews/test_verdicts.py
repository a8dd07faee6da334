"""Blind review, what happens when all have spoken, and adjudication."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import bindparam, update

from setright import corrections, events, reviews
from setright.corrections import Correction, CorrectionFilters
from setright.corrections.errors import AlreadyAdjudicated, CorrectionNotFound
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import PermissionDenied
from setright.reviews import ReviewQueue
from setright.reviews.errors import ReviewItemNotFound, ReviewNotDisagreed
from setright.runs import RunErased
from setright.runs.tables import runs
from setright.storage import Sql
from tests.reviews.reviewing import RIGHT, WRONG, Desk


def seen(desk: Desk, actor: Actor) -> tuple[set[str], set[str]]:
    """The corrections that a caller finds in lists, and the things that its feed speaks of."""
    wanted = CorrectionFilters(include_unregistered=True)
    page = desk.ask(actor, lambda at: corrections.list_corrections(at, wanted, None, 100))
    feed = desk.ask(actor, lambda at: events.feed(at, 0, 100))
    return {one.id for one in page.data}, {event.subject_id for event in feed.data}


def judged(desk: Desk, *said: dict[str, Any]) -> tuple[ReviewQueue, str, list[Correction], list[Actor]]:
    """A run that was judged by as many people as there are verdicts."""
    run_id = desk.run()
    queue = desk.queue(reviewersPerItem=len(said))
    people = [desk.reviewer() for _ in said]
    claims = [desk.claim(person, queue) for person in people]
    made = [desk.answer(who, claim, **one) for who, claim, one in zip(people, claims, said, strict=True)]
    return queue, run_id, made, people


def test_what_a_reviewer_says_stays_blind_until_the_last_has_spoken(desk: Desk) -> None:
    desk.run()
    queue, one, other = desk.queue(reviewersPerItem=2), desk.reviewer(), desk.reviewer()
    reader, admin = desk.reviewer(Role.READ), desk.reviewer(Role.ADMIN)
    claims = [desk.claim(one, queue), desk.claim(other, queue)]
    first = desk.answer(one, claims[0])
    assert first.blind == queue.id
    for actor in (other, reader):
        assert first.id not in seen(desk, actor)[0] | seen(desk, actor)[1]
        with pytest.raises(CorrectionNotFound):
            desk.find(actor, first)
    for actor in (one, admin, desk.admin):
        assert first.id in seen(desk, actor)[0] & seen(desk, actor)[1]
        assert desk.find(actor, first) == first
    second = desk.answer(other, claims[1])
    assert second.blind is None
    for actor in (one, other, reader, admin):
        assert {first.id, second.id} <= seen(desk, actor)[0]
        assert {first.id, second.id} <= seen(desk, actor)[1]
        assert desk.find(actor, first).blind is None


def test_where_one_reviewer_is_enough_nothing_is_blind(desk: Desk) -> None:
    _, _, (made,), _ = judged(desk, WRONG)
    assert made.blind is None
    assert desk.find(desk.reviewer(Role.READ), made) == made


def test_an_unfinished_item_tells_others_nothing(desk: Desk) -> None:
    desk.run()
    desk.run()
    queue, one, other = desk.queue(reviewersPerItem=3), desk.reviewer(), desk.reviewer()
    first = desk.claim(one, queue)
    desk.answer(one, first)
    second = desk.claim(one, queue)
    own = desk.claim(other, queue)
    theirs = desk.items(queue, other)
    assert {run: item.state for run, item in theirs.items()} == {
        own.run_id: "claimed",
        second.run_id: "waiting",
    }
    assert [claim.id for item in theirs.values() for claim in item.claims] == [own.id]
    assert desk.counts(queue, other) == {"claimed": 1, "waiting": 1}
    everything = desk.items(queue)
    assert {item.state for item in everything.values()} == {"claimed"}
    assert {claim.id for item in everything.values() for claim in item.claims} == {
        first.id,
        second.id,
        own.id,
    }
    assert desk.counts(queue) == {"claimed": 2}
    assert set(desk.items(queue, other, "waiting")) == {second.run_id}
    assert set(desk.items(queue, other, "claimed")) == {own.run_id}
    assert set(desk.items(queue, None, "waiting")) == set()


@pytest.mark.parametrize(
    ("said", "state", "differs"),
    [
        ([RIGHT, RIGHT], "complete", ()),
        ([RIGHT, WRONG], "disagreed", ("answer",)),
        ([WRONG, {"answer": "wrong", "shouldSay": "two weeks"}], "complete", ()),
        ([RIGHT, {"decisions": "wrong", "mustNotCall": ["pay"]}], "complete", ()),
        (
            [{"decisions": "right", **RIGHT}, {"decisions": "wrong", "mustNotCall": ["pay"], **RIGHT}],
            "disagreed",
            ("decisions",),
        ),
        ([RIGHT, RIGHT, WRONG], "disagreed", ("answer",)),
        (
            [
                {"items": [{"key": "a", "verdict": "right"}, {"key": "b", "verdict": "right"}]},
                {"items": [{"key": "b", "verdict": "wrong"}, {"key": "c", "verdict": "wrong"}]},
            ],
            "disagreed",
            ("items/b",),
        ),
    ],
)
def test_reviewers_disagree_where_two_judge_the_same_thing_otherwise(
    desk: Desk, said: list[dict[str, Any]], state: str, differs: tuple[str, ...]
) -> None:
    queue, run_id, _, _ = judged(desk, *said)
    item = desk.items(queue)[run_id]
    assert (item.state, item.differs) == (state, differs)
    assert set(desk.items(queue, None, state)) == {run_id}
    assert desk.counts(queue) == {state: 1}


def test_an_admin_decides_and_the_others_move_no_more(desk: Desk) -> None:
    queue, run_id, made, people = judged(desk, RIGHT, WRONG)
    by = desk.adjudicate(desk.admin, queue, run_id)
    assert set(by.adjudicates) == {one.id for one in made}
    item = desk.items(queue)[run_id]
    assert (item.state, item.adjudicated_by, item.differs) == ("adjudicated", by.id, ("answer",))
    for person, one in zip(people, made, strict=True):
        assert desk.find(person, one).adjudicated_by == by.id
        with pytest.raises(AlreadyAdjudicated, match=by.id):
            desk.remove(person, one)
        with pytest.raises(AlreadyAdjudicated, match=by.id):
            desk.correct(person, run_id)
    with pytest.raises(ReviewNotDisagreed, match=by.id):
        desk.adjudicate(desk.admin, queue, run_id)


def test_removing_the_decision_leaves_it_undecided_again(desk: Desk) -> None:
    queue, run_id, made, people = judged(desk, RIGHT, WRONG)
    by = desk.adjudicate(desk.admin, queue, run_id)
    desk.remove(desk.admin, by)
    assert desk.state(queue, run_id) == "disagreed"
    assert desk.find(people[0], made[0]).adjudicated_by is None
    again = desk.adjudicate(desk.admin, queue, run_id, **RIGHT)
    assert desk.items(queue)[run_id].adjudicated_by == again.id


def test_a_newer_decision_of_the_same_admin_takes_the_place_of_the_first(desk: Desk) -> None:
    queue, run_id, made, people = judged(desk, RIGHT, WRONG)
    desk.adjudicate(desk.admin, queue, run_id)
    newer = desk.correct(desk.admin, run_id, **RIGHT)
    assert desk.items(queue)[run_id].adjudicated_by == newer.id
    assert desk.find(people[0], made[0]).adjudicated_by == newer.id


def test_a_reviewer_who_is_an_admin_may_decide_too(desk: Desk) -> None:
    run_id, queue, one = desk.run(), desk.queue(reviewersPerItem=2), desk.reviewer()
    claims = [desk.claim(desk.admin, queue), desk.claim(one, queue)]
    own = desk.answer(desk.admin, claims[0])
    theirs = desk.answer(one, claims[1], **RIGHT)
    by = desk.adjudicate(desk.admin, queue, run_id)
    assert set(by.adjudicates) == {own.id, theirs.id}
    assert desk.find(desk.admin, own).superseded_by == by.id
    assert desk.find(desk.admin, theirs).adjudicated_by == by.id
    desk.remove(desk.admin, by)
    assert desk.state(queue, run_id) == "complete"


def test_only_an_admin_decides_and_only_what_is_disagreed_on(desk: Desk) -> None:
    queue, run_id, _, people = judged(desk, RIGHT, RIGHT)
    for actor in (*people, desk.reviewer(Role.READ)):
        with pytest.raises(PermissionDenied):
            desk.adjudicate(actor, queue, run_id)
    with pytest.raises(ReviewNotDisagreed, match="agree"):
        desk.adjudicate(desk.admin, queue, run_id)
    unfinished = desk.run()
    desk.claim(desk.reviewer(), queue)
    with pytest.raises(ReviewNotDisagreed, match="not all"):
        desk.adjudicate(desk.admin, queue, unfinished)
    with pytest.raises(ReviewItemNotFound):
        desk.adjudicate(desk.admin, queue, desk.run())


def test_who_thinks_again_is_followed_while_it_is_blind_and_after(desk: Desk) -> None:
    run_id, queue = desk.run(), desk.queue(reviewersPerItem=2)
    one, other = desk.reviewer(), desk.reviewer()
    claims = [desk.claim(one, queue), desk.claim(other, queue)]
    desk.answer(one, claims[0], **RIGHT)
    thought_again = desk.correct(one, run_id)
    assert thought_again.blind == queue.id
    assert thought_again.id not in seen(desk, other)[0] | seen(desk, other)[1]
    desk.answer(other, claims[1], **RIGHT)
    assert desk.state(queue, run_id) == "disagreed"
    assert desk.find(other, thought_again).blind is None
    agreed = desk.correct(one, run_id, **RIGHT)
    assert desk.state(queue, run_id) == "complete"
    assert next(claim.correction_id for claim in desk.items(queue)[run_id].claims) == agreed.id
    desk.correct(other, run_id)
    assert desk.items(queue)[run_id].differs == ("answer",)


def test_who_withdraws_before_all_have_spoken_is_replaced(desk: Desk) -> None:
    desk.run()
    queue, one, other, third = desk.queue(reviewersPerItem=2), *(desk.reviewer() for _ in range(3))
    claim, open_claim = desk.claim(one, queue), desk.claim(other, queue)
    said = desk.answer(one, claim)
    assert desk.look(third, queue) is None
    desk.remove(one, said)
    assert desk.look(one, queue) is None
    taken = desk.claim(third, queue)
    assert taken.run_id == claim.run_id
    desk.answer(other, open_claim)
    desk.answer(third, taken)
    assert desk.state(queue, claim.run_id) == "complete"
    states = {one.id: one.state for one in desk.items(queue)[claim.run_id].claims}
    assert states == {claim.id: "withdrawn", open_claim.id: "answered", taken.id: "answered"}
    assert said.id not in seen(desk, other)[0]


def test_who_withdraws_afterwards_leaves_the_others_in_agreement(desk: Desk) -> None:
    queue, run_id, made, people = judged(desk, RIGHT, WRONG)
    desk.remove(people[0], made[0])
    assert desk.state(queue, run_id) == "complete"


def test_items_are_listed_newest_first_a_page_at_a_time(desk: Desk) -> None:

    for _ in range(5):
        desk.run()
    queue, reviewer = desk.queue(), desk.reviewer()
    claims = [desk.claim(reviewer, queue) for _ in range(5)]
    desk.answer(reviewer, claims[2])
    desk.run_out(claims[1])
    found: list[str] = []
    for state, expected in (
        (None, [4, 3, 2, 1, 0]),
        ("claimed", [4, 3, 0]),
        ("waiting", [1]),
        ("complete", [2]),
        ("dropped", []),
    ):
        found, after, more = [], None, True
        while more:
            page = desk.ask(
                desk.admin, lambda at, s=state, a=after: reviews.list_items(at, queue.id, s, a, 2)
            )
            found += [item.run_id for item in page.data]
            after, more = page.next, page.next is not None
        assert found == [claims[number].run_id for number in expected], state


Erase = Callable[[str], None]


def test_a_run_whose_content_is_gone_is_no_more_asked_about(desk: Desk) -> None:

    erase = Sql(
        update(runs)
        .where(runs.c.tenant_id == bindparam("tenant_id"), runs.c.id == bindparam("run_id"))
        .values(content_erased_at=bindparam("at"))
    )
    queue, one, other = desk.queue(reviewersPerItem=2), desk.reviewer(), desk.reviewer()
    begun, untouched = desk.run(), desk.run()
    claim = desk.claim(one, queue)
    for run_id in (begun, untouched):
        desk.ledger.write(
            lambda tx, run_id=run_id: tx.add(erase, tenant_id=desk.tenant.id, run_id=run_id, at=tx.now)
        )
    with pytest.raises(RunErased):
        desk.answer(one, claim)
    assert desk.look(other, queue) is None
    assert desk.counts(queue) == {"dropped": 1}
