"""Files in the forms of other tools, of any number of runs, each with the same six calls and about 20 KB."""

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

CALLS = 6
POLICY = "A bike is lent for a day, a week or a month, and comes back where it was taken. " * 75
WORDS = "The bike stands at the lake, its lock opens with the code that we sent this morning. " * 6
Fields = dict[str, Any]


def args(number: int) -> Fields:
    """What the tool is called with."""
    return {"bike": number, "days": [1, 2, 3]}


def found(number: int) -> str:
    """What the tool gives back."""
    return json.dumps({"bike": number, "about": WORDS, "places": ["lake", "station"] * 10})


def chat(number: int) -> list[Fields]:
    """The messages of a run: asked, looked up, answered, again and again."""
    said: list[Fields] = [{"role": "system", "content": POLICY}]
    for place in range(CALLS):
        said.append({"role": "user", "content": f"{number}: {WORDS[:200]}"})
        function = {"name": "find_bike", "arguments": json.dumps(args(number))}
        call = {"id": f"call_{place}", "type": "function", "function": function}
        said.append({"role": "assistant", "content": None, "tool_calls": [call]})
        said.append(
            {"role": "tool", "tool_call_id": f"call_{place}", "name": "find_bike", "content": found(number)}
        )
        said.append({"role": "assistant", "content": WORDS})
    return said


