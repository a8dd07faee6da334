"""The tools of ./dev check pass: format, lint, floors and types."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT

TOOLS = Path(sys.executable).parent


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "command", ["ruff format --check .", "ruff check .", "lint-imports --no-logo --no-cache", "basedpyright"]
)
def test_the_tool_finds_nothing(command: str) -> None:
    tool, *arguments = command.split()
    done = subprocess.run([TOOLS / tool, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("command", "bad"),
    [
        ("ruff format --check", "x  =  1\n"),
        ("ruff check", "# x = 1\n"),
        ("ruff check", "import os\n"),
        ("basedpyright", "def f(x):\n    return x\n\n\ny: int = 'text'\n"),
    ],
)
def test_the_tool_can_fail(command: str, bad: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(bad)
    tool, *arguments = command.split()
    done = subprocess.run([TOOLS / tool, *arguments, file], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 1, done.stdout
