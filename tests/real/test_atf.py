"""Every `#lem` entry of four real files stands on its word, held against a count that shares nothing with the reader."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from setright.exchange import Unread
from tests.exchange.atf_samples import read, said

FILES = {
    "SAA17_03.atf": (39, 1_104),
    "SAA19_13.atf": (26, 456),
    "belsunu.atf": (1, 9),
    "brm_4_19.atf": (1, 41),
}


def lemmatised(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each line with entries, and these, by nothing but splitting at white space and semicolons."""
    written = ""
    for line in text.splitlines():
        numbered = re.match(r"[^\s.#@$&]+\.\s+(.*)", line)
        if numbered:
            written = numbered[1].strip()
        elif line.startswith("#lem:"):
            yield written, [entry.strip() for entry in line.removeprefix("#lem:").split(";")]


@pytest.fixture(params=FILES)
def file(request: pytest.FixtureRequest, shared_data: Path) -> Path:
    return shared_data / "atf" / request.param


@pytest.fixture
def found(file: Path) -> tuple[list[dict[str, Any]], list[Unread]]:
    return read(file.read_bytes())


def test_every_text_and_every_line_comes_in(
    file: Path, found: tuple[list[dict[str, Any]], list[Unread]]
) -> None:
    text = file.read_text("utf-8")
    artifacts, _ = found
    kinds = Counter(line["kind"] for artifact in artifacts for line in artifact["lines"])
    assert [artifact["id"] for artifact in artifacts] == re.findall(r"^&(\S+)", text, re.MULTILINE)
    assert (len(artifacts), kinds["text"]) == FILES[file.name]
    assert kinds["text"] == text.count("\n#lem:")


def test_every_entry_stands_on_its_word(file: Path, found: tuple[list[dict[str, Any]], list[Unread]]) -> None:
    artifacts, unread = found
    lines = [line for artifact in artifacts for line in artifact["lines"] if line["kind"] == "text"]
    expected = list(lemmatised(file.read_text("utf-8")))
    assert [" ".join(line["text"].split()) for line in lines] == [
        " ".join(text.split()) for text, _ in expected
    ]
    for line, (text, entries) in zip(lines, expected, strict=True):
        assert len(line["tokens"]) == len(entries), text
        for token, entry in zip(line["tokens"], entries, strict=True):
            assert_says(token, entry)
    assert [one for one in unread if "entries" in one.reason or "lemma" in one.reason] == []


def assert_says(token: dict[str, Any], entry: str) -> None:
    """A word is said to be what its entry says, looked up by plain finding."""
    values = {field: value for field, value, *_ in said(token)}
    if "[" not in entry:
        assert values == ({"pos": "n"} if entry.split(maxsplit=1)[0] == "n" else {}), entry
        return
    head = entry.partition("[")[0].lstrip("+-!")
    assert values["lemma"].split(" & ")[0] == head, entry
    assert values["sense" if not re.search(r"\[\d*\]", entry) else "lemma"] != "", entry
    norm = re.search(r"\$([^ &;]+)", entry)
    if norm:
        assert norm[1] in values["reading"], entry


def test_every_translation_stands_at_a_line(
    file: Path, found: tuple[list[dict[str, Any]], list[Unread]]
) -> None:
    artifacts, unread = found
    lines = [line for artifact in artifacts for line in artifact["lines"]]
    translations = [
        one for line in lines for one in line.get("annotations", []) if one["field"] == "translation"
    ]
    text = (
        file.read_text("utf-8").partition("@translation")[2]
        if len(artifacts) == 1
        else file.read_text("utf-8")
    )
    labels = len(re.findall(r"^@label |@\([^()]+\)", text, re.MULTILINE))
    numbers = len(re.findall(r"^\d+\.\t", text, re.MULTILINE)) if "parallel" in file.read_text("utf-8") else 0
    assert len(translations) == labels + numbers
    assert {one.reason for one in unread} <= {"holds no words of a translation"}
