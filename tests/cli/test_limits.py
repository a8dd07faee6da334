"""Limits on the command line: what is used, one tenant's own limits, and what the doctor says of them."""

import json

import pytest

from tests.cli.shell import Served, Shell
from tests.cli.test_story import a_run, add, project

__all__ = ["project"]

LIMITED = {"SETRIGHT_CORRECTIONS_PER_DAY": "2", "SETRIGHT_MOST_PROJECTS": "9"}


@pytest.fixture
def home(shell: Shell) -> Shell:
    """A terminal on a machine with a ledger that has the tenant `local`."""
    shell("bootstrap").good()
    return shell


def correct(shell: Shell, run: str, **environment: str) -> int:
    return shell("corrections", "add", run, "--answer", "right", **environment).code


def one_run(shell: Shell) -> str:
    return add_to_default(shell, a_run("r"))


def add_to_default(shell: Shell, run: dict[str, object]) -> str:
    file = shell.folder / "run.jsonl"
    file.write_text(json.dumps(run))
    told = shell("runs", "add", file, "--project", "default", "--json").good().json
    return told["results"][0]["run"]["id"]


def test_what_is_used_is_a_table_and_one_document(ledger_shell: Shell, project: str) -> None:
    add(ledger_shell, project, a_run(f"{project}-1"))
    told = ledger_shell("limits", "--json").good().json
    assert [one["quota"] for one in told["quotas"]] == [
        "runs-per-day",
        "run-bytes-per-day",
        "corrections-per-day",
    ]
    assert told["quotas"][0]["used"] >= 1
    shown = ledger_shell("limits").good().out
    assert shown.splitlines()[0].split()[:3] == ["OF", "USED", "LIMIT"]
    assert "runs-per-day" in shown
    assert "requests.maxBodyBytes" in shown


def test_what_is_over_a_quota_is_refused_with_the_way_out(home: Shell) -> None:
    run = one_run(home)
    assert [correct(home, run, **LIMITED) for _ in range(3)] == [0, 0, 1]
    refused = home("corrections", "add", run, "--answer", "right", **LIMITED)
    assert "429 quota-exceeded" in refused.err
    assert "setright limits" in refused.err
    told = home("limits", "--json", **LIMITED).good().json["quotas"][2]
    assert (told["limit"], told["used"]) == (2, 2)


def test_a_tenant_has_limits_of_its_own_until_they_are_taken_back(home: Shell) -> None:
    run = one_run(home)
    shown = home("tenant", "limits", "local", "--corrections-per-day", 1, "--tokens", 0, "--json").good().json
    assert shown["own"] == {"corrections-per-day": 1, "tokens": 0}
    assert shown["quotas"][2]["limit"] == 1
    assert "limit" not in shown["caps"][0]
    assert [correct(home, run) for _ in range(2)] == [0, 1]
    assert correct(home, run, **LIMITED) == 1, "its own limit counts, whatever the settings say"
    back = home("tenant", "limits", "local", "--corrections-per-day", "default", "--json", **LIMITED)
    assert back.good().json["own"] == {"tokens": 0}
    assert [correct(home, run, **LIMITED) for _ in range(2)] == [0, 1]
    table = home("tenant", "limits", "local").good().out.splitlines()
    assert any(line.split()[:2] == ["tokens", "1"] and line.endswith("its own") for line in table)


def test_another_tenant_keeps_what_every_tenant_has(home: Shell) -> None:
    home("tenant", "create", "other").good()
    home("tenant", "limits", "local", "--users", 1).good()
    told = home("tenant", "limits", "other", "--json", **LIMITED).good().json
    assert told["own"] == {}
    assert told["caps"][2] == {"quota": "projects", "limit": 9, "used": 1}
    assert home("user", "create", "bo").code == 1


@pytest.mark.parametrize("text", ["-1", "many", "1.5", "9" * 30, "٣"])
def test_what_is_no_limit_is_refused_and_nothing_is_set(home: Shell, text: str) -> None:
    refused = home("tenant", "limits", "local", f"--tokens={text}")
    assert refused.code == 2
    assert "--tokens" in refused.err
    assert home("tenant", "limits", "local", "--json").good().json["own"] == {}


def test_a_tenant_that_is_not_there_is_told_with_those_that_are(home: Shell) -> None:
    refused = home("tenant", "limits", "nowhere", "--tokens", "1")
    assert refused.code == 1
    assert "local" in refused.err


def test_a_running_server_knows_a_new_limit_from_the_next_call_on(home: Shell) -> None:
    server = Served(home)
    there = {"SETRIGHT_URL": server.url, "SETRIGHT_TOKEN": (home.data / "local-token").read_text().strip()}
    try:
        assert home("user", "create", "bo", **there).code == 0
        home("tenant", "limits", "local", "--users", 2).good()
        assert home("user", "create", "cy", **there).code == 1
        home("tenant", "limits", "local", "--users", 3).good()
        assert home("user", "create", "cy", **there).code == 0
    finally:
        assert server.stop() == 0


def test_the_doctor_tells_of_a_tenant_near_a_limit_and_finds_nothing_wrong(home: Shell) -> None:
    run = one_run(home)
    assert correct(home, run) == 0
    home("tenant", "limits", "local", "--corrections-per-day", 2).good()
    assert "corrections-per-day" not in home("doctor").out
    assert correct(home, run) == 0
    told = home("doctor")
    assert "local has used 2 of 2 corrections-per-day" in told.out
    assert told.code == home("doctor").code
    findings = home("doctor", "--json").json["findings"]
    (near,) = [one for one in findings if one["name"] == "limits"]
    assert "ok" not in near
    assert "setright tenant limits 'local' --corrections-per-day NUMBER" in near["fix"]
