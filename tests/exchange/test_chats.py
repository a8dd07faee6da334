"""Conversations in OpenAI's form become runs, and calls are found in the forms of all vendors."""

from typing import Any

import pytest

from setright.exchange.calls import Calls
from tests.exchange.foreign import CHAT, Fields, lines, only, read

CALL = {"tool": "get_bike", "args": {"bike": 7}, "result": "free"}


def test_a_conversation_becomes_a_run() -> None:
    run = only("openai-chat", CHAT)
    assert (run.source_id, run.version, run.agent) == ("chat-1", "small-2", None)
    assert run.said == {
        "messages": CHAT["messages"],
        "calls": [CALL],
        "status": "completed",
        "output": "It is free.",
        "input": "Is bike 7 free?",
    }


def test_a_conversation_without_an_id_is_told_apart_by_what_is_said() -> None:
    bare = {"messages": CHAT["messages"]}
    (first, again, other), odd = read("openai-chat", lines(bare, bare, {"messages": CHAT["messages"][:2]}))
    assert odd == []
    assert first.source_id == again.source_id != other.source_id
    assert first.version == "unversioned"


def test_a_line_of_a_batch_is_read_with_its_answer() -> None:
    answer = {"choices": [{"message": {"role": "assistant", "content": "Yes."}}]}
    line = {
        "custom_id": "b-1",
        "body": CHAT | {"messages": CHAT["messages"][:2]},
        "response": {"body": answer},
    }
    run = only("openai-chat", line)
    assert (run.source_id, run.version, run.said["output"]) == ("b-1", "small-2", "Yes.")


@pytest.mark.parametrize(
    ("broken", "place", "reason"),
    [
        ({"id": "x"}, "line 1", "no object with messages"),
        ({"messages": ["hi"]}, "line 1, /messages/0", "not an object with a role"),
    ],
)
def test_what_is_no_conversation_is_told(broken: Any, place: str, reason: str) -> None:
    runs, (odd,) = read("openai-chat", lines(broken))
    assert runs == []
    assert odd.place == place
    assert reason in odd.reason


def test_one_bad_line_stops_no_other() -> None:
    runs, (odd,) = read("openai-chat", lines(CHAT) + b'{"messages": [\n' + lines({**CHAT, "id": "chat-2"}))
    assert [run.source_id for run in runs] == ["chat-1", "chat-2"]
    assert odd.place == "line 2"
    assert "is not valid JSON" in odd.reason


def test_a_call_that_names_no_tool_is_told() -> None:
    message = {"role": "assistant", "tool_calls": [{"id": "c1"}, 7]}
    (run,), odd = read("openai-chat", lines({"messages": [message]}))
    assert run.said["calls"] == []
    assert [one.place for one in odd] == ["line 1, /messages/0"] * 2


ARGS = {"bike": 7}
FORMS: dict[str, tuple[Fields, Fields]] = {
    "anthropic": (
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c1", "name": "get_bike", "input": ARGS}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "free"}]},
    ),
    "responses": (
        {
            "type": "function_call",
            "call_id": "c1",
            "id": "fc",
            "name": "get_bike",
            "arguments": '{"bike": 7}',
        },
        {"type": "function_call_output", "call_id": "c1", "output": "free"},
    ),
    "gemini": (
        {"role": "model", "parts": [{"function_call": {"name": "get_bike", "args": ARGS}}]},
        {"role": "user", "parts": [{"function_response": {"name": "get_bike", "response": "free"}}]},
    ),
    "langchain": (
        {
            "type": "ai",
            "tool_calls": [{"name": "get_bike", "args": ARGS, "id": "c1"}],
            "additional_kwargs": {
                "tool_calls": [{"id": "c1", "function": {"name": "get_bike", "arguments": "{}"}}]
            },
        },
        {"type": "tool", "tool_call_id": "c1", "content": "free"},
    ),
    "opentelemetry": (
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "id": "c1", "name": "get_bike", "arguments": ARGS}],
        },
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "free"}]},
    ),
    "vercel": (
        {
            "role": "assistant",
            "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "get_bike", "input": ARGS}],
        },
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c1", "result": "free"}]},
    ),
    "bedrock": (
        {
            "role": "assistant",
            "content": [{"toolUse": {"toolUseId": "c1", "name": "get_bike", "input": ARGS}}],
        },
        {"role": "user", "content": [{"toolResult": {"toolUseId": "c1", "content": "free"}}]},
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_call_and_its_result_are_found_in_the_form_of(form: str) -> None:
    calls = Calls()
    for message in FORMS[form]:
        calls.read(message, "here")
    assert calls.found == [CALL]
    assert calls.odd == []


def test_what_a_tool_gave_back_and_what_describes_a_tool_is_no_call() -> None:
    looks = {"tool_calls": [{"id": "c9", "function": {"name": "steal", "arguments": "{}"}}]}
    calls = Calls()
    calls.read({"role": "assistant", "tools": [looks], **FORMS["anthropic"][0]}, "here")
    calls.read({"role": "tool", "tool_call_id": "c1", "content": [looks]}, "here")
    assert calls.found == [CALL | {"result": [looks]}]


def test_a_result_that_comes_late_belongs_to_the_call_with_its_id() -> None:
    calls = Calls()
    call, result = FORMS["anthropic"]
    calls.read(call, "1")
    calls.read({"role": "user", "content": "wait"}, "2")
    calls.read(result, "3")
    assert calls.found == [CALL]


@pytest.mark.parametrize("how", [{"is_error": True}, {"status": "error"}])
def test_a_failed_tool_is_marked(how: Fields) -> None:
    calls = Calls()
    call, _ = FORMS["anthropic"]
    calls.read(call, "1")
    calls.read([{"type": "tool_result", "tool_use_id": "c1", "content": "no", **how}], "2")
    assert calls.found == [{"tool": "get_bike", "args": ARGS, "error": "no"}]
