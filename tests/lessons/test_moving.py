"""Deciding on lessons: who may, what it leads to, and what is refused."""

from itertools import product
from typing import Any

import pytest

from setright import lessons
from setright.kernel.actor import Role
from setright.kernel.errors import ChangedMeanwhile, InvalidBody, PermissionDenied
from setright.kernel.fields import validate
from setright.lessons import (
    STATUSES,
    AccountWide,
    DuplicateCycle,
    Lesson,
    LessonChange,
    LessonMoveRefused,
    LessonNotFound,
    PersonNeeded,
    RuleNeeded,
)
from tests.lessons.teaching import Teaching
from tests.lessons.test_life import BY_ASSISTANT, BY_PERSON

WAYS = {
    "open": (),
    "adopted": ("adopted",),
    "verified": ("adopted", "verified"),
    "recurred": ("adopted", "recurred"),
    "dismissed": ("dismissed",),
    "retired": ("adopted", "retired"),
    "duplicate": ("duplicate",),
}


def standing(teaching: Teaching, status: str, **more: Any) -> Lesson:
    """A lesson that persons have moved to a status."""
    lesson = teaching.lesson(rule=f"Do it so: {status} {more}.", **more)
    for step in WAYS[status]:
        other = {"duplicateOf": teaching.lesson(rule=None).id} if step == "duplicate" else {}
        lesson = teaching.moved(lesson, step, teaching.person, **other)
    return lesson


@pytest.mark.parametrize("start", STATUSES)
def test_every_move_from_every_status(teaching: Teaching, start: str) -> None:
    for is_person, end in product((True, False), STATUSES):
        lesson = standing(teaching, start, session=f"{is_person} {end}")
        by = teaching.person if is_person else teaching.assistant
        other = {"duplicateOf": teaching.lesson(rule=None, session=end).id} if end == "duplicate" else {}
        if end == start and end != "duplicate":
            assert teaching.moved(lesson, end, by) == lesson
            continue
        if end in (BY_PERSON if is_person else BY_ASSISTANT)[start]:
            moved = teaching.moved(lesson, end, by, **other)
            assert moved.status == end
            assert teaching.now(lesson) == moved
            continue
        with pytest.raises(PersonNeeded if end in BY_PERSON[start] else LessonMoveRefused) as told:
            teaching.moved(lesson, end, by, **other)
        assert set(told.value.details["open"]) == (BY_PERSON if is_person else BY_ASSISTANT)[start]
        assert teaching.now(lesson) == lesson


def test_adopting_needs_a_rule(teaching: Teaching) -> None:
    lesson = teaching.lesson(rule=None)
    with pytest.raises(RuleNeeded):
        teaching.moved(lesson, "adopted")
    adopted = teaching.moved(lesson, "adopted", rule="Say it in one line.")
    assert (adopted.status, adopted.rule) == ("adopted", "Say it in one line.")
    assert teaching.story(adopted) == ["lesson.recorded", "lesson.adopted"]


def test_who_adopted_and_who_verified_is_kept(teaching: Teaching) -> None:
    assistant, person = teaching.assistant, teaching.person
    adopted = teaching.adopted(assistant)
    assert adopted.adopted is not None
    assert (adopted.adopted.kind, adopted.adopted.id, adopted.verified) == ("service", assistant.id, None)
    verified = teaching.moved(adopted, "verified", person)
    assert verified.verified is not None
    assert (verified.adopted, verified.verified.id) == (adopted.adopted, person.id)
    reopened = teaching.moved(verified, "open", person)
    assert (reopened.adopted, reopened.verified) == (None, None)


def test_what_a_person_ended_an_assistant_reopens_but_does_not_adopt(teaching: Teaching) -> None:
    for ended in ("dismissed", "retired"):
        lesson = teaching.moved(teaching.adopted(session=ended), ended, teaching.person)
        reopened = teaching.moved(lesson, "open", teaching.assistant)
        with pytest.raises(PersonNeeded, match="user's token"):
            teaching.moved(reopened, "adopted", teaching.assistant)
        adopted = teaching.moved(reopened, "adopted", teaching.person)
        again = teaching.moved(
            teaching.moved(adopted, "open", teaching.assistant), "adopted", teaching.assistant
        )
        assert teaching.moved(again, "retired", teaching.person).status == "retired"


