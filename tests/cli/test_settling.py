"""What a command on the ledger of this machine leads to is done before it ends, and what is left is told."""

import json
from pathlib import Path

import pytest

from setright.app.settings import Settings
from setright.app.worker import Worker
from setright.faces.cli import in_process
from tests.cli.shell import Shell
from tests.cli.test_story import a_run


@pytest.fixture
def correction(shell: Shell) -> str:
    """A correction of the agent `support`, which v2 got right and v3 wrong."""
    file = Path(shell.folder / "runs.jsonl")
    file.write_text(json.dumps(a_run("first")))
    shell("runs", "add", file, "--project", "default").good()
    said = ("--answer", "wrong", "--should-say", "14 days")
    made: str = shell("corrections", "add", "first", *said, "--json").good().json["id"]
    entered = in_process.enter(Settings(data_folder=str(shell.data)), lambda _: None)
    with entered.client as client:
        for version, answer in (("v2", "14 days"), ("v3", "30 days")):
            subject = {"kind": "agent", "id": "support", "version": version}
            test_run = client.test_runs.create(project_id="default", subject=subject)
            claimed = client.test_runs.claim(test_run.id)
            (case,) = claimed.cases
            did = {"case_id": case.id, "lease": claimed.lease, "calls": [], "answer": answer}
            client.test_runs.submit(test_run.id, [did])
    return made


def status(shell: Shell, correction: str) -> str:
    return shell("corrections", "show", correction, "--json").good().json["status"]


def test_a_deploy_has_fixed_what_it_fixes_when_the_command_ends(shell: Shell, correction: str) -> None:
    shell("versions", "deploy", "support", "v2").good()
    assert status(shell, correction) == "fixed"
    shell("versions", "deploy", "support", "v3").good()
    shown = shell("corrections", "show", correction, "--json").good().json
    assert (shown["status"], shown["fixedIn"]["version"], shown["reopenedIn"]["version"]) == (
        "open",
        "v2",
        "v3",
    )


def test_what_is_left_is_told_and_reading_does_nothing_of_it(
    shell: Shell, correction: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Worker, "do_what_is_due", lambda self, seconds: None)
        shell("versions", "deploy", "support", "v2").good()
    assert "1 left" in shell("versions", "running", "--project", "default").good().out
    assert shell("versions", "running", "--project", "default", "--json").good().json["data"][0][
        "settling"
    ] == {"left": 1}
    assert status(shell, correction) == "open"
    shell("versions", "pin", "support", "v2", "--project", "default").good()
    assert "left" not in shell("versions", "running", "--project", "default").good().out
    assert status(shell, correction) == "fixed"
