"""Artifacts of any domain come in from JSON: one, an array, or one in each line."""

import json
from typing import Any

import pytest

from setright.exchange import Unread
from setright.exchange.corpora import Given
from tests.exchange.atf_samples import read


def made(name: str, **more: Any) -> dict[str, Any]:
    """An artifact of a domain that has no surfaces."""
    return {"id": name, "source": "parts", "lines": [], **more}


A, B, C = made("a"), made("b", title="A \u0161"), made("c")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (json.dumps(A), [A]),
        (json.dumps(B, indent=2), [B]),
        (json.dumps([A, B]), [A, B]),
        (json.dumps([A, B], indent=2), [A, B]),
        ("[]", []),
        ("\n".join(map(json.dumps, (A, B, C))), [A, B, C]),
        ("\r\n\r\n".join(map(json.dumps, (A, B, C))) + "\r\n", [A, B, C]),
        ("\ufeff" + json.dumps(A), [A]),
        ("\ufeff\n\n" + json.dumps(B, indent=2) + "\n", [B]),
    ],
)
def test_a_file_holds_one_artifact_an_array_or_one_in_each_line(text: str, expected: list[Any]) -> None:
    assert read(text, form="json") == (expected, [])


def test_what_was_given_fills_in_what_an_artifact_does_not_say() -> None:
    bare = {"id": "a", "lines": []}
    (first, second), _ = read(
        json.dumps([bare, made("b", licence="MIT")]), Given("given", "CC0", "Us"), "json"
    )
    assert first == {**bare, "source": "given", "licence": "CC0", "attribution": "Us"}
    assert (second["source"], second["licence"]) == ("parts", "MIT")


@pytest.mark.parametrize(
    ("text", "found", "unread"),
    [
        ("", [], [("line 1", "the file is empty")]),
        (" \n ", [], [("line 1", "the file is empty")]),
        ("3", [], [("line 1", "is no object")]),
        ("[3, {}]", [{}], [("entry 0 at line 1, column 2", "is no object")]),
        (f"{json.dumps(A)}\n{{broken\n{json.dumps(C)}", [A, C], [("line 2", "is not valid JSON")]),
        (f"{{broken\n{json.dumps(B)}\n{json.dumps(C)}", [B, C], [("line 1", "is not valid JSON")]),
        (json.dumps(B, indent=2)[:-3], [], [("line 1", "is not valid JSON")]),
        ('{"id": "a", "id": "b"}', [], [("line 1", "/id: ")]),
        ("[" + json.dumps(A), [A], [("line 1, column 45", "the file ends before")]),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(
    text: str, found: list[Any], unread: list[tuple[str, str]]
) -> None:
    artifacts, told = read(text, form="json")
    assert artifacts == found
    assert [(one.place, one.reason[: len(why)]) for one, (_, why) in zip(told, unread, strict=True)] == unread


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_told_once(codec: str) -> None:
    found, (told,) = read(json.dumps(A).encode(codec), form="json")
    assert found == []
    assert told == Unread("line 1", "the file is UTF-16; save it as UTF-8")
