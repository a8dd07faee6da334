"""Test runs on the command line: what came out, what changed, and how they end."""

import secrets
from collections.abc import Iterator

import pytest

from setright.client import Setright
from setright.faces.cli.desk import Desk, Where
from setright.faces.cli.out import Out
from tests.cli.shell import Shell
from tests.cli.test_story import a_run, add


@pytest.fixture
def project(ledger_shell: Shell) -> str:
    """A project of the test's own, whose agent has three corrections."""
    own = f"t-{secrets.token_hex(4)}"
    ledger_shell("project", "create", f"Project {own}", "--id", own).good()
    for run in add(ledger_shell, own, *(a_run(f"{own}-{number}") for number in range(3))):
        ledger_shell("corrections", "add", run, "--answer", "wrong", "--should-say", "14 days").good()
    return own


@pytest.fixture
def client(ledger_shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[Setright]:
    """A client of the ledger that the commands work on."""
    for name, value in ledger_shell.environment.items():
        monkeypatch.setenv(name, value)
    desk = Desk(Where(), Out(as_json=False))
    yield desk.client
    desk.close()


def answered(client: Setright, project: str, version: str, *answers: str, repeat: int = 1) -> str:
    """A test run in which the version gave these answers, as far as they go; its id."""
    subject = {"kind": "agent", "id": "support", "version": version}
    test_run = client.test_runs.create(project_id=project, subject=subject, repeat=repeat)
    found = client.test_runs.claim(test_run.id, n=len(answers))
    results = [
        {"case_id": case.id, "lease": found.lease, "calls": [], "answer": answer}
        for case, answer in zip(sorted(found.cases, key=lambda case: case.run_id), answers, strict=True)
    ]
    client.test_runs.submit(test_run.id, results)
    return test_run.id


def test_they_are_listed_shown_and_ended(ledger_shell: Shell, client: Setright, project: str) -> None:
    first = answered(client, project, "v2", "14 days", "30 days", "?")
    second = answered(client, project, "v3", "14 days")
    listed = ledger_shell("test-runs", "list", "--project", project).good().out.splitlines()
    assert [line.split()[0] for line in listed[1:]] == [second, first]
    only = ledger_shell("test-runs", "list", "--project", project, "--status", "finished", "--json").good()
    assert [one["id"] for one in only.json["data"]] == [first]
    assert "1 of 3 done" in ledger_shell("test-runs", "show", second).good().out
    refused = ledger_shell("test-runs", "finish", second)
    assert (refused.code, "--partial" in refused.err) == (1, True)
    ended = ledger_shell("test-runs", "finish", second, "--partial", "--json").good().json
    assert (ended["status"], ended["wouldFix"]) == ("finished", 1)
    assert "deploy or pin it" in ledger_shell("test-runs", "finish", first).good().out
    third = answered(client, project, "v4", "14 days")
    assert "cancelled" in ledger_shell("test-runs", "cancel", third).good().out
    unknown = ledger_shell("test-runs", "show", "tst_nothing")
    assert (unknown.code, "test-runs list" in unknown.err) == (1, True)


def test_verdicts_say_why_and_can_be_narrowed(ledger_shell: Shell, client: Setright, project: str) -> None:
    before = answered(client, project, "v2", "14 days", "14 days", "?")
    after = answered(client, project, "v3", "14 days", "30 days", "?")
    told = ledger_shell("test-runs", "verdicts", after).good().out.splitlines()
    assert told[0].split() == ["CORRECTION", "TRY", "VERDICT", "REASON", "WHY"]
    assert len(told) == 4
    newly = ("test-runs", "verdicts", after, "--verdict", "wrong", "--against", before, "--was", "right")
    (only,) = ledger_shell(*newly, "--json").good().json["data"]
    assert (only["verdict"], only["reason"]) == ("wrong", "same-answer")
    named = ledger_shell("test-runs", "verdicts", after, "--correction", only["correctionId"], "--json")
    assert named.good().json["data"] == [only]
    half = ledger_shell("test-runs", "verdicts", after, "--against", before)
    assert (half.code, "go together" in half.err) == (1, True)
    none = ledger_shell("test-runs", "verdicts", after, "--aspect", "items").good()
    assert "no verdicts like that" in none.err


def test_the_summary_tells_counts_changes_and_steadiness(
    ledger_shell: Shell, client: Setright, project: str
) -> None:
    before = answered(client, project, "v2", "14 days", "14 days", "?")
    after = answered(client, project, "v3", "14 days", "30 days", "?")
    whole = ledger_shell("test-runs", "summary", after, "--against", before, "--json").good().json
    assert whole["corrections"]["wrong"] == {"corrections": 1, "weighted": 1.0}
    assert whole["against"]["newlyWrong"]["corrections"] == 1
    told = ledger_shell("test-runs", "summary", after, "--against", before).good().out
    assert "1 not evaluated: needs-match" in told
    assert "this may be noise" in told
    often = answered(client, project, "v4", *["14 days"] * 3, *["14 days", "30 days", "?"], repeat=2)
    steady = ledger_shell("test-runs", "summary", often).good().out
    assert "SO MANY TRIES ALL RIGHT" in steady
    experts = ledger_shell("test-runs", "summary", often, "--experts", "--json").good().json
    assert experts["corrections"]["right"]["corrections"] == 0
