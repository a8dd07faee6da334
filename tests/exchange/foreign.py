"""Samples of our own (CC0) in the forms of other tools: each tells of a desk that lends bikes."""

import io
import json
from typing import Any

from setright.exchange import FORMATS, Into, ReadRun, Unread
from setright.kernel.fields import validate
from setright.runs import NewRun

Fields = dict[str, Any]
SESSION = "3f2b7c1e-0000-4000-8000-000000000001"


def lines(*values: Any) -> bytes:
    """A file of JSON Lines."""
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def read(name: str, raw: bytes) -> tuple[list[ReadRun], list[Unread]]:
    """The runs of a file and what could not be read; every run can be recorded."""
    runs, odd = list[ReadRun](), list[Unread]()
    for one in FORMATS[name].read(io.BytesIO(raw)):
        if isinstance(one, ReadRun):
            runs.append(one)
            validate(NewRun, Into(name, "default", one.agent or "desk").body(one))
        else:
            odd.append(one)
    return runs, odd


def only(name: str, *values: Any) -> ReadRun:
    """The one run of a file in which nothing is odd."""
    (run,), odd = read(name, lines(*values))
    assert odd == []
    return run


CHAT: Fields = {
    "id": "chat-1",
    "model": "small-2",
    "messages": [
        {"role": "system", "content": "You lend bikes."},
        {"role": "user", "content": "Is bike 7 free?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "get_bike", "arguments": '{"bike": 7}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "free"},
        {"role": "assistant", "content": "It is free."},
    ],
}

TRAJECTORY: Fields = {
    "schema_version": "ATIF-v1.6",
    "session_id": "desk-1",
    "agent": {"name": "desk", "version": "2.0"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Is bike 7 free?"},
        {
            "step_id": 2,
            "source": "agent",
            "timestamp": "2026-05-01T10:00:00Z",
            "message": "I ask the store.",
            "tool_calls": [{"tool_call_id": "c1", "function_name": "ask_store", "arguments": {"bike": 7}}],
            "observation": {
                "results": [
                    {
                        "source_call_id": "c1",
                        "content": "asked",
                        "subagent_trajectory_ref": [{"session_id": "store-1"}],
                    }
                ]
            },
        },
        {"step_id": 3, "source": "agent", "message": "It is free."},
    ],
}

SUB_TRAJECTORY: Fields = {
    "schema_version": "ATIF-v1.6",
    "session_id": "store-1",
    "agent": {"name": "store", "version": "1.0"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Is bike 7 free?", "is_copied_context": True},
        {
            "step_id": 2,
            "source": "agent",
            "message": "Bike 7 stands here.",
            "tool_calls": [{"tool_call_id": "c1", "function_name": "get_bike", "arguments": {"bike": 7}}],
            "observation": {"results": [{"source_call_id": "c1", "content": "free"}]},
        },
    ],
}


def coded(kind: str, uuid: str, content: Any, **more: Any) -> Fields:
    """A line of a transcript of Claude Code."""
    at = f"2026-05-01T10:00:{int(uuid):02d}.000Z"
    line = {"type": kind, "sessionId": SESSION, "uuid": uuid, "version": "2.1.0", "timestamp": at}
    return {**line, "isSidechain": False, "message": {"role": kind, "content": content}, **more}


def uses(tool: str, args: Fields, call_id: str) -> list[Fields]:
    """The content of a message that uses a tool."""
    return [{"type": "tool_use", "id": call_id, "name": tool, "input": args}]


def gives(call_id: str, content: Any, **more: Any) -> list[Fields]:
    """The content of a message that brings a result."""
    return [{"type": "tool_result", "tool_use_id": call_id, "content": content, **more}]


CODING = (
    {"type": "summary", "summary": "A bike desk", "leafUuid": "9"},
    coded("user", "1", "Rename the desk."),
    coded("assistant", "2", uses("Task", {"subagent_type": "finder", "prompt": "find it"}, "t1")),
    coded("assistant", "3", uses("Grep", {"pattern": "desk"}, "t2"), isSidechain=True),
    coded("user", "4", gives("t2", "desk.py"), isSidechain=True),
    coded("user", "5", gives("t1", "it is in desk.py")),
    coded("assistant", "6", uses("Bash", {"command": "mv desk.py shop.py"}, "t3")),
    coded("user", "7", gives("t3", "not allowed", is_error=True)),
    coded("assistant", "8", [{"type": "text", "text": "I could not rename it."}]),
    coded("user", "9", "Try again."),
    coded("assistant", "10", [{"type": "text", "text": "It is renamed."}]),
)


def rolled(payload: Fields, kind: str = "response_item") -> Fields:
    """A line of a rollout of Codex."""
    return {"timestamp": "2026-05-01T10:00:00.000Z", "type": kind, "payload": payload}


def spoken(role: str, text: str) -> Fields:
    """A message of a rollout."""
    kind = "input_text" if role == "user" else "output_text"
    return rolled({"type": "message", "role": role, "content": [{"type": kind, "text": text}]})


ROLLOUT = (
    rolled({"id": SESSION, "cli_version": "0.45.0", "cwd": "/bikes"}, "session_meta"),
    spoken("user", "<environment_context>a shell</environment_context>"),
    spoken("user", "Rename the desk."),
    rolled({"type": "user_message", "message": "Rename the desk."}, "event_msg"),
    rolled({"type": "function_call", "name": "shell", "arguments": '{"command": ["ls"]}', "call_id": "c1"}),
    rolled({"type": "function_call_output", "call_id": "c1", "output": "desk.py"}),
    rolled({"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin", "call_id": "c2"}),
    rolled({"type": "custom_tool_call_output", "call_id": "c2", "output": "done"}),
    spoken("assistant", "It is renamed."),
    spoken("user", "Thank you."),
    spoken("assistant", "You are welcome."),
)

MODEL_SAID: Fields = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "c1", "name": "get_bike", "args": {"bike": 7}, "type": "tool_call"}],
}


