"""Briefings: which rules are in force for whom, in which order, and what is told of sessions."""

from typing import Any

import pytest

from setright import lessons
from setright.identity import ProjectNotFound
from setright.kernel.actor import Actor, Role
from setright.kernel.clock import to_wire
from setright.kernel.errors import PermissionDenied
from setright.kernel.fields import validate
from setright.lessons import Asked, Briefing, Lesson, NewStops
from setright.lessons.sessions import KEPT_FOR
from tests.lessons.teaching import Teaching


def told(teaching: Teaching, by: Actor | None = None, **asked: Any) -> Briefing:
    """A briefing, and what is written because of it."""
    found = teaching.ask(lambda at: lessons.read_briefing(at, Asked(**asked)), by)
    note = lessons.note_session(found)
    if note is not None:
        teaching.do(note, by)
    return found


def ids(briefing: Briefing) -> list[str]:
    """The rules of a briefing."""
    return [rule.id for rule in briefing.rules]


def ruled(teaching: Teaching, text: str, **more: Any) -> Lesson:
    """A rule in force."""
    return teaching.adopted(rule=text, session=text, **more)


def rule_of(number: int) -> str:
    """A rule for each number, without a number in it."""
    return f"Rule {str(number).translate(str.maketrans('0123456789', 'zklmnpqrst'))}."


def test_a_rule_adopted_in_one_session_is_in_the_next_briefing_word_for_word(teaching: Teaching) -> None:
    rule = ruled(teaching, "Say \u201eplease\u201c, *always*.")
    briefing = told(teaching, agent="writer", project_id="default")
    assert [one.rule for one in briefing.rules] == [rule.rule]
    assert f"- {rule.rule}\n" in briefing.text


def test_own_rules_come_first_then_those_for_every_agent(teaching: Teaching) -> None:
    everybody = ruled(teaching, "For all.", agent=None, severity="critical").id
    account = ruled(teaching, "For all, everywhere.", agent=None, projectId=None).id
    mine = ruled(teaching, "For me.").id
    ruled(teaching, "For another.", agent="Reader")
    assert ids(told(teaching, agent="Writer", project_id="default")) == [mine, everybody, account]
    assert ids(told(teaching, project_id="default")) == [everybody, account]


def test_the_order_is_severity_then_recurrences_then_newest(teaching: Teaching) -> None:
    old = ruled(teaching, "Old.").id
    broken = ruled(teaching, "Broken.")
    teaching.moved(broken, "recurred")
    critical = ruled(teaching, "Critical.", severity="critical").id
    new = ruled(teaching, "New.").id
    low = ruled(teaching, "Low.", severity="low").id
    assert ids(told(teaching, agent="Writer")) == [critical, broken.id, new, old, low]


def test_only_what_is_in_force_is_told(teaching: Teaching) -> None:
    rules = {status: ruled(teaching, f"Rule {status}.") for status in ("adopted", "verified", "recurred")}
    for status in ("verified", "recurred"):
        teaching.moved(rules[status], status)
    for status in ("retired", "dismissed", "open"):
        teaching.moved(ruled(teaching, f"Rule {status}."), status, teaching.person)
    teaching.moved(ruled(teaching, "Rule twice."), "duplicate", duplicateOf=rules["adopted"].id)
    gone = ruled(teaching, "Rule gone.")
    teaching.do(lambda tx: lessons.delete_lesson(tx, gone.id))
    briefing = told(teaching, agent="Writer")
    assert set(ids(briefing)) == {one.id for one in rules.values()}
    assert briefing.left_out == 0


def test_a_rule_past_its_time_is_not_told_and_not_counted(teaching: Teaching) -> None:
    soon = teaching.ledger.clock.now() + 50_000
    ruled(teaching, "Until soon.", until=to_wire(soon))
    later = ruled(teaching, "Until later.", until="2036-01-01T00:00:00Z").id
    while teaching.ledger.clock.now() <= soon:
        pass
    briefing = told(teaching, agent="Writer")
    assert (ids(briefing), briefing.left_out) == ([later], 0)


def test_a_project_hears_its_own_rules_and_those_of_the_account(teaching: Teaching) -> None:
    teaching.ledger.project(teaching.tenant, "other")
    here = ruled(teaching, "Here.").id
    there = ruled(teaching, "There.", projectId="other").id
    account = ruled(teaching, "Everywhere.", projectId=None).id
    assert set(ids(told(teaching, agent="Writer", project_id="default"))) == {here, account}
    assert set(ids(told(teaching, agent="Writer", project_id="other"))) == {there, account}
    assert set(ids(told(teaching, agent="Writer"))) == {here, there, account}
    reader = teaching.ledger.actor(teaching.tenant, Role.READ)
    assert set(ids(told(teaching, reader, agent="Writer"))) == {here, account}
    with pytest.raises(PermissionDenied):
        told(teaching, reader, project_id="other")
    with pytest.raises(ProjectNotFound):
        told(teaching, project_id="nowhere")


def test_many_projects_are_read_together_in_order(teaching: Teaching) -> None:
    names = [f"p{number}" for number in range(7)]
    for name in names:
        teaching.ledger.project(teaching.tenant, name)
    for number in range(14):
        ruled(teaching, rule_of(number), projectId=names[number % 7], severity=("low", "high")[number % 2])
    few = teaching.ledger.actor(teaching.tenant, roles=dict.fromkeys(names[:3], Role.READ))
    most = teaching.ledger.actor(teaching.tenant, roles=dict.fromkeys(names, Role.READ))
    for by, count in ((few, 6), (most, 14), (None, 14)):
        rules = told(teaching, by, agent="Writer").rules
        assert len(rules) == count
        assert [rule.place for rule in rules] == sorted((rule.place for rule in rules), reverse=True)


