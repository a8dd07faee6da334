"""JSON is read strictly: what some store or reader could not hold is refused by the name of its place."""

import json as standard
import math
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.kernel import json
from setright.kernel.errors import Refusal
from tests.kernel.json_values import values

TWICE = "stands there more than once"


def faults(raw: bytes | str) -> dict[str, str]:
    """The faults of a text that is refused, by pointer."""
    with pytest.raises(Refusal) as refused:
        json.read(raw.encode() if isinstance(raw, str) else raw)
    assert refused.value.code == "invalid-body"
    return {fault["pointer"]: fault["fault"] for fault in refused.value.details["faults"]}


@pytest.mark.parametrize(
    ("raw", "pointer", "fault"),
    [
        (r'{"a": "x\u0000y"}', "/a", "contains U+0000"),
        (r'{"a": {"b\u0000c": 1}}', "/a/b\ufffdc", "contains U+0000"),
        (r'["", "\ud800"]', "/1", "contains a lone surrogate"),
        (r'{"a": "\udc00\ud800"}', "/a", "contains a lone surrogate"),
        (r'{"\uDfff": 1}', "/\ufffd", "contains a lone surrogate"),
        ('{"score": NaN}', "/score", "is not a finite number"),
        ('{"a/b": [1, -Infinity]}', "/a~1b/1", "is not a finite number"),
        ('{"score": 1e999}', "/score", "is not a finite number"),
        ('{"score": -1E+999}', "/score", "is not a finite number"),
        ('{"score": 0.1e400}', "/score", "is not a finite number"),
        ('{"score": ' + "9" * 400 + ".0}", "/score", "is not a finite number"),
        ('{"n": 9007199254740992}', "/n", "is an integer beyond 2^53-1"),
        ('{"n": -9007199254740992}', "/n", "is an integer beyond 2^53-1"),
        ('[[["' + "x" * 30 + '", 18446744073709551616]]]', "/0/0/1", "is an integer beyond 2^53-1"),
        ('{"n": ' + "1" * 4000 + "}", "/n", "is an integer beyond 2^53-1"),
        ("9007199254740993", "", "is an integer beyond 2^53-1"),
        ('{"n": ' + "1" * 100_000 + "}", "/n", "is an integer beyond 2^53-1"),
        ('{"a": 1, "b": 2, "a": 1}', "/a", TWICE),
        ('{"b": [0, {"a/b": 1, "a/b": 2, "a/b": 3}]}', "/b/1/a~1b", TWICE),
        (r'{"ab": 1, "\u0061b": 2}', "/ab", TWICE),
        (r'{":": 1, "\u003a": 2}', "/:", TWICE),
        (r'{"a": 1, "a": 2, "b": "\u003A"}', "/a", TWICE),
        ('{"": 1, "": {"a": 1}}', "/", TWICE),
    ],
)
@pytest.mark.parametrize("padding", [0, json.LARGE])
def test_what_cannot_be_held_everywhere_is_refused_by_the_name_of_its_place(
    raw: str, pointer: str, fault: str, padding: int
) -> None:
    assert faults(raw + " " * padding) == {pointer: fault}


def test_every_fault_is_told_at_once() -> None:
    assert faults(r'{"a": "\u0000", "b": [NaN, "\ud800"], "c~d": 1e999, "e": 9007199254740992}') == {
        "/a": "contains U+0000",
        "/b/0": "is not a finite number",
        "/b/1": "contains a lone surrogate",
        "/c~0d": "is not a finite number",
        "/e": "is an integer beyond 2^53-1",
    }


def test_a_name_that_stands_twice_is_told_beside_other_faults() -> None:
    assert faults(r'{"a": 1, "a": 2, "b\u0000": {}, "c": [NaN]}') == {
        "/a": TWICE,
        "/b\ufffd": "contains U+0000",
        "/c/0": "is not a finite number",
    }


def test_of_very_many_faults_a_hundred_are_told() -> None:
    with pytest.raises(Refusal, match=r"^/0: contains U\+0000 \(and 100 more\)\.$") as refused:
        json.read(b"[" + rb'"\u0000",' * 5_000 + b"1]")
    assert len(refused.value.details["faults"]) == 100


def test_a_byte_order_mark_is_named() -> None:
    assert faults(b'\xef\xbb\xbf{"a": 1}') == {
        "": "is not valid JSON: a byte order mark stands at line 1, column 1"
    }


