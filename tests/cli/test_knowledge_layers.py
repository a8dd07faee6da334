"""Scholars, corrections of answers and decisions on readings by the command line."""

import secrets
from pathlib import Path

import pytest

from setright.faces.cli import asking
from tests.cli.shell import Shell
from tests.cli.test_knowledge import bring, files, ids_in

__all__ = ["files"]


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sits at the terminal, who answers what stdin says."""
    monkeypatch.setattr(asking, "is_at_terminal", lambda: True)


@pytest.fixture
def scholar(ledger_shell: Shell) -> int:
    """The number of a scholar as whom whoever is at the terminal may speak."""
    name = f"A. Scholar {secrets.token_hex(4)}"
    made = ledger_shell("scholars", "add", name, "--institution", "A university", "--json").good().json
    number: int = made["id"]
    claim = ledger_shell("scholars", "claim", number, "--note", "That is me.", "--json").good().json
    ledger_shell("scholars", "approve", number, claim["id"], "--reason", "We met.").good()
    return number


def asked(shell: Shell, files: list[Path], value: str) -> tuple[int, str]:
    """The number of an answer about the word that two projects read in two ways, and the id of a reading of it."""
    bring(shell, *files).good()
    told = shell("knowledge", "interpret", ids_in(files[0])[0], "o.3.2", "--json").good().json
    found = next(one["annotationId"] for one in told["citations"] if one["value"] == value)
    return told["interactionId"], found


@pytest.mark.usefixtures("at_terminal")
def test_an_answer_is_corrected_and_a_scholar_decides(
    ledger_shell: Shell, files: list[Path], scholar: int
) -> None:
    number, king = asked(ledger_shell, files, "king")
    said = ("--claim", "It is no king.", "--correction", "a great man", "--evidence", "p. 62")
    whole = ("knowledge", "correct", number, *said, "--scholar", scholar)
    told = ledger_shell(*whole).good()
    assert told.out.startswith("Correction recorded. The next request")
    again = ledger_shell(*whole, "--json").good().json
    assert list(again) == ["interactionId", "feedbackId", "newAnnotationRunId", "message"]
    shown = ledger_shell("knowledge", "annotation", king).good().out
    for words in ("contested", "a great man", "setright/first", str(again["newAnnotationRunId"])):
        assert words in shown
    over = ledger_shell("knowledge", "annotation", king, "--json").good().json["contestedBy"][0]["id"]
    decision = ("--reason", "So it is.", "--scholar", scholar)
    accepted = ledger_shell("knowledge", "accept", over, *decision, stdin="y\n").good().out
    assert "accepted" in accepted
    assert "So it is." in accepted
    rejected = ledger_shell("knowledge", "reject", king, "--scholar", scholar, "--json", stdin="y\n").good()
    assert rejected.json["standing"] == "rejected"
    runs = ledger_shell("knowledge", "runs", "--scholar", scholar, "--source", "user-correction", "--json")
    assert [one["id"] for one in runs.good().json["data"]] == [again["newAnnotationRunId"]]
    listed = ledger_shell("knowledge", "runs", "--scholar", scholar).good().out
    assert "agent-hypothesis-correction" in listed


def test_a_decision_is_a_persons(shell: Shell) -> None:
    refused = shell("knowledge", "accept", "ann_01KE5MCQ800000000000000040")
    assert (refused.code, "Only a person does this" in refused.err) == (2, True)


def test_what_cannot_be_corrected_says_why(ledger_shell: Shell) -> None:
    said = ("--claim", "x", "--correction", "y")
    unknown = ledger_shell("knowledge", "correct", 987654321, *said)
    assert (unknown.code, "There is no interaction 987654321" in unknown.err) == (1, True)
    for odd in (("knowledge", "correct", "king", *said), ("knowledge", "correct", "0", *said)):
        assert ledger_shell(*odd).code == 2
    missing = ledger_shell("knowledge", "annotation", "ann_nothing")
    assert (missing.code, "There is no annotation" in missing.err) == (1, True)


def test_an_answer_is_rated(ledger_shell: Shell, files: list[Path]) -> None:
    number, _ = asked(ledger_shell, files, "king")
    assert f"Interaction {number} is rated up." in ledger_shell("knowledge", "rate", number, "up").good().out
    assert ledger_shell("knowledge", "rate", number, "sideways").code == 2
