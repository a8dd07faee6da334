"""A whole story by the command line alone, on the ledger of this machine and on a real server."""

import json
import secrets
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import Shell

CALL = {"tool": "get_booking", "args": {"id": 7}, "result": {"state": "paid"}}


def a_run(run_id: str, **more: Any) -> dict[str, Any]:
    return {
        "id": run_id,
        "subject": {"kind": "agent", "id": "support", "version": "v1"},
        "input": {"question": "Can I give it back?"},
        "calls": [CALL],
        "output": {"answer": "30 days", "items": [{"id": "a"}, {"id": "b"}]},
        "answer": "30 days",
        "status": "completed",
        **more,
    }


@pytest.fixture
def project(ledger_shell: Shell) -> str:
    """A project of the story's own."""
    name = f"p-{secrets.token_hex(4)}"
    made = ledger_shell("project", "create", f"Project {name}", "--id", name, "--json").good().json
    assert made["id"] == name
    return name


def add(shell: Shell, project: str, *runs: dict[str, Any]) -> list[str]:
    """Record runs from a JSONL file; their ids."""
    file = shell.folder / "runs.jsonl"
    file.write_text("".join(f"{json.dumps(run)}\n" for run in runs))
    told = shell("runs", "add", file, "--project", f"Project {project}", "--json").good().json
    return [result["run"]["id"] for result in told["results"]]


def test_runs_go_in_and_come_out(ledger_shell: Shell, project: str) -> None:
    first, second = f"{project}-1", f"{project}-2"
    assert add(ledger_shell, project, a_run(first), a_run(second, status="failed")) == [first, second]
    listed = ledger_shell("runs", "list", "--project", project, "--json").good().json
    assert {run["id"] for run in listed["data"]} == {first, second}
    assert listed["hasMore"] is False
    only = ledger_shell("runs", "list", "--project", project, "--status", "failed", "--json").good().json
    assert [run["id"] for run in only["data"]] == [second]
    shown = ledger_shell("runs", "show", first, "--json").good().json
    assert shown["calls"] == [CALL]
    assert shown["output"] == a_run(first)["output"]
    assert "get_booking" in ledger_shell("runs", "show", first).good().out


def test_a_correction_says_what_its_options_said(ledger_shell: Shell, project: str) -> None:
    (run,) = add(ledger_shell, project, a_run(f"{project}-1"))
    said = ["--decisions", "wrong", "--should-call", 'cancel_booking {"id": 7}', "--should-call", "say_sorry"]
    said += [
        "--must-not-call",
        "pay",
        "--calls-match",
        "exactly",
        "--answer",
        "wrong",
        "--should-say",
        "14 days",
    ]
    said += ["--item", "a=right", "--item", '{"key": "b", "pointer": "/items/1", "verdict": "wrong"}']
    said += ["--why", "the law", "--evidence", "https://example.org/law", "--participant", "guest-7"]
    said += ["--answer-match", '{"how": "contains", "values": ["14"]}', "--calls-order", "as-listed"]
    made = ledger_shell("corrections", "add", run, *said, "--json").good().json
    assert made["shouldCall"] == [
        {"tool": "cancel_booking", "args": {"id": 7}},
        {"tool": "say_sorry", "args": {}},
    ]
    assert (made["mustNotCall"], made["callsMatch"], made["callsOrder"]) == (["pay"], "exactly", "as-listed")
    assert (made["shouldSay"], made["answerMatch"]["values"], made["why"]) == ("14 days", ["14"], "the law")
    assert [(item["key"], item["verdict"]) for item in made["items"]] == [("a", "right"), ("b", "wrong")]
    assert (made["evidence"], made["participantId"]) == (["https://example.org/law"], "guest-7")
    shown = ledger_shell("corrections", "show", made["id"], "--history", "--json").good().json
    assert shown["items"][1]["value"] == {"id": "b"}
    assert [event["kind"] for event in shown["history"]] == ["correction.recorded"]
    for_people = ledger_shell("corrections", "show", made["id"]).good().out
    assert "14 days" in for_people
    assert "correction.recorded" in for_people


def test_a_correction_from_a_file_brings_its_run(ledger_shell: Shell, project: str, tmp_path: Path) -> None:
    run = a_run(f"{project}-1", projectId=project)
    body = {"run": run, "answer": "wrong", "shouldSay": "14 days"}
    file = tmp_path / "correction.json"
    file.write_text(json.dumps(body))
    made = ledger_shell("corrections", "add", "--file", file, "--json").good().json
    assert made["runId"] == run["id"]
    (tmp_path / "run.json").write_text(json.dumps(a_run(f"{project}-2", projectId=project)))
    again = ledger_shell(
        "corrections", "add", "--run-file", tmp_path / "run.json", "--answer", "right", "--json"
    )
    assert again.good().json["status"] == "fixed"
    piped = ledger_shell("corrections", "add", "--file", "-", stdin=json.dumps(body)).good()
    assert "14 days" in piped.out


def test_a_newer_correction_supersedes_and_lists_say_so(ledger_shell: Shell, project: str) -> None:
    (run,) = add(ledger_shell, project, a_run(f"{project}-1"))
    ledger_shell("corrections", "add", run, "--answer", "wrong", "--should-say", "13 days").good()
    ledger_shell("corrections", "add", run, "--answer", "wrong", "--should-say", "14 days").good()
    current = ledger_shell("corrections", "list", "--project", project, "--json").good().json["data"]
    assert [correction["shouldSay"] for correction in current] == ["14 days"]
    every = ledger_shell("corrections", "list", "--project", project, "--superseded").good().out
    assert "superseded" in every
    none = ledger_shell("corrections", "list", "--project", project, "--decisions", "wrong").good()
    assert not none.out
    assert "There are no corrections like that" in none.err