def observed(which: str, kind: str, parent: str | None, **more: Any) -> Fields:
    """An observation of Langfuse."""
    at = f"2026-05-01T10:00:0{len(which)}.000Z"
    return {
        "id": which,
        "traceId": "trace-1",
        "parentObservationId": parent,
        "type": kind,
        "name": more.pop("name", which),
        "startTime": at,
        "endTime": at,
        "level": "DEFAULT",
        "input": None,
        "output": None,
        "metadata": None,
        **more,
    }


TRACE: Fields = {
    "trace": {
        "id": "trace-1",
        "name": "desk",
        "version": "2.0",
        "userId": "kim",
        "sessionId": "s1",
        "tags": ["pilot"],
        "input": json.dumps({"question": "Is bike 7 free?"}),
        "output": '"It is free."',
        "scores": [],
    },
    "observations": [
        observed("r", "SPAN", None, name="desk"),
        observed(
            "m1", "GENERATION", "r", input=[{"role": "user", "content": "Is bike 7 free?"}], output=MODEL_SAID
        ),
        observed("t12", "TOOL", "r", name="get_bike", input='{"bike": 7}', output="free"),
        observed(
            "m123",
            "GENERATION",
            "r",
            input=[
                {"role": "user", "content": "Is bike 7 free?"},
                MODEL_SAID,
                {"role": "tool", "tool_call_id": "c1", "content": "free"},
            ],
            output={"role": "assistant", "content": "It is free."},
        ),
    ],
}


def smith(which: str, kind: str, parent: str | None, inputs: Any, outputs: Any, **more: Any) -> Fields:
    """A run of LangSmith."""
    return {
        "id": which,
        "trace_id": "root",
        "parent_run_id": parent,
        "run_type": kind,
        "name": more.pop("name", which),
        "start_time": f"2026-05-01T10:00:0{len(which)}.000000",
        "end_time": f"2026-05-01T10:00:0{len(which)}.500000",
        "inputs": inputs,
        "outputs": outputs,
        **more,
    }


SMITH = (
    smith("get_b", "tool", "root", {"bike": 7}, {"output": "free"}, name="get_bike"),
    smith("m12", "llm", "root", {"messages": [{"role": "user", "content": "Is bike 7 free?"}]}, MODEL_SAID),
    smith(
        "root",
        "chain",
        None,
        {"question": "Is bike 7 free?"},
        {"content": "It is free."},
        name="desk",
        start_time="2026-05-01T10:00:00.000000",
        tags=["pilot"],
        extra={"metadata": {"revision_id": "2.0", "session_id": "s1", "user_id": "kim"}},
    ),
)


def flow(which: str, kind: str, parent: str | None, inputs: Any, outputs: Any, **more: Any) -> Fields:
    """A span of MLflow."""
    attributes = {"mlflow.spanType": kind, "mlflow.spanInputs": inputs, "mlflow.spanOutputs": outputs}
    began = 1_777_629_600_000_000_000 + len(which) * 1_000_000_000
    return {
        "span_id": which,
        "parent_span_id": parent,
        "name": more.pop("name", which),
        "start_time_unix_nano": began,
        "end_time_unix_nano": began + 500_000_000,
        "status": {"code": "STATUS_CODE_OK"},
        "attributes": {name: json.dumps(value) for name, value in attributes.items()},
        **more,
    }


def assessed(name: str, author: str, kind: str = "HUMAN", **more: Any) -> Fields:
    """An assessment of MLflow."""
    return {"assessment_name": name, "source": {"source_type": kind, "source_id": author}, **more}


MLFLOW: Fields = {
    "info": {
        "trace_id": "tr-1",
        "state": "OK",
        "tags": {"mlflow.traceName": "desk"},
        "trace_metadata": {"mlflow.trace.user": "kim", "mlflow.trace.session": "s1", "mlflow.modelId": "m-2"},
        "assessments": [
            assessed("correct", "ana@example.org", feedback={"value": False}, rationale="Bike 7 is lent."),
            assessed("expected_response", "ana@example.org", expectation={"value": "It is lent."}),
            assessed("correct", "judge", "LLM_JUDGE", feedback={"value": "yes"}),
            assessed("correct", "ben@example.org", feedback={"value": "yes"}),
        ],
    },
    "data": {
        "spans": [
            flow("r", "AGENT", None, {"question": "Is bike 7 free?"}, "It is free.", name="desk"),
            flow("m1", "CHAT_MODEL", "r", {"messages": [{"role": "user", "content": "?"}]}, MODEL_SAID),
            flow("t12", "TOOL", "r", {"bike": 7}, "free", name="get_bike"),
        ]
    },
}

FILES: dict[str, tuple[Any, ...]] = {
    "atif": ({**TRAJECTORY, "subagent_trajectories": [SUB_TRAJECTORY]},),
    "claude-code": CODING,
    "codex": ROLLOUT,
    "langfuse": (TRACE,),
    "langsmith": SMITH,
    "mlflow": (MLFLOW,),
    "openai-chat": (CHAT,),
}
"""A file of each format, by its name."""
