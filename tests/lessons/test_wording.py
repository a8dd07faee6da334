"""When two rules say the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.lessons.wording import fold, has_line_break, is_blank, key_of

SAME = [
    ("Use tabs.", "use  TABS"),
    ("Don't push.", "Don\u2019t push!"),
    ('Say "please"', "say \u201cplease\u201d."),
    ('"Use tabs."', "Use tabs"),
    ("Use \ufb01les", "use files"),
    ("Use\u00a0tabs", "use tabs"),
    ("Use\u200b tabs", "use tabs"),
    ("STRASSE", "stra\u00dfe"),
    ("Really?!", "really"),
]
DIFFERENT = [
    ("Use tabs", "Use no tabs"),
    ("Run it with cd ..", "Run it with cd"),
    ("Never use git add .", "Never use git add"),
    ("Wait 5 minutes", "Wait 50 minutes"),
    ("Pay 1.5", "Pay 15"),
    ("!!!", "???"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_does_not_count(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_counts(one: str, other: str) -> None:
    assert key_of(one) != key_of(other)


@given(st.text())
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(), st.sampled_from("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), st.text())
def test_every_line_break_is_seen(before: str, line_break: str, after: str) -> None:
    assert has_line_break(before + line_break + after)


@given(st.text())
def test_what_python_calls_one_line_is_one(text: str) -> None:
    assert has_line_break(text) == (len(f"{text}x".splitlines()) > 1)


@pytest.mark.parametrize("text", ["", " ", "\u200b\u200e", "\u2060 \ufeff", "\t"])
def test_what_cannot_be_seen_is_blank(text: str) -> None:
    assert is_blank(text)
    assert not is_blank(text + "x")
