"""The 200 real runs of an airline agent go in, each wrong one is corrected, and everything reads back exactly."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.concurrency.wire import Serving, Wire
from tests.real import reading
from tests.real.tau_bench import Trial, trials


@pytest.fixture(scope="module")
def recorded(shared_data: Path, caller: Wire) -> list[Trial]:
    """All trials, recorded through the batch route, and corrected one by one."""
    found = trials(shared_data)
    told = reading.send(caller, [trial.run for trial in found], "tau")
    assert [(one["status"], one["run"]["id"]) for one in told] == [(201, trial.id) for trial in found]
    for trial in found:
        if trial.correction is not None:
            caller.post("/v1/corrections", trial.correction, f"correct-{trial.id}")
    return found


@pytest.fixture(scope="module")
def wrong(recorded: list[Trial]) -> dict[str, dict[str, Any]]:
    """The corrections that were sent, by the run's id."""
    return {trial.id: trial.correction for trial in recorded if trial.correction is not None}


@pytest.fixture(scope="module")
def corrected(caller: Wire, wrong: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The corrections as they are listed, by the run's id."""
    return {one["runId"]: one for one in caller.all("/v1/corrections")}


def test_the_data_is_what_it_is_said_to_be(recorded: list[Trial], wrong: dict[str, Any]) -> None:
    assert len(recorded) == 200
    assert sum(len(trial.run["messages"]) for trial in recorded) == 5_308
    assert sum(len(trial.run["calls"]) for trial in recorded) == 1_164
    assert len(wrong) == 116
    ids = [
        [call["id"] for message in trial.run["messages"] for call in message.get("tool_calls") or ()]
        for trial in recorded
    ]
    assert sum(len(set(used)) < len(used) for used in ids) == 49


def test_every_run_reads_back_exactly(caller: Wire, recorded: list[Trial]) -> None:
    for trial in recorded:
        found = reading.run_in_full(caller, trial.id)
        assert reading.content_of(found) == reading.content_of(trial.run)
        assert found["callCount"] == len(trial.run["calls"])
        assert (found["subject"], found["participantId"], found["tags"], found["status"]) == (
            trial.run["subject"],
            trial.run["participantId"],
            trial.run["tags"],
            "completed",
        )


def test_sending_them_all_again_records_nothing_new(caller: Wire, recorded: list[Trial]) -> None:
    told = reading.send(caller, [trial.run for trial in recorded], "again")
    assert {one["status"] for one in told} == {200}
    assert len(caller.all("/v1/runs")) == 200


def test_lists_of_runs_count_right(caller: Wire, recorded: list[Trial]) -> None:
    listed = caller.all("/v1/runs")
    assert sorted(run["id"] for run in listed) == sorted(trial.id for trial in recorded)
    assert listed == sorted(listed, key=lambda run: (run["createdAt"], run["id"]), reverse=True)
    for version in range(4):
        listed = caller.all(f"/v1/runs?agentId=airline&agentVersion=trial-{version}")
        assert len(listed) == 50
        assert {run["subject"]["version"] for run in listed} == {f"trial-{version}"}
    people = Counter(trial.run["participantId"] for trial in recorded)
    for person, count in list(people.items())[:12]:
        assert len(caller.all(f"/v1/runs?participantId={person}&status=completed&projectId=default")) == count
    assert caller.all("/v1/runs?status=running&status=failed") == []
    assert caller.all("/v1/runs?flowId=airline") == []
    (agent,) = caller.all("/v1/agents")
    assert agent["id"] == "airline"
    assert len(caller.get("/v1/agents/AIRLINE")["versions"]) == 4


def test_every_correction_reads_back_exactly_with_the_copy_of_its_run(
    caller: Wire, recorded: list[Trial], wrong: dict[str, Any], corrected: dict[str, Any]
) -> None:
    assert set(corrected) == set(wrong)
    for trial in recorded:
        if trial.correction is None:
            continue
        found = caller.get(f"/v1/corrections/{corrected[trial.id]['id']}")
        assert {name: found[name] for name in trial.correction} == trial.correction
        assert found["copy"] == {name: trial.run[name] for name in ("input", "calls", "output", "answer")}
        assert found["subject"] == trial.run["subject"]


def test_lists_of_corrections_count_right(
    caller: Wire, wrong: dict[str, Any], corrected: dict[str, Any]
) -> None:
    by_version = Counter(f"trial-{run_id.rpartition('-')[2]}" for run_id in wrong)
    for version, count in by_version.items():
        assert len(caller.all(f"/v1/corrections?agentId=airline&agentVersion={version}")) == count
    assert len(caller.all("/v1/corrections?status=with-owner&sortedTo=owner&decisions=wrong")) == 116
    assert caller.all("/v1/corrections?status=open&status=fixed&status=removed") == []
    assert caller.all("/v1/corrections?participantId=nobody") == []
    for run_id in list(wrong)[:10]:
        assert [one["id"] for one in caller.all(f"/v1/corrections?runId={run_id}")] == [
            corrected[run_id]["id"]
        ]
    me = caller.get("/v1/me")["id"]
    assert len(caller.all(f"/v1/corrections?madeBy={me}&includeUnregistered=true")) == 116
    middle = sorted(one["createdAt"] for one in corrected.values())[60]
    before, after = (
        caller.all(f"/v1/corrections?until={middle}"),
        caller.all(f"/v1/corrections?since={middle}"),
    )
    assert (len(before), len(after)) == (60, 56)


def test_the_feed_tells_of_each_once(caller: Wire, recorded: list[Trial], corrected: dict[str, Any]) -> None:
    seen: list[dict[str, Any]] = []
    while True:
        page = caller.get(f"/v1/events?limit=100&after={seen[-1]['seq'] if seen else 0}")
        seen += page["data"]
        if not page["hasMore"]:
            break
    told = Counter((event["kind"], event["subject"]["id"]) for event in seen)
    assert {told["correction.recorded", one["id"]] for one in corrected.values()} == {1}
    assert {count for (kind, _), count in told.items() if kind.startswith("run.")} == {1}


def test_correcting_again_with_other_words_supersedes_and_loses_nothing(
    server: Serving, recorded: list[Trial], wrong: dict[str, Any]
) -> None:
    other = server.tenant(f"real-again-{id(wrong)}")
    run_id, said = next(iter(wrong.items()))
    other.post("/v1/runs", next(trial.run for trial in recorded if trial.id == run_id))
    first = other.post("/v1/corrections", said)
    newer = other.post("/v1/corrections", {**said, "why": "seen again"})
    kept = other.all(f"/v1/corrections?runId={run_id}&includeUnregistered=true")
    assert [(one["id"], one.get("supersededBy")) for one in kept] == [
        (newer["id"], None),
        (first["id"], newer["id"]),
    ]
    assert {name: kept[1][name] for name in said} == said
