"""The summary of an artifact: every sentence cited, competing readings side by side, in their order."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from setright.knowledge.citing import NOTHING, Fact, is_supported, shown
from setright.knowledge.composing import MOST_LINES, PassageLine, compose, focus_of, ranked
from tests.knowledge.facts import fact, many_facts

LINES = [PassageLine("o.1", "lu\u2082-gal e\u2082"), PassageLine("o.2", "mu-du\u2083")]


def test_a_whole_summary() -> None:
    facts = [
        fact(1, target="", line="", position=0, field="title", value="Brick of a king"),
        fact(
            2,
            target="o.1",
            position=0,
            field="translation",
            value="The king built the house.",
            extent="o.1-o.2",
        ),
        fact(3, field="lemma", value="lugal"),
        fact(4, value="king", standing="contested"),
        fact(
            5,
            value="owner",
            standing="correction",
            source="user-correction",
            scholar="Ada Reader",
            evidence="Lists of Nippur, p. 62",
        ),
    ]
    made = compose("P1", facts, LINES)
    assert made.summary.splitlines() == [
        "P1: title \u201cBrick of a king\u201d [1].",
        "o.1: translation \u201cThe king built the house.\u201d (o.1-o.2) [2].",
        "o.1.1: lemma \u201clugal\u201d [3]; sense \u201cowner\u201d (correction; by Ada Reader; evidence: "
        "\u201cLists of Nippur, p. 62\u201d) [4] or \u201cking\u201d (from project/one) [5].",
    ]
    assert [citation.fact.annotation_id for citation in made.citations] == [
        "ann_1",
        "ann_2",
        "ann_3",
        "ann_5",
        "ann_4",
    ]


def test_nothing_known_is_said_so() -> None:
    assert compose("P1", [], LINES).summary == NOTHING


@given(many_facts())
def test_every_sentence_is_supported_and_nothing_is_left_out(
    made: tuple[list[Fact], list[PassageLine]],
) -> None:
    facts, lines = made
    composed = compose("P1", facts, lines)
    values = {citation.n: citation.fact.value for citation in composed.citations}
    if facts:
        assert all(is_supported(sentence, values) for sentence in composed.summary.splitlines())
        assert len(composed.summary.splitlines()) == len({one.target for one in facts})
    assert {citation.fact.annotation_id for citation in composed.citations} == {
        one.annotation_id for one in facts
    }
    assert all(shown(one.value) in composed.summary for one in facts)


@given(many_facts(), st.randoms())
def test_the_order_in_which_facts_come_changes_nothing(
    made: tuple[list[Fact], list[PassageLine]], chance: Random
) -> None:
    facts, lines = made
    mixed = list(facts)
    chance.shuffle(mixed)
    assert compose("P1", mixed, lines) == compose("P1", facts, lines)


def test_competing_facts_have_their_order() -> None:
    told = [
        fact(1, standing="accepted"),
        fact(9, standing="correction"),
        fact(8, standing="correction"),
        fact(2, confidence=0.9),
        fact(3, standing="contested"),
        fact(4, confidence=0.5),
        fact(5, confidence=0.1),
        fact(6, standing="rejected", confidence=1.0),
    ]
    assert ranked(reversed(told)) == told


def test_a_decision_is_told_with_its_reason() -> None:
    facts = [
        fact(1, standing="rejected", decided="It is no \u201cking\u201d.", decided_by="Bo Scribe"),
        fact(2, value="owner", standing="accepted"),
    ]
    told = compose("P1", facts, LINES).summary
    assert (
        "\u201cowner\u201d (accepted; from project/one) [1] or \u201cking\u201d (rejected by Bo Scribe because"
        in told
    )
    assert "\u201cIt is no \u201cking\u201d.\u201d; from project/one) [2]." in told


def many_lines(count: int) -> tuple[list[Fact], list[PassageLine]]:
    """A text of so many lines with one fact on each."""
    facts = [
        fact(n, line=f"o.{n}", target=f"o.{n}.1", value=f"word{chr(96 + n % 26)}")
        for n in range(1, count + 1)
    ]
    return facts, [PassageLine(f"o.{n}", f"sign-{n}") for n in range(1, count + 1)]


def test_a_long_text_says_how_to_ask_for_the_rest() -> None:
    facts, lines = many_lines(150)
    first = compose("P1", facts, lines)
    assert (len(first.lines), first.lines_in_all, first.more) == (MOST_LINES, 150, "o.61--o.150")
    second = compose("P1", facts, lines, focus_of(first.more or ""))
    assert (second.lines[0].target, second.more) == ("o.61", "o.121--o.150")
    third = compose("P1", facts, lines, focus_of(second.more or ""))
    assert ([line.target for line in third.lines], third.more) == ([f"o.{n}" for n in range(121, 151)], None)


def test_a_focus_names_lines_or_words() -> None:
    facts, lines = many_lines(9)
    for text, wanted in [
        ("o.3 O.7", ["o.3", "o.7"]),
        ("o.3-o.5", ["o.3", "o.4", "o.5"]),
        ("wordd, wordh", ["o.4", "o.8"]),
        ("nowhere", []),
    ]:
        assert [line.target for line in compose("P1", facts, lines, focus_of(text)).lines] == wanted


def test_the_same_wish_is_one_key() -> None:
    assert focus_of("O.3\u2019  Kings").key == focus_of("kings, o.3'").key


def test_notes_stand_beside_one_another_until_somebody_contests_one() -> None:
    notes = [fact(1, field="note", value="Broken."), fact(2, field="note", value="Sealed.")]
    assert "note \u201cBroken.\u201d [1] and \u201cSealed.\u201d [2]" in compose("P1", notes, LINES).summary
    contested = [fact(1, field="note", value="Broken.", standing="contested"), notes[1]]
    assert " or " in compose("P1", contested, LINES).summary
