"""In which words two rules differ, and when that is only a negation or a number."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.lessons.likeness import difference, likeness, skeleton, weights, words
from tests.lessons import more_pairs, pairs


@pytest.mark.parametrize(
    ("one", "other"), [*pairs.NEGATIONS, *more_pairs.NEGATIONS, *more_pairs.ODD_NEGATIONS]
)
def test_only_a_negation(one: str, other: str) -> None:
    for here, there in ((one, other), (other, one)):
        assert difference(here, there).only == "negation"
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [*pairs.NUMBERS, *more_pairs.NUMBERS, *more_pairs.ODD_NUMBERS])
def test_only_a_number(one: str, other: str) -> None:
    for here, there in ((one, other), (other, one)):
        assert difference(here, there).only == "number"
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *pairs.PARAPHRASES,
        *pairs.LOOK_ALIKES,
        *more_pairs.PARAPHRASES,
        *more_pairs.LOOK_ALIKES,
        *more_pairs.NEITHER,
        ("Never push.", "Do not push."),
        ("Use tabs.", "Use tabs!"),
        ("Wait 5 minutes.", "Never wait 50 minutes."),
        ("Send 5 apples.", "Send pears."),
    ],
)
def test_more_than_that_or_nothing(one: str, other: str) -> None:
    assert difference(one, other).only is None


def test_the_words_that_differ_are_named() -> None:
    found: Any = difference("Never wait 5 minutes for Ada.", "Wait 10 minutes for Bo.")
    assert (found.here, found.there) == (["never", "5", "ada"], ["10", "bo"])
    assert (found.numbers, found.negations, found.only) == (["5", "10"], ["never"], None)


@given(st.text(max_size=80), st.text(max_size=80))
def test_likeness_is_between_nothing_and_all(one: str, other: str) -> None:
    here, there = words(one), words(other)
    found = likeness(here, there, weights({}, 10))
    assert 0 <= found <= 1.000001
    assert difference(one, one).only is None
    if here:
        assert likeness(here, here, weights({}, 10)) == pytest.approx(1)
