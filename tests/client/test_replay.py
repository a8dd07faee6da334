"""A replay gives what was recorded, intercepts what writes, marks what leaves the recording, and touches nothing."""

import asyncio
import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from setright.client.records import Record
from setright.client.replay import NoRecording, RecordedTools, ReplayEnded, ToolFailed
from setright.matching import hold

RECORDED: list[dict[str, Any]] = [
    {"tool": "find", "args": {"id": 7, "kind": "bike"}, "result": {"paid": 48}},
    {"tool": "status", "args": {}, "result": "open"},
    {"tool": "status", "result": "closed"},
    {"tool": "refund", "args": {"id": 7}, "result": {"refunded": 48}},
    {"tool": "cancel", "args": {"id": 8}, "error": {"code": "not-yours"}},
]
EFFECTS = {"find": "read", "status": "read", "weather": "read", "refund": "write"}
INTERCEPTED = {"intercepted": True}


@pytest.fixture
def tools() -> RecordedTools:
    return RecordedTools(RECORDED, EFFECTS)


def test_an_equal_call_gets_what_was_recorded(tools: RecordedTools) -> None:
    assert tools.call("find", kind="bike", id=7.0) == {"paid": 48}
    assert tools["find"](id=7, kind="bike") == {"paid": 48}
    assert tools.calls == [
        {"tool": "find", "args": {"kind": "bike", "id": 7.0}},
        {"tool": "find", "args": {"id": 7, "kind": "bike"}},
    ]


def test_a_call_recorded_twice_is_answered_in_order_and_then_with_the_last(tools: RecordedTools) -> None:
    assert [tools.call("status") for _ in range(4)] == ["open", "closed", "closed", "closed"]


def test_the_tools_of_a_claimed_case_are_those_of_its_run() -> None:
    told = [{"tool": "status", "args": {}, "result": 1}, {"tool": "status", "args": {}, "error": "gone"}]
    case = Record.read({"tools": told})
    tools = RecordedTools.of(case, {"look": "read"}, errors="return")
    assert [tools.call("status"), tools.call("status")] == [1, {"error": "gone"}]
    assert tools.call("look") == {"error": "no recording"}
    assert len(RecordedTools.of(Record.read({}))) == 0


def test_a_write_gets_its_recorded_result(tools: RecordedTools) -> None:
    assert tools.call("refund", id=7) == {"refunded": 48}
    assert tools.calls == [{"tool": "refund", "args": {"id": 7}}]


@pytest.mark.parametrize(("tool", "args"), [("refund", {"id": 9}), ("never_declared", {})])
def test_an_unseen_write_is_intercepted_and_counts_as_successful(
    tools: RecordedTools, tool: str, args: dict[str, Any]
) -> None:
    assert tools.call(tool, **args) == INTERCEPTED
    assert tools.calls == [{"tool": tool, "args": args, "result": INTERCEPTED}]


@pytest.mark.parametrize(("tool", "args"), [("weather", {}), ("find", {"id": 7}), ("find", {"id": True})])
def test_an_unseen_read_fails_and_diverges(tools: RecordedTools, tool: str, args: dict[str, Any]) -> None:
    with pytest.raises(NoRecording, match="no recording"):
        tools.call(tool, **args)
    assert tools.calls == [{"tool": tool, "args": args, "error": "no recording", "diverged": True}]


def test_where_no_effects_are_declared_an_unseen_call_is_intercepted_and_diverges() -> None:
    tools = RecordedTools(RECORDED)
    assert tools.call("find", id=9) == INTERCEPTED
    assert tools.call("refund", id=7) == {"refunded": 48}
    assert tools.calls == [
        {"tool": "find", "args": {"id": 9}, "result": INTERCEPTED, "diverged": True},
        {"tool": "refund", "args": {"id": 7}},
    ]


def test_a_recorded_error_is_raised_or_given_back(tools: RecordedTools) -> None:
    with pytest.raises(ToolFailed) as raised:
        tools.call("cancel", id=8)
    assert not isinstance(raised.value, NoRecording)
    assert (raised.value.tool, raised.value.error) == ("cancel", {"code": "not-yours"})
    given_back = RecordedTools(RECORDED, EFFECTS, errors="return")
    assert given_back.call("cancel", id=8) == {"error": {"code": "not-yours"}}
    assert given_back.call("weather") == {"error": "no recording"}
    assert tools.calls == given_back.calls[:1]


