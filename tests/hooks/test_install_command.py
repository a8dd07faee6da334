"""`setright install` and `setright uninstall` as commands: what they write, show and say."""

import json
import sys
from pathlib import Path

import pytest

from setright.faces.cli import install
from tests.cli.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A terminal in an empty project folder, where `setright mcp` starts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(install, "cannot_start", lambda _command, _machine: None)
    return Shell(tmp_path)


def test_it_says_what_it_wrote_and_writes_it_once(shell: Shell) -> None:
    first = shell("install", "claude-code", "--guard").good()
    assert "Made: " in first.out
    assert ".mcp.json" in first.out
    assert "Nothing to change" in shell("install", "claude-code", "--guard").good().out
    told = shell("uninstall", "claude-code", "--json").good().json
    assert [change["change"] for change in told["changes"]] == ["removed", "removed"]
    assert list(shell.folder.iterdir()) == []
    assert "Nothing to change" in shell("uninstall", "claude-code").good().out


def test_a_dry_run_shows_the_diff_and_writes_nothing(shell: Shell) -> None:
    (shell.folder / ".mcp.json").write_text('{\n  "mine": 1\n}\n')
    told = shell("install", "claude-code", "--dry-run").good()
    assert '+  "mcpServers": {' in told.out
    assert "Nothing was written" in told.out
    as_json = shell("install", "claude-code", "--dry-run", "--json").good().json
    assert as_json["dryRun"] is True
    assert '-  "mine": 1\n' in as_json["changes"][0]["diff"]
    assert [file.name for file in shell.folder.iterdir()] == [".mcp.json"]


def test_global_is_the_users_home(shell: Shell) -> None:
    project = shell.folder / "project"
    project.mkdir()
    shell("install", "cursor", "--global").good()
    found = json.loads((shell.folder / ".cursor" / "mcp.json").read_text())
    assert Path(found["mcpServers"]["corrections"]["command"]).name == "setright"
    shell("uninstall", "cursor", "--global").good()
    assert list(shell.folder.iterdir()) == [project]


def test_in_a_virtual_environment_the_command_is_whole(shell: Shell) -> None:
    shell("install", "claude-code").good()
    written = json.loads((shell.folder / ".mcp.json").read_text())["mcpServers"]["corrections"]["command"]
    assert written == str(Path(sys.executable).parent.absolute() / "setright")


def test_agent_and_space_stand_in_the_hook(shell: Shell) -> None:
    shell("install", "codex", "--agent", "my agent", "--space", "web").good()
    hooks = json.loads((shell.folder / ".codex" / "hooks.json").read_text())["hooks"]
    command = hooks["SessionStart"][0]["hooks"][0]["command"]
    assert command.endswith("brief --agent 'my agent' --space web --format claude")


@pytest.mark.parametrize("client", ["cursor", "vscode", "gemini", "windsurf", "zed"])
def test_no_guard_where_no_hook_before_a_call_is_known(shell: Shell, client: str) -> None:
    told = shell("install", client, "--guard").good()
    assert "so there is no guard" in told.err
    assert not any(
        b"guard --agent" in file.read_bytes() for file in shell.folder.rglob("*") if file.is_file()
    )


def test_a_program_that_does_not_start_gives_the_http_form(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "cannot_start", lambda _command, _machine: "setright mcp does not start: x")
    told = shell("install", "claude-code", SETRIGHT_URL="https://setright.example/").good()
    assert "setright mcp does not start: x. So claude-code is told to reach" in told.err
    entry = json.loads((shell.folder / ".mcp.json").read_text())["mcpServers"]["corrections"]
    assert entry == {
        "type": "http",
        "url": "https://setright.example/mcp",
        "headers": {"Authorization": "Bearer ${SETRIGHT_TOKEN}"},
    }


def test_a_token_of_the_environment_is_never_written(shell: Shell) -> None:
    shell(
        "install", "claude-code", SETRIGHT_URL="https://setright.example", SETRIGHT_TOKEN="srt_secret"
    ).good()
    assert not any(b"srt_" in file.read_bytes() for file in shell.folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("word", ["install", "uninstall"])
def test_an_unknown_client_is_refused_with_those_that_are_known(shell: Shell, word: str) -> None:
    told = shell(word, "emacs")
    assert told.code == 2
    assert "claude-code, codex, cursor, vscode, gemini, windsurf, zed" in told.err


def test_a_file_that_ours_does_not_fit_into_ends_it(shell: Shell) -> None:
    (shell.folder / ".mcp.json").write_text("{")
    told = shell("install", "claude-code", "--json")
    assert (told.code, told.json["error"]["code"]) == (2, "file-not-usable")
    assert ".mcp.json: it is not valid JSON: line 1" in told.json["error"]["message"]
