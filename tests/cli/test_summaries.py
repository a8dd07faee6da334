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
