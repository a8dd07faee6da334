"""The content of runs goes when it was kept for long enough, and what must stay stays."""

from typing import Any

import pytest

from setright import corrections, lessons, proof, runs
from setright.corrections import NewCorrection
from setright.kernel.fields import validate
from setright.runs import NewCall, NewRun, RunContentExpired, RunExists
from tests.erasure.said import ANN, SENTENCE
from tests.proof.proving import AGENT, result
from tests.retention.keeping import Keeping

OURS: dict[str, Any] = {
    "id": "ours-1",
    "projectId": "default",
    "subject": {**AGENT, "version": "v1"},
    "input": SENTENCE,
    "calls": [{"tool": "look_up", "args": {"who": SENTENCE}}],
    "output": SENTENCE,
    "participantId": ANN,
    "tags": [SENTENCE],
}


def read(keeping: Keeping, run_id: str) -> runs.RunInFull:
    """A run as it is shown."""
    return keeping.proving.ask(lambda at: runs.get_run(at, run_id))


def expired(keeping: Keeping, **more: Any) -> str:
    """A run whose content was cut."""
    run_id = keeping.run(**more)
    keeping.grows_old(10, run_id)
    keeping.keep(runs=5)
    keeping.passed()
    return run_id


def test_the_words_of_an_old_run_leave_every_table_and_its_shell_stays(keeping: Keeping) -> None:
    run_id = expired(keeping)
    assert keeping.places(SENTENCE) == []
    shown = read(keeping, run_id)
    assert (shown.content, list(shown.calls), shown.run.tags) == (None, [], None)
    assert (shown.run.status, shown.run.call_count, shown.run.participant_id) == ("completed", 1, ANN)
    assert shown.run.content_expired_at is not None


def test_what_is_younger_or_unfinished_or_of_another_project_stays(keeping: Keeping) -> None:
    ledger, tenant = keeping.proving.ledger, keeping.proving.tenant
    other = ledger.project(tenant, "other")
    young, elsewhere = keeping.run(), keeping.run(projectId=other)
    started = keeping.proving.started({key: value for key, value in OURS.items() if key != "output"})
    keeping.grows_old(4, young)
    keeping.grows_old(40, elsewhere, started)
    keeping.keep(runs=5)
    done = keeping.passed()
    assert (done.state, done.counts) == ("done", {})
    assert [read(keeping, one).content is None for one in (young, elsewhere, started)] == [False] * 3


def test_a_passing_tells_what_it_cut_where_and_from_before_which_moment(keeping: Keeping) -> None:
    for _ in range(3):
        keeping.run()
    keeping.grows_old(10)
    keeping.keep(runs=5)
    assert keeping.due() == {"runs": 3}
    done = keeping.passed()
    assert done.counts == {"runs": 3}
    cut = (done.cuts or [])[0]
    assert (cut.project_id, cut.kind, cut.days, cut.cut, cut.held) == ("default", "runs", 5, 3, 0)
    assert done.created_at - cut.before == 5 * 86_400_000_000
    assert (keeping.due(), keeping.passed().counts) == ({}, {})


def test_the_copy_of_a_correction_stays_for_it_alone(keeping: Keeping) -> None:
    run_id = keeping.run()
    correction = keeping.corrected(run_id)
    keeping.grows_old(10)
    keeping.keep(runs=5)
    assert keeping.passed().counts == {"runs": 1}
    assert read(keeping, run_id).content is None
    copy = keeping.proving.ask(lambda at: corrections.get_correction(at, correction.id)).copy
    assert copy is not None
    assert (copy["input"], copy["answer"], len(copy["calls"])) == ({"question": SENTENCE}, SENTENCE, 1)
    further = keeping.proving.corrected(
        run_id, items=[{"key": "k", "pointer": "/list/0", "verdict": "right"}]
    )
    assert further.run_id == run_id
    keeping.erased(participantId=ANN)
    assert keeping.places(SENTENCE, ANN) == []


def test_a_run_without_a_copy_can_be_corrected_no_more(keeping: Keeping) -> None:
    run_id = expired(keeping)
    with pytest.raises(RunContentExpired):
        keeping.proving.corrected(run_id)
    wanted = validate(NewCorrection, {"runId": run_id, "answer": "wrong", "why": "so"})
    with pytest.raises(RunContentExpired):
        keeping.proving.do(lambda tx: corrections.record_or_hold(tx, wanted, "default"))


