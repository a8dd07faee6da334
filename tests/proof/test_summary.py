"""The summary of a test run: counts, weights, reasons, repetitions, and what changed since another."""

from typing import Any

import pytest

from setright import corrections, proof
from setright.corrections import Count
from setright.kernel.actor import Role
from setright.kernel.fields import validate
from setright.proof.model import WouldMove
from tests.proof.proving import WRONG_CALLS, Proving, result
from tests.proof.test_beginning import erase
from tests.proof.test_verdicts import each_answer


def summary(
    proving: Proving, test_run: proof.TestRun, against: str | None = None, expert: bool | None = None
) -> proof.TestSummary:
    return proving.ask(lambda at: proof.summarize_test_run(at, test_run.id, against, expert))


def plain(counts: proof.Counts) -> dict[str, int]:
    return {name: count.corrections for name, count in counts.items()}


def a_group(proving: Proving, weight: float, **more: Any) -> str:
    body = {"name": f"weighs {weight}", "scope": {"kind": "tenant"}, "weight": weight, **more}
    wanted = validate(corrections.NewCorrectorGroup, body)
    return proving.do(lambda tx: corrections.create_group(tx, wanted)).id


def test_it_counts_corrections_by_outcome_aspect_and_reason(proving: Proving) -> None:
    first = proving.corrected()
    writer = proving.ledger.actor(proving.tenant, Role.WRITE)
    proving.corrected(first.run_id, by=writer, **WRONG_CALLS)
    proving.corrected(answer="wrong", why="too long")
    found = summary(proving, proving.answered(proving.begun()))
    assert plain(found.outcomes) == {"right": 1, "wrong": 1, "not-evaluated": 1}
    assert {aspect: plain(counts) for aspect, counts in found.aspects.items()} == {
        "decisions": {"right": 0, "wrong": 1, "not-evaluated": 0},
        "answer": {"right": 1, "wrong": 0, "not-evaluated": 1},
    }
    assert plain(found.reasons) == {"needs-match": 1}
    assert (found.without, found.repetitions, found.against) == (0, None, None)
    assert (found.finished.applies, found.finished.would_move) == (False, WouldMove(1))


def test_groups_weigh_what_they_weigh_now_and_experts_can_be_counted_alone(proving: Proving) -> None:
    heavy = a_group(proving, 0.1, assertableBy={"principalKinds": ["user"]})
    for group in (heavy, heavy, heavy, None):
        more: dict[str, Any] = {} if group is None else {"correctorGroupId": group}
        proving.corrected(answer="wrong", shouldSay="14 days", **more)
    test_run = proving.answered(proving.begun())
    assert summary(proving, test_run).outcomes["right"] == Count(4, 1.3)
    assert summary(proving, test_run, expert=True).outcomes["right"] == Count(3, 0.3)
    assert summary(proving, test_run, expert=False).outcomes["right"] == Count(1, 1.0)
    change = validate(corrections.CorrectorGroupChange, {"weight": 2})
    proving.do(lambda tx: corrections.change_group(tx, heavy, change))
    assert summary(proving, test_run).outcomes["right"] == Count(4, 7.0)


def test_what_has_no_verdict_is_counted_and_erased_cases_are_left_out(proving: Proving) -> None:
    made = [proving.corrected() for _ in range(3)]
    test_run = proving.begun()
    erase(proving, made[2].run_id)
    claimed = proving.claimed(test_run, 2)
    proving.submit(test_run, result(claimed.cases[0].case.id, claimed.lease))
    found = summary(proving, test_run)
    assert (found.test_run.status, found.test_run.erased_count, found.without) == ("running", 1, 2)
    assert plain(found.outcomes) == {"right": 1, "wrong": 0, "not-evaluated": 0}
    assert summary(proving, test_run, expert=False).without is None


def test_repetitions_are_taken_together_and_told_apart(proving: Proving) -> None:
    steady, unsteady, unknown = (proving.corrected() for _ in range(3))
    answers = {
        steady.run_id: ["14 days"] * 3,
        unsteady.run_id: ["14 days", "30 days", "?"],
        unknown.run_id: ["?"] * 3,
    }
    test_run = proving.begun(repeat=3)
    claimed = proving.claimed(test_run)
    for one in claimed.cases:
        answer = answers[one.case.run_id][one.case.repetition - 1]
        proving.submit(test_run, result(one.case.id, claimed.lease, answer=answer))
    found = summary(proving, test_run)
    assert plain(found.outcomes) == {"right": 1, "wrong": 1, "not-evaluated": 1}
    told = found.repetitions
    assert told is not None
    tries = [(one.repetition, one.right, one.wrong, one.not_evaluated) for one in told.tries]
    assert tries == [(1, 2, 0, 1), (2, 1, 1, 1), (3, 1, 0, 2)]
    assert (told.counted, told.unsteady) == (2, 1)
    assert told.pass_hat == pytest.approx((2 / 3, 1 / 2, 1 / 2))
    assert told.spread is not None
    assert (told.spread.lowest, told.spread.highest) == (0.5, 1.0)


def test_against_another_test_run_it_tells_what_changed_and_whether_that_may_be_noise(
    proving: Proving,
) -> None:
    group = a_group(proving, 2)
    made = [proving.corrected(answer="wrong", shouldSay="14 days", correctorGroupId=group) for _ in range(9)]
    good, bad = ({one.run_id: answer for one in made} for answer in ("14 days", "30 days"))
    wrong = proving.begun("v2")
    each_answer(proving, wrong, {**bad, made[0].run_id: "14 days", made[1].run_id: "?"})
    right = each_answer(proving, proving.begun("v3"), {**good, made[0].run_id: "30 days"})
    found = summary(proving, right, against=wrong.id).against
    assert found is not None
    assert plain(found.counts) == {"newly-right": 7, "newly-wrong": 1, "still-right": 0, "still-wrong": 0}
    assert found.counts["newly-right"] == Count(7, 14.0)
    assert (found.not_compared, found.test_run.id) == (1, wrong.id)
    assert found.p_value == pytest.approx(18 / 256)
    assert found.may_be_noise
    turned = summary(proving, wrong, against=right.id).against
    assert turned is not None
    assert (turned.changed("newly-wrong"), turned.changed("newly-right")) == (7, 1)
    same = summary(proving, right, against=right.id).against
    assert same is not None
    assert plain(same.counts) == {"newly-right": 0, "newly-wrong": 0, "still-right": 8, "still-wrong": 1}
    assert same.p_value == 1
