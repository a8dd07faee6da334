"""Rules that are alike: found among a thousand, never merged, and in force together only when a person says so."""

import pytest

from setright.kernel.errors import InvalidBody
from setright.kernel.fields import validate
from setright.lessons import LessonChange, PersonNeeded, SimilarRule
from tests.lessons.pairs import FILLER, NEGATIONS, NUMBERS, PAIRS
from tests.lessons.teaching import Teaching


def test_the_partner_is_among_the_five_nearest_of_a_thousand(teaching: Teaching) -> None:
    teaching.adopted_at_once(FILLER)
    made = teaching.adopted_at_once([other for _, other in PAIRS])
    partners = {one: partner for (one, _), partner in zip(PAIRS, made, strict=True)}
    found = 0
    for one, partner in partners.items():
        said = teaching.said(rule=one, session=one)
        assert (said.recurrence_of, said.lesson.status) == (None, "open")
        assert len(said.similar) <= 5
        near = {similar.id: similar.difference.only for similar in said.similar}
        found += partner.id in near
        if (one, partner.rule) in NEGATIONS:
            assert near[partner.id] == "negation"
        if (one, partner.rule) in NUMBERS:
            assert near[partner.id] == "number"
    assert found >= 36
    assert all(teaching.now(partner).broken_again == 0 for partner in partners.values())


def test_an_assistant_waits_for_a_person(teaching: Teaching) -> None:
    always = teaching.adopted(rule="Always use tabs.")
    lesson = teaching.lesson(teaching.assistant, rule="Never use tabs.")
    waits = teaching.change(lesson, teaching.assistant, status="adopted")
    assert (waits.waits_for_person, waits.lesson) == (True, lesson)
    assert [(one.id, one.difference.only) for one in waits.similar] == [(always.id, "negation")]
    assert teaching.now(lesson) == lesson
    assert teaching.story(lesson) == ["lesson.recorded"]
    other = teaching.adopted(rule="Wait 5 seconds.")
    reworded = teaching.change(other, teaching.assistant, rule="Never use tabs!")
    assert (reworded.waits_for_person, teaching.now(other)) == (True, other)
    with pytest.raises(PersonNeeded):
        teaching.change(lesson, teaching.assistant, status="adopted", over={always.id: "both"})


def test_a_person_says_what_is_meant(teaching: Teaching) -> None:
    first = teaching.adopted(rule="Wait 500 ms.")
    lesson = teaching.lesson(rule="Wait 5000 ms.")
    with pytest.raises(SimilarRule) as refused:
        teaching.moved(lesson, "adopted", teaching.person)
    assert refused.value.details["similar"] == [
        {"lessonId": first.id, "rule": "Wait 500 ms.", "differsOnlyIn": "number"}
    ]
    both = teaching.moved(lesson, "adopted", teaching.person, over={first.id: "both"})
    assert (both.status, teaching.now(first).status) == ("adopted", "adopted")
    third = teaching.lesson(rule="Wait 50 ms.")
    replaces = {first.id: "replaces", both.id: "both"}
    changed = teaching.change(third, teaching.person, status="adopted", over=replaces)
    assert (changed.lesson.supersedes, changed.still_had_by) == ((first.id,), 0)
    assert teaching.now(first).status == "retired"
    same = teaching.moved(
        teaching.lesson(rule="Wait 5 ms."),
        "adopted",
        teaching.person,
        over={third.id: "same", both.id: "both"},
    )
    assert (same.status, same.duplicate_of) == ("duplicate", third.id)


def test_any_rule_may_be_replaced(teaching: Teaching) -> None:
    old = teaching.adopted(rule="Use spaces.")
    new = teaching.moved(teaching.lesson(rule="Use tabs."), "adopted", over={old.id: "replaces"})
    assert (new.supersedes, teaching.now(old).status) == ((old.id,), "retired")
    again = teaching.adopted(rule="Use both.")
    newest = teaching.change(new, status="adopted", over={again.id: "replaces"}).lesson
    assert newest.supersedes == (old.id, again.id)
    with pytest.raises(InvalidBody):
        teaching.change(new, status="adopted", over={new.id: "replaces"})


def test_only_rules_that_somebody_reads_together_are_held_against_each_other(teaching: Teaching) -> None:
    teaching.ledger.project(teaching.tenant, "other")
    assistant = teaching.assistant
    teaching.adopted(rule="Always ask.", agent="Reader")
    teaching.adopted(rule="Always ask.", projectId="other")
    alone = teaching.change(teaching.lesson(rule="Never ask."), assistant, status="adopted")
    assert (alone.waits_for_person, alone.lesson.status, alone.similar) == (False, "adopted", [])
    everybody = teaching.change(teaching.lesson(rule="Always ask.", agent=None, session="2"), status="open")
    waits = teaching.change(everybody.lesson, assistant, status="adopted")
    assert waits.waits_for_person


def test_a_rule_that_left_is_alike_to_nothing(teaching: Teaching) -> None:
    gone = teaching.adopted(rule="Always ask.")
    teaching.moved(gone, "retired")
    assert teaching.said(rule="Never ask.").similar == []
    back = teaching.moved(gone, "adopted")
    assert [one.id for one in teaching.said(rule="Never ask!", session="2").similar] == [back.id]
    teaching.change(back, rule="Speak softly.")
    assert teaching.said(rule="Never ask.", session="3").similar == []


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"status": "verified", "over": {"les_1": "both"}}, "/over"),
        ({"until": None, "over": {"les_1": "both"}}, "/over"),
        ({"status": "adopted", "over": {"les_1": "merge"}}, "/over/les_1"),
        ({"status": "adopted", "over": {"les_1": "same", "les_2": "same"}}, "/over"),
        ({"status": "adopted", "over": {f"les_{number}": "both" for number in range(21)}}, "/over"),
    ],
)
def test_what_is_no_word_over_others_is_refused(change: dict[str, object], pointer: str) -> None:
    with pytest.raises(InvalidBody) as refused:
        validate(LessonChange, change)
    assert pointer in {fault["pointer"] for fault in refused.value.details["faults"]}
