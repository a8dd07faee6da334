"""A person's words leave every room, and what stays is sound."""

from typing import Any

import pytest

from setright import corrections, erasure, knowledge, lessons, runs
from setright.corrections import CorrectionChange, NewCorrection
from setright.corrections.errors import CorrectionErased
from setright.erasure import HeldByLaw, NewErasure
from setright.kernel.errors import InvalidBody, PermissionDenied
from setright.kernel.fields import validate
from setright.lessons import LessonChange, LessonErased
from setright.runs import NewRun, RunErased
from tests.erasure.said import ANN, SENTENCE, Said
from tests.knowledge.reading_room import ReadingRoom


def everything(said: Said, **more: Any) -> tuple[str, str, str]:
    """A run, its correction and the lesson from it, all of which say the sentence."""
    run_id = said.run()
    correction = said.corrected(run_id, **more)
    said.tested(correction)
    lesson = said.taught(fromCorrectionId=correction.id)
    said.held("later", participantId=ANN)
    return run_id, correction.id, lesson.id


def test_the_words_of_a_participant_leave_every_table(said: Said) -> None:
    everything(said)
    assert len(said.places(SENTENCE)) > 15
    done = said.erased(participantId=ANN)
    assert done.state == "done"
    assert done.target is None
    assert dict(done.counts) == {
        "cases": 1,
        "corrections": 1,
        "lessons": 1,
        "runs": 1,
        "waitingCorrections": 1,
    }
    assert said.places(SENTENCE, ANN) == []


def test_what_others_said_stays(said: Said) -> None:
    everything(said)
    other = said.run("participant-bob")
    said.corrected(other)
    before = set(said.places(SENTENCE))
    said.erased(participantId=ANN)
    kept = said.proving.ask(lambda at: runs.get_run(at, other))
    assert kept.content is not None
    assert kept.content.answer == SENTENCE
    assert set(said.places(SENTENCE)) < before


def test_a_run_alone_can_be_erased_with_what_hangs_on_it(said: Said) -> None:
    run_id, correction_id, lesson_id = everything(said)
    said.erased(runId=run_id)
    assert said.places(SENTENCE) == ["waiting_corrections.request"]
    run = said.proving.ask(lambda at: runs.get_run(at, run_id))
    assert run.content is None
    assert run.run.content_erased_at is not None
    correction = said.proving.ask(lambda at: corrections.get_correction(at, correction_id)).correction
    assert (correction.decisions, correction.answer) == ("wrong", "wrong")
    assert correction.said == {"items": [{"key": "one", "verdict": "wrong"}]}
    assert said.proving.ask(lambda at: lessons.get_lesson(at, lesson_id)).status == "retired"


def test_a_run_that_stands_for_a_case_goes_with_the_corrected_one(said: Said) -> None:
    run_id, proving = said.run(), said.proving
    correction = said.corrected(run_id)
    test_run = proving.begun("v2", filter={"ids": [correction.id]})
    claimed, new = proving.claimed(test_run), said.run(None, version="v2")
    done = {"caseId": claimed.cases[0].case.id, "lease": claimed.lease, "runId": new}
    assert proving.submit(test_run, done).outcomes[0].refusal is None
    said.erased(runId=run_id)
    assert proving.ask(lambda at: runs.get_run(at, new)).content is None


def test_what_was_said_for_a_participant_of_anothers_run_goes_and_the_run_stays(said: Said) -> None:
    run_id = said.run("participant-bob")
    correction = said.corrected(run_id, participantId=ANN)
    said.tested(correction)
    said.erased(participantId=ANN)
    assert said.proving.ask(lambda at: runs.get_run(at, run_id)).content is not None
    assert said.proving.stands(correction).content_erased_at is not None
    assert said.places(ANN) == []
    assert not [place for place in said.places(SENTENCE) if place.startswith(("corrections", "correction_"))]


def test_again_takes_out_nothing_and_new_runs_are_accepted(said: Said) -> None:
    everything(said)
    said.erased(participantId=ANN)
    assert sum(said.erased(participantId=ANN).counts.values()) == 0
    assert said.proving.ask(lambda at: runs.get_run(at, said.run())).content is not None


def test_a_dry_run_counts_and_keeps_nothing(said: Said) -> None:
    everything(said)
    before = said.places(SENTENCE, ANN)
    counted = said.erased(participantId=ANN, dryRun=True)
    assert (counted.id, counted.state) == ("", "dry-run")
    assert (counted.counts["runs"], counted.counts["corrections"], counted.counts["lessons"]) == (1, 1, 1)
    assert said.places(SENTENCE, ANN) == before


def test_what_was_erased_is_neither_corrected_nor_continued_nor_moved(said: Said) -> None:
    run_id, correction_id, lesson_id = everything(said)
    said.erased(participantId=ANN)
    proving = said.proving
    wanted = validate(NewCorrection, {"runId": run_id, "answer": "right"})
    with pytest.raises(RunErased):
        proving.do(lambda tx: corrections.record_correction(tx, wanted))
    known = [proving.ask(lambda at: corrections.get_correction(at, correction_id)).correction.updated_at]
    with pytest.raises(CorrectionErased):
        proving.do(
            lambda tx: corrections.change_correction(
                tx, correction_id, CorrectionChange(status="open"), known
            )
        )
    with pytest.raises(LessonErased):
        proving.do(lambda tx: lessons.update_lesson(tx, lesson_id, LessonChange(status="adopted")))


