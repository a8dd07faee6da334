"""Asking about texts on the command line: what is found, what is known, what a word is taken to be."""

from pathlib import Path

import pytest

from tests.cli.shell import Shell
from tests.cli.test_knowledge import bring, files, ids_in

__all__ = ["files"]


@pytest.fixture
def text(ledger_shell: Shell, files: list[Path]) -> str:
    """The id of a text that two projects read in two ways."""
    bring(ledger_shell, *files).good()
    return ids_in(files[0])[0]


def test_a_summary_is_told_with_who_says_what(ledger_shell: Shell, text: str) -> None:
    told = ledger_shell("knowledge", "summary", text, "--focus", "o.3").good()
    assert "\u201cking\u201d (from setright/first) [" in told.out
    assert "\u201cowner\u201d (from setright/second) [" in told.out
    assert "SAID BY" in told.out
    assert "This answer is interaction" in told.err
    document = ledger_shell("knowledge", "summary", text, "--focus", "o.3", "--json").good().json
    assert [line["target"] for line in document["data"]["lines"]] == ["o.3"]


def test_a_word_is_interpreted_by_target_or_by_place(ledger_shell: Shell, text: str) -> None:
    told = ledger_shell("knowledge", "interpret", text, "o.3.2").good()
    assert "2 hypotheses of its sense: \u201cking\u201d" in told.out
    by_place = ledger_shell("knowledge", "interpret", text, "--line", "o.3", "--position", "2", "--json")
    assert by_place.good().json["data"]["target"] == "o.3.2"
    for odd in ((), ("o.3.2", "--line", "o.3"), ("--line", "o.3")):
        refused = ledger_shell("knowledge", "interpret", text, *odd)
        assert (refused.code, "--position" in refused.err) == (2, True)


def test_words_are_found_however_they_are_written(ledger_shell: Shell, text: str) -> None:
    for words in (["lugal"], ["lu2-gal"], ["LU\u2082.GAL"]):
        found = ledger_shell("knowledge", "search", *words, "--type", "token", "--limit", "50", "--json")
        hits = found.good().json["data"]["hits"]
        assert (text, "o.3.2") in {(hit["artifactId"], hit["target"]) for hit in hits}
    told = ledger_shell("knowledge", "search", "lugal", "--limit", "50").good()
    assert "o.3" in told.out
    nothing = ledger_shell("knowledge", "search", "nowhere-at-all").good()
    assert (nothing.out, "Nothing was found in " in nothing.err) == ("", True)
    refused = ledger_shell("knowledge", "search", "lugal", "--type", "sign")
    assert (refused.code, "types" in refused.err) == (1, True)
