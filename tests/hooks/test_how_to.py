"""The how-to page about coding agents, run from its first command to its last."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.shell import Served, Shell
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "how-to" / "coding-agents.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(sh|python)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
MINE = "# Mine\n\n- Answer in French.\n"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A terminal in a project folder with a rule of its own."""
    (tmp_path / "CLAUDE.md").write_text(MINE)
    return Shell(tmp_path)


@pytest.fixture
def served(shell: Shell) -> Iterator[Served]:
    """`setright serve` on that machine."""
    server = Served(shell)
    yield server
    assert server.stop() == 0


def run(shell: Shell, language: str, block: str, **more: str) -> str:
    command = [sys.executable, "-"] if language == "python" else ["sh", "-eu"]
    path = f"{Path(sys.executable).parent}:{shell.bare()['PATH']}"
    done = subprocess.run(
        command,
        input=block,
        cwd=shell.folder,
        env={**shell.bare(), "PATH": path, **more},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_page_is_true_from_its_first_command_to_its_last(shell: Shell, served: Served) -> None:
    secret = (shell.data / "local-token").read_text().strip()
    for_python = {"SETRIGHT_URL": served.url, "SETRIGHT_TOKEN": secret}
    told = [
        run(shell, language, block, **(for_python if language == "python" else {}))
        for language, block in BLOCKS
    ]
    install, imported, _, brief, guard, export, uninstall = told
    assert ".claude/settings.json" in install
    assert "CLAUDE.md:3" in imported
    assert "Never force-push to a shared branch." in brief
    assert "Never force-push to a shared branch." in guard
    assert "exit code 2" in guard
    assert "+- Never force-push to a shared branch." in export
    assert "Removed: " in uninstall
    left = {file.name for file in shell.folder.iterdir() if file.name not in ("share", "serve.log")}
    assert left == {"CLAUDE.md", "AGENTS.md"}
    assert (shell.folder / "CLAUDE.md").read_text() == MINE


def test_what_the_guard_stopped_is_counted_when_the_next_session_starts(shell: Shell, served: Served) -> None:
    secret = (shell.data / "local-token").read_text().strip()
    python = next(block for language, block in BLOCKS if language == "python")
    run(shell, "python", python, SETRIGHT_URL=served.url, SETRIGHT_TOKEN=secret)
    brief = "setright brief --agent claude-code\n"
    run(shell, "sh", brief)
    run(shell, "sh", next(block for _, block in BLOCKS if "setright guard" in block))
    run(shell, "sh", brief)
    ask = "import setright; at = setright.Setright().lessons; (one,) = at.list(); print(at.get(one.id).stops)"
    assert run(shell, "python", ask, SETRIGHT_URL=served.url, SETRIGHT_TOKEN=secret).strip() == "1"


def test_without_a_server_the_ledger_itself_is_asked(shell: Shell) -> None:
    server = Served(shell)
    secret = (shell.data / "local-token").read_text().strip()
    python = next(block for language, block in BLOCKS if language == "python")
    run(shell, "python", python, SETRIGHT_URL=server.url, SETRIGHT_TOKEN=secret)
    assert server.stop() == 0
    probe = (
        "import time; from setright.hooks.handover import local_briefing; from setright.hooks.place import Machine\n"
        "told = local_briefing(Machine(), [('agent', 'claude-code')], [], time.monotonic() + 60)\n"
        "print(told.briefing['guard'][0]['rule'])"
    )
    assert run(shell, "python", probe).strip() == "Never force-push to a shared branch."
