"""Results: held at once, kept once, and each that cannot be kept is refused clearly."""

from typing import Any

import pytest

from setright import corrections, proof, subjects
from setright.corrections import Correction
from setright.kernel.actor import Role
from setright.kernel.errors import PermissionDenied, Refusal
from setright.matching import RULE
from setright.proof import holding
from setright.subjects import NewToolEffect
from tests.proof.proving import WRONG_ANSWER, WRONG_CALLS, Proving, result
from tests.proof.test_beginning import erase
from tests.proof.test_claiming import over

Claim = tuple[proof.TestRun, str, str]


def one_claimed(proving: Proving, made: Correction | None = None) -> Claim:
    """A test run with one case, which is claimed: the test run, the case and the lease."""
    if made is None:
        proving.corrected()
    test_run = proving.begun()
    claimed = proving.claimed(test_run)
    assert claimed.lease is not None
    return test_run, claimed.cases[0].case.id, claimed.lease


def verdict_of(submitted: proof.Submitted) -> proof.HeldVerdict:
    (outcome,) = submitted.outcomes
    (verdict,) = outcome.verdicts
    return verdict


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        ("14 days", "right", None),
        ("30 days", "wrong", "same-answer"),
        ("banana", "not-evaluated", "needs-match"),
    ],
)
def test_a_result_is_held_when_it_arrives(
    proving: Proving, answer: str, verdict: str, reason: str | None
) -> None:
    made = proving.corrected()
    test_run, case, lease = one_claimed(proving, made)
    held = verdict_of(proving.submit(test_run, result(case, lease, answer=answer)))
    assert (held.correction_id, held.case_id, held.verdict, held.reason, held.rule) == (
        made.id,
        case,
        verdict,
        reason,
        RULE,
    )
    assert held.wrong_aspect == ("answer" if verdict == "wrong" else None)
    assert answer in held.explanation or verdict != "wrong"


def test_everything_that_was_said_of_a_run_has_its_own_verdict(proving: Proving) -> None:
    answer = proving.corrected()
    calls = proving.corrected(
        answer.run_id, by=proving.ledger.actor(proving.tenant, Role.WRITE), **WRONG_CALLS
    )
    test_run, case, lease = one_claimed(proving, answer)
    told = proving.submit(test_run, result(case, lease)).outcomes[0].verdicts
    assert {one.correction_id: one.verdict for one in told} == {answer.id: "right", calls.id: "wrong"}


def test_decisions_right_are_held_against_the_stored_calls_with_the_effects_of_now(proving: Proving) -> None:
    proving.corrected(decisions="right")
    declared = NewToolEffect(effect="write")
    proving.do(lambda tx: subjects.set_tool_effect(tx, "default", "look_up", declared))
    test_run, case, lease = one_claimed(proving, proving.corrected(decisions="right"))
    assert verdict_of(proving.submit(test_run, result(case, lease))).reason == "missing-call"


def test_the_last_result_ends_the_test_run(proving: Proving) -> None:
    test_run, case, lease = one_claimed(proving)
    ended = proving.submit(test_run, result(case, lease)).test_run
    assert (ended.status, ended.done_count, ended.right_count) == ("finished", 1, 1)
    assert proving.now(test_run) == ended


def test_a_test_run_in_which_nothing_was_evaluated_fails(proving: Proving) -> None:
    test_run, case, lease = one_claimed(proving)
    told = proving.submit(test_run, {"caseId": case, "lease": lease, "error": "TimeoutError"})
    assert (verdict_of(told).verdict, verdict_of(told).reason) == ("not-evaluated", "agent-error")
    assert (told.test_run.status, told.test_run.not_evaluated_count) == ("failed", 1)


def test_an_equal_result_again_is_the_one_that_is_there_also_after_the_end(proving: Proving) -> None:
    test_run, case, lease = one_claimed(proving)
    calls = [{"tool": "t", "args": {"a": 1, "b": 2}}]
    first = proving.submit(test_run, result(case, lease, calls=calls))
    again = proving.submit(test_run, result(case, lease, calls=[{"tool": "t", "args": {"b": 2, "a": 1}}]))
    assert (first.outcomes[0].created, again.outcomes[0].created) == (True, False)
    assert again.outcomes[0].verdicts == first.outcomes[0].verdicts
    assert again.test_run == first.test_run
    with pytest.raises(proof.ResultExists):
        proving.submit(test_run, result(case, lease, answer="other"))


