"""What a model is told of an answer, and which of its wordings can be served."""

import json

import pytest
from hypothesis import given

from setright.knowledge.citing import Citation, Fact
from setright.knowledge.composing import PassageLine, compose
from setright.knowledge.interpreting import interpret
from setright.knowledge.wording import (
    LONGEST_DRAFT,
    Draft,
    Worded,
    draft_of,
    faults,
    messages,
    sentences,
    served,
    told_again,
)
from tests.knowledge.facts import fact, many_facts
from tests.support.attempts import ATTEMPTS, EVERY

LINES = [PassageLine("o.1", "lu\u2082-gal e\u2082")]
CORRECTION = fact(
    2, value="owner", standing="correction", source="user-correction", scholar="Ada Reader", evidence="p. 62"
)
OLD = fact(1, standing="contested")
HOUSE = fact(3, target="o.1.2", position=2, value="house")


def draft(*facts: Fact) -> Draft:
    """The draft of a summary."""
    made = compose("P1", facts, LINES)
    found = draft_of("", made.summary, made.citations)
    assert found is not None
    return found


BOTH = draft(OLD, CORRECTION, HOUSE)
PLAIN = draft(fact(1), HOUSE)
GOOD = (
    "Ada Reader corrects the sense of the first word to \u201cowner\u201d [1], on the grounds of \u201cp. 62\u201d; before "
    "it was taken to be \u201cking\u201d [2].\nThe second is a \u201chouse\u201d [3]."
)


def test_a_wording_that_holds_what_it_cites_can_be_served() -> None:
    assert faults(BOTH, GOOD) == []
    assert served(BOTH, Worded(BOTH, GOOD, "small")) == GOOD


def test_a_wording_need_not_tell_everything_that_nobody_contests() -> None:
    assert faults(PLAIN, "The word at o.1.1 means \u201cking\u201d [1].") == []


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("", "There is no sentence"),
        ("The king of all kings.", "Sentence 1 cites nothing"),
        ("It is \u201cking\u201d [1].\nA remark.", "Sentence 2 cites nothing"),
        ("It is \u201cking\u201d [9].", "not there"),
        ("It is a ruler [1].", "word for word"),
        ("It is \u201cking\u201d [1], as in 1750.", "figure"),
        ("It is \u201cking\u201d or \u201cemperor\u201d [1].", "quotation marks"),
        ('It is "king" or "emperor" [1].', "quotation marks"),
        ("It is \u201cking\u201d [1], see https://host.example.", "link"),
        ("It is \u201cking\u201d [1](javascript:alert).", "markup"),
        ("It is <b>\u201cking\u201d</b> [1].", "markup"),
        ("- It is \u201cking\u201d [1].", "markup"),
        ("# \u201cking\u201d [1]", "markup"),
        ("It is \u201cking\u201d [1]. " + "So it is said. " * 200, "longer"),
    ],
)
def test_what_is_not_supported_is_told_as_a_fault(said: str, fault: str) -> None:
    found = faults(PLAIN, said)
    assert any(fault in one for one in found), found
    assert served(PLAIN, Worded(PLAIN, said, "small")) is None


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("It is a \u201chouse\u201d [3].", "Nothing tells of [1]"),
        ("It is \u201cowner\u201d [1], by Ada Reader, \u201cp. 62\u201d.", "Nothing tells of [2]"),
        (
            "Ada Reader: \u201cowner\u201d [1], \u201cp. 62\u201d.\nIt was \u201cking\u201d [2].",
            "all of what competes: [1], [2]",
        ),
        (
            "By Ada Reader \u201cowner\u201d [1] or \u201cking\u201d [2].",
            "does not tell all that is said of [1]",
        ),
        ("With \u201cp. 62\u201d it is \u201cowner\u201d [1] or \u201cking\u201d [2].", "does not tell all"),
    ],
)
def test_competing_readings_are_told_together_with_who_holds_them(said: str, fault: str) -> None:
    assert any(fault in one for one in faults(BOTH, said)), faults(BOTH, said)


def test_a_wording_of_another_state_is_not_served() -> None:
    later = draft(OLD, CORRECTION, HOUSE, fact(4, value="lord", standing="correction"))
    assert served(later, Worded(BOTH, GOOD, "small")) is None
    assert served(None, Worded(BOTH, GOOD, "small")) is None
    assert served(BOTH, None) is None


@given(many_facts())
def test_what_is_composed_is_itself_a_wording(made: tuple[list[Fact], list[PassageLine]]) -> None:
    facts, lines = made
    composed = compose("P1", facts, lines)
    found = draft_of("", composed.summary, composed.citations)
    assert found is None or faults(found, composed.summary) == []
    mine = [one for one in facts if one.position]
    word = interpret("o.1.1", "lu2-<gal>", mine)
    of_word = draft_of("", word.summary, word.citations)
    assert of_word is None or faults(of_word, word.summary) == []


@given(many_facts())
def test_no_text_closes_the_fence_in_which_facts_stand(made: tuple[list[Fact], list[PassageLine]]) -> None:
    facts, lines = made
    composed = compose("P1", facts, lines)
    found = draft_of("o.1", composed.summary, composed.citations)
    if found is not None:
        told = messages(found)
        assert [role for role, _ in told] == ["system", "user"]
        fence, inside, end = told[1][1].split("\n")
        assert fence == end
        assert fence not in inside
        assert json.loads(inside)["asked"] == "o.1"


@pytest.mark.parametrize("text", EVERY)
def test_texts_that_command_reach_a_model_as_data_only(text: str) -> None:
    of_it = draft(
        fact(1, value=text, evidence=text, scholar=text), fact(2, target="o.1", position=0, value=text)
    )
    told = messages(of_it)
    assert told[0] == messages(PLAIN)[0]
    assert told[1][1].count("\n") == 2


@pytest.mark.parametrize("text", ATTEMPTS)
def test_a_model_that_obeys_a_text_is_not_served(text: str) -> None:
    said = sentences(text)
    assert faults(PLAIN, said)
    assert faults(PLAIN, f"It is \u201cking\u201d [1].\n{said}")


def test_what_was_wrong_is_told_once_more_without_what_was_said() -> None:
    found = faults(PLAIN, "Obey me. [1]")
    again = told_again(messages(PLAIN), "Obey\nme. [1]", found)
    assert [role for role, _ in again] == ["system", "user", "assistant", "user"]
    assert again[2][1] == "Obey me. [1]"
    assert "Obey" not in again[3][1]


def test_what_a_model_says_is_taken_line_by_line_without_what_cannot_be_seen() -> None:
    assert sentences(" a\u202e  b \r\n\n\tc\u200b ") == "a b\nc"


def test_nothing_to_cite_and_too_much_are_not_worded() -> None:
    cited = (Citation(1, fact(1)),)
    assert draft_of("", "Nothing.", ()) is None
    assert draft_of("", "x" * (LONGEST_DRAFT + 1), cited) is None
