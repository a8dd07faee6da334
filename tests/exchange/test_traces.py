"""Traces become runs: each call once, with its result and times, however many spans tell of it."""

import copy
from typing import Any

import pytest

from setright.exchange import spans
from setright.exchange.spans import Span, Tree, content
from setright.kernel.canonical import canonical
from tests.exchange.foreign import (
    MLFLOW,
    MODEL_SAID,
    SMITH,
    SUB_TRAJECTORY,
    TRACE,
    TRAJECTORY,
    Fields,
    assessed,
    lines,
    observed,
    only,
    read,
)


def trace(*observations: Fields, **more: Any) -> Fields:
    """A trace with other observations."""
    return {"trace": TRACE["trace"] | more, "observations": list(observations)}


def calls(*observations: Fields) -> list[Fields]:
    """The calls of a trace."""
    return list(only("langfuse", trace(*observations)).said["calls"])


def test_a_trace_of_langfuse_becomes_a_run() -> None:
    run = only("langfuse", TRACE)
    assert (run.source_id, run.agent, run.version) == ("trace-1", "desk", "2.0")
    call = {"tool": "get_bike", "args": {"bike": 7}, "result": "free"}
    at = "2026-05-01T10:00:03.000Z"
    assert run.said["calls"] == [call | {"startedAt": at, "endedAt": at}]
    assert run.said["input"] == {"question": "Is bike 7 free?"}
    assert run.said["output"] == "It is free."
    assert (run.said["participantId"], run.said["tags"]) == ("kim", ["pilot", "session-s1"])


def test_observations_alone_are_put_together_whatever_their_order() -> None:
    (run,), odd = read("langfuse", lines(*reversed(TRACE["observations"])))
    assert odd == []
    assert [call["result"] for call in run.said["calls"]] == ["free"]
    assert run.said["output"] == {"role": "assistant", "content": "It is free."}
    assert run.said["answer"] == "It is free."


def test_a_call_that_a_model_within_a_model_tells_is_one() -> None:
    outer = observed("m", "GENERATION", None, output=MODEL_SAID)
    assert len(calls(outer, observed("m1", "GENERATION", "m", output=MODEL_SAID))) == 1


def test_the_same_call_made_twice_is_two_even_with_one_id() -> None:
    assert (
        len(
            calls(
                observed("m", "GENERATION", None, output=MODEL_SAID),
                observed("m1", "GENERATION", None, output=MODEL_SAID),
            )
        )
        == 2
    )


def test_a_call_that_only_a_later_message_tells_of_is_not_lost() -> None:
    told = [MODEL_SAID, {"role": "tool", "tool_call_id": "c1", "content": "free"}]
    (call,) = calls(observed("m", "GENERATION", None, input=told))
    assert call == {"tool": "get_bike", "args": {"bike": 7}, "result": "free"}


def test_a_tool_that_no_model_called_is_a_call() -> None:
    (call,) = calls(
        observed("r", "SPAN", None), observed("t1", "TOOL", "r", name="open_door", input={}, output=None)
    )
    assert (call["tool"], call["result"]) == ("open_door", None)


def test_a_tool_that_failed_is_marked() -> None:
    failed = observed(
        "t1", "TOOL", None, name="get_bike", input={"bike": 7}, level="ERROR", statusMessage="gone"
    )
    (call,) = calls(observed("m", "GENERATION", None, output=MODEL_SAID), failed)
    assert call["error"] == "gone"
    assert "result" not in call


def test_calls_side_by_side_get_the_results_of_their_own_arguments() -> None:
    said = {"tool_calls": [{"name": "get", "args": {"n": n}} for n in (1, 2)]}
    tools = [observed(f"t{n}x", "TOOL", None, name="get", input={"n": n}, output=str(n)) for n in (2, 1)]
    found = calls(observed("m", "GENERATION", None, output=said), *tools)
    assert [(call["args"]["n"], call["result"]) for call in found] == [(1, "1"), (2, "2")]


def test_the_calls_of_an_agent_within_the_agent_name_it() -> None:
    found = calls(
        observed("a", "AGENT", None, name="desk"),
        observed("ab", "AGENT", "a", name="store"),
        observed("abc", "GENERATION", "ab", output=MODEL_SAID),
    )
    assert [call["agent"] for call in found] == ["store"]


def test_spans_in_a_circle_are_told_and_lose_nothing() -> None:
    first = observed("a", "AGENT", "ab")
    (run,), odd = read("langfuse", lines(trace(first, observed("ab", "GENERATION", "a", output=MODEL_SAID))))
    assert len(run.said["calls"]) == 1
    assert any("is within itself" in one.reason for one in odd)