def test_a_message_names_the_first_place_and_counts_the_others() -> None:
    with pytest.raises(Refusal, match=r"^/a: contains U\+0000 \(and 1 more\)\.$"):
        json.read(rb'{"a": "\u0000", "b": NaN}')


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (r'"a\\u0000b"', "a\\u0000b"),
        (r'{"\\u0000": "\\ud800"}', {"\\u0000": "\\ud800"}),
        (r'"\ud83d\ude00"', "\U0001f600"),
        (r'"\\\\u0000"', "\\\\u0000"),
        ("9007199254740991", 2**53 - 1),
        ("-9007199254740991", -(2**53) + 1),
        ("9007199254740993.0", 9007199254740992.0),
        ("1e22", 1e22),
        ("1e-999", 0.0),
        (r'"\u007f\u2028 \u00e9"', "\x7f\u2028 é"),
        ('{"a.b": {"x.y": "math.sum"}}', {"a.b": {"x.y": "math.sum"}}),
        (" [ ] ", []),
        ('{"a": {"a": 1}, "b": {"a": 1}, "A": 2}', {"a": {"a": 1}, "b": {"a": 1}, "A": 2}),
        (r'{"a:b": ":::", "\"c\":": "\"d\": {"}', {"a:b": ":::", '"c":': '"d": {'}),
        (r'{"\u003a": ":", "\\u003a": "\u003b\u003C"}', {":": ":", "\\u003a": ";<"}),
    ],
)
def test_what_only_looks_dangerous_is_left_as_it_is(raw: str, value: Any) -> None:
    assert json.read(raw.encode()) == value
    assert json.read(raw.encode() + b" " * json.LARGE) == value


@pytest.mark.parametrize(
    "raw",
    ["", " ", "{", "[1,]", '{"a" 1}', "nul", "'a'", '"a\nb"', '"a\0b"', "01", "+1", ".5", "1.", "[1] 2", "\ufeff{}",
     "// no\n1", '{"a": undefined}'],
)  # fmt: skip
def test_what_is_not_json_is_told_with_the_place_in_the_text(raw: str) -> None:
    assert "is not valid JSON: " in faults(raw)[""]
    assert "line " in faults(raw)[""]


def test_bytes_that_are_not_utf_8_are_told_with_their_place() -> None:
    assert faults(b'{"a": "\xff"}') == {"": "is not valid UTF-8 (byte 7)"}
    assert faults(b'"\xed\xa0\x80"') == {"": "is not valid UTF-8 (byte 1)"}


@pytest.mark.parametrize("depth", [101, 150, 250, 1_000, 100_000])
@pytest.mark.parametrize("shape", ["[", '{"a":'])
def test_nesting_has_an_end(depth: int, shape: str) -> None:
    close = "]" if shape == "[" else "}"
    found = faults(shape * depth + "1" + close * depth)
    assert all("nested deeper than 100 levels" in fault for fault in found.values())


def test_nesting_of_a_hundred_levels_is_read() -> None:
    assert json.write(json.read(b"[" * 100 + b"]" * 100)) == b"[" * 100 + b"]" * 100


def test_a_hundred_thousand_unclosed_brackets_are_a_fault_like_any_other() -> None:
    assert faults("[" * 100_000)
    assert faults('{"a":' * 100_000)


def test_an_endless_number_is_a_fault_like_any_other() -> None:
    limit = sys.get_int_max_str_digits()
    assert faults("1" * (limit + 1))
    assert faults("[" + "1" * (limit + 1) + ", NaN]")


@given(values)
def test_what_was_written_is_read_back_exactly(value: Any) -> None:
    again = json.read(json.write(value))
    assert again == value
    assert standard.dumps(again) == standard.dumps(value)
    assert json.read_stored(json.write_text(value)) == value


@given(values)
def test_the_order_of_keys_is_kept(value: Any) -> None:
    assert json.write(json.read(standard.dumps(value).encode())) == json.write(value)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", ":", "\u00e9", ""]), values), max_size=5))
def test_a_name_is_taken_once(pairs: list[tuple[str, Any]]) -> None:
    raw = ",".join(f"{standard.dumps(name)}:{standard.dumps(value)}" for name, value in pairs)
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        twice = {"/" + name for name in names if names.count(name) > 1}
        assert set(faults("{" + raw + "}")) == twice
    else:
        assert json.read(b"{" + raw.encode() + b"}") == dict(pairs)


@given(st.binary(max_size=60))
def test_any_bytes_at_all_are_read_or_refused(raw: bytes) -> None:
    try:
        value = json.read(raw)
    except Refusal as refusal:
        value = refusal.details["faults"]
    assert json.read(json.write(value)) == value


@given(st.text(max_size=40), st.floats(), st.integers())
def test_a_value_is_read_exactly_when_it_can_be_held_everywhere(text: str, number: float, whole: int) -> None:
    raw = standard.dumps({"text": text, "number": number, "whole": whole})
    wanted = {
        "/text": "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text),
        "/number": not math.isfinite(number),
        "/whole": abs(whole) > json.MAX_INTEGER,
    }
    if any(wanted.values()):
        assert set(faults(raw)) == {pointer for pointer, bad in wanted.items() if bad}
    else:
        assert json.read(raw.encode()) == {"text": text, "number": number, "whole": whole}
