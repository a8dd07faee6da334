"""Changes the pure rules a line at a time, runs their tests on each change, and tells what no test noticed.

`./dev mutate [FILE ...]`: all files of TARGETS, or those named. cosmic-ray makes the changes; the tests run in a fork
of this process that has loaded pytest already and reads the changed file instead of the one on the disk, so that
nothing of the tree is ever written. Changes after which a program does the same are known (equivalent.py) and not
counted. The answer is 1 where fewer than 90 % of a file's other changes were noticed, or where what is known of it
is not true any more.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import SourceLoader
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests_slow.mutate.equivalent import EQUIVALENT

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"
CHANGES = [ROOT / ".venv-mutate" / "bin" / "python", Path(__file__).parent / "changes.py"]
SECONDS = 60
LEAST = 0.9
MATCHING = ("tests/matching",)
# Only pytest itself, without what its plugins load.
OPTIONS = ("-x", "-q", "-c", os.devnull, "--rootdir", str(ROOT), "--import-mode", "importlib", "--noconftest")
OPTIONS += ("-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "tests_slow.mutate.quick")
LOADED = ("hypothesis.strategies", "sqlalchemy", "tests.kernel.json_values")
# Of each file the tests that know it best come first: most changes are noticed by them.
TARGETS: Mapping[str, Sequence[str]] = {
    "matching/answers.py": ("tests/matching/test_answers.py", *MATCHING),
    "matching/calls.py": ("tests/matching/test_decisions.py", "tests/matching/test_places.py", *MATCHING),
    "matching/decisions.py": (
        "tests/matching/test_decisions.py",
        "tests/matching/test_verdicts.py",
        *MATCHING,
    ),
    "matching/items.py": ("tests/matching/test_items.py", *MATCHING),
    "matching/lists.py": ("tests/matching/test_items.py", *MATCHING),
    "matching/model.py": ("tests/matching/test_verdicts.py", *MATCHING),
    "matching/nearest.py": ("tests/matching/test_verdicts.py", *MATCHING),
    "matching/places.py": ("tests/matching/test_places.py", *MATCHING),
    "matching/showing.py": ("tests/matching/test_showing.py", *MATCHING),
    "matching/text.py": ("tests/matching/test_text.py", *MATCHING),
    "matching/values.py": ("tests/matching/test_values.py", *MATCHING),
    "matching/verdicts.py": ("tests/matching/test_verdicts.py", *MATCHING),
    "corrections/lifecycle.py": (
        "tests/corrections/test_lifecycle.py",
        "tests/corrections/test_lifecycle_moves.py",
    ),
    "erasure/lifecycle.py": ("tests/erasure/test_lifecycle.py",),
    "identity/lifecycle.py": ("tests/identity/test_lifecycle.py",),
    "jobs/lifecycle.py": ("tests/jobs/test_lifecycle.py",),
    "kernel/lifecycle.py": ("tests/kernel/test_lifecycle.py",),
    "knowledge/lifecycle.py": ("tests/knowledge/test_life.py",),
    "lessons/lifecycle.py": ("tests/lessons/test_lifecycle.py", "tests/lessons/test_life.py"),
    "proof/lifecycle.py": ("tests/proof/test_lifecycle.py", "tests/proof/test_life.py"),
    "reviews/lifecycle.py": ("tests/reviews/test_lifecycle.py",),
    "runs/lifecycle.py": ("tests/runs/test_lifecycle.py",),
    "subjects/lifecycle.py": ("tests/subjects/test_lifecycle.py",),
}


@dataclass(frozen=True, slots=True)
class Result:
    """What came of the changes of one file; `untrue` are those known as equivalent that were noticed, or are none."""

    name: str
    changes: int
    survived: int
    equivalent: int
    untrue: Sequence[str]

    @property
    def killed(self) -> int:
        """The changes that a test noticed."""
        return self.changes - self.survived - self.equivalent

    @property
    def share(self) -> float:
        """The share of noticed changes, of those after which the program does something else."""
        told = self.killed + self.survived
        return self.killed / told if told else 1

    def written(self) -> str:
        """A row of the table."""
        word = "reached" if self.share >= LEAST and not self.untrue else "MISSED"
        counts = f"{self.changes:>8}{self.killed:>8}{self.survived:>9}{self.equivalent:>11}"
        return f"{self.name:<26}{counts}{self.share:>9.1%}  {word}"


class Changed(SourceLoader):
    """Loads one module from a changed source, and the others as ever."""

    def __init__(self, file: Path, source: str) -> None:
        self._file = file
        self._name = ".".join(file.relative_to(SRC).with_suffix("").parts)
        self._source = source

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The changed module, if it is that one that is looked for."""
        if name != self._name:
            return None
        assert PathFinder.find_spec(name, path, target) is not None
        return spec_from_loader(name, self, origin=str(self._file))

    def get_filename(self, fullname: str) -> str:
        """Where the module would be without the change."""
        assert fullname == self._name
        return str(self._file)

    def get_data(self, path: str) -> bytes:
        """The changed source; there is nothing compiled of it."""
        if path != str(self._file):
            raise FileNotFoundError(path)
        return self._source.encode()


def is_noticed(file: Path, source: str, tests: Sequence[str]) -> bool:
    """Whether a test fails, or does not come to an end, with a changed source in the place of a file."""
    return any(fails(file, source, path) for path in tests)


def fails(file: Path, source: str, path: str) -> bool:
    """Whether the tests at one path fail, in a fork that ends with them."""
    child = os.fork()
    if child == 0:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        sys.meta_path.insert(0, Changed(file, source))
        os._exit(int(pytest.main([*OPTIONS, path])))
    return ended(child) != 0


def ended(child: int) -> int:
    """The exit code of a child, which is killed when it takes too long."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def changes_of(file: Path) -> list[dict[str, str]]:
    """Every change of a file."""
    done = subprocess.run([*CHANGES, file], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def measure(name: str) -> Result:
    """Make every change of a file, and print those that no test noticed."""
    file, tests = SRC / "setright" / name, TARGETS[name]
    if is_noticed(file, file.read_text("utf-8"), tests):
        raise SystemExit(f"The tests of {name} fail without any change.")
    known = {line for lines in EQUIVALENT.get(name, {}).values() for line in lines}
    found = changes_of(file)
    survived = 0
    equivalent: list[str] = []
    for change in found:
        if not is_noticed(file, change["source"], tests):
            after = change["change"].rpartition(" => ")[2]
            if after in known:
                equivalent.append(after)
            else:
                survived += 1
                print(f"  {name} {change['operator']}, {change['change']}", flush=True)
    return Result(name, len(found), survived, len(equivalent), sorted(known - set(equivalent)))


def main() -> int:
    """Measure the files, print what came of each, and answer 1 where too few changes were noticed."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for module in LOADED:
        importlib.import_module(module)
    asked = [name.removeprefix("src/setright/") for name in sys.argv[1:]] or list(TARGETS)
    unknown = [name for name in asked if name not in TARGETS]
    if unknown:
        print(
            f"Not among the pure rules: {', '.join(unknown)}. There are {', '.join(TARGETS)}.",
            file=sys.stderr,
        )
        return 2
    results = [measure(name) for name in asked]
    print(
        f"\nmutate, at least {LEAST:.0%} of each file\n{'':<26} changes  killed survived equivalent    share"
    )
    for one in results:
        print(one.written())
        for after in one.untrue:
            print(f"    known as equivalent, and not so: {after}")
    return 0 if all(one.share >= LEAST and not one.untrue for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
