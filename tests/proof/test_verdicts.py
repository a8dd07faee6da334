"""The verdicts of a test run, listed, narrowed and paged."""

from typing import Any

import pytest

from setright import proof
from setright.kernel.actor import Role
from setright.kernel.errors import PermissionDenied
from setright.proof import TestRunNotFound as NotFound
from setright.proof import TestRunsNotComparable as NotComparable
from setright.proof import VerdictFilters
from tests.proof.proving import WRONG_CALLS, Proving, result


def listed(proving: Proving, test_run: proof.TestRun, **filters: Any) -> list[proof.HeldVerdict]:
    """Every verdict, read two at a time."""
    found: list[proof.HeldVerdict] = []
    place = None
    while True:
        page = proving.ask(
            lambda at, after=place: proof.list_verdicts(at, test_run.id, VerdictFilters(**filters), after, 2)
        )
        found += page.data
        place = page.next
        if place is None:
            return found


def about(found: list[proof.HeldVerdict]) -> list[str]:
    return [one.correction_id for one in found]


def each_answer(proving: Proving, test_run: proof.TestRun, answers: dict[str, str]) -> proof.TestRun:
    """The test run after the version gave a certain answer in the case of each run."""
    claimed = proving.claimed(test_run)
    for one in claimed.cases:
        did = result(one.case.id, claimed.lease, answer=answers[one.case.run_id])
        proving.submit(test_run, did)
    return proving.now(test_run)


def test_they_come_page_by_page_and_are_what_the_results_were_told(proving: Proving) -> None:
    made = [proving.corrected().id for _ in range(5)]
    test_run = proving.begun(repeat=2)
    claimed = proving.claimed(test_run)
    told = proving.submit(test_run, *(result(one.case.id, claimed.lease) for one in claimed.cases))
    found = listed(proving, test_run)
    order = [(one.correction_id, one.repetition) for one in found]
    assert order == [(one, number) for one in reversed(made) for number in (2, 1)]
    submitted = [verdict for outcome in told.outcomes for verdict in outcome.verdicts]
    assert sorted(found, key=repr) == sorted(submitted, key=repr)


def test_they_are_narrowed_by_verdict_aspect_correction_and_experts(proving: Proving) -> None:
    answer = proving.corrected()
    writer = proving.ledger.actor(proving.tenant, Role.WRITE)
    calls = proving.corrected(answer.run_id, by=writer, **WRONG_CALLS)
    both = proving.corrected(answer="wrong", shouldSay="14 days", **WRONG_CALLS)
    vague = proving.corrected(answer="wrong", why="too long")
    test_run = proving.answered(proving.begun())
    for filters, expected in (
        ({"verdict": "right"}, [answer]),
        ({"verdict": "wrong"}, [both, calls]),
        ({"verdict": "not-evaluated"}, [vague]),
        ({"aspect": "decisions"}, [both, calls]),
        ({"aspect": "answer", "verdict": "right"}, [both, answer]),
        ({"aspect": "items"}, []),
        ({"correction_ids": (both.id, calls.id.removeprefix("cor_"))}, [both, calls]),
        ({"expert": True}, []),
        ({"expert": False, "verdict": "right"}, [answer]),
    ):
        wanted = sorted((one.id for one in expected), reverse=True)
        assert about(listed(proving, test_run, **filters)) == wanted, filters


def test_what_is_newly_wrong_is_what_was_right_before(proving: Proving) -> None:
    kept, lost, won, vague = (proving.corrected() for _ in range(4))
    good = {one.run_id: "14 days" for one in (kept, lost, won, vague)}
    before = each_answer(proving, proving.begun("v2"), {**good, won.run_id: "30 days", vague.run_id: "?"})
    after = each_answer(proving, proving.begun("v3"), {**good, lost.run_id: "30 days"})
    new = proving.corrected()
    last = proving.answered(proving.begun("v3", filter={"ids": [new.id, kept.id]}))

    def was(outcome: str, test_run: proof.TestRun = after, **more: Any) -> set[str]:
        return set(about(listed(proving, test_run, against=before.id, was=outcome, **more)))

    assert was("right", verdict="wrong") == {lost.id}
    assert was("wrong", verdict="right") == {won.id}
    assert was("right") == {kept.id, lost.id}
    assert was("not-evaluated") == {vague.id}
    assert was("right", last) == {kept.id}


def test_right_in_one_try_only_was_not_right(proving: Proving) -> None:
    made = proving.corrected()
    before = proving.begun("v2", repeat=2)
    claimed = proving.claimed(before)
    for one, answer in zip(claimed.cases, ("14 days", "30 days"), strict=True):
        proving.submit(before, result(one.case.id, claimed.lease, answer=answer))
    after = proving.answered(proving.begun("v3"))
    for outcome, expected in (("right", []), ("wrong", [made.id])):
        assert about(listed(proving, after, against=before.id, was=outcome)) == expected


def test_only_who_may_read_the_project_sees_them(proving: Proving) -> None:
    proving.corrected()
    test_run = proving.answered(proving.begun())
    outsider = proving.ledger.actor(proving.tenant, None)
    for read in (
        lambda at: proof.list_verdicts(at, test_run.id, VerdictFilters(), None, 5),
        lambda at: proof.summarize_test_run(at, test_run.id, None, None),
    ):
        with pytest.raises(PermissionDenied):
            proving.ask(read, outsider)
        stranger = Proving(proving.ledger, proving.ledger.tenant())
        with pytest.raises(NotFound):
            stranger.ask(read)


def test_test_runs_of_other_subjects_are_not_compared(proving: Proving) -> None:
    proving.corrected()
    mine = proving.begun()
    other = proving.run(subject={"kind": "flow", "id": "Refunds", "version": "v1"})
    proving.corrected(other, answer="right")
    flow = proving.begun(subject={"kind": "flow", "id": "Refunds", "version": "v2"})
    with pytest.raises(NotComparable):
        listed(proving, mine, against=flow.id, was="right")
    with pytest.raises(NotComparable):
        proving.ask(lambda at: proof.summarize_test_run(at, mine.id, flow.id, None))
    with pytest.raises(NotFound):
        listed(proving, mine, against="tst_unknown", was="right")
