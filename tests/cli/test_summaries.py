"""The summary of corrections on the command line."""

import pytest

from tests.cli.shell import Shell
from tests.cli.test_story import a_run, add, project

__all__ = ["project"]


@pytest.fixture
def corrected(ledger_shell: Shell, project: str) -> str:
    """A project with two corrections."""
    first, second = add(ledger_shell, project, a_run(f"{project}-1"), a_run(f"{project}-2"))
    ledger_shell("corrections", "add", first, "--answer", "wrong", "--should-say", "14 days").good()
    ledger_shell("corrections", "add", second, "--answer", "right").good()
    return project


def test_the_summary_is_a_table_and_one_document(ledger_shell: Shell, corrected: str) -> None:
    told = ledger_shell("corrections", "summary", "--project", corrected).good().out.splitlines()
    assert told[0].split()[:3] == ["SUBJECT", "OPEN", "BEING-FIXED"]
    assert [line.split()[0] for line in told[1:]] == ["agent", "all"]
    whole = ledger_shell("corrections", "summary", "--project", corrected, "--json").good().json
    assert (whole["corrections"], whole["answer"]["wrong"]["corrections"]) == (2, 1)
    assert [entry["subject"]["id"] for entry in whole["data"]] == ["support"]
    assert whole["hasMore"] is False
    experts = (
        ledger_shell("corrections", "summary", "--project", corrected, "--experts", "--json").good().json
    )
    assert experts["corrections"] == 0


def test_where_there_is_nothing_to_count_it_says_so(ledger_shell: Shell, project: str) -> None:
    told = ledger_shell("corrections", "summary", "--project", project).good()
    assert "no corrections like that" in told.err


def test_agreement_shows_figures_pairs_and_disagreements(ledger_shell: Shell, corrected: str) -> None:
    first = f"{corrected}-1"
    for participant in ("ann", "bob"):
        ledger_shell("corrections", "add", first, "--answer", "right", "--participant", participant).good()
    asked = ("corrections", "agreement", "--project", corrected)
    told = ledger_shell(*asked).good().out
    assert "ASPECT" in told
    assert "KAPPA" in told
    assert "none: no-overlap" in told
    (line,) = [line for line in told.splitlines() if line.startswith(first)]
    assert "/ann" in line
    whole = ledger_shell(*asked, "--json").good().json
    answer = next(one for one in whole["aspects"] if one["aspect"] == "answer")
    assert (answer["units"], answer["agreeing"]) == (1, 0)
    assert [(one["right"], one["wrong"]) for one in whole["data"]] == [(2, 1)]
    own = next(voice for voice in whole["data"][0]["said"] if voice["verdict"] == "wrong")["by"]["id"]
    pair = ledger_shell(*asked, "--rater", f"{own}/ann", "--rater", own, "--json").good().json["pairs"]
    assert [one["units"] for one in pair] == [0, 1, 0]


def test_where_nobody_disagrees_it_says_so(ledger_shell: Shell, corrected: str) -> None:
    told = ledger_shell("corrections", "agreement", "--project", corrected).good()
    assert "Nobody disagrees" in told.err
