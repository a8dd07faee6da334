"""A text is kept with what its sources say of it; coming again it brings only what is new."""

from typing import Any

import pytest

from setright import events, knowledge
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.knowledge import Added, NewArtifact
from tests.knowledge.reading import Reading, a_line, a_text, a_word


def the_lines(reading: Reading, artifact_id: str = "T1", **more: int) -> Any:
    return reading.ask(lambda at: knowledge.read_lines(at, artifact_id, **more))


def test_a_text_comes_with_its_lines_words_and_annotations(reading: Reading) -> None:
    brought = reading.brought(a_text())
    assert brought.created
    assert brought.run == 1
    assert brought.added == Added(lines=3, tokens=3, annotations=13)
    lines, after = the_lines(reading)
    assert after is None
    assert [(line.target, line.kind) for line in lines] == [
        ("o.1", "text"),
        (None, "ruling"),
        ("o.2", "text"),
    ]
    assert [token.target for token in lines[0].tokens] == ["o.1.1", "o.1.2"]
    assert reading.values("T1", "o.1.1", "sense") == ["king"]
    assert reading.values("T1", "o.1", "translation") == ["The king: barley."]


def test_an_artifact_shows_what_it_is_and_where_it_comes_from(reading: Reading) -> None:
    artifact = reading.brought(a_text(attribution="Ask us.")).artifact
    assert (artifact.title, artifact.genre, artifact.period) == (
        "A delivery of barley",
        "administrative",
        None,
    )
    assert [(one.source, one.licence, one.attribution) for one in artifact.sources] == [
        ("sample/one", "CC0", "Ask us.")
    ]
    assert artifact.version == 1


def test_the_same_again_adds_nothing_and_is_no_run(reading: Reading) -> None:
    reading.brought(a_text())
    again = reading.brought(a_text())
    assert (again.created, again.run, again.added) == (False, None, Added())
    assert again.artifact.version == 1


def test_a_word_said_twice_of_one_thing_is_kept_once(reading: Reading) -> None:
    doubled = a_word("sze", sense="barley")
    doubled["annotations"] *= 2
    brought = reading.brought(
        {"id": "T2", "source": "s", "title": "T", "lines": [a_line("1", "sze", doubled)]}
    )
    assert brought.added.annotations == 2


def test_other_content_of_one_source_adds_what_was_not_there(reading: Reading) -> None:
    reading.brought(a_text())
    more = a_text(title="A receipt of barley")
    more["lines"][0]["tokens"][0] = a_word("lu2-gal", sense="owner")
    more["lines"].append(a_line("3", "ba-til", a_word("ba-til", sense="finish")))
    brought = reading.brought(more)
    assert (brought.run, brought.added) == (2, Added(lines=1, tokens=1, annotations=3))
    assert reading.values("T1", "o.1.1", "sense") == ["king", "owner"]
    assert reading.values("T1", "", "title") == ["A delivery of barley", "A receipt of barley"]
    assert reading.values("T1", "o.1.1", "lemma") == ["lugal"]
    assert brought.artifact.version == 2


def test_an_earlier_state_of_a_source_adds_nothing(reading: Reading) -> None:
    reading.brought(a_text())
    reading.brought(a_text(title="Another"))
    assert reading.brought(a_text()).added == Added()


def test_another_source_says_the_same_in_its_own_name(reading: Reading) -> None:
    reading.brought(a_text())
    other = a_text(source="sample/two", attribution="Two.")
    other["lines"][2]["tokens"].append(a_word("gur"))
    brought = reading.brought(other)
    assert brought.added == Added(lines=0, tokens=1, annotations=13)
    assert [one.source for one in brought.artifact.sources] == ["sample/one", "sample/two"]
    layers = reading.layers("T1", "o.1.1")
    assert sorted(one.run.source_name for one in layers if one.annotation.field == "sense") == [
        "sample/one",
        "sample/two",
    ]


