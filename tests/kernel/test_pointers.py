"""JSON Pointers are RFC 6901 to the letter: a wrong one is an error and never another place."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.kernel.json import escape
from setright.kernel.pointers import pointer_fault, resolve
from tests.kernel.json_values import texts, values

OF_RFC: dict[str, Any] = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", OF_RFC),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ('/k"l', 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_the_table_of_rfc_6901_section_5(pointer: str, value: Any) -> None:
    assert pointer_fault(pointer) is None
    assert resolve(OF_RFC, pointer) == (True, value)


@pytest.mark.parametrize(
    ("document", "pointer", "value"),
    [
        ({"/": 9, "~1": 10}, "/~01", 10),
        ({"/": 9, "~1": 10}, "/~1", 9),
        ({"a/b": 1, "a~1b": 2}, "/a~1b", 1),
        ({"": {"": 3}}, "//", 3),
        ({"01": 4}, "/01", 4),
        ({"-": 5}, "/-", 5),
        ({"x.y": 6}, "/x.y", 6),
        ([None], "/0", None),
        ([[1], [2, 3]], "/1/1", 3),
    ],
)
def test_names_are_read_as_they_were_meant(document: Any, pointer: str, value: Any) -> None:
    assert resolve(document, pointer) == (True, value)


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        (["a", "b"], "/01"),
        (["a", "b"], "/00"),
        (["a", "b"], "/2"),
        (["a", "b"], "/-1"),
        (["a", "b"], "/-"),
        (["a", "b"], "/+1"),
        (["a", "b"], "/1 "),
        (["a", "b"], "/1\n"),
        (["a", "b"], "/1.0"),
        (["a", "b"], "/1e0"),
        (["a", "b"], "/\u0661"),
        (["a", "b"], "/"),
        (["a", "b"], "/" + "9" * 499),
        ("text", "/0"),
        ("text", "/length"),
        (7, "/0"),
        (True, "/0"),
        (None, "/a"),
        ({"a": 1}, "/b"),
        ({"a": 1}, "/a/b"),
        ({"a": 1}, "/A"),
        ({"a": None}, "/a/b"),
        ({"keys": 1}, "/items"),
    ],
)
def test_what_is_not_there_is_never_another_place(document: Any, pointer: str) -> None:
    assert pointer_fault(pointer) is None
    assert resolve(document, pointer) == (False, None)


@pytest.mark.parametrize("pointer", ["a", "0", "#/a", " /a", "~0", "/~", "/~2", "/a~", "/~~01", "/a/~b"])
def test_what_is_no_pointer_is_told_and_leads_nowhere(pointer: str) -> None:
    assert pointer_fault(pointer)
    assert resolve({"a": 1}, pointer) == (False, None)


def places(value: Any, pointer: str = "") -> Any:
    """Every place in a value, with what stands there."""
    yield pointer, value
    entries: Any = ()
    if isinstance(value, dict):
        entries = value.items()
    elif isinstance(value, list):
        entries = enumerate(value)
    for key, inner in entries:
        yield from places(inner, f"{pointer}/{escape(str(key))}")


@given(values)
def test_every_place_of_a_value_is_found_by_its_pointer(value: Any) -> None:
    for pointer, there in places(value):
        assert pointer_fault(pointer) is None
        found, leads_to = resolve(value, pointer)
        assert found
        assert leads_to is there


@given(values, st.lists(texts, max_size=3))
def test_a_pointer_leads_to_a_place_of_the_value_or_to_nothing(value: Any, tokens: list[str]) -> None:
    pointer = "".join(f"/{escape(token)}" for token in tokens)
    there = dict(places(value))
    found, leads_to = resolve(value, pointer)
    assert found == (pointer in there)
    if found:
        assert leads_to is there[pointer]


@given(st.text(max_size=20))
def test_any_text_at_all_is_answered(text: str) -> None:
    fault = pointer_fault(text)
    assert fault is None or fault.startswith("is no JSON Pointer")
    resolve({"a": [1, {"b": 2}]}, text)
