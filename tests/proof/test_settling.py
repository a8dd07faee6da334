"""What a version that a project runs does to corrections: it fixes and reopens them, whatever brought it there."""

from collections.abc import Mapping
from typing import Any

import pytest

from setright import corrections, proof, subjects
from setright.corrections import Correction
from setright.kernel.clock import to_wire
from setright.proof import settling
from setright.subjects import NewToolEffect
from tests.proof.proving import WRONG_CALLS, Proving


def told(by: Mapping[str, Any] | None) -> dict[str, Any]:
    """What is said of a fix or a reopening, without when."""
    assert by is not None
    return {name: value for name, value in by.items() if name != "at"}


def admin(proving: Proving) -> dict[str, str]:
    return {"kind": "user", "id": proving.tenant.admin.id}


@pytest.fixture
def fixed(proving: Proving) -> Correction:
    """A correction that v2 fixed when it was deployed."""
    made = proving.corrected()
    proving.tested("v2", (made, True))
    proving.deploy("v2")
    proving.work()
    assert proving.stands(made).status == "fixed"
    return made


def test_v1_is_corrected_v2_fixes_it_and_v3_gets_it_wrong_again(proving: Proving, fixed: Correction) -> None:
    proving.tested("v3", (fixed, False))
    proving.work()
    assert proving.stands(fixed).status == "fixed"
    proving.deploy("v3")
    proving.work()
    again = proving.stands(fixed)
    assert again.status == "open"
    assert told(again.fixed_in) == {"version": "v2", "how": "latest"}
    assert told(again.reopened_in) == {"version": "v3", "how": "latest"}
    assert proving.story(fixed.id) == ["correction.recorded", "correction.fixed", "correction.reopened"]


def test_right_again_it_is_fixed_anew_and_no_more_reopened(proving: Proving, fixed: Correction) -> None:
    for version, is_right in (("v3", False), ("v4", True)):
        proving.tested(version, (fixed, is_right))
        proving.deploy(version)
        proving.work()
    again = proving.stands(fixed)
    assert (again.status, again.reopened_in) == ("fixed", None)
    assert told(again.fixed_in) == {"version": "v4", "how": "latest"}


def test_a_test_run_of_the_version_that_runs_moves_when_it_finishes(proving: Proving) -> None:
    made = proving.corrected()
    proving.run("v2")
    proving.pin("v2")
    proving.work()
    assert proving.stands(made).status == "open"
    proving.tested("v2", (made, True))
    proving.work()
    found = proving.stands(made)
    assert (found.status, told(found.fixed_in)) == (
        "fixed",
        {"version": "v2", "how": "pin", "by": admin(proving)},
    )
    proving.tested("v2", (made, False))
    proving.work()
    assert told(proving.stands(made).reopened_in) == {"version": "v2", "how": "pin", "by": admin(proving)}


def test_a_pin_of_an_earlier_version_went_back(proving: Proving, fixed: Correction) -> None:
    proving.tested("v1", (fixed, False))
    proving.pin("v1")
    proving.work()
    by = {"by": admin(proving)}
    assert told(proving.stands(fixed).reopened_in) == {"version": "v1", "how": "went-back", **by}


def test_what_going_back_fixes_was_fixed_by_a_pin(proving: Proving) -> None:
    made = proving.corrected()
    proving.tested("v1", (made, True))
    proving.deploy("v2")
    proving.pin("v1")
    proving.work()
    assert told(proving.stands(made).fixed_in) == {"version": "v1", "how": "pin", "by": admin(proving)}


def test_an_unpin_reopens_in_the_name_of_who_unpinned(proving: Proving, fixed: Correction) -> None:
    pin = proving.pin("v2")
    proving.tested("v3", (fixed, False))
    proving.deploy("v3")
    proving.work()
    assert proving.stands(fixed).status == "fixed"
    proving.unpin(pin)
    proving.work()
    found = proving.stands(fixed)
    assert told(found.reopened_in) == {"version": "v3", "how": "unpin", "by": admin(proving)}


def test_what_an_unpin_fixes_was_fixed_by_latest(proving: Proving) -> None:
    made = proving.corrected()
    pin = proving.pin("v1")
    proving.tested("v2", (made, True))
    proving.deploy("v2")
    proving.unpin(pin)
    proving.work()
    assert told(proving.stands(made).fixed_in) == {"version": "v2", "how": "latest"}


def test_after_an_unpin_the_next_deploy_is_what_runs(proving: Proving, fixed: Correction) -> None:
    proving.unpin(proving.pin("v2"))
    proving.tested("v3", (fixed, False))
    proving.deploy("v3")
    proving.work()
    assert told(proving.stands(fixed).reopened_in) == {"version": "v3", "how": "latest"}


def test_a_version_nobody_tested_moves_nothing(proving: Proving, fixed: Correction) -> None:
    before = proving.stands(fixed)
    proving.deploy("v9")
    proving.work()
    assert proving.stands(fixed) == before


def test_what_was_not_evaluated_moves_nothing_and_the_newest_word_counts(proving: Proving) -> None:
    made, other = proving.corrected(), proving.corrected()
    for is_right in (False, True):
        proving.tested("v2", (made, is_right), (other, True))
    test_run = proving.begun("v2")
    proving.answered(test_run, answer="who knows")
    cancelled = proving.begun("v2")
    proving.do(lambda tx: proof.cancel_test_run(tx, cancelled.id))
    proving.deploy("v2")
    proving.work()
    assert {proving.stands(one).status for one in (made, other)} == {"fixed"}


