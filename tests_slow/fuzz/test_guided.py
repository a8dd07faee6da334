"""The same readers, given bytes that were chosen by the lines of our code that the last ones reached (atheris)."""

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.house.tree import ROOT
from tests_slow.fuzz.fuzzing import SECONDS, TOLD
from tests_slow.fuzz.targets import TARGETS

pytestmark = pytest.mark.timeout(900)
PYTHON = ROOT / ".venv-fuzz" / "bin" / "python"


@pytest.mark.parametrize("name", TARGETS)
def test_any_bytes_are_read_or_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "inputs").mkdir()
    for number, known in enumerate(TARGETS[name][1]):
        (tmp_path / "inputs" / str(number)).write_bytes(known)
    ours = os.pathsep.join([str(ROOT / "src"), str(ROOT), sysconfig.get_path("purelib")])
    done = subprocess.run(
        [PYTHON, "-m", "tests_slow.fuzz.guided", name, SECONDS, tmp_path],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ours, "PATH": os.environ["PATH"]},
        cwd=tmp_path,
        timeout=float(SECONDS) + 240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-8_000:]
    count = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    assert count is not None
    TOLD.append(f"guided {name}: {count[1]} inputs in {SECONDS} s")
