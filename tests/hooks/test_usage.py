"""The two entries of their own say how they are used."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["brief", "guard"])
def test_help_says_how_it_is_used(name: str) -> None:
    program = Path(sys.executable).with_name(f"setright-{name}")
    done = subprocess.run(
        [program, "--help"], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
    )
    assert done.stdout.startswith(f"Usage: setright {name} --agent NAME")