def test_a_person_who_reopens_leaves_it_to_assistants(teaching: Teaching) -> None:
    lesson = teaching.moved(teaching.moved(teaching.lesson(), "dismissed"), "open", teaching.person)
    assert teaching.moved(lesson, "adopted", teaching.assistant).status == "adopted"


def test_recurring_by_hand_counts(teaching: Teaching) -> None:
    lesson = teaching.moved(teaching.adopted(), "recurred", teaching.assistant)
    assert (lesson.status, lesson.broken_again) == ("recurred", 1)
    assert teaching.moved(lesson, "recurred", teaching.assistant) == lesson


def test_rewording_keeps_the_status_and_the_old_words(teaching: Teaching) -> None:
    lesson = teaching.adopted()
    reworded = teaching.change(lesson, teaching.assistant, rule="Read it again.").lesson
    assert (reworded.status, reworded.rule) == ("adopted", "Read it again.")
    told = teaching.ask(lambda at: lessons.lesson_history(at, lesson.id)).data
    words = [(one.kind, one.wording.rule if one.wording else None) for one in told]
    assert words == [
        ("lesson.recorded", lesson.rule),
        ("lesson.adopted", None),
        ("lesson.reworded", "Read it again."),
    ]
    assert teaching.change(reworded, teaching.assistant, rule="Read it again.").lesson == reworded


def test_a_verified_rule_is_reworded_by_persons_only(teaching: Teaching) -> None:
    lesson = teaching.moved(teaching.adopted(), "verified")
    for change in ({"rule": "Other."}, {"mustNotCall": [{"tool": "rm"}]}, {"until": "2036-01-01T00:00:00Z"}):
        with pytest.raises(PersonNeeded):
            teaching.change(lesson, teaching.assistant, **change)
    recurred = teaching.moved(lesson, "recurred", teaching.assistant)
    with pytest.raises(PersonNeeded):
        teaching.change(recurred, teaching.assistant, rule="Other.")
    assert teaching.change(lesson, teaching.person, rule="Other.").lesson.rule == "Other."


def test_forbidden_calls_and_the_end_can_be_set_and_lifted(teaching: Teaching) -> None:
    lesson = teaching.adopted(mustNotCall=[{"tool": "sh", "args": {"command": "rm"}}])
    assert lesson.must_not_call == ({"tool": "sh", "args": {"command": "rm"}},)
    ending = teaching.change(lesson, until="2036-01-01T00:00:00Z", mustNotCall=None).lesson
    assert ending.must_not_call == ()
    assert ending.until is not None
    assert teaching.change(ending, until=None).lesson.until is None
    with pytest.raises(InvalidBody):
        teaching.change(lesson, until="2020-01-01T00:00:00Z")


def test_a_duplicate_points_at_the_root(teaching: Teaching) -> None:
    first, second, third = (teaching.lesson(session=str(number)) for number in range(3))
    teaching.moved(second, "duplicate", duplicateOf=first.id)
    assert teaching.moved(third, "duplicate", duplicateOf=second.id).duplicate_of == first.id
    with pytest.raises(DuplicateCycle):
        teaching.moved(first, "duplicate", duplicateOf=third.id)
    with pytest.raises(DuplicateCycle):
        teaching.moved(first, "duplicate", duplicateOf=first.id)
    other = teaching.lesson(session="other")
    teaching.moved(first, "duplicate", duplicateOf=other.id)
    assert {teaching.now(one).duplicate_of for one in (first, second, third)} == {other.id}
    assert set(teaching.listed(duplicate_of=other.id)) == {first.id, second.id, third.id}
    assert teaching.listed() == [other.id]


