"""Sending real runs, and reading them back whole."""

import json
from collections.abc import Sequence
from typing import Any

from tests.concurrency.wire import Wire

BATCH_BYTES = 3_000_000


def send(caller: Wire, runs: Sequence[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """Record runs through the batch route, in as few requests as its limit allows; what was told of each."""
    batches: list[list[dict[str, Any]]] = [[]]
    left = BATCH_BYTES
    for run in runs:
        size = len(json.dumps(run))
        if size > left:
            batches.append([])
            left = BATCH_BYTES
        batches[-1].append(run)
        left -= size
    told = [caller.post("/v1/runs/batch", {"runs": batch}, f"{key}-{n}") for n, batch in enumerate(batches)]
    return [one for answer in told for one in answer["results"]]


def run_in_full(caller: Wire, run_id: str, page: int = 7) -> dict[str, Any]:
    """A run with all of its calls, page by page."""
    found = caller.get(f"/v1/runs/{run_id}?callsLimit={page}")
    following = found.pop("callsNext", None)
    while following is not None:
        more = caller.get(f"/v1/runs/{run_id}?callsLimit={page}&callsAfter={following}")
        found["calls"] += more["calls"]
        following = more.get("callsNext")
    return found


def content_of(run: dict[str, Any]) -> dict[str, Any]:
    """What of a run is its content."""
    return {name: run.get(name) for name in ("input", "messages", "calls", "output", "answer")}
