"""The pytest plugin: one test for each correction, whose failure text is the explanation."""

import os
import re
import secrets
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from setright.client import Setright
from tests.client.real_server import RealServer

AGENT = """
def good(case): return "14 days"
def bad(case): return "30 days" if case.input["number"] else "14 days"
def fails(case): raise RuntimeError("no model")
def vague(case): return "14 days" if case.input["number"] else "banana"
def unknown(case): return "banana"
"""
NOTHING = {name: value for name, value in os.environ.items() if not name.startswith(("SETRIGHT_", "PYTEST_"))}


@dataclass(frozen=True)
class Told:
    """How pytest ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def counts(self) -> dict[str, int]:
        """What its last line counts."""
        last = self.out.strip().splitlines()[-1]
        return {word: int(count) for count, word in re.findall(r"(\d+) ([a-z]+)", last.partition(" in ")[0])}


class Desk:
    """An agent with two corrections, and pytest in an empty folder beside its code."""

    def __init__(self, server: RealServer, client: Setright, folder: Path) -> None:
        self.server, self.client, self.folder = server, client, folder
        self.name = f"desk-{secrets.token_hex(4)}"
        self.made: list[str] = []
        (folder / "my_agent.py").write_text(AGENT)
        for number in range(2):
            subject = {"kind": "agent", "id": self.name, "version": "v1"}
            run = client.runs.create(
                project_id="default", subject=subject, input={"number": number}, output="30 days"
            )
            made = client.corrections.create(run_id=run.id, answer="wrong", should_say="14 days")
            self.made.append(made.id)

    def __call__(self, function: str | None, *more: str, setright: bool = True) -> Told:
        """Run pytest with the plugin and no other."""
        what = ("--setright", "--setright-project", "default", "--setright-subject", self.name)
        version = ("--setright-version", "v2")
        who = () if function is None else ("--setright-agent", f"my_agent:{function}")
        options = [*what, *version, *who] if setright else []
        command = [sys.executable, "-m", "pytest", "-p", "setright.pytest_plugin", *options, *more]
        environment = {
            **NOTHING,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "SETRIGHT_URL": self.server.url,
            "SETRIGHT_TOKEN": self.server.token,
        }
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, cwd=self.folder, env=environment, timeout=60
        )
        return Told(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def tested(real_server: RealServer, real_client: Setright, tmp_path: Path) -> Desk:
    return Desk(real_server, real_client, tmp_path)


def test_a_version_that_is_right_passes_a_test_for_each_correction(tested: Desk) -> None:
    told = tested("good", "-v")
    assert (told.code, told.counts) == (0, {"passed": 2}), told.out
    for made in tested.made:
        assert f"setright::{made} PASSED" in told.out
    assert "2 right, 0 wrong, 0 not evaluated" in told.out
    assert "deploy or pin it and 2 corrections become fixed" in told.out


def test_what_is_wrong_fails_with_the_explanation(tested: Desk) -> None:
    told = tested("bad")
    assert (told.code, told.counts) == (1, {"failed": 1, "passed": 1}), told.out
    assert f"setright::{tested.made[1]}" in told.out
    assert "still wrong: The answer" in told.out
    assert "Traceback" not in told.out


def test_an_agent_that_fails_fails_and_what_is_not_known_is_skipped(tested: Desk) -> None:
    told = tested("fails")
    assert (told.code, told.counts) == (1, {"failed": 2}), told.out
    assert "RuntimeError: no model" in told.out
    assert tested("vague").counts == {"passed": 1, "skipped": 1}
    unknown = tested("unknown", "-rs")
    assert (unknown.code, unknown.counts) == (1, {"skipped": 2}), unknown.out
    assert "needs-match" in unknown.out


def test_some_can_be_chosen_by_name_beside_ordinary_tests(tested: Desk) -> None:
    (tested.folder / "test_own.py").write_text("def test_own(): pass\n")
    assert tested("good").counts == {"passed": 3}
    told = tested("good", "-k", tested.made[0])
    assert told.counts == {"passed": 1, "deselected": 2}, told.out
    (last, *_) = tested.client.test_runs.list(agent_id=tested.name)
    assert last.filter == {"ids": [tested.made[0]]}
    assert tested("good", "--collect-only", "-q").out.count("setright::") == 2
    assert len(list(tested.client.test_runs.list(agent_id=tested.name))) == 2


def test_without_the_option_it_does_nothing(tested: Desk) -> None:
    assert tested(None, setright=False).code == pytest.ExitCode.NO_TESTS_COLLECTED
    assert list(tested.client.test_runs.list(agent_id=tested.name)) == []


def test_what_is_missing_or_refused_is_told_without_a_traceback(tested: Desk) -> None:
    for told, says in (
        (tested(None), "--setright-agent or --setright-endpoint, one of them"),
        (tested("nothing"), "there is no nothing"),
        (tested("good", "--setright-project", "nowhere"), "project-not-found"),
        (tested("good", "--setright-flow", "f"), "--setright-subject or --setright-flow, one of them"),
    ):
        whole = told.out + told.err
        assert says in whole, whole
        assert told.code in (2, pytest.ExitCode.USAGE_ERROR)
        assert "Traceback" not in whole


def test_several_processes_share_one_test_run(tested: Desk) -> None:
    told = tested("bad", "-p", "xdist.plugin", "-n", "2")
    assert (told.code, told.counts) == (1, {"failed": 1, "passed": 1}), told.out
    (only,) = tested.client.test_runs.list(agent_id=tested.name)
    assert (only.status, only.cases.done) == ("finished", 2)
