"""The longest results and the oddest texts of ten agent frameworks go in and come out as they were."""

from pathlib import Path
from typing import Any

import pytest

from tests.concurrency.wire import Wire
from tests.real import agent_traces, reading


@pytest.fixture(scope="module")
def recorded(shared_data: Path, caller: Wire) -> list[dict[str, Any]]:
    """One run for each export."""
    runs = agent_traces.runs(shared_data)
    told = reading.send(caller, runs, "traces")
    assert [one["status"] for one in told] == [201] * len(runs) == [201] * 10
    return runs


def test_every_export_reads_back_exactly(caller: Wire, recorded: list[dict[str, Any]]) -> None:
    for run in recorded:
        found = reading.run_in_full(caller, run["id"], page=5)
        assert reading.content_of(found) == reading.content_of(run)


def test_the_longest_results_are_whole(caller: Wire, recorded: list[dict[str, Any]]) -> None:
    for run in recorded:
        longest = max(range(len(run["calls"])), key=lambda place: len(str(run["calls"][place]["result"])))
        (call,) = caller.get(f"/v1/runs/{run['id']}?callsLimit=1&callsAfter={longest}")["calls"]
        assert call == run["calls"][longest]


def test_the_oddest_texts_stand_in_corrections_as_they_were_said(
    caller: Wire, recorded: list[dict[str, Any]]
) -> None:
    for run in recorded:
        for text in agent_traces.oddest(run, 5):
            said = {"runId": run["id"], "answer": "wrong", "shouldSay": text[:4000], "why": text[-4000:]}
            args = {"text": text[:1000], text[:50]: [text[:500]]}
            said |= {"decisions": "wrong", "shouldCall": [{"tool": text[:200], "args": args}]}
            made = caller.post("/v1/corrections", said)
            found = caller.get(f"/v1/corrections/{made['id']}")
            assert {name: found[name] for name in said} == said
            assert found["copy"]["calls"] == run["calls"]


def test_one_result_repeated_to_megabytes_is_kept_up_to_the_limit_and_refused_beyond_it_by_name(
    caller: Wire, recorded: list[dict[str, Any]]
) -> None:
    text = max((text for run in recorded for text in agent_traces.texts(run)), key=len)
    large = text * (3_500_000 // len(text.encode()) // 2)
    started = {name: recorded[0][name] for name in ("projectId", "subject", "input")} | {"id": "large"}
    caller.post("/v1/runs", started)
    body = {"position": 0, "calls": [{"tool": "fetch", "args": {}, "result": large}]}
    caller.post("/v1/runs/large/calls", body)
    assert caller.get("/v1/runs/large")["calls"] == body["calls"]
    told = caller.send(
        "POST", "/v1/runs/large/calls", {"position": 1, "calls": [{"tool": "fetch", "result": large * 3}]}
    )
    assert (told.status, told.code) == (413, "request-too-large")
    assert told.json["error"]["details"]["maxBytes"] == 4 * 1024 * 1024
    assert caller.get("/v1/runs/large")["callCount"] == 1
