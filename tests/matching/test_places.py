"""What an entry's args and match say of a call: named fields, and the places compared otherwise."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.matching import MISSING, fits
from setright.matching.places import Difference, differences, places_of
from tests.kernel.json_values import texts, values

DEEP = {"to": {"name": "Ada", "zip": "1000", "tags": ["a", {"n": 1}]}}


def differing(wanted: Any, actual: Any, match: Any = None, *, whole: bool = False) -> list[str]:
    return [one.place for one in differences(wanted, actual, places_of(match or {}), whole=whole)]


@pytest.mark.parametrize(
    ("wanted", "actual", "places"),
    [
        ({}, {}, []),
        ({}, {"a": 1}, []),
        ({"a": 1}, {"a": 1.0, "b": 2}, []),
        ({"a": 1}, {"a": 2}, ["/a"]),
        ({"a": 1}, {}, ["/a"]),
        ({"a": None}, {}, ["/a"]),
        ({"a": None}, {"a": None}, []),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, ["/a/c"]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, ["/a/c"]),
        ({"a": [1, 2]}, {"a": [1, 3]}, ["/a/1"]),
        ({"a": [1, 2]}, {"a": [1]}, ["/a/1"]),
        ({"a": [1]}, {"a": [1, 2, 3]}, ["/a/1", "/a/2"]),
        ({"a": [1, 2, 3]}, {"a": [1]}, ["/a/1", "/a/2"]),
        ({"a": [1]}, {"a": {"0": 1}}, ["/a"]),
        ({"a/b": {"c~d": 1}}, {"a/b": {"c~d": 2}}, ["/a~1b/c~0d"]),
        ({"a": 1, "b": 2}, {"a": 2, "b": 1}, ["/a", "/b"]),
    ],
)
def test_named_fields_are_equal_and_others_ignored(wanted: Any, actual: Any, places: list[str]) -> None:
    assert differing(wanted, actual) == places


def test_whole_arguments_hold_nothing_else() -> None:
    assert differing({"a": 1}, {"a": 1, "b": 2}, whole=True) == ["/b"]
    assert differing({"a": 1}, {"a": 1.0}, whole=True) == []


@pytest.mark.parametrize(
    ("args", "match", "actual", "places"),
    [
        # anyOf: one of its values, whatever args say
        ({"a": 1}, {"a": {"anyOf": [2, "x", None]}}, {"a": 2.0}, []),
        ({"a": 1}, {"a": {"anyOf": [2, "x", None]}}, {"a": None}, []),
        ({"a": 1}, {"a": {"anyOf": [2, "x", None]}}, {"a": 1}, ["/a"]),
        ({}, {"a": {"anyOf": [2]}}, {}, ["/a"]),
        ({}, {"a": {"anyOf": [2]}}, {"a": 2}, []),
        ({}, {"a": {"anyOf": [False]}}, {"a": 0}, ["/a"]),
        # tolerance
        ({"a": 1}, {"a": {"tolerance": 0.5}}, {"a": 1.5}, []),
        ({"a": 1}, {"a": {"tolerance": 0.5}}, {"a": 1.6}, ["/a"]),
        ({"a": 1}, {"a": {"tolerance": 0}}, {"a": 2}, ["/a"]),
        ({"a": 1}, {"a": {"tolerance": 5}}, {}, ["/a"]),
        # prefix
        ({"a": "ab"}, {"a": {"prefix": True}}, {"a": "abc"}, []),
        ({"a": "ab"}, {"a": {"prefix": True}}, {"a": "xab"}, ["/a"]),
        ({"a": "ab"}, {"a": {"prefix": True}}, {"a": 5}, ["/a"]),
        # contains: objects may hold more, at every depth; arrays may not
        ({"a": {"b": {"c": 1}}}, {"a": {"contains": True}}, {"a": {"b": {"c": 1, "d": 2}, "e": 3}}, []),
        ({"a": {"b": 1}}, {"a": {"contains": True}}, {"a": {"b": 2, "c": 1}}, ["/a/b"]),
        ({"a": {"b": 1}}, {"a": {"contains": True}}, {"a": {"c": 1}}, ["/a/b"]),
        ({"a": [{"b": 1}]}, {"a": {"contains": True}}, {"a": [{"b": 1, "c": 2}]}, []),
        ({"a": [{"b": 1}]}, {"a": {"contains": True}}, {"a": [{"b": 1}, {"b": 2}]}, ["/a/1"]),
        ({"a": [{"b": 1}]}, {"a": {"contains": True}}, {"a": []}, ["/a/0"]),
        ({"a": {"b": 1}}, {"a": {"contains": True}}, {}, ["/a"]),
        # ignore: whatever stands there, or nothing
        ({"a": 1, "b": 2}, {"a": {"ignore": True}}, {"a": 9, "b": 2}, []),
        ({"a": 1, "b": 2}, {"a": {"ignore": True}}, {"b": 2}, []),
        ({"b": 2}, {"a": {"ignore": True}}, {"a": [], "b": 2}, []),
        ({"a": 1, "b": 2}, {"a": {"ignore": True}}, {"a": 1, "b": 3}, ["/b"]),
        ({"a": 1, "b": 2}, {"a": {"ignore": True}}, {"a": 1}, ["/b"]),
        # optional: it may be left out; null is not left out
        ({"a": 1}, {"a": {"optional": True}}, {}, []),
        ({"a": 1}, {"a": {"optional": True}}, {"a": 1.0}, []),
        ({"a": 1}, {"a": {"optional": True}}, {"a": 2}, ["/a"]),
        ({"a": 1}, {"a": {"optional": True}}, {"a": None}, ["/a"]),
        ({}, {"a": {"optional": True, "anyOf": [1, 2]}}, {}, []),
        ({}, {"a": {"optional": True, "anyOf": [1, 2]}}, {"a": 2}, []),
        ({}, {"a": {"optional": True, "anyOf": [1, 2]}}, {"a": 3}, ["/a"]),
        ({"a": 5}, {"a": {"optional": True, "tolerance": 1}}, {"a": 7}, ["/a"]),
        ({"a": {"b": 1}}, {"a": {"optional": True, "contains": True}}, {"a": {"b": 1, "c": 1}}, []),
        # null beside a way is no way
        ({"a": 1}, {"a": {"optional": True, "anyOf": None, "prefix": None}}, {"a": 2}, ["/a"]),
        # names are kept as they are
        ({"x.y": 1}, {"x.y": {"tolerance": 1}}, {"x.y": 2}, []),
        ({"": 1}, {"": {"tolerance": 1}}, {"": 2}, []),
        # pointers
        (DEEP, {"/to/zip": {"ignore": True}}, {"to": {"name": "Ada", "tags": ["a", {"n": 1}]}}, []),
        (DEEP, {"/to/zip": {"ignore": True}}, {"to": {"name": "Bob", "tags": ["a", {"n": 1}]}}, ["/to/name"]),
        (DEEP, {"/to/tags/1/n": {"anyOf": [2]}}, {"to": {**DEEP["to"], "tags": ["a", {"n": 2}]}}, []),
        (DEEP, {"/to/tags/1": {"optional": True}}, {"to": {**DEEP["to"], "tags": ["a"]}}, []),
        (DEEP, {"/to/tags/2": {"anyOf": [5]}}, {"to": {**DEEP["to"], "tags": ["a", {"n": 1}, 5]}}, []),
        (DEEP, {"/to/tags/2": {"anyOf": [5]}}, DEEP, ["/to/tags/2"]),
        (DEEP, {"/to/tags/2": {"ignore": True}}, DEEP, []),
        (DEEP, {"/to/tags/7": {"anyOf": [5]}}, DEEP, ["/to/tags/7"]),
        (DEEP, {"/to/tags/x": {"anyOf": [5]}}, DEEP, ["/to/tags/x"]),
        (DEEP, {"/to/zip": {"prefix": True}}, {"to": {**DEEP["to"], "zip": "1000 AB"}}, []),
        ({"a/b": 1}, {"/a~1b": {"tolerance": 1}}, {"a/b": 2}, []),
        ({"/a": 1}, {"/~1a": {"tolerance": 1}}, {"/a": 2}, []),
        # a place in what args do not hold: only that place counts there
        ({"b": 1}, {"/a/c": {"anyOf": [3]}}, {"b": 1, "a": {"c": 3, "d": 4}}, []),
        ({"b": 1}, {"/a/c": {"anyOf": [3]}}, {"b": 1, "a": {"d": 4}}, ["/a/c"]),
        ({"b": 1}, {"/a/c": {"anyOf": [3]}}, {"b": 1}, ["/a/c"]),
        ({"b": 1}, {"/a/c": {"ignore": True}}, {"b": 1}, []),
        ({"a": {}}, {"/a/b/c": {"anyOf": [3]}}, {"a": {"b": {"c": 3, "d": 4}}}, []),
        # a place inside of a place
        (
            DEEP,
            {"to": {"contains": True}, "/to/zip": {"prefix": True}},
            {"to": {**DEEP["to"], "zip": "1000 AB", "more": 1}},
            [],
        ),
        (
            DEEP,
            {"/to/zip": {"prefix": True}, "to": {"contains": True}},
            {"to": {**DEEP["to"], "zip": "1", "more": 1}},
            ["/to/zip"],
        ),
        (
            {"a": {"b": {"c": 1, "d": 2}}},
            {"/a/b/c": {"ignore": True}, "/a/b": {"contains": True}},
            {"a": {"b": {"d": 2, "e": 5}}},
            [],
        ),
        ({"a": 5}, {"/a/b": {"anyOf": [1]}}, {"a": 5}, ["/a/b"]),
        ({"a": 5}, {"/a/b": {"ignore": True}}, {"a": 5}, []),
    ],
)
def test_a_place_is_compared_in_its_way(args: Any, match: Any, actual: Any, places: list[str]) -> None:
    assert differing(args, actual, match) == places
    entry = {"tool": "t", "args": args, "match": match}
    assert fits(entry, "t", actual) is (places == [])
    assert [fits(entry, tool, actual) for tool in ("T", "s", "u")] == [False] * 3


def test_a_difference_tells_what_was_expected_and_what_stood_there() -> None:
    how = {"tolerance": 1}
    assert differences({"a": 1, "b": 2}, {"a": 5}, places_of({"a": how})) == [
        Difference("/a", 1, 5, how),
        Difference("/b", 2, MISSING, {}),
    ]
    assert differences({"a": {}}, {"a": {"b": 1}}, {}) == [Difference("/a/b", MISSING, 1, {})]


def test_an_entry_without_args_names_the_tool_only() -> None:
    assert fits({"tool": "t"}, "t", {"a": 1})
    assert fits({"tool": "t", "args": None, "match": None}, "t", {})


HOWS = st.one_of(
    st.builds(lambda found: {"anyOf": found}, st.lists(values, min_size=1, max_size=3)),
    st.sampled_from(
        [{"ignore": True}, {"optional": True}, {"contains": True}, {"tolerance": 1}, {"prefix": True}]
    ),
    st.builds(lambda found: {"anyOf": found, "optional": True}, st.lists(values, min_size=1, max_size=3)),
)
NAMES = st.sampled_from(["a", "b", "c"])
ARGS = st.dictionaries(
    NAMES, st.one_of(st.sampled_from([1, 1.5, True, None, "x", "xy", {}, {"a": 1}, [1]]), values)
)


@given(ARGS, ARGS, st.dictionaries(NAMES, HOWS))
def test_the_quick_way_for_top_level_places_decides_as_the_tree_does(
    args: Any, actual: Any, match: Any
) -> None:
    match = {name: how for name, how in match.items() if name in args or "anyOf" in how or "ignore" in how}
    assert fits({"tool": "t", "args": args, "match": match}, "t", actual) is (
        not differing(args, actual, match)
    )


@given(st.dictionaries(texts, values, max_size=4), st.dictionaries(texts, values, max_size=4))
def test_arguments_that_hold_what_is_named_fit(named: Any, further: Any) -> None:
    assert fits({"tool": "t", "args": named}, "t", {**further, **named})
    for name in named:
        assert not fits({"tool": "t", "args": named}, "t", {one: named[one] for one in named if one != name})