def test_of_two_causes_only_the_one_that_still_counts_moves(proving: Proving) -> None:
    made = proving.corrected()
    proving.tested("v2", (made, True))
    proving.tested("v3", (made, False))
    proving.work()
    proving.deploy("v2")
    proving.deploy("v3")
    proving.work()
    assert proving.stands(made).status == "open"
    assert proving.story(made.id) == ["correction.recorded"]


def test_a_hand_that_came_after_stands_until_there_is_newer_evidence(proving: Proving) -> None:
    made = proving.corrected()
    proving.tested("v2", (made, True))
    proving.work()
    proving.deploy("v2")
    proving.set(made, status="being-fixed")
    proving.work()
    assert proving.stands(made).status == "being-fixed"
    proving.tested("v2", (made, True))
    proving.work()
    assert proving.stands(made).status == "fixed"


def test_a_hand_clears_what_fixed_it_and_a_verdict_that_is_wrong_then_moves_nothing(
    proving: Proving, fixed: Correction
) -> None:
    proving.set(fixed, status="open")
    proving.tested("v3", (fixed, False))
    proving.deploy("v3")
    proving.work()
    found = proving.stands(fixed)
    assert (found.status, found.fixed_in, found.reopened_in) == ("open", None, None)


@pytest.mark.parametrize("status", ["wont-fix", "removed"])
def test_what_is_not_to_be_fixed_and_what_is_removed_stays(proving: Proving, status: str) -> None:
    made = proving.corrected()
    proving.tested("v2", (made, True))
    if status == "removed":
        proving.do(lambda tx: corrections.unregister_correction(tx, made.id))
    else:
        proving.set(made, status=status)
    proving.deploy("v2")
    proving.work()
    assert proving.stands(made).status == status


def test_a_superseded_one_moves_no_more(proving: Proving) -> None:
    made = proving.corrected()
    proving.tested("v2", (made, True))
    proving.corrected(made.run_id, answer="wrong", shouldSay="15 days")
    proving.deploy("v2")
    proving.work()
    assert proving.stands(made).status == "open"


def test_what_was_recorded_right_goes_to_the_desk_of_what_is_wrong_now(proving: Proving) -> None:
    said = proving.corrected(answer="right", answerMatch={"how": "exact"})
    did = proving.corrected(proving.run(calls=[]), decisions="right")
    declared = NewToolEffect(effect="read")
    proving.do(lambda tx: subjects.set_tool_effect(tx, "default", "look_up", declared))
    test_run = proving.begun("v2")
    proving.answered(test_run, answer="14 days", calls=[{"tool": "refund", "args": {}, "result": "done"}])
    proving.deploy("v2")
    proving.work()
    said, did = proving.stands(said), proving.stands(did)
    assert (said.status, said.sorted_to) == ("open", "improve")
    assert (did.status, did.sorted_to) == ("with-owner", "owner")
    assert told(did.fixed_in) == {"how": "recorded-right"}
    assert did.sorted is not None
    assert did.reopened_in is not None
    assert did.sorted == {"by": {"kind": "rule"}, "at": did.reopened_in["at"]}


def test_an_end_users_stays_unsorted(proving: Proving) -> None:
    made = proving.corrected(participantId="p1", answer="wrong", shouldSay="14 days")
    proving.tested("v2", (made, True))
    proving.deploy("v2")
    proving.tested("v3", (made, False))
    proving.deploy("v3")
    proving.work()
    found = proving.stands(made)
    assert (found.status, found.sorted_to) == ("open", None)


def test_what_the_owner_has_goes_back_to_the_owner(proving: Proving) -> None:
    made = proving.corrected(**WRONG_CALLS)
    call = {"tool": "refund", "args": {}, "result": "done"}
    for version, calls in (("v2", [call]), ("v3", [])):
        proving.answered(proving.begun(version), calls=calls)
        proving.deploy(version)
        proving.work()
    found = proving.stands(made)
    assert (found.status, found.sorted_to) == ("with-owner", "owner")
    assert told(found.reopened_in) == {"version": "v3", "how": "latest"}


def test_a_project_pinned_elsewhere_is_untouched_by_a_deploy(proving: Proving) -> None:
    here = proving.corrected()
    proving.ledger.project(proving.tenant, "other")
    there = proving.corrected(proving.run(projectId="other"))
    for project, correction in (("default", here), ("other", there)):
        proving.answered(proving.begun("v2", projectId=project, filter={"ids": [correction.id]}))
    proving.pin("v1", "other")
    proving.deploy("v2")
    proving.work()
    assert (proving.stands(here).status, proving.stands(there).status) == ("fixed", "open")


def test_many_move_in_batches_each_once(proving: Proving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "AT_ONCE", 3)
    made = [proving.corrected() for _ in range(7)]
    proving.tested("v2", *((one, True) for one in made))
    change = proving.deploy("v2")
    proving.work()
    assert {proving.stands(one).status for one in made} == {"fixed"}
    for one in made:
        assert proving.story(one.id) == ["correction.recorded", "correction.fixed"]
    assert all((proving.stands(one).fixed_in or {})["at"] > to_wire(change.at) for one in made)


def test_what_is_still_to_be_settled_is_told_with_what_runs(
    proving: Proving, monkeypatch: pytest.MonkeyPatch
) -> None:
    def left() -> int:
        page = proving.ask(lambda at: proof.list_running(at, "default", None, 10))
        return page.data[0].left

    made = [proving.corrected() for _ in range(3)]
    proving.run("v2")
    proving.pin("v2")
    proving.work()
    proving.tested("v2", *((one, True) for one in made))
    assert left() == 3
    proving.work()
    assert left() == 0
    proving.deploy("v3")
    proving.pin("v3")
    proving.pin("v2")
    assert left() == 3
    proving.work()
    assert left() == 0
