"""Recording lessons: what is kept, what was broken again, and what is the same answer."""

from typing import Any

import pytest

from setright import corrections, runs
from setright.corrections import NewCorrection
from setright.corrections.errors import CorrectionNotFound
from setright.identity import ProjectNotFound
from setright.kernel.actor import Role
from setright.kernel.clock import to_wire
from setright.kernel.errors import InvalidBody, PermissionDenied, UnknownField
from setright.kernel.fields import validate
from setright.lessons import LessonNotFound, NewLesson, delete_lesson
from setright.runs import NewRun
from tests.lessons.teaching import RULE, Teaching, a_lesson


def test_what_was_said_is_kept(teaching: Teaching) -> None:
    said = teaching.said(teaching.assistant, session="s-1", evidence=["see #4"], severity="high")
    assert said.created
    assert said.recurrence_of is None
    found = teaching.now(said.lesson)
    assert found == said.lesson
    assert (found.status, found.project_id, found.agent, found.severity) == (
        "open",
        "default",
        "Writer",
        "high",
    )
    assert (found.rule, found.session, found.evidence) == (RULE, "s-1", ("see #4",))
    assert found.recorded_by.kind == "service"
    assert teaching.story(found) == ["lesson.recorded"]


def test_severity_is_medium_and_empty_texts_are_none(teaching: Teaching) -> None:
    empty: dict[str, Any] = {
        "severity": "",
        "expected": "",
        "rule": "",
        "session": "",
        "agent": "",
        "projectId": "",
    }
    found = teaching.lesson(**empty)
    assert (found.severity, found.expected, found.rule, found.session) == ("medium", None, None, None)
    assert (found.agent, found.project_id) == ("", None)


def test_an_agent_is_shown_as_it_was_first_written(teaching: Teaching) -> None:
    run = {"projectId": "default", "subject": {"kind": "agent", "id": "Reader", "version": "1"}}
    teaching.do(lambda tx: runs.record_run(tx, validate(NewRun, run)))
    assert teaching.lesson(agent=" READER ").agent == "Reader"
    assert teaching.lesson(agent="Scribe", rule=None).agent == "Scribe"
    assert teaching.lesson(agent="scribe", rule=None, session="2").agent == "Scribe"


@pytest.mark.parametrize("again", ["READ the document again, before you save it!", RULE.upper(), f'"{RULE}"'])
def test_a_rule_in_force_was_broken_again(teaching: Teaching, again: str) -> None:
    again = again.replace("again, ", "again ")
    earlier = teaching.adopted()
    said = teaching.said(rule=again, whatHappened="It did it again.")
    assert said.recurrence_of is not None
    assert (said.lesson.status, said.lesson.duplicate_of) == ("duplicate", earlier.id)
    now = teaching.now(earlier)
    assert now == said.recurrence_of
    assert (now.status, now.broken_again) == ("recurred", 1)
    assert teaching.story(earlier)[-1] == "lesson.recurred"
    assert teaching.listed(duplicate_of=earlier.id) == [said.lesson.id]


def test_what_a_person_verified_stays_marked_when_it_is_broken_again(teaching: Teaching) -> None:
    earlier = teaching.moved(teaching.adopted(), "verified", teaching.person)
    for number in range(3):
        teaching.said(whatHappened=f"Once more: {number}.")
    now = teaching.now(earlier)
    assert (now.status, now.broken_again, now.verified) == ("recurred", 3, earlier.verified)


def test_an_open_lesson_is_not_broken(teaching: Teaching) -> None:
    teaching.lesson()
    said = teaching.said(whatHappened="It did it again.")
    assert (said.recurrence_of, said.lesson.status) == (None, "open")


def test_the_most_specific_rule_is_the_one_that_was_broken(teaching: Teaching) -> None:
    ledger = teaching.ledger
    ledger.project(teaching.tenant, "other")
    account = teaching.adopted(projectId=None, agent=None)
    everybody = teaching.moved(teaching.lesson(agent=None, session="x"), "open")
    assert teaching.now(account).broken_again == 1
    everybody = teaching.moved(everybody, "adopted")
    mine = teaching.moved(teaching.moved(teaching.lesson(session="y"), "open"), "adopted")
    elsewhere = teaching.moved(
        teaching.moved(teaching.lesson(projectId="other", session="z"), "open"), "adopted"
    )
    said = teaching.said(session="again")
    assert said.lesson.duplicate_of == mine.id
    assert teaching.said(session="again", agent="Somebody").lesson.duplicate_of == everybody.id
    assert teaching.said(session="again", projectId="other").lesson.duplicate_of == elsewhere.id


def test_a_rule_past_its_time_is_not_broken(teaching: Teaching) -> None:
    soon = teaching.ledger.clock.now() + 50_000
    teaching.adopted(until=to_wire(soon))
    while teaching.ledger.clock.now() <= soon:
        pass
    assert teaching.said(session="later").recurrence_of is None


