"""The 200 real runs of tau-bench come in through the importer with no call lost, and read back as the file holds them."""

import json
from pathlib import Path
from typing import Any

import pytest

from setright.app.imports import bring_in, caller_of
from setright.exchange import FORMATS, ImportReport, Into
from tests.concurrency.wire import Serving, Wire
from tests.real import reading
from tests.real.tau_bench import calls_of

INTO = Into("tau-bench", "default", "airline")


def brought(server: Serving, caller: Wire, file: Path) -> ImportReport:
    """The report of an import into a ledger that is served at the same time."""
    report = ImportReport()
    with file.open("rb") as stream:
        found = FORMATS["tau-bench"].read(stream)
        caller_there = caller_of(server.app, caller._token)
        bring_in(server.app, caller_there, found, INTO, file.name, report)
    return report


@pytest.fixture(scope="module")
def file(shared_data: Path) -> Path:
    return shared_data / "tau_bench" / "gpt-4o-airline.json"


@pytest.fixture(scope="module")
def trials(file: Path) -> list[dict[str, Any]]:
    return json.loads(file.read_text("utf-8"))


@pytest.fixture(scope="module")
def reports(file: Path, server: Serving, caller: Wire) -> list[ImportReport]:
    """Of importing the file, and of importing it again."""
    return [brought(server, caller, file) for _ in range(2)]


@pytest.fixture(scope="module")
def runs(reports: list[ImportReport], caller: Wire) -> list[dict[str, Any]]:
    """Every run in full, in the order of the file."""
    found = [reading.run_in_full(caller, one["id"]) for one in caller.all("/v1/runs")]
    places = {
        (f"task-{task}", f"trial-{trial}"): task + 50 * trial for task in range(50) for trial in range(4)
    }
    return sorted(found, key=lambda run: places[run["tags"][0], run["subject"]["version"]])


def test_every_run_and_every_call_comes_in_once(reports: list[ImportReport]) -> None:
    first, again = reports
    assert (first.new, first.already_there, first.calls, first.not_read) == (200, 0, 1_164, 0)
    assert (again.new, again.already_there, again.calls, again.not_read) == (0, 200, 1_164, 0)
    assert first.without_calls == 18


def test_every_run_reads_back_as_the_file_holds_it(
    runs: list[dict[str, Any]], trials: list[dict[str, Any]]
) -> None:
    assert len(runs) == len(trials) == 200
    for run, trial in zip(runs, trials, strict=True):
        assert run["messages"] == trial["traj"]
        assert run["calls"] == list(calls_of(trial["traj"]))
        assert run["callCount"] == len(run["calls"])
        assert run["input"] == trial["traj"][1]["content"]
        assert run["participantId"] == trial["info"]["task"]["user_id"]
        assert run["tags"] == [f"task-{trial['task_id']}", f"reward-{trial['reward']:g}"]
        assert run["subject"] == {"kind": "agent", "id": "airline", "version": f"trial-{trial['trial']}"}


def test_what_failed_is_marked(runs: list[dict[str, Any]]) -> None:
    failed = [call for run in runs for call in run["calls"] if "error" in call]
    assert len(failed) == 73
    assert all(call["error"].startswith("Error: ") for call in failed)
    assert sum("reward-0" in run["tags"] for run in runs) == 116