def test_what_a_duplicate_points_at_must_be_there(teaching: Teaching) -> None:
    lesson = teaching.lesson()
    stranger = Teaching(teaching.ledger, teaching.ledger.tenant()).lesson()
    for missing in ("les_01JD8Z3QK4W5X6Y7Z8A9B0C1D2", stranger.id, "x"):
        with pytest.raises(LessonNotFound):
            teaching.moved(lesson, "duplicate", duplicateOf=missing)
    teaching.ledger.project(teaching.tenant, "other")
    elsewhere = teaching.lesson(projectId="other")
    with pytest.raises(PermissionDenied):
        teaching.moved(lesson, "duplicate", teaching.person, duplicateOf=elsewhere.id)


def test_what_counts_in_the_account_is_put_in_force_by_persons_and_tenant_wide_tokens(
    teaching: Teaching,
) -> None:
    both = {"default": Role.WRITE, "other": Role.WRITE}
    teaching.ledger.project(teaching.tenant, "other")
    of_projects = teaching.ledger.actor(teaching.tenant, kind="service", roles=both)
    of_tenant = teaching.ledger.actor(teaching.tenant, kind="service", tenant_role=Role.WRITE)
    lesson = teaching.lesson(of_projects, projectId=None)
    with pytest.raises(AccountWide, match="user's token"):
        teaching.moved(lesson, "adopted", of_projects)
    adopted = teaching.moved(lesson, "adopted", of_tenant)
    with pytest.raises(AccountWide):
        teaching.change(adopted, of_projects, rule="Do as I say.")
    assert teaching.moved(adopted, "recurred", of_projects).broken_again == 1
    assert teaching.moved(teaching.lesson(projectId=None, rule="Other."), "adopted", teaching.person)


def test_who_may_not_write_changes_nothing(teaching: Teaching) -> None:
    lesson = teaching.lesson()
    reader = teaching.ledger.actor(teaching.tenant, Role.READ)
    stranger = teaching.ledger.tenant().admin
    with pytest.raises(PermissionDenied):
        teaching.moved(lesson, "adopted", reader)
    with pytest.raises(LessonNotFound):
        teaching.moved(lesson, "adopted", stranger)
    assert teaching.now(lesson) == lesson


def test_a_state_that_was_named_must_be_the_state(teaching: Teaching) -> None:
    lesson = teaching.lesson()
    change = validate(LessonChange, {"status": "adopted"})
    with pytest.raises(ChangedMeanwhile):
        teaching.do(lambda tx: lessons.update_lesson(tx, lesson.id, change, {lesson.updated_at - 1}))
    moved = teaching.do(lambda tx: lessons.update_lesson(tx, lesson.id, change, {lesson.updated_at}))
    assert moved.lesson.status == "adopted"


def test_only_a_person_deletes(teaching: Teaching) -> None:
    lesson = teaching.lesson(teaching.assistant)
    with pytest.raises(PersonNeeded):
        teaching.do(lambda tx: lessons.delete_lesson(tx, lesson.id), teaching.assistant)
    for _ in range(2):
        teaching.do(lambda tx: lessons.delete_lesson(tx, lesson.id), teaching.person)
    assert teaching.listed() == []
    with pytest.raises(LessonNotFound):
        teaching.moved(lesson, "adopted")


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({}, ""),
        ({"rule": ""}, ""),
        ({"status": "banana"}, "/status"),
        ({"status": "duplicate"}, "/duplicateOf"),
        ({"status": "open", "duplicateOf": "les_1"}, "/duplicateOf"),
        ({"duplicateOf": "les_1"}, "/duplicateOf"),
        ({"status": "verified", "rule": "x"}, "/rule"),
        ({"rule": "one\ntwo"}, "/rule"),
        ({"rule": "x" * 501}, "/rule"),
        ({"mustNotCall": [{"tool": "sh", "match": {"a": {"x": 1}}}]}, "/mustNotCall/0/match/a/x"),
    ],
)
def test_a_change_that_is_none_is_refused(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidBody) as refused:
        validate(LessonChange, change)
    assert pointer in {fault["pointer"] for fault in refused.value.details["faults"]}
