"""Beginning a test run: which corrections become cases, how they are grouped, and what is refused."""

from typing import Any

import pytest
from sqlalchemy import bindparam, select

from setright import corrections, proof, runs, subjects
from setright.corrections import Correction, CorrectionChange, NewCorrection, NewCorrectorGroup, Review
from setright.kernel import json
from setright.kernel.actor import Role
from setright.kernel.clock import to_wire
from setright.kernel.errors import InvalidBody, PermissionDenied, Refusal
from setright.kernel.fields import validate
from setright.proof import choosing
from setright.proof.tables import test_cases as cases
from setright.storage import Sql
from tests.proof.proving import AGENT, WRONG_ANSWER, WRONG_CALLS, Proving

CASES = Sql(
    select(cases)
    .where(cases.c.test_run_id == bindparam("test_run_id"))
    .order_by(cases.c.position, cases.c.repetition)
)


def cased(proving: Proving, test_run: proof.TestRun) -> list[list[str]]:
    """The corrections of each case, in the order of the cases."""
    rows = proving.ask(lambda at: at.all(CASES, test_run_id=test_run.id))
    return [json.read_stored(row["correction_ids"]) for row in rows]


def chosen(proving: Proving, **filtered: Any) -> set[str]:
    """The corrections that a filter lets through."""
    test_run = proving.begun(filter=filtered)
    return {one for case in cased(proving, test_run) for one in case}


def moved(proving: Proving, of: Correction, **change: Any) -> Correction:
    wanted = validate(CorrectionChange, change)
    return proving.do(lambda tx: corrections.change_correction(tx, of.id, wanted, [of.updated_at]))


def test_a_case_is_a_corrected_run_with_all_that_was_said_of_it(proving: Proving) -> None:
    other = proving.ledger.actor(proving.tenant, Role.WRITE)
    first = proving.corrected()
    second = proving.corrected()
    about_first = proving.corrected(first.run_id, by=other, **WRONG_CALLS)
    test_run = proving.begun()
    assert sorted(cased(proving, test_run)) == sorted([[first.id, about_first.id], [second.id]])
    assert (test_run.case_count, test_run.correction_count, test_run.is_whole) == (2, 3, True)
    assert (test_run.status, test_run.subject.id, test_run.subject.version) == ("running", "Refunds", "v2")


def test_the_version_is_known_from_then_on_and_not_deployed(proving: Proving) -> None:
    proving.corrected()
    proving.begun("v9")
    found = proving.ask(lambda at: subjects.get_subject(at, "agent", "refunds"))
    assert [(one.version, one.deployed_at) for one in found.versions] == [("v1", None), ("v9", None)]


def test_what_no_longer_stands_is_no_case(proving: Proving) -> None:
    kept, removed, superseded = proving.corrected(), proving.corrected(), proving.corrected()
    newer = proving.corrected(superseded.run_id, **WRONG_CALLS)
    proving.do(lambda tx: corrections.unregister_correction(tx, removed.id))
    blind_run = proving.run()
    wanted = validate(NewCorrection, {"runId": blind_run, **WRONG_ANSWER})
    blind = proving.do(lambda tx: corrections.record_correction(tx, wanted, Review(blind="rvq_1")))
    other = proving.ledger.actor(proving.tenant, Role.WRITE)
    decided = proving.corrected(by=other)
    wanted = validate(NewCorrection, {"runId": decided.run_id, **WRONG_CALLS})
    deciding = proving.do(
        lambda tx: corrections.record_correction(tx, wanted, Review(adjudicates=(decided.id,)))
    )
    test_run = proving.begun()
    assert {one for case in cased(proving, test_run) for one in case} == {kept.id, newer.id, deciding.id}
    for gone in (removed, superseded, blind, decided):
        with pytest.raises(InvalidBody) as refused:
            proving.begun(filter={"ids": [kept.id, gone.id]})
        assert [fault["pointer"] for fault in refused.value.details["faults"]] == ["/filter/ids/1"]
    proving.do(lambda tx: corrections.show_corrections(tx, blind_run, "rvq_1"))
    assert cased(proving, proving.begun(filter={"ids": [blind.id]})) == [[blind.id]]


