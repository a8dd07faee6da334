"""Rules that are alike: found among a thousand, never merged, and in force together only when a person says so."""

from typing import Any

import pytest
from sqlalchemy import bindparam, delete, null, select, update

from setright.kernel.errors import InvalidBody
from setright.kernel.fields import validate
from setright.lessons import LessonChange, PersonNeeded, SimilarRule, read_rules_again, similar
from setright.lessons.jobs import READ_AS
from setright.lessons.tables import lessons, rule_word_counts, rule_words
from setright.storage import Sql, Tx
from setright.storage.kept import set_mark
from tests.lessons import more_pairs, pairs
from tests.lessons.teaching import Teaching

FORGET = tuple(
    Sql(statement.where(table.c.tenant_id == bindparam("of_tenant")))
    for table, statement in (
        (rule_words, delete(rule_words)),
        (rule_word_counts, delete(rule_word_counts)),
        (lessons, update(lessons).values(skeleton_key=null())),
    )
)
"""What a ledger of before knew of its rules: nothing by which one finds another."""
COUNTS = Sql(select(rule_word_counts).where(rule_word_counts.c.tenant_id == bindparam("tenant_id")))


@pytest.mark.parametrize("set_of", [pairs, more_pairs], ids=["pairs", "more pairs"])
def test_the_partner_is_among_the_five_nearest_of_a_thousand(teaching: Teaching, set_of: Any) -> None:
    teaching.adopted_at_once(pairs.FILLER)
    made = teaching.adopted_at_once([other for _, other in set_of.PAIRS])
    partners = {one: partner for (one, _), partner in zip(set_of.PAIRS, made, strict=True)}
    found = 0
    for one, partner in partners.items():
        said = teaching.said(rule=one, session=one)
        assert (said.recurrence_of, said.lesson.status) == (None, "open")
        assert len(said.similar) <= 5
        near = {similar.id: similar.difference.only for similar in said.similar}
        found += partner.id in near
        if (one, partner.rule) in set_of.NEGATIONS:
            assert near[partner.id] == "negation"
        if (one, partner.rule) in set_of.NUMBERS:
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


def test_a_rule_of_before_is_found_once_it_was_read_again(
    teaching: Teaching, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similar, "READ_AT_ONCE", 1)
    always = teaching.adopted(rule="Always ask.")
    other = teaching.adopted(rule="Wait 5 seconds.", session="other")
    teaching.do(forget)
    assert teaching.said(rule="Never ask.").similar == []
    assert read_again(teaching) == [1, 1, 0]
    found = teaching.said(rule="Never ask.", session="2").similar
    assert [(one.id, one.difference.only) for one in found] == [(always.id, "negation")]
    kept = teaching.ask(lambda at: at.all(COUNTS, tenant_id=at.actor.tenant_id))
    assert {row["word"]: row["rules"] for row in kept} == {"": 2, "ask": 1, "wait": 1, "5": 1, "second": 1}
    assert read_again(teaching) == [0]
    teaching.moved(other, "retired")
    assert teaching.said(rule="Never wait 5 seconds.", session="3").similar == []


def test_a_rule_of_before_that_ends_unread_leaves_the_counts_as_they_are(teaching: Teaching) -> None:
    gone = teaching.adopted(rule="Always ask.")
    teaching.do(forget)
    teaching.moved(gone, "retired")
    assert teaching.ask(lambda at: at.all(COUNTS, tenant_id=at.actor.tenant_id)) == []
    assert teaching.said(rule="Ask.", session="2").similar == []


def forget(tx: Tx) -> None:
    """Have the tenant's rules stand as they stood before this was kept of them."""
    for sql in FORGET:
        tx.run(sql, of_tenant=tx.actor.tenant_id)
    set_mark(tx, READ_AS, "of before")


def read_again(teaching: Teaching) -> list[int]:
    """The tenant's rules read again, and how many in each batch; it is the newest tenant in the ledger."""
    batches = [teaching.do(lambda tx: read_rules_again(tx, {}, (tx.actor.tenant_id, "")))]
    while not batches[-1].is_last:
        cursor = batches[-1].cursor
        batches.append(teaching.do(lambda tx, at=cursor: read_rules_again(tx, {}, at)))
    return [batch.done for batch in batches]
