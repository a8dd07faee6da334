"""A sentence is served only with what supports it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.knowledge.citing import NOTHING, Citation, cited, is_supported, shown, summary_of, words_of
from tests.knowledge.facts import TEXTS, fact


@given(st.text() | st.text("\\[]0129 "))
def test_what_is_shown_of_a_text_cites_nothing_and_gives_its_words_back(text: str) -> None:
    assert cited(shown(text)) == ()
    assert words_of(shown(text)) == words_of(shown(words_of(shown(text))))
    assert len(shown(text).splitlines()) <= 1


@given(st.text("\\[]0129 ab"))
def test_the_words_stand_as_they_were_written(text: str) -> None:
    assert words_of(shown(text)) == text


@pytest.mark.parametrize(
    ("sentence", "right"),
    [
        ("It means \u201cking\u201d [1].", True),
        ("It means \u201cking\u201d.", False),
        ("It means \u201cking\u201d [2].", False),
        ("It means \u201cqueen\u201d [1].", False),
        ("It means \u201cking\u201d [1] or \u201cowner\u201d [7].", False),
        ("It means \u201cking\u201d \\[1].", False),
    ],
)
def test_when_a_sentence_is_supported(sentence: str, right: bool) -> None:
    assert is_supported(sentence, {1: "king"}) is right


@given(TEXTS, TEXTS)
def test_what_is_not_supported_is_not_served(value: str, other: str) -> None:
    citations = [Citation(1, fact(1, value=value))]
    good = f"It is \u201c{shown(value)}\u201d [1]."
    assert summary_of([f"It is {shown(other)}.", good, "It is so [2].", "a\nb [1]"], citations) == good
    assert summary_of([f"It is {shown(other)}."], citations) == NOTHING
