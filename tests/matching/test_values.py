"""Values are compared as JSON means them."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.matching import MISSING, fits, same
from setright.matching.values import as_written, at, index_of, is_number, member, near, tokens_of, within
from tests.kernel.json_values import texts, values


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (-0.0, 0),
        (1e0, 1),
        (2**53, float(2**53)),
        (10**16, 1e16),
        ("é", "é"),
        (None, None),
        (True, True),
        ({"a": 1, "b": [1, {"c": None}]}, {"b": [1.0, {"c": None}], "a": 1.0}),
        ([], []),
        ({}, {}),
    ],
)
def test_equal_values(one: Any, other: Any) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (0, False),
        (1.0, True),
        (1, "1"),
        (None, False),
        (None, 0),
        (None, ""),
        (None, {}),
        ("", []),
        ([], {}),
        (1, [1]),
        ({"a": 1}, [1]),
        (2**53 + 1, float(2**53)),
        ("a", "A"),
        ("a", "a "),
        ("e\u0301", "\u00e9"),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        ([1, 1], [1]),
        ({"a": None}, {}),
        ({"a": None}, {"b": None}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ([True], [1]),
        ({"a": {"b": [0]}}, {"a": {"b": [False]}}),
        ([[1], [2]], [[1], [3]]),
    ],
)
def test_other_values(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert not same(other, one)


@given(values)
def test_a_value_is_itself_however_it_was_written(value: Any) -> None:
    assert same(value, json.loads(json.dumps(value, sort_keys=True)))


@given(values, values)
def test_equality_is_that_of_canonical_texts(one: Any, other: Any) -> None:
    assert same(one, other) == same(other, one)
    if json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True):
        assert same(one, other)


def nested(value: Any, depth: int = 5_000) -> Any:
    for _ in range(depth // 2):
        value = [{"a": value}]
    return value


@pytest.mark.parametrize("other", [2, True, None, [], {"b": 1}])
def test_depth_is_no_limit(other: Any) -> None:
    assert same(nested(1), nested(1.0))
    assert same(nested({"a": [1, "x"]}), nested({"a": [1.0, "x"]}))
    for one, two in ((1, other), ({"b": [1]}, {"b": [other]}), ([{}], [other])):
        assert not same(nested(one), nested(two))
        assert not same(nested(two), nested(one))
    assert fits({"tool": "t", "args": {"a": nested(1), "b": 1}}, "t", {"a": nested(1.0), "b": 1})
    assert not fits({"tool": "t", "args": {"a": nested(1)}}, "t", {"a": nested(other)})
    assert not fits({"tool": "t", "args": {"a": nested(1), "b": 1}}, "t", {"a": nested(1)})


@pytest.mark.parametrize(
    ("wanted", "actual", "distance", "is_near"),
    [
        (1, 1.1, 0.1, True),
        (1.1, 1, 0.1, True),
        (0.3, 0.1, 0.2, True),
        (1, 1.11, 0.1, False),
        (5, 5.0, 0, True),
        (5, 5.1, 0, False),
        (5, True, 9, False),
        (5, "5", 9, False),
        (5, None, 9, False),
        (2**53, 2**53 + 1, 0, False),
        (1e308, -1e308, 1, False),
        (5, float("inf"), 9, False),
    ],
)
def test_a_distance_is_counted_as_the_numbers_are_written(
    wanted: Any, actual: Any, distance: Any, is_near: bool
) -> None:
    assert within(wanted, actual, distance) is is_near


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_as_written(number: float) -> None:
    assert float(as_written(number)) == number


def test_true_is_no_number() -> None:
    assert [is_number(value) for value in (1, 1.5, True, "1", None, float("nan"))] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("holder", "token", "found"),
    [
        ({"a": 1}, "a", 1),
        ({"a": None}, "a", None),
        ({"a": 1}, "b", MISSING),
        ({"0": 1}, "0", 1),
        ([7, 8], "0", 7),
        ([7, 8], "1", 8),
        ([7, 8], "2", MISSING),
        ([7, 8], "3", MISSING),
        ([7, 8], "01", MISSING),
        ([7, 8], "-", MISSING),
        ([7, 8], "-1", MISSING),
        ([7, 8], "\u0661", MISSING),
        ([7], "9999999999", MISSING),
        ("text", "0", MISSING),
        (None, "a", MISSING),
    ],
)
def test_what_stands_under_a_token(holder: Any, token: str, found: Any) -> None:
    assert member(holder, token) is found


def test_an_index_has_no_leading_zero() -> None:
    assert [index_of(text) for text in ("0", "10", "00", "", "1\n")] == [0, 10, None, None, None]


@given(st.lists(texts))
def test_a_pointer_leads_back_to_its_tokens(tokens: list[str]) -> None:
    pointer = ""
    for token in tokens:
        pointer = at(pointer, token)
    assert tokens_of(pointer) == tokens


def test_a_pointer_is_escaped_in_the_right_order() -> None:
    assert at("/x", "a/b~1") == "/x/a~1b~01"
    assert tokens_of("/~01") == ["~1"]


def test_truth_is_looked_for_beside_texts_too() -> None:
    assert not same(["a", True], ["a", 1])
    assert not same({"a": "x", "b": True}, {"a": "x", "b": 1})
    assert not same(["a", [1]], ["a", [True]])


def test_lists_of_another_length_differ_at_any_depth() -> None:
    for one, two in (([1], [1, 2]), ([], [1]), ([1, 2], [1])):
        assert not same(nested(one), nested(two))
    assert same(nested([1] * 300), nested([1.0] * 300))


def test_numbers_are_counted_to_a_hundred_digits() -> None:
    hundred = Decimal("9" * 100)
    assert near(hundred, Decimal(0), hundred)
    more = Decimal("9" * 101)
    assert not near(more, Decimal(0), more)
