"""What an agent returned becomes the result of a case, or the reason why there is none."""

import re
from typing import Any

import pytest

from setright.client.answers import ToolCall
from setright.client.replay import NoRecording, RecordedTools, ToolFailed
from setright.client.runner.outcome import AgentFault, came_of, failed, outcome_of


@pytest.mark.parametrize(
    ("returned", "kept"),
    [
        ("14 days", {"output": "14 days", "calls": []}),
        ({}, {"calls": []}),
        ({"output": None, "answer": None}, {"output": None, "calls": []}),
        (
            {"output": {"n": 1}, "answer": "one", "messages": [{"role": "assistant", "content": "one"}]},
            {
                "output": {"n": 1},
                "answer": "one",
                "messages": [{"role": "assistant", "content": "one"}],
                "calls": [],
            },
        ),
        (
            {"calls": ({"tool": "find", "started_at": "x"},)},
            {"calls": [{"tool": "find", "args": {}, "startedAt": "x"}]},
        ),
    ],
)
def test_what_is_returned_is_kept(returned: object, kept: dict[str, Any]) -> None:
    assert outcome_of(returned, RecordedTools()) == kept


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        (None, "it returned nothing, where a text or {output, answer, calls} is needed"),
        (7, "it returned a value of type int"),
        ({"ouput": 1}, "it returned 'ouput', which is no field; allowed: output, answer, calls, messages"),
        ({"calls": "find"}, "calls is a value of type str and not a list"),
        ({"calls": [{"tool": "a"}, {"name": "b"}]}, "calls/1 is no call"),
        ({"calls": [{"tool": "a", "args": [1]}]}, "calls/0 is no call"),
        ({"output": {1, 2}}, "what it returned cannot be kept: /output is a set"),
        ({"output": float("nan")}, "what it returned cannot be kept: /output is nan"),
    ],
)
def test_what_gives_no_result_is_told(returned: object, reason: str) -> None:
    with pytest.raises(AgentFault, match=re.escape(reason)):
        outcome_of(returned, RecordedTools())


def test_calls_through_the_tools_count_also_when_they_are_not_returned() -> None:
    tools = RecordedTools([], {"look": "read"})
    with pytest.raises(NoRecording):
        tools.call("look", at=1)
    tools.call("refund", id=7)
    unseen = {"tool": "look", "args": {"at": 1}, "error": "no recording", "diverged": True}
    refund = {"tool": "refund", "args": {"id": 7}, "result": {"intercepted": True}}
    assert outcome_of("done", tools)["calls"] == [unseen, refund]
    own = {"tool": "own", "args": {}, "result": 1}
    returned = [own, {"tool": "refund", "args": {"id": 7.0}}]
    assert outcome_of({"calls": returned}, tools)["calls"] == [own, refund, unseen]


def test_a_failure_keeps_what_was_called_before_and_a_bounded_reason() -> None:
    tools = RecordedTools()
    tools.call("refund", id=7)
    kept = failed("x" * 9_000, tools)
    assert ([call["tool"] for call in kept["calls"]], len(kept["error"])) == (["refund"], 2_000)
    assert failed("", tools)["error"] == "it failed without a word"


def test_calls_that_were_read_from_the_server_can_be_returned() -> None:
    call = ToolCall.read({"tool": "find", "args": {"id": 7}, "startedAt": "2026-01-01T00:00:00Z"})
    (kept,) = outcome_of({"calls": [call]}, RecordedTools())["calls"]
    assert kept == {"tool": "find", "args": {"id": 7}, "startedAt": "2026-01-01T00:00:00Z"}


def test_an_agent_that_leaves_the_recording_has_not_failed() -> None:
    tools = RecordedTools([], {"look": "read"})

    def wrapped() -> None:
        try:
            tools.call("look")
        except NoRecording as error:
            raise RuntimeError("the framework gave up") from error

    with pytest.raises(RuntimeError) as raised:
        wrapped()
    (call,) = came_of(None, raised.value, tools)["calls"]
    assert came_of(None, raised.value, tools) == {"calls": [call]}
    assert call["diverged"] is True


def test_a_recorded_error_that_is_let_through_is_a_failure_of_the_agent() -> None:
    tools = RecordedTools([{"tool": "look", "error": "closed"}])
    with pytest.raises(ToolFailed) as raised:
        tools.call("look")
    assert came_of(None, raised.value, tools)["error"] == "ToolFailed: closed"


@pytest.mark.parametrize(
    ("returned", "error", "reason"),
    [
        (7, None, "it returned a value of type int"),
        (None, AgentFault("the endpoint is down"), "the endpoint is down"),
        (None, ValueError("two\n lines"), "ValueError: two lines"),
        (None, SystemExit(), "SystemExit"),
        (None, ValueError("\ud800 and \0"), "ValueError: ? and"),
    ],
)
def test_why_an_agent_failed_is_told_in_a_line(returned: object, error: BaseException, reason: str) -> None:
    assert came_of(returned, error, RecordedTools())["error"].startswith(reason)
