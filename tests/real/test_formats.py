"""Real files of other tools come in with every call, in the format that is recognised, and again add nothing."""

import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from setright.app.imports import bring_in, caller_of
from setright.exchange import Ahead, Format, ImportReport, Into, ReadRun, by_mapping, recognise
from setright.exchange import Mapping as RunMapping
from setright.kernel.fields import validate
from tests.concurrency.wire import Serving, Wire

MINT = {"messages": "/state/history", "tags": ["/task/task_name", "/state/terminate_reason"]}


def read(path: Path) -> tuple[Format, list[ReadRun]]:
    with path.open("rb") as file:
        ahead = Ahead(file)
        known = recognise(ahead)
        assert known is not None
        return known, [one for one in known.read(ahead) if isinstance(one, ReadRun)]


def said(path: Path) -> Counter[tuple[str, str]]:
    """The calls that stand in the messages beside a trace, each once."""
    found = set[tuple[str, str, str]]()
    for one in json.loads(path.read_text("utf-8")).values():
        for side in one.values():
            found |= set(_calls(side.get("data"))) if side.get("success") else set()
    return Counter((tool, args) for tool, args, _ in found)


def _calls(value: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, list):
        for inner in value:
            yield from _calls(inner)
    if not isinstance(value, dict):
        return
    for call in value.get("tool_calls") or ():
        yield call["name"], _plain(json.loads(call["arguments"])), call["id"]
    if value.get("type") == "tool_use":
        yield value["name"], _plain(value["input"]), value["id"]
    for inner in value.values():
        yield from _calls(inner) if isinstance(inner, dict | list) and "arguments" not in value else ()


def _plain(args: Any) -> str:
    return json.dumps(args, sort_keys=True)


def test_the_calls_of_every_trace_are_those_of_the_messages_beside_it(shared_data: Path) -> None:
    files = sorted((shared_data / "langfuse_traces").glob("*.trace.json"))
    assert len(files) == 10
    counts = Counter[str]()
    for path in files:
        known, (run,) = read(path)
        calls = run.said["calls"]
        beside = said(path.with_name(path.name.replace(".trace.", ".chatml.")))
        assert Counter((call["tool"], _plain(call["args"])) for call in calls) == beside, path.name
        assert all("result" in call for call in calls if call["tool"] != "final_result")
        counts[known.name] += len(calls)
    assert counts == {"langfuse": 11}


@pytest.mark.parametrize(
    ("folder", "name", "runs", "calls", "open_calls"),
    [
        ("atif", "atif", 5, 11, 2),
        ("claude_code", "claude-code", 10, 5, 2),
        ("tau_bench", "tau-bench", 200, 1_164, None),
    ],
)
def test_every_other_file_is_read_with_every_call(
    shared_data: Path, folder: str, name: str, runs: int, calls: int, open_calls: int | None
) -> None:
    found = [read(path) for path in sorted((shared_data / folder).iterdir())]
    assert {known.name for known, _ in found} == {name}
    all_runs = [run for _, one in found for run in one]
    all_calls = [call for run in all_runs for call in run.said["calls"]]
    assert (len(all_runs), len(all_calls)) == (runs, calls)
    if open_calls is not None:
        assert sum("result" not in call and "error" not in call for call in all_calls) == open_calls


def test_files_of_no_known_form_come_in_by_a_mapping(shared_data: Path) -> None:
    mapping = validate(RunMapping, MINT)
    raw = (shared_data / "mint" / "gsm8k_results.jsonl").read_bytes()
    assert recognise(Ahead(io.BytesIO(raw))) is None
    found = list(by_mapping(mapping).read(io.BytesIO(raw)))
    assert all(isinstance(one, ReadRun) for one in found)
    assert len(found) == 48


def test_all_of_them_are_recorded_once(shared_data: Path, server: Serving, caller: Wire) -> None:
    reports = [bring_all(shared_data, server, caller) for _ in range(2)]
    assert [(report.new, report.already_there) for report in reports] == [(25, 0), (0, 25)]
    assert reports[0].calls == 27
    assert len(caller.all("/v1/runs")) == 25


def bring_all(folder: Path, server: Serving, caller: Wire) -> ImportReport:
    """The report of importing every file in which the agent is named."""
    report = ImportReport()
    there = caller_of(server.app, caller._token)
    files = [
        path for name in ("atif", "claude_code", "langfuse_traces") for path in (folder / name).iterdir()
    ]
    for path in sorted(path for path in files if ".chatml." not in path.name):
        with path.open("rb") as file:
            ahead = Ahead(file)
            known = recognise(ahead)
            assert known is not None
            bring_in(server.app, there, known.read(ahead), Into(known.name, "default"), path.name, report)
    return report