def tau_bench(number: int) -> Iterator[Fields]:
    """A task at a trial."""
    yield {"task_id": number // 4, "trial": number % 4, "reward": 1.0, "info": {}, "traj": chat(number)}


def openai_chat(number: int) -> Iterator[Fields]:
    """A conversation."""
    yield {"id": f"chat-{number}", "model": "m", "messages": chat(number)}


def atif(number: int) -> Iterator[Fields]:
    """A trajectory."""
    steps: list[Fields] = [{"source": "system", "message": POLICY}]
    for place in range(CALLS):
        steps.append({"source": "user", "message": f"{number}: {WORDS[:200]}"})
        call = {"tool_call_id": f"c{place}", "function_name": "find_bike", "arguments": args(number)}
        result = {"source_call_id": f"c{place}", "content": found(number)}
        steps.append(
            {"source": "agent", "message": WORDS, "tool_calls": [call], "observation": {"results": [result]}}
        )
    agent = {"name": "bikes", "version": "1"}
    yield {"schema_version": "ATIF-v1.6", "session_id": f"s-{number}", "agent": agent, "steps": steps}


def claude_code(number: int) -> Iterator[Fields]:
    """A prompt of a session and what came of it."""
    uuids = count()

    def line(role: str, content: Any) -> Fields:
        message = {"role": role, "content": content}
        return {"type": role, "sessionId": f"s-{number}", "uuid": str(next(uuids)), "message": message}

    yield line("user", POLICY)
    for place in range(CALLS):
        uses = {"type": "tool_use", "id": f"t{place}", "name": "find_bike", "input": args(number)}
        yield line("assistant", [{"type": "text", "text": WORDS}, uses])
        yield line("user", [{"type": "tool_result", "tool_use_id": f"t{place}", "content": found(number)}])
    yield line("assistant", WORDS)


def codex(number: int) -> Iterator[Fields]:
    """A session of one prompt."""

    def line(payload: Fields, kind: str = "response_item") -> Fields:
        return {"timestamp": "2026-05-01T10:00:00.000Z", "type": kind, "payload": payload}

    yield line({"id": f"s-{number}", "cli_version": "1"}, "session_meta")
    yield line({"type": "message", "role": "user", "content": [{"type": "input_text", "text": POLICY}]})
    for place in range(CALLS):
        call = {"name": "find_bike", "arguments": json.dumps(args(number)), "call_id": f"c{place}"}
        yield line({"type": "function_call", **call})
        yield line({"type": "function_call_output", "call_id": f"c{place}", "output": found(number)})
    yield line({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": WORDS}]})


def spans(number: int) -> Iterator[tuple[str, str, str | None, Any, Any]]:
    """A trace: the id, kind and parent of each span, and what went in and came out."""
    yield f"{number}-r", "agent", None, POLICY, WORDS
    for place in range(CALLS):
        call = {"id": f"c{place}", "name": "find_bike", "args": args(number)}
        said = {"role": "assistant", "content": WORDS, "tool_calls": [call]}
        yield f"{number}-m{place}", "model", f"{number}-r", [{"role": "user", "content": WORDS}], said
        yield f"{number}-t{place}", "tool", f"{number}-r", args(number), found(number)


def langfuse(number: int) -> Iterator[Fields]:
    """A trace with its observations."""
    kinds = {"agent": "SPAN", "model": "GENERATION", "tool": "TOOL"}
    observations = [
        {
            "id": span,
            "parentObservationId": parent,
            "type": kinds[kind],
            "name": "find_bike" if kind == "tool" else kind,
            "startTime": f"2026-05-01T10:00:00.{place:03d}Z",
            "input": given,
            "output": out,
        }
        for place, (span, kind, parent, given, out) in enumerate(spans(number))
    ]
    yield {"trace": {"id": f"trace-{number}", "name": "bikes"}, "observations": observations}


def langsmith(number: int) -> Iterator[Fields]:
    """The flat runs of a trace."""
    kinds = {"agent": "chain", "model": "llm", "tool": "tool"}
    for place, (span, kind, parent, given, out) in enumerate(spans(number)):
        yield {
            "id": span,
            "trace_id": f"trace-{number}",
            "parent_run_id": parent,
            "run_type": kinds[kind],
            "name": "find_bike" if kind == "tool" else kind,
            "start_time": f"2026-05-01T10:00:00.{place:06d}",
            "inputs": {"messages": given} if kind == "model" else given,
            "outputs": out,
        }


def mlflow(number: int) -> Iterator[Fields]:
    """A trace with its spans."""
    kinds = {"agent": "AGENT", "model": "CHAT_MODEL", "tool": "TOOL"}
    rows = [
        {
            "span_id": span,
            "parent_span_id": parent,
            "name": "find_bike" if kind == "tool" else "bikes",
            "start_time_unix_nano": 1_777_629_600_000_000_000 + place,
            "attributes": {
                "mlflow.spanType": json.dumps(kinds[kind]),
                "mlflow.spanInputs": json.dumps(given),
                "mlflow.spanOutputs": json.dumps(out),
            },
        }
        for place, (span, kind, parent, given, out) in enumerate(spans(number))
    ]
    yield {"info": {"trace_id": f"tr-{number}"}, "data": {"spans": rows}}


def otlp(number: int) -> Iterator[Fields]:
    """A request of an exporter."""
    kinds = {"agent": "invoke_agent", "model": "chat", "tool": "execute_tool"}
    names = {
        "agent": ("input.value", "output.value"),
        "model": ("gen_ai.input.messages", "gen_ai.output.messages"),
        "tool": ("gen_ai.tool.call.arguments", "gen_ai.tool.call.result"),
    }
    rows = []
    for place, (_, kind, parent, given, out) in enumerate(spans(number)):
        said = {"gen_ai.operation.name": kinds[kind], "gen_ai.tool.name": "find_bike"}
        said |= dict(
            zip(names[kind], (json.dumps(given), json.dumps([out] if kind == "model" else out)), strict=True)
        )
        rows.append(
            {
                "traceId": f"{number + 1:032x}",
                "spanId": f"{place + 1:016x}",
                "parentSpanId": "" if parent is None else f"{1:016x}",
                "name": "bikes",
                "startTimeUnixNano": str(1_777_629_600_000_000_000 + place),
                "attributes": [
                    {"key": name, "value": {"stringValue": value}} for name, value in said.items()
                ],
            }
        )
    yield {"resourceSpans": [{"scopeSpans": [{"spans": rows}]}]}


FORMATS: dict[str, Callable[[int], Iterator[Fields]]] = {
    "tau-bench": tau_bench,
    "openai-chat": openai_chat,
    "atif": atif,
    "claude-code": claude_code,
    "codex": codex,
    "langfuse": langfuse,
    "langsmith": langsmith,
    "mlflow": mlflow,
    "otlp": otlp,
}
"""What makes a run, by the name of its format."""


def write_file(file: Path, name: str, runs: int) -> None:
    """Write a file of so many runs, one at a time: an array for tau-bench, JSON Lines for all others."""
    with file.open("w", encoding="utf-8") as opened:
        for number in range(runs):
            for entry in FORMATS[name](number):
                begins = ("[" if not number else ",") if name == "tau-bench" else ""
                opened.write(f"{begins}{json.dumps(entry)}\n")
        if name == "tau-bench":
            opened.write("]\n")
