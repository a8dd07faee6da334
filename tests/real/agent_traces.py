"""Exports of ten agent frameworks as runs of ours: each observation becomes a call, whatever text it holds."""

import json
from pathlib import Path
from typing import Any


def runs(folder: Path) -> list[dict[str, Any]]:
    """One run for each export, with everything that was observed."""
    return [_run(path) for path in sorted((folder / "langfuse_traces").glob("*.trace.json"))]


def _run(path: Path) -> dict[str, Any]:
    export = json.loads(path.read_text("utf-8"))
    trace = export["trace"]
    return {
        "id": path.name,
        "projectId": "default",
        "subject": {"kind": "flow", "id": path.name.partition("-20")[0], "version": "1"},
        "input": trace.get("input"),
        "messages": [{"role": "system", "content": trace}],
        "calls": [_call(one) for one in export["observations"]],
        "output": {"output": trace.get("output"), "observations": export["observations"]},
    }


def _call(one: dict[str, Any]) -> dict[str, Any]:
    given = one.get("input")
    args = given if isinstance(given, dict) else {"input": given}
    return {"tool": one.get("name") or one["type"], "args": args, "result": one.get("output")}


def texts(value: Any) -> list[str]:
    """Every text in a value, names of fields included."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [*value, *(text for inner in value.values() for text in texts(inner))]
    return [text for inner in value for text in texts(inner)] if isinstance(value, list) else []


def oddest(value: Any, count: int) -> list[str]:
    """The texts with the most different characters outside plain letters, digits and spaces."""
    found = sorted(set(texts(value)), key=lambda text: (-len(set(text) - _PLAIN), text))
    return found[:count]


_PLAIN = set(" abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
