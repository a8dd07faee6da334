"""Corrections that wait for their run, by the command line alone."""

import json
import secrets
from typing import Any

import pytest

from tests.cli.shell import Served, Shell

SAID = ["--answer", "wrong", "--should-say", "14 days"]


@pytest.fixture
def run_id() -> str:
    return f"r-{secrets.token_hex(4)}"


def hold(shell: Shell, run_id: str, *more: str) -> Any:
    return (
        shell("corrections", "add", run_id, "--hold", "--project", "default", *SAID, *more, "--json")
        .good()
        .json
    )


def record(shell: Shell, run_id: str, **more: Any) -> None:
    subject = {"kind": "agent", "id": "a", "version": "1"}
    run = {"id": run_id, "projectId": "default", "subject": subject, **more}
    shell("runs", "add", "-", stdin=json.dumps(run)).good()


def test_it_is_held_listed_shown_and_recorded(ledger_shell: Shell, run_id: str) -> None:
    held = hold(ledger_shell, run_id)
    assert held["waitingForRun"] is True
    (listed,) = ledger_shell("corrections", "waiting", "--run", run_id, "--json").good().json["data"]
    assert (listed["id"], listed["state"], listed["runState"]) == (held["id"], "waiting", "missing")
    table = ledger_shell("corrections", "waiting", "--run", run_id).good().out
    assert "the run is not there yet" in table
    shown = ledger_shell("corrections", "show", held["id"])
    assert (shown.code, "14 days" in shown.out) == (0, True)
    record(ledger_shell, run_id, output=1)
    made = ledger_shell("corrections", "show", held["id"], "--history", "--json").good().json
    assert [event["kind"] for event in made["history"]] == ["correction.held", "correction.recorded"]
    assert ledger_shell("corrections", "waiting", "--run", run_id, "--json").good().json["data"] == []
    assert "status" in hold(ledger_shell, run_id)


def test_people_are_told_what_was_held(ledger_shell: Shell, run_id: str) -> None:
    told = ledger_shell("corrections", "add", run_id, "--hold", "--project", "default", *SAID).good()
    assert "waits for its run" in told.err
    assert run_id in told.out


def test_it_is_taken_back(ledger_shell: Shell, run_id: str) -> None:
    held = hold(ledger_shell, run_id)
    assert "withdrawn" in ledger_shell("corrections", "withdraw", held["id"]).good().out
    again = ledger_shell("corrections", "withdraw", held["id"], "--json").good().json
    assert (again["state"], again["waitingForRun"]) == ("withdrawn", False)
    assert ledger_shell("corrections", "waiting", "--run", run_id).good().out == ""
    put_away = (
        ledger_shell("corrections", "waiting", "--run", run_id, "--state", "withdrawn", "--json").good().json
    )
    assert [one["id"] for one in put_away["data"]] == [held["id"]]


def test_why_one_was_refused_is_shown(ledger_shell: Shell, run_id: str) -> None:
    item = '{"key": "a", "pointer": "/nothing", "verdict": "wrong"}'
    held = hold(ledger_shell, run_id, "--item", item)
    record(ledger_shell, run_id, output=1)
    for told in (
        ledger_shell("corrections", "waiting", "--state", "refused", "--run", run_id),
        ledger_shell("corrections", "show", held["id"]),
    ):
        assert "item-not-found" in told.good().out


def test_it_waits_through_a_crash_and_a_restart(shell: Shell, run_id: str) -> None:
    first = Served(shell)
    token = (shell.data / "local-token").read_text().strip()
    there = {"SETRIGHT_URL": first.url, "SETRIGHT_TOKEN": token}
    options = ["--hold", "--project", "default", *SAID, "--json"]
    held = shell("corrections", "add", run_id, *options, **there).good().json
    first.process.kill()
    first.process.wait(20)
    second = Served(shell)
    there["SETRIGHT_URL"] = second.url
    run = {
        "id": run_id,
        "projectId": "default",
        "subject": {"kind": "agent", "id": "a", "version": "1"},
        "output": 1,
    }
    shell("runs", "add", "-", stdin=json.dumps(run), **there).good()
    made = shell("corrections", "show", held["id"], "--json", **there).good().json
    assert (made["id"], made["runId"], made["shouldSay"]) == (held["id"], run_id, "14 days")
    assert second.stop() == 0


@pytest.mark.parametrize("options", [["--hold"], ["--project", "default"]])
def test_holding_needs_the_project(ledger_shell: Shell, run_id: str, options: list[str]) -> None:
    told = ledger_shell("corrections", "add", run_id, *options, *SAID)
    assert told.code == 2
    assert "--hold and --project go together" in told.err


def test_what_is_not_there_is_told_with_what_to_do(ledger_shell: Shell, run_id: str) -> None:
    told = ledger_shell("corrections", "withdraw", "cor_01KE5MCQ800000000000000009")
    assert (told.code, "setright corrections waiting" in told.err) == (1, True)
    assert ledger_shell("corrections", "show", "cor_01KE5MCQ800000000000000009").code == 1
    record(ledger_shell, run_id)
    assert "--hold" in ledger_shell("corrections", "add", run_id, *SAID).err
