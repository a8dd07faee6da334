"""Two hundred real runs of an airline's agent, and real traces with long and odd texts, come back as they went in."""

import json
from pathlib import Path
from typing import Any

from setright import runs
from setright.kernel import json as wire
from setright.kernel.fields import validate
from setright.runs import BatchOutcome, RunBatch
from setright.storage import Tx
from tests.runs.support import read, record
from tests.support.ledger import Ledger


def run_of(trajectory: dict[str, Any]) -> dict[str, Any]:
    """A trajectory as a run; the answers of tools are found by order, because call ids are used again."""
    messages: list[dict[str, Any]] = trajectory["traj"]
    results = [message["content"] for message in messages if message["role"] == "tool"]
    made = [call for message in messages for call in message.get("tool_calls") or ()]
    calls = [
        {
            "tool": call["function"]["name"],
            "args": json.loads(call["function"]["arguments"]),
            "result": result,
        }
        for call, result in zip(made, results, strict=True)
    ]
    said = [one["content"] for one in messages if one["role"] == "assistant" and one["content"]]
    return {
        "id": f"airline/{trajectory['task_id']}/{trajectory['trial']}",
        "projectId": "default",
        "subject": {"kind": "agent", "id": "airline", "version": "gpt-4o"},
        "input": trajectory["info"]["task"]["instruction"],
        "messages": messages,
        "calls": calls,
        "output": said[-1],
        "tags": [f"reward-{trajectory['reward']}"],
    }


def test_real_runs_come_back_exactly(ledger: Ledger, shared_data: Path) -> None:
    admin = ledger.tenant().admin
    trajectories = json.loads((shared_data / "tau_bench" / "gpt-4o-airline.json").read_bytes())
    sent = [run_of(trajectory) for trajectory in trajectories]

    def write(tx: Tx, part: list[dict[str, Any]]) -> list[BatchOutcome]:
        body = wire.read(wire.write({"runs": part}))
        return runs.record_batch(tx, validate(RunBatch, body).checked())

    for first in range(0, len(sent), 50):
        outcomes = ledger.write(lambda tx, first=first: write(tx, sent[first : first + 50]), admin)
        assert [outcome.created for outcome in outcomes] == [True] * 50
    again = ledger.write(lambda tx: write(tx, sent[:50]), admin)
    assert [(outcome.created, outcome.refusal) for outcome in again] == [(False, None)] * 50
    messages = calls = 0
    for run in sent:
        found = read(ledger, admin, run["id"], limit=10_000)
        assert found.content is not None
        assert found.content.messages == run["messages"]
        assert found.calls == run["calls"]
        assert (found.content.input, found.content.output, found.content.answer) == (
            run["input"],
            run["output"],
            run["output"],
        )
        messages, calls = messages + len(run["messages"]), calls + found.run.call_count
    assert (len(sent), messages, calls) == (200, 5308, 1164)


def test_real_traces_come_back_exactly(ledger: Ledger, shared_data: Path) -> None:
    admin = ledger.tenant().admin
    paths = sorted((shared_data / "langfuse_traces").glob("*.json"))
    assert paths
    for path in paths:
        trace: Any = wire.read(path.read_bytes())
        run = record(ledger, admin, input=trace, output=trace).run
        found = read(ledger, admin, run.id).content
        assert found is not None
        assert wire.write(found.input) == wire.write(found.output) == wire.write(trace)
