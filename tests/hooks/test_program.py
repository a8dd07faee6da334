"""Whether `setright mcp` starts is tried for real, and asking leaves nothing."""

import stat
import sys
from pathlib import Path

import pytest

from setright.hooks import program
from setright.hooks.place import Machine

ANSWERS = 'import json; json.loads(input()); print(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}), flush=True)'


def a_program(folder: Path, code: str) -> str:
    file = folder / "setright"
    file.write_text(f"#!{sys.executable}\n{code}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


def test_what_answers_starts(tmp_path: Path, machine: Machine) -> None:
    assert program.cannot_start(a_program(tmp_path, ANSWERS), machine) is None


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "import sys; sys.exit('There is no such command.')",
            "setright mcp does not start: There is no such command.",
        ),
        ("print('hello')", "setright mcp does not start: it ended without an answer"),
        ("input(); print('{}')", "setright mcp does not start: it ended without an answer"),
    ],
)
def test_what_does_not_is_told_with_its_own_words(
    tmp_path: Path, machine: Machine, code: str, reason: str
) -> None:
    assert program.cannot_start(a_program(tmp_path, code), machine) == reason


def test_what_never_answers_is_not_waited_for(
    tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "SECONDS", 0.3)
    silent = a_program(tmp_path, "import time; time.sleep(600)")
    assert "did not answer" in (program.cannot_start(silent, machine) or "")


def test_a_program_that_is_not_there_is_told(machine: Machine) -> None:
    assert "cannot be started" in (program.cannot_start("/nowhere/setright", machine) or "")


def test_asking_makes_no_ledger(tmp_path: Path, machine: Machine) -> None:
    code = f"import os; open(os.path.join(os.environ['SETRIGHT_DATA_FOLDER'], 'ledger.db'), 'w').close(); {ANSWERS}"
    assert program.cannot_start(a_program(tmp_path, code), machine) is None
    assert not Path(machine.data).exists()


def test_our_own_program_starts(machine: Machine) -> None:
    assert program.cannot_start(program.program(), machine) is None
    assert not Path(machine.data).exists()
