"""Finishing and cancelling a test run, and what that means for its project."""

import pytest

from setright import corrections, proof, subjects
from setright.kernel.fields import validate
from setright.proof import TestRunMoveRefused as MoveRefused
from setright.proof import outcomes
from setright.subjects import NewDeploy, NewToolEffect
from tests.proof.proving import WRONG_ANSWER, Proving, result


def deploy(proving: Proving, version: str) -> None:
    wanted = NewDeploy(version=version)
    proving.do(lambda tx: subjects.deploy_version(tx, "agent", "refunds", wanted))


def test_it_is_not_finished_while_cases_have_no_result(proving: Proving) -> None:
    for _ in range(2):
        proving.corrected()
    test_run = proving.begun()
    claimed = proving.claimed(test_run, 1)
    proving.submit(test_run, result(claimed.cases[0].case.id, claimed.lease))
    with pytest.raises(proof.CasesLeft) as refused:
        proving.finish(test_run)
    assert refused.value.details["left"] == 1
    ended = proving.finish(test_run, partial=True).test_run
    assert (ended.status, ended.done_count, ended.case_count) == ("finished", 1, 2)
    assert proving.claimed(test_run).cases == ()


def test_finished_without_a_single_verdict_it_fails(proving: Proving) -> None:
    proving.corrected()
    test_run = proving.begun()
    assert proving.finish(test_run, partial=True).test_run.status == "failed"


def test_finishing_again_is_the_same_answer(proving: Proving) -> None:
    proving.corrected()
    test_run = proving.answered(proving.begun())
    assert test_run.status == "finished"
    first = proving.finish(test_run)
    assert (first.test_run, proving.finish(test_run)) == (test_run, first)


def test_it_says_what_would_be_fixed_if_the_project_ran_the_version(proving: Proving) -> None:
    for _ in range(3):
        proving.corrected()
    proving.corrected(answer="right")
    gone = proving.corrected()
    test_run = proving.answered(proving.begun())
    proving.do(lambda tx: corrections.unregister_correction(tx, gone.id))
    told = proving.finish(test_run)
    assert (told.applies, told.would_move) == (False, outcomes.WouldMove(3))
    deploy(proving, "v2")
    assert (proving.finish(test_run).applies, proving.finish(test_run).would_move) == (True, None)


def test_it_says_what_would_be_open_again(proving: Proving) -> None:
    declared = NewToolEffect(effect="write")
    proving.do(lambda tx: subjects.set_tool_effect(tx, "default", "look_up", declared))
    proving.corrected()
    proving.corrected(decisions="right")
    told = proving.finish(proving.answered(proving.begun()))
    assert told.would_move == outcomes.WouldMove(1, reopened=1)


def test_of_very_many_it_says_at_least(proving: Proving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "AT_ONCE", 2)
    monkeypatch.setattr(outcomes, "MOST_COUNTED", 2)
    for _ in range(3):
        proving.corrected()
    told = proving.finish(proving.answered(proving.begun()))
    assert told.would_move == outcomes.WouldMove(2, at_least=True)


def test_what_is_cancelled_is_never_finished_and_the_other_way_round(proving: Proving) -> None:
    proving.corrected()
    cancelled, finished = proving.begun(), proving.answered(proving.begun())
    first = proving.do(lambda tx: proof.cancel_test_run(tx, cancelled.id))
    assert proving.do(lambda tx: proof.cancel_test_run(tx, cancelled.id)) == first
    with pytest.raises(MoveRefused):
        proving.finish(cancelled, partial=True)
    with pytest.raises(MoveRefused):
        proving.do(lambda tx: proof.cancel_test_run(tx, finished.id))


def test_what_happened_is_told(proving: Proving) -> None:
    wanted = validate(corrections.NewCorrection, {"runId": proving.run(), **WRONG_ANSWER})
    proving.do(lambda tx: corrections.record_correction(tx, wanted))
    test_run = proving.answered(proving.begun())
    assert proving.story(test_run.id) == ["test-run.created", "test-run.finished"]
