"""A correction of an answer is a layer over the readings that its claim names; nothing is written over."""

import pytest

from setright import corrections, events, knowledge, runs
from setright.corrections import CorrectionFilters
from setright.kernel.actor import Role
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.knowledge import RunFilters
from setright.knowledge.correcting import CITED_NOTHING, NAMED_NOTHING, RECORDED
from setright.runs import NewRun
from tests.knowledge.reading import Reading, a_text

CLAIM = "The agent read lu2-gal as lugal[king]N"
RIGHT = "lugal[owner]N, as the administrative genre suggests"


@pytest.fixture(autouse=True)
def _text(reading: Reading) -> None:
    reading.brought(a_text())


def test_the_seeds_correction_contests_the_sense_alone(reading: Reading) -> None:
    speaker, (scholar,) = reading.speaker("P. Steinkeller")
    number = reading.answered()
    corrected = reading.corrected(
        number, CLAIM, RIGHT, speaker, evidence="FAOS 9/2, p. 62", scholarId=scholar
    )
    feedback = corrected.feedback
    assert (feedback.number, feedback.annotation_run, feedback.message) == (1, 2, RECORDED)
    assert (feedback.claim, feedback.correction, feedback.evidence) == (CLAIM, RIGHT, "FAOS 9/2, p. 62")
    (made,) = corrected.made
    king = reading.one("T1", "o.1.1", "king")
    assert (made.target, made.field, made.value, made.contests) == (
        "o.1.1",
        "sense",
        RIGHT,
        [king.annotation.id],
    )
    assert [one.id for one in king.contested_by] == [made.id]
    assert [reading.standing("T1", "o.1.1", value) for value in ("king", RIGHT, "lugal", "N")] == [
        "contested",
        "correction",
        "plain",
        "plain",
    ]


def test_a_correction_is_an_annotation_run_of_the_seeds_names(reading: Reading) -> None:
    speaker, (scholar,) = reading.speaker("P. Steinkeller")
    reading.corrected(reading.answered(), CLAIM, RIGHT, speaker, evidence="p. 62", scholarId=scholar)
    reading.corrected(reading.answered(), CLAIM, "otherwise", reading.assistant)
    page = reading.ask(lambda at: knowledge.list_annotation_runs(at, RunFilters(scholar=scholar)))
    (run,) = page.data
    assert (run.number, run.source_name, run.method) == (2, "user-correction", "agent-hypothesis-correction")
    assert (run.source_type, run.scholar, run.evidence, run.interaction) == ("human", scholar, "p. 62", 1)
    layered = reading.one("T1", "o.1.1", RIGHT)
    assert (layered.run.number, layered.scholars[scholar]) == (2, "P. Steinkeller")
    of_text = reading.ask(lambda at: knowledge.list_annotation_runs(at, RunFilters(artifact_id="T1")))
    assert [one.number for one in of_text.data] == [3, 2, 1]
    by_models = reading.ask(lambda at: knowledge.list_annotation_runs(at, RunFilters(source_type="model")))
    assert [one.number for one in by_models.data] == [3]


def test_what_was_said_before_stays_as_it_was(reading: Reading) -> None:
    before = {one.annotation.id: one.annotation for one in reading.layers("T1")}
    reading.corrected(reading.answered(), CLAIM, RIGHT)
    after = {one.annotation.id: one.annotation for one in reading.layers("T1")}
    assert before.items() <= after.items()
    assert len(after) == len(before) + 1


def test_a_claim_may_name_two_of_the_cited_readings(reading: Reading) -> None:
    corrected = reading.corrected(reading.answered(), "it is no king, and no N", "a title")
    assert sorted(one.field for one in corrected.made) == ["pos", "sense"]
    assert corrected.feedback.annotation_run == 2


def test_a_correction_of_a_correction_is_a_layer_over_it(reading: Reading) -> None:
    reading.corrected(reading.answered(), "It is no king.", "owner")
    second = reading.corrected(reading.answered(), "It is no owner.", "great man")
    (made,) = second.made
    assert made.contests == [reading.one("T1", "o.1.1", "owner").annotation.id]
    assert reading.values("T1", "o.1.1", "sense") == ["great man", "king", "owner"]
    assert reading.standing("T1", "o.1.1", "owner") == "contested"


def test_two_scholars_correct_one_reading_and_both_are_kept(reading: Reading) -> None:
    one, (first,) = reading.speaker("A. One")
    two, (second,) = reading.speaker("B. Two")
    number = reading.answered()
    reading.corrected(number, CLAIM, "owner", one, scholarId=first)
    reading.corrected(number, CLAIM, "great man", two, scholarId=second)
    assert reading.values("T1", "o.1.1", "sense") == ["great man", "owner", "king"]
    assert len(reading.one("T1", "o.1.1", "king").contested_by) == 2


def test_the_same_again_is_the_first(reading: Reading) -> None:
    number = reading.answered()
    first = reading.corrected(number, CLAIM, RIGHT)
    again = reading.corrected(number, CLAIM, RIGHT, evidence="a book")
    assert (again.created, again.feedback) == (False, first.feedback)
    other = reading.corrected(number, CLAIM, RIGHT, reading.person)
    assert other.feedback.number == 2


