"""Runs that were read from a file are recorded once each, on both engines, whatever else is in the file."""

import io
import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from setright.app.imports import bring_in, caller_of
from setright.exchange import FORMATS, ImportReport, Into, Stream
from setright.identity.errors import AuthInvalid
from setright.kernel.errors import PermissionDenied, StorageUnavailable
from setright.storage.open import create_or_upgrade
from tests.exchange.samples import Endless, call, entry, made, plain, result, said
from tests.http.support import Api, Caller, open_api


@pytest.fixture(scope="module")
def api(database_url: str) -> Iterator[Api]:
    """The application on each engine."""
    create_or_upgrade(database_url)
    opened = open_api(database_url)
    yield opened
    opened.close()


@pytest.fixture
def caller(api: Api) -> Caller:
    """The admin of a new tenant."""
    return api.tenant()


def brought(
    api: Api, caller: Caller, entries: list[Any] | Stream, agent: str = "bike-desk", **more: str
) -> ImportReport:
    """The report of importing entries as a file of tau-bench."""
    stream = io.BytesIO(json.dumps(entries).encode()) if isinstance(entries, list) else entries
    report = ImportReport()
    into = Into("tau-bench", more.get("project", "default"), agent)
    found = FORMATS["tau-bench"].read(stream)
    bring_in(api.app, caller_of(api.app, caller.token), found, into, "runs.json", report)
    return report


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    return report.new, report.already_there, report.calls, report.not_read


def runs(caller: Caller) -> list[dict[str, Any]]:
    return caller.get("/v1/runs?limit=100").json()["data"]


def test_a_file_comes_in_once_with_every_call(api: Api, caller: Caller) -> None:
    file = [plain(task, trial) for task in range(20) for trial in range(4)]
    assert counts(brought(api, caller, file)) == (80, 0, 80, 0)
    assert counts(brought(api, caller, file)) == (0, 80, 80, 0)
    found = runs(caller)
    assert len(found) == 80
    assert sum(run["callCount"] for run in found) == 80
    assert {run["subject"]["version"] for run in found} == {f"trial-{trial}" for trial in range(4)}


def test_what_came_in_is_what_the_file_held(api: Api, caller: Caller) -> None:
    messages = (made(call("a"), call("b", "")), result("Error: no"), result("1"), said("Done."))
    brought(api, caller, [entry(*messages, task=5, trial=1)])
    (listed,) = runs(caller)
    run = caller.get(f"/v1/runs/{listed['id']}").json()
    assert run["calls"] == [
        {"tool": "a", "args": {"bike": 7}, "error": "Error: no"},
        {"tool": "b", "args": {}, "result": "1"},
    ]
    assert run["messages"][2:] == list(messages)
    assert (run["answer"], run["status"], run["participantId"]) == ("Done.", "completed", "kim_1")
    assert run["tags"] == ["task-5", "reward-0"]


def test_the_same_run_twice_in_a_file_is_one_and_another_under_its_number_is_told(
    api: Api, caller: Caller
) -> None:
    report = brought(api, caller, [plain(1), plain(1), entry(said("Other."), task=1), plain(2)])
    assert counts(report) == (2, 1, 3, 1)
    (told,) = report.told
    assert (told.file, told.place[:18]) == ("runs.json", "entry 2 at line 1,")
    fields = "answer, calls, messages, output"
    assert told.reason == f"is there already with other content in {fields}; a recorded run never changes"


def test_the_same_file_for_another_agent_or_project_is_other_runs(api: Api, caller: Caller) -> None:
    assert caller.post("/v1/projects", {"id": "second", "name": "Second"}).status_code == 201
    for more, new in (({}, 1), ({"agent": "desk"}, 1), ({"project": "second"}, 1), ({"agent": "DESK"}, 0)):
        assert brought(api, caller, [plain()], **more).new == new


def test_a_run_that_the_ledger_refuses_stops_no_other(api: Api, caller: Caller) -> None:
    long = entry(made(call("x" * 201)), result(), task=1)
    report = brought(api, caller, [plain(0), long, plain(2), 7])
    assert counts(report) == (2, 0, 2, 2)
    reasons = {told.reason for told in report.told}
    assert "/calls/0/tool: has 201 characters; allowed: at most 200." in reasons


def test_runs_without_a_call_are_counted(api: Api, caller: Caller) -> None:
    assert brought(api, caller, [plain(0), entry(said(), task=1)]).without_calls == 1


def test_without_the_right_to_write_nothing_comes_in_and_it_ends_at_once(api: Api, caller: Caller) -> None:
    assert caller.post("/v1/projects", {"id": "second", "name": "Second"}).status_code == 201
    elsewhere = caller.service("write", projectId="second")
    with pytest.raises(PermissionDenied):
        brought(api, elsewhere, [plain()])
    assert runs(caller) == []


def test_a_token_that_lets_nobody_in_is_refused(api: Api, caller: Caller) -> None:
    with pytest.raises(AuthInvalid):
        caller_of(api.app, caller.token[:-1] + ("a" if caller.token[-1] != "a" else "b"))


class Breaking:
    """A file that cannot be read to its end."""

    def __init__(self, raw: bytes, error: Exception) -> None:
        self._parts = [raw]
        self._error = error

    def read(self, _size: int, /) -> bytes:
        """The file's beginning, and then the error."""
        if self._parts:
            return self._parts.pop()
        raise self._error


@pytest.mark.parametrize("error", [OSError("the disk is gone"), StorageUnavailable("locked")])
def test_what_was_recorded_before_the_end_stays_and_the_next_time_goes_on_from_there(
    api: Api, caller: Caller, error: Exception
) -> None:
    file = [plain(task) for task in range(70)]
    whole = json.dumps(file).encode()
    with pytest.raises(type(error)):
        brought(api, caller, Breaking(whole[: len(whole) * 6 // 7], error))
    there = len(runs(caller))
    assert 0 < there < 70
    assert counts(brought(api, caller, file)) == (70 - there, there, 70, 0)


def test_a_large_file_comes_in_in_little_memory(api: Api, caller: Caller) -> None:
    run = json.dumps(entry(said("x" * 100_000), task="%s"))
    stream = Endless((run % number).encode() for number in range(300))
    tracemalloc.start()
    try:
        report = brought(api, caller, stream)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert report.new == 300
    assert peak < 30_000_000