def test_what_was_said_stays_as_it_was(reading: Reading) -> None:
    reading.brought(a_text())
    before = {one.annotation.id: one.annotation for one in reading.layers("T1")}
    other = a_text(source="sample/two")
    other["lines"][0]["tokens"][0] = a_word("lu2-gal", sense="owner")
    reading.brought(other)
    after = {one.annotation.id: one.annotation for one in reading.layers("T1")}
    assert before.items() <= after.items()


def test_primes_of_every_spelling_name_one_line(reading: Reading) -> None:
    broken = a_text()
    broken["lines"] = [a_line("1\u2032", "x", a_word("x"))]
    reading.brought(broken)
    broken["lines"] = [a_line("1'", "x", a_word("x")), a_line("2\u2019", "y", a_word("y"))]
    assert reading.brought(broken).added == Added(lines=1, tokens=1)
    assert [line.target for line in the_lines(reading)[0]] == ["o.1'", "o.2'"]


def test_lines_come_a_few_at_a_time(reading: Reading) -> None:
    reading.brought(a_text())
    lines, after = the_lines(reading, count=2)
    assert (len(lines), after) == (2, 2)
    lines, after = the_lines(reading, first=2, count=2)
    assert ([line.target for line in lines], after) == (["o.2"], None)


def test_a_document_may_have_claims_only(reading: Reading) -> None:
    brought = reading.brought(
        {
            "id": "D1",
            "source": "register",
            "title": "Acme",
            "annotations": [{"field": "note", "value": "Closed."}],
        }
    )
    assert brought.added == Added(lines=0, tokens=0, annotations=2)


def test_another_tenant_has_texts_of_its_own(reading: Reading) -> None:
    reading.brought(a_text())
    other = Reading(reading.ledger, reading.ledger.tenant())
    with pytest.raises(Refusal) as refused:
        other.artifact("T1")
    assert refused.value.code == "artifact-not-found"
    assert other.brought(a_text()).run == 1


def test_only_who_may_speak_as_a_scholar_imports_as_that_one(reading: Reading) -> None:
    speaker, (number,) = reading.speaker()
    mine = a_text(run={"sourceType": "human", "scholarId": number})
    with pytest.raises(Refusal) as refused:
        reading.brought(mine, reading.person)
    assert refused.value.code == "scholar-not-yours"
    brought = reading.brought(mine, speaker)
    run = reading.ask(lambda at: knowledge.get_annotation_run(at, brought.run or 0))
    assert (run.scholar, run.source_type, run.source_name) == (number, "human", "sample/one")


def test_what_was_imported_is_told_in_the_events(reading: Reading) -> None:
    reading.brought(a_text())
    reading.brought(a_text(title="Another"))
    reading.brought(a_text(title="Another"))
    told = reading.ask(lambda at: events.history(at, "T1", 0, 10)).data
    assert [(one.kind, one.about) for one in told] == [("artifact.recorded", "1"), ("artifact.extended", "2")]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"id": "ann_01J8Z3K5M7N9P1Q3R5S7T9V1X3"}, "/id"),
        ({"id": ".."}, "/id"),
        ({"title": " "}, "/title"),
        ({"source": "user-correction"}, "/source"),
        ({"lines": [a_line("1", "x"), a_line("1", "y")]}, "/lines/1/label"),
        ({"lines": [{"text": "x"}]}, "/lines/0/label"),
        ({"lines": [{"kind": "ruling", "label": "1", "text": "$ ruling"}]}, "/lines/0/label"),
        ({"lines": [a_line("1.2", "x")]}, "/lines/0/label"),
        ({"lines": [{"surface": "1", "label": "1", "text": "x"}]}, "/lines/0/surface"),
        ({"annotations": [{"field": "colour", "value": "red"}]}, "/annotations/0/field"),
        ({"annotations": [{"field": "note", "value": "x", "confidence": 1.5}]}, "/annotations/0/confidence"),
        ({"run": {"scholarId": 0}}, "/run/scholarId"),
    ],
)
def test_a_fault_is_named_by_its_place(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Refusal) as refused:
        validate(NewArtifact, a_text(**change))
    assert [fault["pointer"] for fault in refused.value.details["faults"]] == [pointer]