def test_of_an_answer_about_a_word_a_claim_that_names_nothing_contests_all_that_it_cites_of_it(
    reading: Reading,
) -> None:
    corrected = reading.corrected(reading.answered(), "This is wrong.", "It is broken off.")
    assert corrected.feedback.message == RECORDED
    assert sorted(one.field for one in corrected.made) == ["lemma", "pos", "reading", "sense"]


def test_of_a_search_a_claim_that_names_nothing_is_a_note(reading: Reading) -> None:
    number = reading.answered(target=None)
    corrected = reading.corrected(number, "This is wrong.", "Look elsewhere.")
    assert (corrected.made, corrected.feedback.message) == ([], NAMED_NOTHING)
    assert corrected.feedback.annotation_run == 2
    kept = reading.ask(lambda at: knowledge.get_interaction(at, number))
    assert [(one.claim, one.correction) for one in kept.feedback] == [("This is wrong.", "Look elsewhere.")]


def test_of_a_search_a_claim_contests_what_it_names(reading: Reading) -> None:
    corrected = reading.corrected(reading.answered(target=None), "barley in line 1", "emmer")
    assert [(one.target, one.field) for one in corrected.made] == [("o.1.2", "sense")]


def test_an_answer_that_cited_nothing_takes_a_note(reading: Reading) -> None:
    number = reading.answered(target="o.9.9")
    assert reading.corrected(number, CLAIM, RIGHT).feedback.message == CITED_NOTHING


def test_an_unknown_answer_takes_nothing(reading: Reading) -> None:
    other = Reading(reading.ledger, reading.ledger.tenant())
    other.brought(a_text())
    number = other.answered()
    for caller, asked in ((reading, number), (reading, 0), (reading, -1), (reading, 2**63)):
        with pytest.raises(Refusal) as refused:
            caller.corrected(asked, CLAIM, RIGHT)
        assert refused.value.code == "interaction-not-found"
    assert len(reading.ask(lambda at: knowledge.list_annotation_runs(at, RunFilters())).data) == 1


def test_nobody_speaks_as_a_scholar_without_an_approved_claim(reading: Reading) -> None:
    scholar = reading.scholar()
    number = reading.answered()
    with pytest.raises(Refusal) as refused:
        reading.corrected(number, CLAIM, RIGHT, scholarId=scholar)
    assert refused.value.code == "scholar-not-yours"
    with pytest.raises(Refusal) as refused:
        reading.corrected(number, CLAIM, RIGHT, scholarId=99)
    assert refused.value.code == "scholar-not-found"


def test_what_was_contested_is_told_in_the_events(reading: Reading) -> None:
    corrected = reading.corrected(reading.answered(), CLAIM, RIGHT)
    king = reading.one("T1", "o.1.1", "king").annotation.id
    told = reading.ask(lambda at: events.history(at, king, 0, 10)).data
    assert [(one.kind, one.about) for one in told] == [("annotation.contested", corrected.made[0].id)]
    told = reading.ask(lambda at: events.history(at, "1", 0, 10)).data
    assert [one.kind for one in told if one.subject_kind == "interaction"] == ["interaction.corrected"]


def a_run(reading: Reading) -> str:
    body = {"projectId": "default", "subject": {"kind": "agent", "id": "a", "version": "1"}, "output": "x"}
    return reading.do(lambda tx: runs.record_run(tx, validate(NewRun, body))).run.id


def test_an_answer_within_a_run_is_corrected_as_a_run_too(reading: Reading) -> None:
    number = reading.answered(run_id=a_run(reading))
    assert reading.corrected(number, CLAIM, RIGHT).feedback.message == RECORDED
    run = reading.ask(lambda at: runs.get_run(at, f"interaction-{number}"))
    assert (run.run.subject.kind, run.run.subject.id, run.run.subject.version) == (
        "flow",
        "knowledge.interpret_token",
        "corpus-1",
    )
    assert run.content.input == {"tokenId": "o.1.1"}
    assert run.content.answer == run.content.output["summary"]
    page = reading.ask(lambda at: corrections.list_corrections(at, CorrectionFilters(), None, 10))
    ((of_run,),) = [[one for one in page.data if one.run_id == run.run.id]]
    assert (of_run.answer, of_run.said["shouldSay"], of_run.said["why"]) == ("wrong", RIGHT, CLAIM)


def test_without_write_on_the_runs_project_the_message_says_so(reading: Reading) -> None:
    number = reading.answered(run_id=a_run(reading))
    reader = reading.ledger.actor(reading.tenant, Role.READ)
    corrected = reading.corrected(number, CLAIM, RIGHT, reader)
    assert corrected.feedback.message is not None
    assert corrected.feedback.message.startswith(RECORDED)
    assert "It was not recorded as a correction of a run in project default" in corrected.feedback.message
    assert len(corrected.made) == 1
    with pytest.raises(Refusal):
        reading.ask(lambda at: runs.get_run(at, f"interaction-{number}"))