def test_open_lessons_come_apart_and_newest_first(teaching: Teaching) -> None:
    made = [teaching.lesson(session=str(number), whatHappened=f"Thing {number}.").id for number in range(7)]
    teaching.lesson(agent="Reader", session="r")
    briefing = told(teaching, agent="Writer")
    assert (briefing.rules, briefing.left_out) == ([], 0)
    assert [one.id for one in briefing.open] == made[:1:-1]
    assert "It is no instruction." in briefing.text


def test_more_rules_than_a_chunk_are_told_or_counted(teaching: Teaching) -> None:
    for number in range(230):
        ruled(teaching, rule_of(number))
    whole = told(teaching, agent="Writer", budget=100_000)
    assert [rule.rule for rule in whole.rules] == [rule_of(number) for number in reversed(range(230))]
    some = told(teaching, agent="Writer", budget=1_000)
    assert len(some.text) <= 1_000
    assert len(some.rules) + some.left_out == 230
    assert f"{some.left_out} more rules are left out." in some.text


def test_what_forbids_calls_is_told_to_the_guard_even_without_room(teaching: Teaching) -> None:
    guard = ruled(teaching, "Never force.", severity="low", mustNotCall=[{"tool": "sh", "args": {"f": 1}}])
    for number in range(20):
        ruled(teaching, rule_of(number))
    briefing = told(teaching, agent="Writer", budget=200)
    assert guard.id not in ids(briefing)
    assert [(one.id, list(one.must_not_call)) for one in briefing.guard] == [
        (guard.id, [{"tool": "sh", "args": {"f": 1}}])
    ]
    assert told(teaching, agent="Reader").guard == []


def test_retiring_says_how_many_sessions_still_have_the_rule(teaching: Teaching) -> None:
    first, second = ruled(teaching, "Be brief."), ruled(teaching, "Ask twice.")
    for session in ("a", "b", "b"):
        told(teaching, agent="Writer", session=session)
    told(teaching, agent="Reader", session="a")
    assert teaching.change(first, status="retired").still_had_by == 2
    told(teaching, agent="Writer", session="a")
    assert ids(told(teaching, agent="Writer")) == [second.id]
    again = teaching.moved(first, "adopted")
    assert teaching.change(again, status="retired").still_had_by == 1
    assert teaching.change(second, status="dismissed").still_had_by is None


def test_sessions_are_forgotten_after_ninety_days(teaching: Teaching) -> None:
    rule = ruled(teaching, "First.")
    told(teaching, agent="Writer", session="a")
    later = teaching.ledger.clock.now() + KEPT_FOR + 1

    def drop(tx: Any) -> int:
        tx.now = later
        return lessons.drop_old_sessions(tx, {}, None).done

    assert teaching.do(drop) >= 1
    assert teaching.change(rule, status="retired").still_had_by == 0


def test_stopped_calls_are_counted_by_rule(teaching: Teaching) -> None:
    rule = ruled(teaching, "First.")
    hidden = Teaching(teaching.ledger, teaching.ledger.tenant()).lesson()
    body = {"stops": [{"lessonId": rule.id, "count": 2}, {"lessonId": rule.id}, {"lessonId": hidden.id}]}
    for _ in range(2):
        counted = teaching.do(
            lambda tx: lessons.count_stops(tx, validate(NewStops, body)), teaching.assistant
        )
        assert (counted.counted, counted.unknown) == (3, [hidden.id])
    assert teaching.now(rule).stops == 6


def test_why_a_rule_is_in_or_out(teaching: Teaching) -> None:
    teaching.ledger.project(teaching.tenant, "other")
    cases = {
        ruled(teaching, "In.").id: "It is adopted, for this agent, in project default.",
        ruled(
            teaching, "All.", agent=None, projectId=None
        ).id: "It is adopted, for every agent, in the whole account.",
        ruled(teaching, "Else.", agent="Reader").id: "It is for another agent.",
        ruled(teaching, "There.", projectId="other").id: "It counts in another project.",
        teaching.lesson(
            rule="Not yet."
        ).id: "It is open: only adopted, verified and recurred lessons are in force.",
        "les_01JD8Z3QK4W5X6Y7Z8A9B0C1D2": "There is no such lesson.",
    }
    briefing = told(teaching, agent="Writer", project_id="default", explain=True, about=tuple(cases))
    assert {one.lesson_id: one.why for one in briefing.explained} == cases
    assert [one.is_in for one in briefing.explained] == [True, True, False, False, False, False]
    assert briefing.explanation is not None
    assert "- in: In. (It is adopted, for this agent, in project default.)\n" in briefing.explanation
    newest = told(teaching, agent="Writer", explain=True).explained
    assert {one.lesson_id for one in newest} == {*cases} - {"les_01JD8Z3QK4W5X6Y7Z8A9B0C1D2"}
    for number in range(30):
        ruled(teaching, rule_of(number))
    last = told(teaching, agent="Writer", budget=200, explain=True, about=(next(iter(cases)),)).explained[0]
    assert (last.is_in, last.why.startswith("It is in force, but there is room for")) == (False, True)