def test_the_same_key_records_once(ledger_shell: Shell, project: str) -> None:
    (run,) = add(ledger_shell, project, a_run(f"{project}-1"))
    words = [
        "corrections",
        "add",
        run,
        "--answer",
        "wrong",
        "--should-say",
        "14 days",
        "--key",
        f"{project}-k",
    ]
    first = ledger_shell(*words, "--json").good()
    second = ledger_shell(*words, "--json").good()
    assert first.json == second.json
    assert "kept answer" in second.err
    other = ledger_shell(*words, "--why", "x")
    assert other.code == 1
    assert "idempotency-key-body-mismatch" in other.err


def test_pages_follow_each_other(ledger_shell: Shell, project: str) -> None:
    ids = add(ledger_shell, project, *(a_run(f"{project}-{number}") for number in range(5)))
    first = ledger_shell("runs", "list", "--project", project, "--limit", 2, "--json").good().json
    assert first["hasMore"] is True
    cursor = first["nextCursor"]
    rest = ledger_shell("runs", "list", "--project", project, "--limit", 3, "--cursor", cursor, "--json").json
    assert [run["id"] for run in [*first["data"], *rest["data"]]] == ids[::-1]
    everything = ledger_shell("runs", "list", "--project", project, "--limit", 1, "--all", "--json").json
    assert len(everything["data"]) == 5
    for_people = ledger_shell("runs", "list", "--project", project, "--limit", 2)
    assert "--cursor" in for_people.err


def test_people_and_services_come_in_and_go(ledger_shell: Shell, project: str) -> None:
    name, bot = f"mara-{project}", f"bot-{project}"
    user = ledger_shell("user", "create", name, "--email", "mara@example.org", "--json").good().json
    ledger_shell("project", "member", "put", project, "--user", name, "--role", "write").good()
    members = ledger_shell("project", "member", "list", project, "--json").good().json["data"]
    assert [(member["id"], member["role"]) for member in members] == [(user["id"], "write")]
    token = ledger_shell("token", "create", "--user", user["id"], "--json").good().json
    assert token["secret"].startswith("srt_")
    service = ledger_shell(
        "token", "create", "--service", bot, "--project", project, "--role", "read", "--expires", "30d",
        "--scopes", "corrections:read", "--json",
    ).good().json  # fmt: skip
    assert (service["projectId"], service["scopes"]) == (project, ["corrections:read"])
    assert bot in ledger_shell("token", "list", "--all").good().out
    rotated = ledger_shell("token", "rotate", bot, "--keep-old-minutes", 5, "--json").good().json
    assert rotated["id"] == service["id"]
    assert rotated["secret"] != service["secret"]
    ledger_shell("project", "member", "put", project, "--service", bot, "--role", "write").good()
    ledger_shell("project", "member", "remove", project, "--service", bot, "--json").good()
    assert ledger_shell("token", "revoke", bot, "--json").good().json["id"] == service["id"]
    assert ledger_shell("user", "disable", name, "--json").good().json["disabledAt"]
    again = ledger_shell("token", "create", "--user", name)
    assert (again.code, "user-disabled" in again.err) == (1, True)


def test_refused_runs_stop_no_others(ledger_shell: Shell, project: str) -> None:
    runs = [a_run(f"{project}-1"), {"id": f"{project}-2"}, a_run(f"{project}-3")]
    told = ledger_shell("runs", "add", "-", "--project", project, stdin=json.dumps(runs))
    assert told.code == 1
    assert "run 1: " in told.err
    assert "2 of 3 runs are recorded" in told.err
    as_json = ledger_shell("runs", "add", "-", "--project", project, "--json", stdin=json.dumps(runs))
    assert [result["status"] for result in as_json.json["results"]] == [200, 400, 200]


def test_many_runs_go_in_at_once(ledger_shell: Shell, project: str) -> None:
    ids = add(ledger_shell, project, *(a_run(f"{project}-{number}") for number in range(230)))
    assert len(ids) == 230
    assert ids[-1] == f"{project}-229"


def test_a_correction_is_moved_and_removed_by_hand(ledger_shell: Shell, project: str) -> None:
    (run,) = add(ledger_shell, project, a_run(f"{project}-1"))
    made = ledger_shell("corrections", "add", run, "--answer", "wrong", "--why", "rude", "--json").good().json
    move = ("corrections", "move", made["id"])
    sort = ("--sort-to", "developer", "--reason", "tool bug", "--note", "seen")
    moved = ledger_shell(*move, "--status", "being-fixed", *sort, "--json").good().json
    assert (moved["status"], moved["sortedTo"]) == ("being-fixed", "developer")
    assert (moved["sorted"]["reason"], moved["statusNote"]["text"]) == ("tool bug", "seen")
    lifted = ledger_shell(*move, "--sort-to", "nobody", "--note", "", "--json").good().json
    assert not {"sortedTo", "sorted", "statusNote"} & set(lifted)
    late = ledger_shell(*move, "--status", "open", "--if-match", '"1"')
    assert late.code == 1
    assert "changed since" in late.err
    never = ledger_shell(*move, "--status", "fixed")
    assert never.code == 1
    assert "never set by hand" in never.err
    gone = ledger_shell("corrections", "unregister", made["id"], "--json").good().json
    assert gone["status"] == "removed"