def test_an_erasure_finds_the_shell_of_its_participant(keeping: Keeping) -> None:
    run_id = expired(keeping)
    assert keeping.erased(participantId=ANN).counts == {"runs": 1}
    assert read(keeping, run_id).run.content_erased_at is not None
    assert keeping.places(ANN) == []


def test_the_same_run_again_is_its_shell_and_brings_nothing_back(keeping: Keeping) -> None:
    new = validate(NewRun, OURS)
    keeping.proving.do(lambda tx: runs.record_run(tx, new))
    keeping.grows_old(10)
    keeping.keep(runs=5)
    keeping.passed()
    again = keeping.proving.do(lambda tx: runs.record_run(tx, new))
    assert (again.created, again.run.content_expired_at is not None) == (False, True)
    assert keeping.places(SENTENCE) == []
    other = validate(NewRun, {**OURS, "output": "something else"})
    with pytest.raises(RunExists):
        keeping.proving.do(lambda tx: runs.record_run(tx, other))


def test_calls_sent_again_are_told_that_they_are_gone(keeping: Keeping) -> None:
    run_id = expired(keeping)
    call = validate(NewCall, {"tool": "look_up", "args": {"who": SENTENCE}, "result": SENTENCE})
    with pytest.raises(RunContentExpired):
        keeping.proving.do(lambda tx: runs.append_calls(tx, run_id, 0, [call]))


def test_a_correction_that_waits_for_a_running_run_is_recorded_when_that_ends(keeping: Keeping) -> None:
    started = keeping.proving.started({key: value for key, value in OURS.items() if key != "output"})
    held = keeping.held(started)
    keeping.grows_old(10)
    keeping.keep(runs=5)
    keeping.passed()
    finish = validate(runs.Finish, {"output": SENTENCE})
    keeping.proving.do(lambda tx: runs.finish_run(tx, started, finish))
    assert keeping.proving.ask(lambda at: corrections.get_correction(at, held)).copy


def test_a_version_is_tested_on_expired_runs_by_their_copies(keeping: Keeping) -> None:
    correction = keeping.corrected(keeping.run())
    keeping.grows_old(10)
    keeping.keep(runs=5)
    keeping.passed()
    test_run = keeping.proving.begun("v2", filter={"ids": [correction.id]})
    claimed = keeping.proving.claimed(test_run)
    assert claimed.cases[0].input == {"question": SENTENCE}
    keeping.proving.submit(test_run, result(claimed.cases[0].case.id, claimed.lease, answer=SENTENCE))
    assert keeping.proving.now(test_run).status == "finished"


def test_an_expired_run_stands_for_no_case_and_an_earlier_verdict_stays(keeping: Keeping) -> None:
    correction = keeping.corrected(keeping.run())
    test_run = keeping.proving.begun("v2", filter={"ids": [correction.id]}, repeat=2)
    claimed = keeping.proving.claimed(test_run)
    first, second = keeping.run(version="v2"), keeping.run(version="v2", input=2)
    cases = [one.case.id for one in claimed.cases]
    done = [{"caseId": cases[0], "lease": claimed.lease, "runId": first}]
    assert keeping.proving.submit(test_run, *done).outcomes[0].refusal is None
    keeping.grows_old(10)
    keeping.keep(runs=5)
    keeping.passed()
    late = {"caseId": cases[1], "lease": claimed.lease, "runId": second}
    with pytest.raises(proof.RunDoesNotFit):
        keeping.proving.submit(test_run, late)
    assert keeping.proving.now(test_run).done_count == 1


def test_a_lesson_from_a_correction_stays_with_its_own_words(keeping: Keeping) -> None:
    correction = keeping.corrected(keeping.run())
    lesson = keeping.taught(fromCorrectionId=correction.id)
    keeping.grows_old(10)
    keeping.keep(runs=5)
    keeping.passed()
    assert keeping.proving.ask(lambda at: lessons.get_lesson(at, lesson.id)).rule == SENTENCE


def test_a_longer_retention_brings_nothing_back_and_spares_what_is_left(keeping: Keeping) -> None:
    gone = expired(keeping)
    stays = keeping.run()
    keeping.grows_old(10, stays)
    keeping.keep(runs=50)
    assert keeping.passed().counts == {}
    assert (read(keeping, gone).content, read(keeping, stays).content is None) == (None, False)
    keeping.keep(runs=9)
    assert keeping.passed().counts == {"runs": 1}