def test_the_same_in_the_same_session_is_the_first_answer(teaching: Teaching) -> None:
    by = teaching.assistant
    first = teaching.said(by, session="s")
    again = teaching.said(by, session="s", rule=RULE.lower())
    assert (again.created, again.lesson) == (False, first.lesson)
    for other in ({"session": "t"}, {"whatHappened": "Other."}, {"agent": "Other"}, {"rule": "Other."}):
        assert teaching.said(by, **{"session": "s", **other}).created
    assert teaching.said(teaching.assistant, session="s").created


def test_a_recurrence_said_twice_counts_once(teaching: Teaching) -> None:
    earlier = teaching.adopted()
    by = teaching.assistant
    first = teaching.said(by, session="s")
    again = teaching.said(by, session="s")
    assert (again.lesson, again.recurrence_of) == (first.lesson, first.recurrence_of)
    assert teaching.now(earlier).broken_again == 1


def test_without_a_session_the_same_is_one_lesson_for_ten_minutes(
    teaching: Teaching, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = teaching.assistant
    first = teaching.said(by)
    assert not teaching.said(by).created
    monkeypatch.setattr("setright.lessons.operations.SAME_FOR", 0)
    second = teaching.said(by)
    assert second.created
    monkeypatch.undo()
    assert teaching.said(by).lesson == second.lesson != first.lesson


def test_what_was_deleted_can_be_said_anew(teaching: Teaching) -> None:
    by = teaching.assistant
    first = teaching.lesson(by)
    teaching.do(lambda tx: delete_lesson(tx, first.id), teaching.person)
    with pytest.raises(LessonNotFound):
        teaching.now(first)
    assert teaching.said(by).created


def test_a_lesson_may_come_from_a_correction(teaching: Teaching) -> None:
    run = {
        "projectId": "default",
        "subject": {"kind": "agent", "id": "Writer", "version": "1"},
        "output": "saved",
    }
    run_id = teaching.do(lambda tx: runs.record_run(tx, validate(NewRun, run))).run.id
    wanted = validate(NewCorrection, {"runId": run_id, "answer": "wrong", "why": "It was newer."})
    source = teaching.do(lambda tx: corrections.record_correction(tx, wanted))
    made = teaching.lesson(projectId=None, fromCorrectionId=source.id)
    assert (made.from_correction_id, made.project_id) == (source.id, "default")
    assert teaching.listed(from_correction_id=source.id) == [made.id]
    with pytest.raises(CorrectionNotFound):
        teaching.lesson(fromCorrectionId="cor_01JD8Z3QK4W5X6Y7Z8A9B0C1D2")


def test_where_a_lesson_counts(teaching: Teaching) -> None:
    teaching.ledger.project(teaching.tenant, "other")
    assert teaching.lesson(teaching.assistant, projectId=None).project_id == "default"
    both = {"default": Role.WRITE, "other": Role.READ}
    of_both = teaching.ledger.actor(teaching.tenant, kind="service", roles=both)
    assert teaching.lesson(of_both, projectId=None).project_id is None
    with pytest.raises(PermissionDenied):
        teaching.lesson(of_both, projectId="other")
    with pytest.raises(ProjectNotFound):
        teaching.lesson(projectId="nowhere")
    reader = teaching.ledger.actor(teaching.tenant, Role.READ)
    with pytest.raises(PermissionDenied):
        teaching.lesson(reader, projectId=None)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"kind": "banana"}, "/kind"),
    ({"noticedBy": "4b1c2d3e-5f60-4718-9a2b-3c4d5e6f7a8b"}, "/noticedBy"),
    ({"severity": "grave"}, "/severity"),
    ({"whatHappened": ""}, "/whatHappened"),
    ({"whatHappened": " \u200b "}, "/whatHappened"),
    ({"whatHappened": "x" * 4001}, "/whatHappened"),
    ({"expected": "x" * 4001}, "/expected"),
    ({"rule": "x" * 501}, "/rule"),
    ({"rule": "one\ntwo"}, "/rule"),
    ({"rule": "one\u2028two"}, "/rule"),
    ({"rule": " \u200b "}, "/rule"),
    ({"agent": "x" * 201}, "/agent"),
    ({"evidence": ["x"] * 21}, "/evidence"),
    ({"until": "tomorrow"}, "/until"),
    ({"until": "2020-01-01T00:00:00Z"}, "/until"),
    ({"mustNotCall": ["rm"]}, "/mustNotCall/0"),
    ({"mustNotCall": [{"tool": ""}]}, "/mustNotCall/0/tool"),
    (
        {"mustNotCall": [{"tool": "sh", "match": {"/command": {"prefix": True}}}]},
        "/mustNotCall/0/match/~1command",
    ),
    ({"mustNotCall": [{"tool": "sh"}] * 21}, "/mustNotCall"),
]


@pytest.mark.parametrize(("broken", "pointer"), REFUSED)
def test_what_is_refused_names_the_field(teaching: Teaching, broken: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidBody) as refused:
        teaching.said(**broken)
    assert pointer in {fault["pointer"] for fault in refused.value.details["faults"]}
    assert teaching.listed() == []


@pytest.mark.parametrize("field", ["recordedBy", "status", "tenantId", "madeBy", "verifiedBy"])
def test_nobody_says_who_they_are(field: str) -> None:
    with pytest.raises(UnknownField):
        validate(NewLesson, a_lesson(**{field: "usr_1"}))
