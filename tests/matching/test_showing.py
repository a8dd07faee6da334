"""Values in an explanation are JSON, cut where they would be long."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from setright.matching.showing import call_shown, sentence, several, shortened, shown
from tests.kernel.json_values import values


@given(values)
def test_a_value_is_shown_as_json_or_cut(value: Any) -> None:
    whole = json.dumps(value, ensure_ascii=False)
    for most in (8, 80, 10_000):
        told = shown(value, most)
        assert told == (whole if len(whole) <= most else whole[: most - 1] + "…")
    assert shortened(value) == (value if len(whole) <= 200 else whole[:199] + "…")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("x" * 78, '"' + "x" * 78 + '"'),
        ("x" * 79, '"' + "x" * 78 + "…"),
        ("\n" * 100, '"' + "\\n" * 39 + "…"),
        ([1] * 1_000, "[" + "1, " * 26 + "…"),
        ({"a": "x" * 100}, '{"a": "' + "x" * 72 + "…"),
        ({"x" * 100: 1}, '{"' + "x" * 77 + "…"),
        ([], "[]"),
        ({}, "{}"),
        ([None, True, False, 1.5, {"é": "é"}], '[null, true, false, 1.5, {"é": "é"}]'),
    ],
)
def test_long_values_are_cut(value: Any, told: str) -> None:
    assert shown(value) == told


def test_a_value_of_200_characters_is_kept_and_a_longer_one_cut() -> None:
    assert shortened("x" * 198) == "x" * 198
    assert shortened("x" * 199) == '"' + "x" * 198 + "…"
    assert shortened(["x" * 196]) == ["x" * 196]
    assert shortened(["x" * 197]) == '["' + "x" * 197 + "…"


def test_of_a_value_without_end_only_the_beginning_is_looked_at() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert shown(endless) == "[" * 79 + "…"


class Looked(list[Any]):
    """A list that counts which of its elements were looked at."""

    def __init__(self, *elements: Any) -> None:
        super().__init__(elements)
        self.looked_at = 0

    def __iter__(self) -> Iterator[Any]:
        for element in super().__iter__():
            self.looked_at += 1
            yield element


class Cut(str):
    """A text that remembers how much of it was asked for."""

    asked: int

    def __getitem__(self, part: Any) -> str:
        self.asked = part.stop
        return super().__getitem__(part)


@pytest.mark.parametrize(
    ("element", "looked_at"),
    [
        (1, 5),  # [1, 1, 1, 1 are 11 characters; the fifth is not written any more
        (11, 4),
        ("x", 4),
        ([], 4),
        ([[]], 3),
        ([1], 4),
        ({}, 4),
        ({"a": 1}, 3),
        ({"a": []}, 3),
    ],
)
def test_of_a_long_list_only_what_fits_is_looked_at(element: Any, looked_at: int) -> None:
    many = Looked(*[element] * 1_000)
    assert shown(many, 10) == f"{json.dumps([element] * 9)[:9]}…"
    assert many.looked_at == looked_at


def test_of_texts_and_names_only_what_fits_is_read() -> None:
    text, name = Cut("x" * 1_000), Cut("y" * 1_000)
    assert shown([1, text], 10) == '[1, "xxxx…'
    assert text.asked == 6
    assert shown({"a": {name: text}}, 10) == '{"a": {"y…'
    assert (name.asked, text.asked) == (3, 6)


def test_a_value_that_just_fits_is_whole_and_one_that_does_not_is_cut() -> None:
    for value in ([1, 22, "x"], {"a": [1], "b": {}}, [[], [[]]]):
        whole = json.dumps(value)
        assert shown(value, len(whole)) == whole
        assert shown(value, len(whole) - 1) == f"{whole[: len(whole) - 2]}…"


def test_a_call_is_shown_with_its_first_fields() -> None:
    assert call_shown("t", {}) == "t()"
    assert call_shown("t", {"a": 1, "b": "x" * 50}) == 't(a=1, b="' + "x" * 38 + "…)"
    assert call_shown("t", dict.fromkeys("abcdef", 1)) == "t(a=1, b=1, c=1, d=1, e=1, f=1)"
    assert call_shown("t", dict.fromkeys("abcdefg", 1)) == "t(a=1, b=1, c=1, d=1, e=1, f=1, …)"


def test_several_things_are_a_row_and_a_count() -> None:
    assert [several("abcdefg"[:count], count) for count in range(1, 6)] == [
        "a",
        "a and b",
        "a, b and c",
        "a, b, c and 1 more",
        "a, b, c and 2 more",
    ]


def test_a_sentence_begins_large_and_ends() -> None:
    assert sentence(["what it is", "and why"]) == "What it is; and why."
