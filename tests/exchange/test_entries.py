"""The entries of an array come out as they stand in the file; what is broken is named by its place and stops no other."""

import io
import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.exchange import Unread
from setright.exchange import entries as module
from setright.exchange.entries import Entry, entries
from tests.exchange.samples import Endless, Trickle
from tests.kernel.json_values import values


def told(raw: bytes, count: int = 1 << 20) -> list[Any]:
    """The values of entries, and for what is not read its place and reason."""
    found = entries(Trickle(raw, count))
    return [one.value if isinstance(one, Entry) else (one.place, one.reason) for one in found]


@given(st.lists(values, max_size=5), st.sampled_from([None, 2]), st.integers(1, 40))
def test_an_array_comes_out_entry_by_entry_wherever_its_chunks_are_cut(
    array: list[Any], indent: int | None, count: int
) -> None:
    for raw in (json.dumps(array, indent=indent), json.dumps(array, indent=indent, ensure_ascii=False)):
        assert told(raw.encode(), count) == array


@given(st.binary(max_size=60), st.integers(1, 9))
def test_whatever_bytes_a_file_has_they_are_read_to_the_end_without_an_error(raw: bytes, count: int) -> None:
    assert told(b"[" + raw, count) == told(b"[" + raw)


@given(st.text(st.sampled_from('[]{}",:\\ 1a'), max_size=40), st.integers(1, 3))
def test_an_array_that_is_json_is_read_as_what_it_is_and_any_other_is_told(text: str, count: int) -> None:
    raw = f"[{text}]".encode()
    try:
        array = json.loads(raw)
    except ValueError:
        assert any(isinstance(one, Unread) for one in entries(Trickle(raw, count)))
    else:
        assert told(raw, count) == array


def test_entries_have_places_that_an_editor_finds() -> None:
    found = list(entries(io.BytesIO(b'\n[\n  {"a": 1},\n\n  {"b":\n2}, 3\n]')))
    places = ["entry 0 at line 3, column 3", "entry 1 at line 5, column 3", "entry 2 at line 6, column 5"]
    assert [one.place for one in found] == places
    assert [one.size for one in found if isinstance(one, Entry)] == [8, 8, 1]


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"", [("line 1, column 1", "the file is empty; it should hold a JSON array")]),
        (b" \n ", [("line 2, column 2", "the file is empty; it should hold a JSON array")]),
        (b"{}", [("line 1, column 1", "the file holds no JSON array, which would begin with [")]),
        ("[1]".encode("utf-16"), [("line 1, column 1", "the file is UTF-16; save it as UTF-8")]),
        ("[1]".encode("utf-16-be"), [("line 1, column 1", "the file is UTF-16; save it as UTF-8")]),
        (b"[]", []),
        (b"\xef\xbb\xbf[1]", [1]),
        (b"[\r\n1\r\n,\r\n2\r\n]\r\n", [1, 2]),
        (b"[1", [1, ("line 1, column 3", "the file ends before its array does")]),
        (b"[1,", [1, ("line 1, column 4", "the file ends before its array does")]),
        (b"[1,]", [1, ("line 1, column 4", "the array ends after a comma, with no entry behind it")]),
        (b"[1 2]", [1, ("line 1, column 4", "a comma is missing here, between two entries"), 2]),
        (
            b"[1] [2]",
            [1, ("line 1, column 5", "something stands here, after the end of the array; it is not read")],
        ),
    ],
)
def test_what_is_around_entries_is_told_with_its_line_and_column(raw: bytes, found: list[Any]) -> None:
    assert told(raw) == found


@pytest.mark.parametrize(
    ("entry", "place", "reason"),
    [
        (b'{"a":\n tru}', "2, column 1", "is not valid JSON: Expecting value at line 3, column 2"),
        (b'{"a": 1]', "2, column 1", "is not valid JSON: Expecting ',' delimiter at line 2, column 8"),
        (b'{"\xc3\xa4": x}', "2, column 1", "is not valid JSON: Expecting value at line 2, column 8"),
        (b'{"a": NaN}', "2, column 1", "/a: is not a finite number."),
        (b'{"a": "\\u0000"}', "2, column 1", "/a: contains U+0000."),
        (b'{"a": "\\ud800"}', "2, column 1", "/a: contains a lone surrogate."),
        (b'{"a": 1, "a": 2}', "2, column 1", "/a: stands there more than once; allowed: each name once."),
        (b'{"a": 9007199254740993}', "2, column 1", "/a: is an integer beyond 2^53-1"),
        (b'{"a": "\xff"}', "2, column 1", "is not valid UTF-8 (byte 7)."),
        (b'{"a": ' + b"[" * 2000 + b"]" * 2000 + b"}", "2, column 1", "is nested deeper than 100 levels"),
    ],
)
def test_an_entry_that_is_broken_or_refused_is_named_and_those_around_it_are_read(
    entry: bytes, place: str, reason: str
) -> None:
    first, (where, why), last = told(b'[{"first": 1},\n' + entry + b',\n{"last": 1}]')
    assert (first, last) == ({"first": 1}, {"last": 1})
    assert where == f"entry 1 at line {place}"
    assert why.startswith(reason)


def test_a_file_that_breaks_off_keeps_what_stands_before_and_says_where_it_is_broken() -> None:
    assert told(b'[{"a": 1},\n {"b": "never') == [
        {"a": 1},
        (
            "entry 1 at line 2, column 2",
            "the file ends in the middle of this entry: Unterminated string starting at line 2, column 8",
        ),
        ("line 2, column 14", "the file ends before its array does"),
    ]


def test_a_brace_that_is_missing_is_found_where_it_is_missing() -> None:
    _, (place, reason), _ = told(b'[1,\n{"a": {"b": 1},\n{"c": 2}]')
    assert place == "entry 1 at line 2, column 1"
    assert reason.endswith("Expecting property name enclosed in double quotes at line 3, column 1")


def test_a_brace_too_many_is_told_and_stops_nothing() -> None:
    assert told(b'[{"a": 1}}, 2]') == [
        {"a": 1},
        ("line 1, column 10", "a comma is missing here, between two entries"),
        ("entry 1 at line 1, column 10", "is not valid JSON: Expecting value at line 1, column 10"),
        2,
    ]


def test_an_entry_beyond_the_limit_is_passed_over_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    large = json.dumps({"a": "x" * 200}).encode()
    assert told(b"[1, " + large + b", 2]", 7) == [
        1,
        ("entry 1 at line 1, column 5", "has 209 bytes; an entry may have at most 100"),
        2,
    ]


def test_a_large_file_is_read_in_little_memory() -> None:
    part = json.dumps({"text": "A bike is broken again. " * 4_000, "parts": list(range(1_000))}).encode()
    stream = Endless(part for _ in range(300))
    tracemalloc.start()
    try:
        assert sum(isinstance(one, Entry) for one in entries(stream)) == 300
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(part) * 300 > 30_000_000
    assert peak < 2_000_000
