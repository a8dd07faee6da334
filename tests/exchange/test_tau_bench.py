"""A trajectory of tau-bench becomes a run with every call in its place, or is told with the place and the reason."""

import json
from typing import Any

import pytest

from setright.exchange import Into
from setright.kernel.fields import validate
from setright.runs import NewRun
from tests.exchange.samples import call, entry, made, plain, read, result, run_of, said, user

INTO = Into("tau-bench", "default", "bike-desk")


def test_a_trajectory_becomes_a_run() -> None:
    messages = (made(call()), result('{"state": "broken"}'), said("It is broken."), user("###STOP###"))
    (run,), odd = read([entry(*messages, task=7, trial=2, reward=1.0)])
    assert odd == []
    assert (run.source_id, run.version, run.place) == ("7-2", "trial-2", "entry 0 at line 1, column 2")
    assert run.said == {
        "tags": ["task-7", "reward-1"],
        "participantId": "kim_1",
        "input": "My bike is broken.",
        "messages": [{"role": "system", "content": "You lend bikes."}, user(), *messages],
        "calls": [{"tool": "get_bike", "args": {"bike": 7}, "result": '{"state": "broken"}'}],
        "status": "completed",
        "output": "It is broken.",
    }


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("Error: bike not found", "error"),
        ("Unknown action fly", "error"),
        ("Errors are rare here", "result"),
        ("there was an Error: none", "result"),
        ("", "result"),
        (None, "result"),
        ([{"type": "text", "text": "ok"}], "result"),
    ],
)
def test_a_tool_that_failed_is_marked_by_how_tau_bench_begins_its_message(content: Any, kind: str) -> None:
    (one,) = run_of(made(call()), result(content), said())["calls"]
    assert one == {"tool": "get_bike", "args": {"bike": 7}, kind: content}


def test_a_call_id_that_is_used_again_belongs_to_the_call_beside_it() -> None:
    calls = run_of(made(call("first")), result("1"), made(call("second")), result("2"), said())["calls"]
    assert [(one["tool"], one["result"]) for one in calls] == [("first", "1"), ("second", "2")]


@pytest.mark.parametrize(
    ("ids", "answers", "results"),
    [
        (("a", "b"), ("a", "b"), ["1", "2"]),
        (("a", "b"), ("b", "a"), ["2", "1"]),
        (("a", "a"), ("a", "a"), ["1", "2"]),
        (("a", "b"), ("x", "y"), ["1", "2"]),
        (("a", "b"), ("b",), [None, "1"]),
    ],
)
def test_calls_made_side_by_side_keep_their_order_and_get_their_own_results(
    ids: tuple[str, ...], answers: tuple[str, ...], results: list[str | None]
) -> None:
    calls = [call(f"tool-{place}", call_id=name) for place, name in enumerate(ids)]
    told = [result(str(place + 1), name) for place, name in enumerate(answers)]
    found = run_of(made(*calls, content="One moment."), *told, said())["calls"]
    assert [one["tool"] for one in found] == ["tool-0", "tool-1"]
    assert [one.get("result") for one in found] == results


def test_a_call_without_a_result_is_kept_without_one() -> None:
    assert run_of(made(call()), user(), said())["calls"] == [{"tool": "get_bike", "args": {"bike": 7}}]


def test_a_result_without_a_call_is_told_and_stays_among_the_messages() -> None:
    (run,), odd = read([entry(result("1"), made(call()), result("2"), result("3"), said())])
    assert [one["result"] for one in run.said["calls"]] == ["2"]
    assert len(run.said["messages"]) == 7
    assert [one.place for one in odd] == [
        "entry 0 at line 1, column 2, /traj/2",
        "entry 0 at line 1, column 2, /traj/5",
    ]
    assert "no call before it" in odd[0].reason


@pytest.mark.parametrize(("given", "args"), [("", {}), (None, {}), ("{}", {}), ({"a": [1]}, {"a": [1]})])
def test_arguments_may_be_left_out_or_be_an_object(given: Any, args: Any) -> None:
    assert run_of(made(call(arguments=given)), result(), said())["calls"][0]["args"] == args