def test_a_long_chain_of_spans_is_read() -> None:
    chain = [
        observed(f"{n}", "SPAN", f"{n - 1}" if n else None, startTime=f"2026-05-01T10:00:00.{n:06d}Z")
        for n in range(3_000)
    ]
    assert calls(*chain, observed("last", "GENERATION", "2999", output=MODEL_SAID))


def test_ten_times_the_like_calls_are_ten_times_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0

    def counted(value: Any) -> bytes:
        nonlocal steps
        steps += 1
        return canonical(value)

    def work(count: int) -> int:
        nonlocal steps
        steps = 0
        asked = [{"role": "assistant", "tool_calls": [{"name": "get_bike", "args": {}}]}]
        tree = [Span("root", None, "agent", "desk", (0,))]
        for n in range(count):
            tree.append(Span(f"m{n}", "root", "model", "chat", (n, 0), came_out=asked))
            tree.append(
                Span(f"t{n}", "root", "tool", "get_bike", (n, 1), given={}, came_out=n, tool="get_bike")
            )
        said, _ = content(Tree(tree), None, None)
        assert [call["result"] for call in said["calls"]] == list(range(count))
        return steps

    monkeypatch.setattr(spans, "canonical", counted)
    few = work(20)
    assert few > 0
    assert work(200) == 10 * few


def test_runs_of_langsmith_are_put_together_whatever_their_order() -> None:
    run = only("langsmith", *SMITH)
    assert (run.source_id, run.agent, run.version) == ("root", "desk", "2.0")
    (call,) = run.said["calls"]
    assert (call["tool"], call["args"], call["result"]) == ("get_bike", {"bike": 7}, "free")
    assert call["startedAt"] == "2026-05-01T10:00:05.000000Z"
    assert (run.said["answer"], run.said["participantId"]) == ("It is free.", "kim")


def test_runs_of_langsmith_may_hold_their_children() -> None:
    root = {**SMITH[2], "child_runs": [SMITH[1], SMITH[0]]}
    assert only("langsmith", root).said["calls"] == only("langsmith", *SMITH).said["calls"]


def test_a_trajectory_holds_the_calls_of_its_sub_agents_behind_the_one_that_started_them() -> None:
    for file in (
        {"a": TRAJECTORY, "b": SUB_TRAJECTORY},
        {**TRAJECTORY, "subagent_trajectories": [SUB_TRAJECTORY]},
    ):
        run = only("atif", file)
        assert (run.source_id, run.agent, run.version) == ("desk-1", "desk", "2.0")
        assert run.said["calls"] == [
            {
                "tool": "ask_store",
                "args": {"bike": 7},
                "startedAt": "2026-05-01T10:00:00Z",
                "result": "asked",
            },
            {"tool": "get_bike", "args": {"bike": 7}, "agent": "store", "result": "free"},
        ]
        assert (run.said["input"], run.said["output"]) == ("Is bike 7 free?", "It is free.")


def test_a_trajectory_that_nothing_refers_to_is_a_run_of_its_own() -> None:
    runs, odd = read("atif", lines({"a": {**TRAJECTORY, "steps": []}, "b": SUB_TRAJECTORY}))
    assert [run.source_id for run in runs] == ["desk-1", "store-1"]
    assert odd == []


def test_what_people_assessed_becomes_one_correction_for_each_of_them() -> None:
    run = only("mlflow", MLFLOW)
    assert (run.source_id, run.agent, run.version) == ("tr-1", "desk", "m-2")
    assert [call["result"] for call in run.said["calls"]] == ["free"]
    assert run.said["calls"][0]["startedAt"] == "2026-05-01T10:00:03.000000Z"
    assert run.corrections == (
        {
            "answer": "wrong",
            "participantId": "ana@example.org",
            "shouldSay": "It is lent.",
            "why": "correct: Bike 7 is lent.",
        },
        {"answer": "right", "participantId": "ben@example.org", "why": "correct"},
    )


@pytest.mark.parametrize(
    ("assessment", "answer"),
    [
        (assessed("expected_response", "a", expectation={"value": "It is free."}), "right"),
        (assessed("expected_response", "a", expectation={"value": "It is lent."}), "wrong"),
        (assessed("tone", "a", feedback={"value": "no"}), "wrong"),
        (assessed("tone", "a", feedback={"value": True}), "right"),
    ],
)
def test_an_assessment_says_whether_the_answer_was_right(assessment: Fields, answer: str) -> None:
    file = copy.deepcopy(MLFLOW)
    file["info"]["assessments"] = [assessment]
    (correction,) = only("mlflow", file).corrections
    assert correction["answer"] == answer


def test_an_assessment_that_says_neither_is_told() -> None:
    file = copy.deepcopy(MLFLOW)
    file["info"]["assessments"] = [assessed("score", "a", feedback={"value": 3})]
    (run,), (odd,) = read("mlflow", lines(file))
    assert run.corrections == ()
    assert "'score' says neither yes nor no" in odd.reason