@pytest.mark.parametrize("none", [None, False])
def test_an_error_that_is_none_is_no_error(none: Any) -> None:
    assert RecordedTools([{"tool": "find", "error": none, "result": 1}]).call("find") == 1


def test_tools_are_awaited_as_well(tools: RecordedTools) -> None:
    async def agent() -> list[Any]:
        return [await tools.acall("find", id=7, kind="bike"), await tools.awaited["status"]()]

    assert asyncio.run(agent()) == [{"paid": 48}, "open"]


def test_as_a_mapping_it_shows_what_is_known_and_calls_anything(tools: RecordedTools) -> None:
    assert list(tools) == list(tools.awaited) == ["find", "status", "refund", "cancel", "weather"]
    assert (len(tools), len(tools.awaited)) == (5, 5)
    assert "weather" in tools
    assert "new" not in tools.awaited
    assert tools["new"].__name__ == tools.awaited["new"].__name__ == "new"
    assert tools["new"](tool="any name is an argument") == INTERCEPTED


def test_what_an_agent_does_to_a_result_changes_no_recording(tools: RecordedTools) -> None:
    tools.call("find", id=7, kind="bike")["paid"] = 0
    args: dict[str, Any] = {"lines": [1]}
    tools.call("refund", **args)
    args["lines"].append(2)
    assert tools.call("find", id=7, kind="bike") == {"paid": 48}
    assert tools.calls[1]["args"] == {"lines": [1]}


def test_arguments_that_are_no_json_are_named_and_no_call(tools: RecordedTools) -> None:
    with pytest.raises(ValueError, match="args/order/1 is a set, which JSON cannot carry"):
        tools.call("refund", order=[1, {2}])
    assert tools.calls == []


def test_after_the_end_nothing_is_answered(tools: RecordedTools) -> None:
    tools.end()
    with pytest.raises(ReplayEnded):
        tools.call("find", id=7, kind="bike")
    assert tools.calls == []


def test_threads_share_the_tools(tools: RecordedTools) -> None:
    threads = [threading.Thread(target=tools.call, args=("refund",), kwargs={"id": n}) for n in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(call["args"]["id"] for call in tools.calls) == list(range(40))


def test_an_agent_that_now_makes_the_expected_call_is_seen_to_be_right() -> None:
    correction = {"decisions": "wrong", "shouldCall": [{"tool": "cancel"}], "mustNotCall": ["refund"]}
    for effects in (EFFECTS, {}):
        tools = RecordedTools(RECORDED[:4], effects)
        tools.call("find", id=7, kind="bike")
        tools.call("cancel", id=7)
        assert hold(correction, {"calls": RECORDED}, {"calls": tools.calls}, effects).verdict == "right"
        tools.call("refund", id=7)
        assert hold(correction, {"calls": RECORDED}, {"calls": tools.calls}, effects).verdict == "wrong"


VALUES = st.sampled_from([None, True, 1, 1.0, 2, "", "1", [1], [True], {"a": 1}, {"a": None}])
CALLS = st.lists(
    st.fixed_dictionaries(
        {"tool": st.sampled_from("xy"), "args": st.dictionaries(st.sampled_from("ab"), VALUES, max_size=2)},
        optional={"result": VALUES, "error": st.sampled_from(["broken", {"code": 1}])},
    ),
    max_size=5,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CALLS, st.sampled_from([{}, {"x": "read"}, {"x": "read", "y": "write"}]))
def test_the_same_calls_again_are_answered_as_recorded(
    recorded: list[dict[str, Any]], effects: dict[str, str]
) -> None:
    tools = RecordedTools(recorded, effects, errors="return")
    for call in recorded:
        answered = tools.call(call["tool"], **call["args"])
        assert answered == ({"error": call["error"]} if "error" in call else call.get("result"))
    assert not any(call.get("diverged") for call in tools.calls)
    assert [call.get("error") for call in tools.calls] == [call.get("error") for call in recorded]