def test_after_the_lease_went_to_another_only_an_equal_result_is_taken(proving: Proving) -> None:
    test_run, case, lease = one_claimed(proving)
    over(proving, lease)
    other = proving.claimed(test_run).lease
    with pytest.raises(proof.LeaseLost):
        proving.submit(test_run, result(case, lease))
    kept = proving.submit(test_run, result(case, other))
    late = proving.submit(test_run, result(case, lease))
    assert (late.outcomes[0].created, late.outcomes[0].verdicts) == (False, kept.outcomes[0].verdicts)
    with pytest.raises(proof.LeaseLost):
        proving.submit(test_run, result(case, lease, answer="other"))


def test_a_result_that_comes_late_is_taken_while_nobody_else_has_the_case(proving: Proving) -> None:
    test_run, case, lease = one_claimed(proving)
    over(proving, lease)
    assert proving.submit(test_run, result(case, lease)).outcomes[0].created


def test_of_several_results_each_is_taken_or_refused_by_itself(proving: Proving) -> None:
    for _ in range(3):
        proving.corrected()
    test_run = proving.begun()
    claimed = proving.claimed(test_run)
    first, second, third = (one.case.id for one in claimed.cases)
    told = proving.submit(
        test_run,
        result(first, claimed.lease),
        result("cas_unknown", claimed.lease),
        result(second, "lse_other"),
        {"caseId": third, "lease": claimed.lease, "calls": "none"},
        result(first, claimed.lease),
        result(first, claimed.lease, answer="other"),
        result(third.removeprefix("cas_"), claimed.lease),
    )
    codes = [None if one.refusal is None else one.refusal.code for one in told.outcomes]
    assert codes == [None, "case-not-found", "lease-lost", "invalid-body", None, "result-exists", None]
    assert [one.created for one in told.outcomes] == [True, False, False, False, False, False, True]
    assert [len(one.verdicts) for one in told.outcomes] == [1, 0, 0, 0, 1, 0, 1]
    assert (told.test_run.done_count, told.test_run.right_count, told.test_run.status) == (2, 2, "running")


def test_cases_of_another_test_run_or_tenant_are_not_there(proving: Proving) -> None:
    test_run, _, lease = one_claimed(proving)
    foreign = [one_claimed(proving)[1], one_claimed(Proving(proving.ledger, proving.ledger.tenant()))[1]]
    for case in foreign:
        with pytest.raises(proof.CaseNotFound):
            proving.submit(test_run, result(case, lease))
    with pytest.raises(PermissionDenied):
        proving.submit(test_run, result("c", lease), by=proving.ledger.actor(proving.tenant, Role.READ))


def test_nothing_is_added_to_what_was_cancelled(proving: Proving) -> None:
    test_run, case, lease = one_claimed(proving)
    proving.do(lambda tx: proof.cancel_test_run(tx, test_run.id))
    with pytest.raises(proof.TestRunEnded, match="cancelled"):
        proving.submit(test_run, result(case, lease))


def test_a_case_whose_run_was_erased_takes_no_result(proving: Proving) -> None:
    made = proving.corrected()
    test_run, case, lease = one_claimed(proving, made)
    erase(proving, made.run_id)
    with pytest.raises(proof.CaseErased):
        proving.submit(test_run, result(case, lease))
    over(proving, lease)
    proving.claimed(test_run)
    with pytest.raises(Refusal):
        proving.submit(test_run, result(case, lease))


def test_what_no_longer_stands_when_the_result_arrives_has_no_verdict(proving: Proving) -> None:
    made = proving.corrected()
    kept = proving.corrected(made.run_id, by=proving.ledger.actor(proving.tenant, Role.WRITE), **WRONG_ANSWER)
    test_run, case, lease = one_claimed(proving, made)
    proving.do(lambda tx: corrections.unregister_correction(tx, made.id))
    assert verdict_of(proving.submit(test_run, result(case, lease))).correction_id == kept.id


