"""./dev: what it says to a newcomer, and that one environment is made once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT

COMMANDS = ["bench", "check", "crash", "demo", "docs", "fix", "fuzz", "lock", "mutate", "run", "test"]
NEEDED = ["cat", "chmod", "cksum", "dirname", "head", "mkdir", "rm", "sh", "sleep"]

# A Python that makes environments of one script, slowly, and writes down what it was asked for.
PYTHON_THAT_MAKES = """#!/bin/sh
case "$*" in
    "-m venv .venv")
        echo made >>made.log
        sleep 0.3
        mkdir -p .venv/bin
        echo '#!/bin/sh' >.venv/bin/python
        echo 'case "$*" in *"FAILS"*) exit 1 ;; esac' >>.venv/bin/python
        echo 'echo "$*" >>pip.log' >>.venv/bin/python
        chmod +x .venv/bin/python ;;
    *) exec REAL "$@" ;;
esac
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with what ./dev reads, and a path on which only a few small programs stand."""
    place = tmp_path / "clone"
    (place / "bin").mkdir(parents=True)
    for name in NEEDED:
        found = shutil.which(name, path=f"{os.environ['PATH']}:{os.defpath}")
        (place / "bin" / name).symlink_to(found or name)
    shutil.copy(ROOT / "dev", place / "dev")
    for name in ("requirements.txt", "pyproject.toml"):
        (place / name).write_text("as it is\n")
    return place


def python(place: Path, text: str, name: str = "python3") -> None:
    file = place / "bin" / name
    file.write_text(text.replace("REAL", sys.executable))
    file.chmod(0o755)


def start(place: Path, *arguments: str) -> "subprocess.Popen[str]":
    environment = {"PATH": str(place / "bin"), "HOME": os.environ.get("HOME", "/")}
    pipe = subprocess.PIPE
    return subprocess.Popen([place / "dev", *arguments], env=environment, stdout=pipe, stderr=pipe, text=True)


def dev(place: Path, *arguments: str) -> tuple[int, str, str]:
    process = start(place, *arguments)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_help_names_every_command(clone: Path) -> None:
    code, out, _ = dev(clone, "--help")
    assert code == 0
    assert [name for name in COMMANDS if f"  {name}" not in out] == []


@pytest.mark.parametrize("arguments", [[], ["frobnicate"]])
def test_an_unknown_command_gets_the_usage(clone: Path, arguments: list[str]) -> None:
    code, out, err = dev(clone, *arguments)
    assert (code, out) == (2, "")
    assert "Usage: ./dev COMMAND" in err
    assert all(f"no command '{name}'" in err for name in arguments)


def test_no_python_is_said(clone: Path) -> None:
    code, _, err = dev(clone, "env")
    assert code == 2
    assert "No Python 3.11 or newer answers to: python3 python3.14" in err


def test_an_old_python_is_no_python(clone: Path) -> None:
    python(clone, "#!/bin/sh\nexit 1\n")
    assert "No Python 3.11 or newer" in dev(clone, "env")[2]


def test_a_missing_venv_names_the_system_package(clone: Path) -> None:
    python(clone, '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1 ;; esac\n')
    code, _, err = dev(clone, "env")
    assert code == 2
    assert "python3-venv" in err
    assert not (clone / ".venv").exists()


def test_another_python_with_venv_is_taken_instead(clone: Path) -> None:
    python(clone, '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1 ;; esac\n')
    python(clone, PYTHON_THAT_MAKES, "python3.12")
    assert dev(clone, "env")[0] == 0


def test_the_environment_is_made_once_however_many_ask(clone: Path) -> None:
    python(clone, PYTHON_THAT_MAKES)
    asked = [start(clone, "env") for _ in range(4)]
    assert [process.wait(timeout=60) for process in asked] == [0, 0, 0, 0]
    assert (clone / "made.log").read_text() == "made\n"
    installs = (clone / "pip.log").read_text().splitlines()
    assert len(installs) == 2
    assert "--require-hashes -r requirements.txt" in installs[0]
    assert "--no-deps --no-build-isolation --editable ." in installs[1]
    for process in asked:
        process.communicate()


def test_new_requirements_are_installed_into_the_same_environment(clone: Path) -> None:
    python(clone, PYTHON_THAT_MAKES)
    dev(clone, "env")
    (clone / "requirements.txt").write_text("another\n")
    assert dev(clone, "env")[0] == 0
    assert (clone / "made.log").read_text() == "made\n"
    assert (clone / "pip.log").read_text().count("--require-hashes") == 2


def test_a_folder_that_was_moved_gets_a_new_environment(clone: Path) -> None:
    python(clone, PYTHON_THAT_MAKES)
    dev(clone, "env")
    (clone / ".venv" / "place").write_text("elsewhere\n")
    (clone / "requirements.txt").write_text("another\n")
    dev(clone, "env")
    assert (clone / "made.log").read_text() == "made\nmade\n"


@pytest.mark.parametrize("step", ["--require-hashes", "--editable"])
def test_an_install_that_fails_leaves_no_finished_environment(clone: Path, step: str) -> None:
    python(clone, PYTHON_THAT_MAKES.replace("FAILS", step))
    code, _, err = dev(clone, "env")
    assert code == 2
    assert "The environment could not be made" in err
    assert not (clone / ".venv" / "stamp").exists()


def test_an_unknown_bench_is_said(clone: Path) -> None:
    python(clone, PYTHON_THAT_MAKES)
    code, _, err = dev(clone, "bench", "nothing")
    assert code == 2
    assert "there is no bench 'nothing'" in err


def test_ci_calls_the_tests_and_nothing_else() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    commands = [line for line in lines if line and not line.startswith("#")]
    assert commands == ['exec "$(dirname "$0")/../dev" test']
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert os.access(ROOT / "dev", os.X_OK)