@pytest.mark.parametrize(
    ("given", "args", "reason"),
    [
        ("{bike: 7}", {"arguments": "{bike: 7}"}, "is not valid JSON"),
        ('{"a": "\\u0000"}', {"arguments": '{"a": "\\u0000"}'}, "/a: contains U+0000"),
        ('{"a": 1, "a": 2}', {"arguments": '{"a": 1, "a": 2}'}, "/a: stands there more than once"),
        ("[7]", {"arguments": [7]}, "is no object"),
        (7, {"arguments": 7}, "is no object"),
    ],
)
def test_arguments_that_are_no_object_lose_no_call(given: Any, args: Any, reason: str) -> None:
    (run,), (odd,) = read([entry(made(call(arguments=given)), result(), said())])
    assert run.said["calls"] == [{"tool": "get_bike", "args": args, "result": "ok"}]
    assert odd.place.endswith("/traj/2/tool_calls/0/function/arguments")
    assert odd.reason.startswith(reason)
    validate(NewRun, INTO.body(run))


def test_the_old_form_of_a_call_is_a_call() -> None:
    old = {"role": "assistant", "content": None, "function_call": call()["function"]}
    told = {"role": "function", "name": "get_bike", "content": "ok"}
    (one,) = run_of(old, told, said())["calls"]
    assert one == {"tool": "get_bike", "args": {"bike": 7}, "result": "ok"}
    assert run_of({**said(), "function_call": None, "tool_calls": None})["calls"] == []


def test_a_run_that_broke_off_is_failed_with_what_broke_it() -> None:
    broke = {"error": "out of tokens", "traceback": "in line 1"}
    (run,), odd = read([{"task_id": 3, "trial": 0, "reward": 0.0, "info": broke, "traj": []}])
    assert odd == []
    assert run.said == {
        "tags": ["task-3", "reward-0"],
        "messages": [],
        "calls": [],
        "status": "failed",
        "output": broke,
    }
    validate(NewRun, INTO.body(run))


def test_an_agent_that_said_nothing_has_an_output_that_is_null() -> None:
    assert run_of(made(call()), result())["output"] is None


def test_what_only_describes_a_run_may_be_missing() -> None:
    bare = {"task_id": "seven", "trial": 0, "traj": [said()]}
    (run,), odd = read([bare])
    assert (odd, run.source_id) == ([], "seven-0")
    assert run.said["tags"] == ["task-seven"]
    assert "participantId" not in run.said
    assert "input" not in run.said


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (7, "is not an object with task_id, trial and traj"),
        ({"trial": 0, "traj": []}, "/task_id: is missing"),
        ({"task_id": True, "trial": 0, "traj": []}, "/task_id: is no number and no text"),
        ({"task_id": 1, "traj": []}, "/trial: is missing"),
        ({"task_id": 1, "trial": "0", "traj": []}, "/trial: is no whole number"),
        ({"task_id": 1, "trial": 0}, "/traj: is missing"),
        ({"task_id": 1, "trial": 0, "traj": {}}, "/traj: is no array of messages"),
        (entry({"content": "no role"}), "/traj/2: is not an object with a role"),
        (entry("text"), "/traj/2: is not an object with a role"),  # pyright: ignore[reportArgumentType]
        (entry(made() | {"tool_calls": {}}), "/traj/2/tool_calls: is no array of calls"),
        (entry(made() | {"tool_calls": [1]}), "/traj/2/tool_calls/0: is no call"),
        (entry(made(call(""))), "/traj/2/tool_calls/0: names no tool"),
        (entry(made({"id": "c1"})), "/traj/2/tool_calls/0: names no tool"),
    ],
)
def test_an_entry_that_is_no_run_is_told_and_stops_no_other(broken: Any, reason: str) -> None:
    runs, (odd,) = read([plain(1), broken, plain(2)])
    assert [run.source_id for run in runs] == ["1-0", "2-0"]
    assert odd.place.startswith("entry 1 at line 1, column ")
    assert odd.reason == reason


def test_an_id_is_one_of_its_kind_and_readable() -> None:
    (first, other), _ = read([plain(1), plain(1, 2)])
    ids = {
        into.run_id(run)
        for run in (first, other)
        for into in (INTO, Into("tau-bench", "second", "bike-desk"), Into("tau-bench", "default", "desk"))
    }
    assert len(ids) == 6
    assert INTO.run_id(first).startswith("bike-desk-1-0-")
    assert Into("tau-bench", "default", "BIKE-desk").run_id(first) == INTO.run_id(first)


@pytest.mark.parametrize("agent", ["自転車", "a/b?c#d", "x" * 200, ".", "-"])
def test_every_agent_gives_an_id_that_may_be_one(agent: str) -> None:
    (run,), _ = read([plain()])
    body = Into("tau-bench", "default", agent).body(run)
    assert validate(NewRun, json.loads(json.dumps(body))).subject.id == agent