def test_a_later_correction_changes_no_verdict(proving: Proving) -> None:
    made = proving.corrected()
    test_run, case, lease = one_claimed(proving, made)
    first = verdict_of(proving.submit(test_run, result(case, lease)))
    proving.corrected(made.run_id, answer="wrong", shouldSay="15 days")
    assert verdict_of(proving.submit(test_run, result(case, lease))) == first


def test_a_run_of_the_tested_version_stands_for_a_result(proving: Proving) -> None:
    test_run, case, lease = one_claimed(proving)
    run_id = proving.run("v2", output="14 days")
    with pytest.raises(proof.CaseClaimed):
        proving.submit(test_run, {"caseId": case, "runId": run_id})
    told = proving.submit(test_run, {"caseId": case, "lease": lease, "runId": run_id})
    assert verdict_of(told).verdict == "right"
    assert not proving.submit(test_run, {"caseId": case, "runId": run_id}).outcomes[0].created


def test_a_run_stands_for_a_case_that_nobody_has_claimed(proving: Proving) -> None:
    test_run, case, lease = one_claimed(proving)
    over(proving, lease)
    told = proving.submit(test_run, {"caseId": case, "runId": proving.run("v2", output="14 days")})
    assert verdict_of(told).verdict == "right"


def test_a_run_that_failed_is_not_evaluated(proving: Proving) -> None:
    test_run, case, lease = one_claimed(proving)
    run_id = proving.run("v2", status="failed", output="30 days")
    told = proving.submit(test_run, {"caseId": case, "lease": lease, "runId": run_id})
    assert verdict_of(told).reason == "agent-error"


def test_a_run_of_something_else_stands_for_nothing(proving: Proving) -> None:
    proving.ledger.project(proving.tenant, "other")
    test_run, case, lease = one_claimed(proving)
    gone = proving.run("v2")
    erase(proving, gone)
    running = {"subject": {"kind": "agent", "id": "Refunds", "version": "v2"}, "projectId": "default"}
    unfit = {
        proving.run("v1"): "version",
        proving.run("v2", subject={"kind": "flow", "id": "Refunds", "version": "v2"}): "no run of the agent",
        proving.run("v2", projectId="other"): "another project",
        proving.started(running): "not finished",
        gone: "erased",
    }
    for run_id, why in unfit.items():
        with pytest.raises(proof.RunDoesNotFit, match=why):
            proving.submit(test_run, {"caseId": case, "lease": lease, "runId": run_id})
    with pytest.raises(Refusal) as refused:
        proving.submit(test_run, {"caseId": case, "lease": lease, "runId": "run_unknown"})
    assert refused.value.code == "run-not-found"


def test_large_runs_are_read_a_few_at_a_time(proving: Proving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "BYTES_AT_ONCE", 100)
    for _ in range(3):
        proving.corrected()
    test_run = proving.begun()
    claimed = [proving.claimed(test_run) for _ in range(2)]
    results = [result(one.case.id, lot.lease) for lot in claimed for one in lot.cases]
    assert [one.verdicts[0].verdict for one in proving.submit(test_run, *results).outcomes] == ["right"] * 3


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"caseId": "c", "lease": "l"}, "/results/0/calls"),
        ({"caseId": "c", "calls": []}, "/results/0/lease"),
        ({"caseId": "c", "lease": "l", "calls": {}}, "/results/0/calls"),
        ({"caseId": "c", "lease": "l", "calls": [{"args": {}}]}, "/results/0/calls/0/tool"),
        ({"caseId": "c", "lease": "l", "calls": [], "messages": [{}]}, "/results/0/messages/0/role"),
        ({"caseId": "c", "lease": "l", "calls": [], "verdict": "right"}, "/results/0/verdict"),
        ({"caseId": "c", "runId": "r", "answer": "x"}, "/results/0/answer"),
        ({"lease": "l", "calls": []}, "/results/0/caseId"),
        ("x", "/results/0"),
    ],
)
def test_a_result_that_makes_no_sense_says_where(proving: Proving, body: Any, pointer: str) -> None:
    test_run, _, _ = one_claimed(proving)
    with pytest.raises(Refusal) as refused:
        proving.submit(test_run, body)
    assert pointer in [fault["pointer"] for fault in refused.value.details["faults"]]
