"""Recording runs: what is accepted comes back exactly, and the same id never means two contents."""

from typing import Any

import pytest

from setright import events, runs
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import InvalidBody, PermissionDenied, UnknownField
from setright.kernel.fields import validate
from setright.kernel.ids import looks_like_ours
from setright.runs import NewRun, RecordedRun, RunExists, RunInFull, RunNotFound
from setright.storage import Tx
from tests.support.ledger import Ledger, Tenant


def body(**changes: Any) -> dict[str, Any]:
    """A run on the wire."""
    whole = {
        "projectId": "default",
        "subject": {"kind": "agent", "id": "billing", "version": "v1"},
        **changes,
    }
    return {name: value for name, value in whole.items() if value is not ...}


def record(ledger: Ledger, actor: Actor, **changes: Any) -> RecordedRun:
    """Record a run and its events in a committed transaction."""

    def write(tx: Tx) -> RecordedRun:
        recorded = runs.record_run(tx, validate(NewRun, body(**changes)))
        events.append(tx)
        return recorded

    return ledger.write(write, actor)


def read(ledger: Ledger, actor: Actor, run_id: str, after: int = 0, limit: int = 100) -> RunInFull:
    """Read a run in full."""
    return ledger.read(lambda at: runs.get_run(at, run_id, after, limit), actor)


def test_a_finished_run_comes_back_as_it_was_sent(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    sent: dict[str, Any] = {
        "input": {"question": "1 + 1?", "a.b": {"": None}},
        "messages": [
            {"role": "user", "content": "hi", "name": "x"},
            {"content": None, "role": "assistant", "tool_calls": []},
        ],
        "calls": [
            {
                "tool": "math.sum",
                "args": {"z": 1, "a": 2.0},
                "result": None,
                "endedAt": "2026-01-05T01:00:00+08:00",
            },
            {"tool": "lookup", "args": {}, "error": {"code": 7}},
        ],
        "output": {"sum": 2},
        "answer": "two",
    }
    run = record(ledger, admin, **sent, participantId="p1", tags=["a", "b", "a"]).run
    found = read(ledger, admin, run.id)
    assert found.run == run
    assert found.content == runs.RunContent(sent["input"], sent["messages"], sent["output"], True, "two")
    assert found.calls == sent["calls"]
    assert list(found.calls[0]["args"]) == ["z", "a"]
    assert (run.participant_id, run.tags, run.call_count, run.status) == (
        "p1",
        ("a", "b", "a"),
        2,
        "completed",
    )
    assert (run.recorded_by_kind, run.recorded_by_id) == (admin.kind, admin.id)
    assert run.created_at == run.finished_at
    assert looks_like_ours(run.id)