def test_the_id_of_an_erased_run_stays_taken_so_that_a_late_retry_brings_nothing_back(said: Said) -> None:
    body = {
        "id": "ours-1",
        "projectId": "default",
        "subject": {"kind": "agent", "id": "Refunds", "version": "v1"},
        "input": SENTENCE,
        "output": SENTENCE,
        "participantId": ANN,
    }
    new = validate(NewRun, body)
    said.proving.do(lambda tx: runs.record_run(tx, new))
    said.erased(participantId=ANN)
    with pytest.raises(RunErased):
        said.proving.do(lambda tx: runs.record_run(tx, new))
    assert said.places(SENTENCE) == []


@pytest.mark.parametrize("kind", ["participant", "run", "project"])
def test_a_legal_hold_keeps_everything_until_it_is_released(said: Said, kind: str) -> None:
    run_id, _, _ = everything(said)
    target = {"participant": ANN, "run": run_id, "project": "default"}[kind]
    hold = said.kept(**{f"{kind}Id": target})
    before = said.places(SENTENCE)
    with pytest.raises(HeldByLaw):
        said.erased(participantId=ANN)
    assert said.places(SENTENCE) == before
    said.proving.do(lambda tx: erasure.release_legal_hold(tx, hold))
    said.proving.do(lambda tx: erasure.release_legal_hold(tx, hold))
    assert said.erased(participantId=ANN).state == "done"


def test_a_hold_that_comes_while_an_erasure_runs_stops_it(said: Said) -> None:
    everything(said)
    new = validate(NewErasure, {"participantId": ANN, "reason": "asked for"})
    made = said.proving.do(lambda tx: erasure.ask_for_erasure(tx, new))
    hold = said.kept(participantId=ANN)
    said.proving.work()
    now = said.proving.ask(lambda at: erasure.get_erasure(at, made.id))
    assert (now.state, now.held_by) == ("blocked", hold)
    assert "run_contents.input" in said.places(SENTENCE)


def test_a_user_is_a_pseudonym_everywhere_and_their_words_stay(said: Said) -> None:
    marthe = said.user()
    correction = said.corrected(said.run(None), by=marthe)
    other = said.proving.corrected(correction.run_id, answer="right")
    said.taught(by=marthe)
    done = said.erased(userId=marthe.id)
    assert done.state == "done"
    assert done.pseudonym is not None
    assert said.places(marthe.id, "Marthe write", "Marthe admin", "marthe@example.org") == []
    now = said.proving.stands(correction)
    assert (now.made_by_id, now.said["why"]) == (done.pseudonym, SENTENCE)
    assert said.proving.stands(other).made_by_id == said.admin.id


def test_the_words_of_a_user_go_too_when_that_is_asked_for(said: Said) -> None:
    marthe = said.user()
    correction = said.corrected(
        said.run(
            "participant-bob", input=1, messages=None, calls=[], output={"list": [1]}, answer="x", tags=None
        ),
        by=marthe,
    )
    said.taught(by=marthe)
    said.held("later", by=marthe)
    theirs = said.proving.corrected(correction.run_id, answer="right")
    note = validate(CorrectionChange, {"statusNote": SENTENCE})
    known = [theirs.updated_at]
    said.proving.do(lambda tx: corrections.change_correction(tx, theirs.id, note, known), marthe)
    said.erased(userId=marthe.id, words="erase")
    assert said.places(SENTENCE) == []
    assert said.places(marthe.id, "marthe@example.org") == []
    assert said.proving.stands(theirs).status_note is None


def test_nobody_erases_themselves_and_only_admins_erase(said: Said) -> None:
    with pytest.raises(PermissionDenied):
        said.erased(userId=said.admin.id)
    with pytest.raises(PermissionDenied):
        said.erased(by=said.proving.ledger.actor(said.proving.tenant), participantId=ANN)


@pytest.mark.parametrize(
    "wish",
    [{}, {"participantId": ANN, "runId": "r"}, {"participantId": ANN, "words": "erase"}],
)
def test_exactly_one_target_is_named(said: Said, wish: dict[str, Any]) -> None:
    with pytest.raises(InvalidBody):
        said.erased(**wish)


def test_readings_that_a_user_corrected_go_with_every_answer_that_shows_them(said: Said) -> None:
    marthe = said.user()
    said.read(marthe)
    room = ReadingRoom(said.proving.ledger, said.proving.tenant)
    assert SENTENCE in str(room.summary().told)
    assert len(said.places(SENTENCE)) > 8
    said.erased(userId=marthe.id, words="erase")
    assert said.places(SENTENCE, marthe.id) == []
    again = room.summary()
    assert "king" in str(again.told)
    assert room.search("bakery").told["data"]["hits"] == []


def test_questions_that_were_asked_in_a_run_go_with_it(said: Said) -> None:
    run_id = said.run()
    number = said.read(said.admin, run_id)
    said.erased(participantId=ANN)
    question = said.proving.ask(lambda at: knowledge.get_interaction(at, number))
    assert (question.arguments, question.answer) == ({}, {})