def test_other_projects_subjects_and_tenants_are_none_of_its_business(proving: Proving) -> None:
    mine = proving.corrected()
    proving.ledger.project(proving.tenant, "other")
    elsewhere = proving.corrected(proving.run(projectId="other"))
    another = proving.corrected(proving.run(subject={"kind": "flow", "id": "Refunds", "version": "v1"}))
    stranger = Proving(proving.ledger, proving.ledger.tenant())
    strange = stranger.corrected()
    assert {one for case in cased(proving, proving.begun()) for one in case} == {mine.id}
    for foreign in (elsewhere, another, strange):
        with pytest.raises(InvalidBody, match="no correction"):
            proving.begun(filter={"ids": [foreign.id]})


def test_the_filter_narrows_by_status_desk_group_time_and_ids(proving: Proving) -> None:
    answer, calls, right = (
        proving.corrected(),
        proving.corrected(**WRONG_CALLS),
        proving.corrected(answer="right"),
    )
    worked_on = moved(proving, proving.corrected(), status="being-fixed")
    group = proving.do(
        lambda tx: corrections.create_group(
            tx, validate(NewCorrectorGroup, {"name": "experts", "scope": {"kind": "tenant"}})
        )
    )
    expert = proving.corrected(**WRONG_ANSWER, correctorGroupId=group.id)
    assert chosen(proving, status=["fixed", "being-fixed"]) == {right.id, worked_on.id}
    assert chosen(proving, sortedTo="owner") == {calls.id}
    assert chosen(proving, correctorGroupId=group.id.removeprefix("grp_")) == {expert.id}
    assert chosen(proving, since=to_wire(worked_on.created_at)) == {worked_on.id, expert.id}
    assert chosen(proving, ids=[answer.id, calls.id.removeprefix("cor_")]) == {answer.id, calls.id}
    assert chosen(proving, ids=[answer.id, calls.id], sortedTo="owner") == {calls.id}


def test_a_sample_picks_the_same_runs_every_time_and_a_larger_one_picks_them_too(proving: Proving) -> None:
    everything = {proving.corrected().id for _ in range(40)}
    few, again, more = (chosen(proving, sample=share) for share in (0.3, 0.3, 0.6))
    assert few == again
    assert few < more < everything
    assert chosen(proving, sample=1) == everything


def test_many_cases_are_made_by_a_job_a_few_at_a_time(
    proving: Proving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "LOOKED_AT", 2)
    monkeypatch.setattr(choosing, "FEWEST", 2)
    made = [proving.corrected() for _ in range(3)]
    other = proving.ledger.actor(proving.tenant, Role.WRITE)
    late = proving.corrected(made[0].run_id, by=other)
    test_run = proving.begun(repeat=2)
    assert (test_run.is_whole, test_run.case_count) == (False, 4)
    proving.corrected()
    proving.work()
    whole = proving.now(test_run)
    assert (whole.is_whole, whole.case_count, whole.correction_count) == (True, 6, 4)
    assert sorted(cased(proving, whole)) == sorted(2 * [[made[0].id, late.id], [made[1].id], [made[2].id]])


def erase(proving: Proving, *run_ids: str) -> None:
    proving.do(lambda tx: runs.erase_runs(tx, run_ids))


def test_erased_runs_are_left_out_and_counted(proving: Proving) -> None:
    kept, gone = proving.corrected(), proving.corrected()
    erase(proving, gone.run_id)
    test_run = proving.begun(repeat=3)
    assert (test_run.case_count, test_run.erased_count) == (3, 3)
    assert {one for case in cased(proving, test_run) for one in case} == {kept.id}


