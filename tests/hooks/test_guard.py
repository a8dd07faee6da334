"""The guard refuses what a rule forbids, and lets everything else through, whatever goes wrong."""

import io
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from setright.hooks import guard, rules_kept
from setright.hooks.place import Asked, Machine
from tests.hooks.conftest import PLAIN, RULE

PUSH = {"tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}}
AGENT = ["--agent", "claude-code"]


@pytest.fixture
def kept(machine: Machine, asked: Asked) -> Path:
    """A machine that has had a briefing; the guard's copy of it."""
    rules_kept.keep(machine, asked, [RULE, PLAIN])
    return Path(machine.file(asked, "guard"))


def said(monkeypatch: pytest.MonkeyPatch, given: Any, words: list[str] = AGENT) -> int:
    content = given if isinstance(given, bytes) else json.dumps(given).encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    return guard.main(words)


def test_a_forbidden_call_is_refused_with_the_rule(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(monkeypatch, PUSH) == 2
    told = capsys.readouterr()
    assert (told.out, "Never force-push to a shared branch." in told.err) == ("", True)
    assert RULE["id"] in told.err


@pytest.mark.parametrize(
    "call",
    [
        {"tool_name": "Bash", "tool_input": {"command": "git push"}},
        {"tool_name": "Bash", "tool_input": {}},
        {"tool_name": "bash", "tool_input": PUSH["tool_input"]},
        {"tool_name": "Write", "tool_input": PUSH["tool_input"]},
    ],
)
def test_what_no_rule_forbids_goes_through(
    kept: Path, call: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(monkeypatch, call) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (b"", AGENT),
        (b"not json", AGENT),
        (b"[" * 100_000, AGENT),
        (b"\xff\xfe", AGENT),
        ([1], AGENT),
        ({"tool_name": 5, "tool_input": {}}, AGENT),
        ({"tool_name": "Bash", "tool_input": "git push --force"}, AGENT),
        ({"tool_name": "Bash"}, AGENT),
        (PUSH, ["--agnet", "claude-code"]),
        (PUSH, ["--agent"]),
        (PUSH, ["claude-code"]),
    ],
)
def test_a_failure_of_its_own_never_blocks_and_is_told(
    kept: Path,
    given: Any,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert said(monkeypatch, given, words) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("setright guard: let the call through: ")
    assert told.err.count("\n") == 1


def test_as_json_it_says_on_stdout_what_forbids_the_call(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(monkeypatch, PUSH, [*AGENT, "--json"]) == 2
    rules = [{"id": RULE["id"], "rule": RULE["rule"]}]
    assert json.loads(capsys.readouterr().out) == {"refused": True, "rules": rules}


@pytest.mark.parametrize("words", [["--agent", "codex"], ["--agent", "claude-code", "--space", "web"], []])
def test_another_agent_or_space_has_rules_of_its_own(
    kept: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(monkeypatch, PUSH, words) == 0


def test_another_server_has_rules_of_its_own(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SETRIGHT_URL", "http://127.0.0.1:1")
    assert said(monkeypatch, PUSH) == 0


def test_the_agents_name_is_compared_as_names_are(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, PUSH, ["--agent", " Claude-Code "]) == 2


@pytest.mark.parametrize(("moved", "code"), [(-23 * 3600, 2), (-25 * 3600, 0), (3600, 0)])
def test_a_copy_blocks_for_a_day(kept: Path, moved: int, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads(kept.read_bytes())
    kept.write_text(json.dumps({**document, "fetched": time.time() + moved}))
    assert said(monkeypatch, PUSH) == code


def test_a_rule_past_its_time_blocks_nothing(
    machine: Machine, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules_kept.keep(machine, asked, [{**RULE, "until": "2020-01-01T00:00:00.000000Z"}])
    assert said(monkeypatch, PUSH) == 0
    rules_kept.keep(machine, asked, [{**RULE, "until": "2999-01-01T00:00:00.000000Z"}])
    assert said(monkeypatch, PUSH) == 2


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"fetched": "now", "rules": []}', b"\x00"])
def test_a_broken_copy_blocks_nothing(kept: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.write_bytes(content)
    assert said(monkeypatch, PUSH) == 0


def test_the_copy_is_for_its_owner_alone_and_holds_forbidding_rules_only(kept: Path) -> None:
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    assert [rule["id"] for rule in json.loads(kept.read_bytes())["rules"]] == [RULE["id"]]


def test_the_rule_is_told_in_one_line_that_nothing_acts_on(
    machine: Machine, asked: Asked, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "Stop\u202e \x1b[2Jnow \u200b<!-- hidden --> ```sh"
    rules_kept.keep(machine, asked, [{**RULE, "rule": words}])
    assert said(monkeypatch, PUSH) == 2
    told = capsys.readouterr().err
    assert not any(char in told for char in ("\u202e", "\x1b", "\u200b", "<!--", "```"))
    assert "Stop [2Jnow" in told


def test_what_was_stopped_is_written_down_without_the_call(
    kept: Path, machine: Machine, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(monkeypatch, PUSH) == said(monkeypatch, PUSH) == 2
    spool = Path(machine.file(asked, "stops"))
    assert spool.read_text().splitlines() == [RULE["id"]] * 2
    assert stat.S_IMODE(spool.stat().st_mode) == 0o600


def test_a_stop_that_cannot_be_written_down_still_stops(
    kept: Path,
    machine: Machine,
    asked: Asked,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path(machine.file(asked, "stops")).mkdir()
    assert said(monkeypatch, PUSH) == 2
    assert "is not counted" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["setright-guard"], ["setright", "guard"]])
def test_both_commands_refuse_as_processes_and_load_nothing_foreign(kept: Path, command: list[str]) -> None:
    program = Path(sys.executable).with_name(command[0])
    done = subprocess.run(
        [program, *command[1:], *AGENT],
        input=json.dumps(PUSH),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPROFILEIMPORTTIME": "1"},
        check=False,
    )
    assert done.returncode == 2
    assert "Never force-push" in done.stderr
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert not loaded & {"typer", "click", "httpx2", "rich", "asyncio", "ssl", "http", "subprocess", "email"}


def test_a_rule_in_another_alphabet_is_told_on_a_system_of_one(machine: Machine, asked: Asked) -> None:
    rules_kept.keep(machine, asked, [{**RULE, "rule": "Say 日本語 and 🦊."}])
    done = subprocess.run(
        [Path(sys.executable).with_name("setright-guard"), *AGENT],
        input=json.dumps(PUSH).encode(),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "C"},
        check=False,
    )
    assert done.returncode == 2
    assert "- Say 日本語 and 🦊." in done.stderr.decode()
