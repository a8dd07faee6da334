"""The 200 airline runs of tau-bench as runs and corrections of ours."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

READING = ("get_", "list_", "search_", "calculate", "think", "transfer_")


@dataclass(frozen=True, slots=True)
class Trial:
    """One real run: the body in which it is recorded, and the body of its correction if it went wrong."""

    run: dict[str, Any]
    correction: dict[str, Any] | None

    @property
    def id(self) -> str:
        """The run's id."""
        return self.run["id"]


def trials(folder: Path) -> list[Trial]:
    """All of them."""
    recorded = json.loads((folder / "tau_bench" / "gpt-4o-airline.json").read_text("utf-8"))
    return [_trial(one) for one in recorded]


def _trial(one: dict[str, Any]) -> Trial:
    messages, task = one["traj"], one["info"]["task"]
    said = [
        message["content"] for message in messages if message["role"] == "assistant" and message["content"]
    ]
    run: dict[str, Any] = {
        "id": f"airline-{one['task_id']}-{one['trial']}",
        "projectId": "default",
        "subject": {"kind": "agent", "id": "airline", "version": f"trial-{one['trial']}"},
        "participantId": task["user_id"],
        "tags": [f"task-{one['task_id']}"],
        "input": next(message["content"] for message in messages if message["role"] == "user"),
        "messages": messages,
        "calls": list(calls_of(messages)),
        "output": {"reward_info": one["info"]["reward_info"], "last": messages[-1]},
        "answer": said[-1],
    }
    return Trial(run, None if one["reward"] == 1 else _correction(run, task))


def calls_of(messages: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The calls in order; a result belongs to the call just before it, because ids are used more than once."""
    for message, following in pairwise(messages):
        for call in message.get("tool_calls") or ():
            assert following["role"] == "tool"
            function, content = call["function"], following["content"]
            kind = "error" if content.startswith("Error") else "result"
            yield {"tool": function["name"], "args": json.loads(function["arguments"]), kind: content}


def _correction(run: dict[str, Any], task: dict[str, Any]) -> dict[str, Any]:
    """What should have been called; where that is nothing, what should not have been, or that the answer was wrong."""
    expected = [{"tool": action["name"], "args": action["kwargs"]} for action in task["actions"]]
    written = sorted({call["tool"] for call in run["calls"] if not call["tool"].startswith(READING)})
    said = {"runId": run["id"], "why": task["instruction"][:4000]}
    if expected:
        return {**said, "decisions": "wrong", "shouldCall": expected}
    if written:
        return {**said, "decisions": "wrong", "mustNotCall": written}
    return {**said, "answer": "wrong"}