def test_a_test_run_without_cases_is_refused_and_says_why(proving: Proving) -> None:
    with pytest.raises(proof.TestRunWithoutCases, match="nothing to test"):
        proving.begun()
    gone = proving.corrected()
    with pytest.raises(proof.TestRunWithoutCases, match="the filter lets through"):
        proving.begun(filter={"status": ["wont-fix"]})
    erase(proving, gone.run_id)
    with pytest.raises(proof.TestRunWithoutCases) as refused:
        proving.begun()
    assert refused.value.details["erased"] == 1
    assert proving.ask(lambda at: subjects.get_subject(at, "agent", "refunds")).versions[-1].version == "v1"


def test_a_test_run_whose_cases_turn_out_to_be_none_fails(
    proving: Proving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "LOOKED_AT", 1)
    monkeypatch.setattr(choosing, "FEWEST", 1)
    made = [proving.corrected() for _ in range(25)]
    erase(proving, *(one.run_id for one in made))
    test_run = proving.begun()
    assert (test_run.status, test_run.case_count) == ("running", 0)
    proving.work()
    ended = proving.now(test_run)
    assert (ended.status, ended.case_count, ended.erased_count) == ("failed", 0, 25)


def test_it_needs_write_in_the_project_and_may_be_read_with_read(proving: Proving) -> None:
    proving.corrected()
    reader = proving.ledger.actor(proving.tenant, Role.READ)
    with pytest.raises(PermissionDenied):
        proving.begun(by=reader)
    test_run = proving.begun()
    assert proving.ask(lambda at: proof.get_test_run(at, test_run.id), reader) == test_run
    with pytest.raises(PermissionDenied):
        proving.ask(lambda at: proof.get_test_run(at, test_run.id), proving.ledger.actor(proving.tenant))
    with pytest.raises(proof.TestRunNotFound):
        proving.ask(lambda at: proof.get_test_run(at, test_run.id), proving.ledger.tenant().admin)
    with pytest.raises(PermissionDenied):
        proving.do(lambda tx: proof.cancel_test_run(tx, test_run.id), reader)


def listed(proving: Proving, actor: Any = None, **filtered: Any) -> list[str]:
    filters = proof.TestRunFilters(**filtered)
    return [one.id for one in proving.ask(lambda at: proof.list_test_runs(at, filters, None, 50), actor).data]


def test_the_list_is_newest_first_and_can_be_narrowed(proving: Proving) -> None:
    proving.corrected()
    first, second = proving.begun("v2"), proving.begun("v3")
    proving.do(lambda tx: proof.cancel_test_run(tx, second.id))
    assert listed(proving) == [second.id, first.id]
    assert listed(proving, version="v2") == [first.id]
    assert listed(proving, status="cancelled") == [second.id]
    assert listed(proving, agent_id="refunds", project_id="default") == [second.id, first.id]
    assert listed(proving, flow_id="Refunds") == []
    assert listed(proving, proving.ledger.actor(proving.tenant)) == []
    assert listed(proving, proving.ledger.tenant().admin) == []


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"filter": {"status": []}}, "/filter/status"),
        ({"filter": {"status": ["removed"]}}, "/filter/status/0"),
        ({"filter": {"sample": 0}}, "/filter/sample"),
        ({"filter": {"sample": 1.5}}, "/filter/sample"),
        ({"filter": {"since": "2026-01-05"}}, "/filter/since"),
        ({"filter": {"ids": []}}, "/filter/ids"),
        ({"filter": {"who": "x"}}, "/filter/who"),
        ({"repeat": 0}, "/repeat"),
        ({"repeat": 21}, "/repeat"),
        ({"subject": {"kind": "agent", "id": "a"}}, "/subject/version"),
    ],
)
def test_a_body_that_makes_no_sense_is_refused(body: dict[str, Any], pointer: str) -> None:
    whole = {"projectId": "default", "subject": {**AGENT, "version": "v2"}, **body}
    with pytest.raises(Refusal) as refused:
        validate(proof.NewTestRun, whole)
    assert [fault["pointer"] for fault in refused.value.details["faults"]] == [pointer]
