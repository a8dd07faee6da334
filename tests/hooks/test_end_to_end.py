"""Briefing and guard against the real server, and against the ledger itself where none serves it."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from setright import Setright
from setright.hooks.handover import local_briefing
from setright.hooks.place import Machine
from tests.cli.shell import Served, Shell

AGENT = ("--agent", "claude-code")
RULE = "Never force-push to a shared branch."
PUSH = json.dumps({"tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}})


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)


@pytest.fixture
def ledger(shell: Shell) -> Iterator[Setright]:
    """A client of `setright serve` on that machine, where one rule is in force that forbids a call."""
    server = Served(shell)
    with Setright(server.url, (shell.data / "local-token").read_text().strip()) as client:
        lesson = client.lessons.record(
            agent="claude-code",
            kind="instruction",
            noticed_by="person",
            what_happened="It pushed with --force.",
            rule=RULE,
            must_not_call=[
                {
                    "tool": "Bash",
                    "args": {"command": "git push --force"},
                    "match": {"command": {"prefix": True}},
                }
            ],
        )
        client.lessons.update(lesson.id, status="adopted")
        yield client
    assert server.stop() == 0


def test_what_the_guard_stopped_is_counted_when_the_next_session_starts(
    shell: Shell, ledger: Setright
) -> None:
    assert RULE in shell.outside("brief", *AGENT).good().out
    told = shell.outside("guard", *AGENT, stdin=PUSH)
    assert (told.code, RULE in told.err) == (2, True)
    shell.outside("brief", *AGENT).good()
    (lesson,) = ledger.lessons.list()
    assert ledger.lessons.get(lesson.id).stops == 1


@pytest.mark.parametrize("form", ["text", "claude", "gemini", "vscode", "cursor"])
def test_every_form_has_the_rule(shell: Shell, ledger: Setright, form: str) -> None:
    told = shell.outside("brief", *AGENT, "--format", form, stdin='{"session_id": "s-1"}').good()
    assert "Never force" in told.out
    assert told.err == ""


def test_an_explanation_is_the_servers(shell: Shell, ledger: Setright) -> None:
    (lesson,) = ledger.lessons.list()
    told = shell.outside("brief", "--agent", "other", "--explain", lesson.id).good()
    assert "another agent" in told.out


def test_a_retired_rule_blocks_no_more_after_the_next_briefing(shell: Shell, ledger: Setright) -> None:
    shell.outside("brief", *AGENT).good()
    (lesson,) = ledger.lessons.list()
    ledger.lessons.update(lesson.id, status="retired")
    assert RULE not in shell.outside("brief", *AGENT).good().out
    assert shell.outside("guard", *AGENT, stdin=PUSH).good().err == ""


@pytest.fixture
def alone(shell: Shell, request: pytest.FixtureRequest) -> Machine:
    """A machine whose ledger nobody serves any more."""
    request.getfixturevalue("ledger")
    (shell.data / "local-server").unlink()
    return Machine(shell.bare())


def test_without_a_server_the_ledger_itself_is_asked(alone: Machine) -> None:
    told = local_briefing(alone, [("agent", "claude-code")], [], time.monotonic() + 60)
    assert told is not None
    assert told.briefing["guard"][0]["rule"] == RULE


def test_a_ledger_that_is_not_asked_in_time_gives_nothing(alone: Machine) -> None:
    assert local_briefing(alone, [("agent", "claude-code")], [], time.monotonic()) is None
