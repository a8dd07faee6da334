"""Bodies in which anything stands anywhere: each is taken or refused by name, and none makes us fail."""

from typing import Any

import pytest

from setright.corrections import NewCorrection
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate

SUBJECT = {"kind": "agent", "id": "a", "version": "1"}
RUN: dict[str, Any] = {"projectId": "p", "subject": SUBJECT, "input": 1, "output": 2}
CALL: dict[str, Any] = {"tool": "t", "args": {"a": 1}, "match": {"a": {"tolerance": 1}}}
FULL: dict[str, Any] = {
    "runId": "r",
    "decisions": "wrong",
    "shouldCall": [CALL],
    "mustNotCall": ["u"],
    "answer": "wrong",
    "shouldSay": "5",
    "why": "w",
    "items": [{"key": "k", "pointer": "/a", "rank": 0, "verdict": "wrong"}],
    "correctorGroupId": "g",
    "participantId": "p",
    "callsMatch": "exactly",
    "callsOrder": "any",
    "answerMatch": {"how": "contains", "in": "answer", "values": ["5"]},
    "evidence": ["e"],
}
ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    "/~",
    [],
    [[]],
    [{}],
    [1],
    ["x"],
    {},
    {"x": []},
    {"x": {"x": 1}},
]


def places(value: Any) -> list[tuple[Any, ...]]:
    """The path of every value inside a value."""
    if not isinstance(value, dict | list):
        return []
    steps = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [path for step in steps for path in [(step,), *((step, *rest) for rest in places(value[step]))]]


def with_odd(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    """The same value with something else at a place."""
    if not path:
        return odd
    copy = value.copy()
    copy[path[0]] = with_odd(value[path[0]], path[1:], odd)
    return copy


def judged(body: Any) -> list[dict[str, str]]:
    """The faults of a body, none when it is taken."""
    try:
        validate(NewCorrection, body)
    except Refusal as refusal:
        return refusal.details["faults"]
    return []


WITH_RUN = {**{name: value for name, value in FULL.items() if name != "runId"}, "run": RUN}


@pytest.mark.parametrize("body", [FULL, WITH_RUN], ids=["runId", "run"])
def test_what_all_others_are_made_from_is_taken(body: dict[str, Any]) -> None:
    assert judged(body) == []


@pytest.mark.parametrize("body", [FULL, WITH_RUN], ids=["runId", "run"])
def test_anything_anywhere_is_taken_or_named(body: dict[str, Any]) -> None:
    for path in places(body):
        for odd in ODD:
            for fault in judged(with_odd(body, path, odd)):
                assert set(fault) <= {"pointer", "fault", "allowed"}, (path, odd)
                assert fault["fault"], (path, odd)


def test_what_is_left_out_is_absent_or_required() -> None:
    for path in places(FULL):
        for fault in judged(with_odd(FULL, path[:-1], without(FULL, path))):
            assert fault["fault"], path


def without(value: Any, path: tuple[Any, ...]) -> Any:
    """What is around a place, without it."""
    for step in path[:-1]:
        value = value[step]
    copy = value.copy()
    del copy[path[-1]]
    return copy


@pytest.mark.parametrize(
    ("run", "pointer"),
    [
        ({"status": "running"}, "/run/status"),
        ({"status": "running", "output": ...}, "/run/status"),
        ({"output": ...}, "/run/output"),
        ({"status": "completed", "output": ...}, "/run/output"),
        ({"id": ".."}, "/run/id"),
        ({"answer": 1}, "/run/answer"),
        ({"subject": {**SUBJECT, "kind": "robot"}}, "/run/subject/kind"),
        ({"calls": [{"tool": "t"}, {}]}, "/run/calls/1/tool"),
        ({"more": 1}, "/run/more"),
    ],
)
def test_a_run_that_comes_along_must_be_whole_and_finished(run: dict[str, Any], pointer: str) -> None:
    whole = {name: value for name, value in {**RUN, **run}.items() if value is not ...}
    faults = judged({"run": whole, "decisions": "right"})
    assert [fault["pointer"] for fault in faults].count(pointer) == 1


def test_a_failed_run_that_comes_along_needs_no_output() -> None:
    failed = {name: value for name, value in RUN.items() if name != "output"} | {"status": "failed"}
    assert judged({"run": failed, "decisions": "right"}) == []


A_4000 = {"a": "x" * (4000 - len('{"a":""}'))}


def matched(how: Any, value: Any = 1) -> dict[str, Any]:
    """What a body says of one call whose one argument is compared in a way of its own."""
    return {"shouldCall": [{"tool": "t", "args": {"a": value}, "match": {"a": how}}]}


EDGES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"shouldSay": "x" * 4000}, {"shouldSay": "x" * 4001}),
    ({"why": "x" * 4000}, {"why": "x" * 4001}),
    ({"shouldCall": [{"tool": "t" * 200}]}, {"shouldCall": [{"tool": "t" * 201}]}),
    ({"shouldCall": [{"tool": "t"}] * 50}, {"shouldCall": [{"tool": "t"}] * 51}),
    (
        {"shouldCall": [{"tool": "t", "args": A_4000}]},
        {"shouldCall": [{"tool": "t", "args": {**A_4000, "b": 1}}]},
    ),
    (
        {"shouldCall": [{"tool": "t", "args": {f"{n}": n for n in range(100)}}]},
        {"shouldCall": [{"tool": "t", "args": {f"{n}": n for n in range(101)}}]},
    ),
    (
        {"shouldCall": [{"tool": "t", "match": {f"{n}": {"ignore": True} for n in range(100)}}]},
        {"shouldCall": [{"tool": "t", "match": {f"{n}": {"ignore": True} for n in range(101)}}]},
    ),
    (
        {
            "shouldCall": [
                {"tool": "t", "match": {"a": {"anyOf": ["x" * (4000 - len('{"a":{"anyOf":[""]}}'))]}}}
            ]
        },
        {
            "shouldCall": [
                {"tool": "t", "match": {"a": {"anyOf": ["x" * (4001 - len('{"a":{"anyOf":[""]}}'))]}}}
            ]
        },
    ),
    (
        {"shouldCall": [{"tool": "t", "match": {"a": {"anyOf": [1] * 50}}}]},
        {"shouldCall": [{"tool": "t", "match": {"a": {"anyOf": [1] * 51}}}]},
    ),
    (matched({"anyOf": [1]}), matched({"anyOf": []})),
    (matched({"anyOf": ["x"]}), matched({"anyOf": "x"})),
    (matched({"anyOf": [{"x": 1}]}), matched({"anyOf": {"x": 1}})),
    (matched({"tolerance": 0}), matched({"tolerance": -0.1})),
    (matched({"tolerance": 1}), matched({"tolerance": 1}, True)),
    (matched({"contains": True}, {"x": 1}), matched({"contains": True}, "x")),
    (matched({"prefix": True}, "x"), matched({"prefix": True}, ["x"])),
    (matched({"optional": True}), matched({"optional": False})),
    (matched({"ignore": True, "optional": True}), matched({"ignore": True, "prefix": True})),
    ({"mustNotCall": ["u" * 200]}, {"mustNotCall": ["u" * 201]}),
    ({"mustNotCall": ["u"] * 50}, {"mustNotCall": ["u"] * 51}),
    (
        {"items": [{"key": "k" * 200, "verdict": "right"}]},
        {"items": [{"key": "k" * 201, "verdict": "right"}]},
    ),
    (
        {"items": [{"key": f"{n}", "verdict": "right"} for n in range(100)]},
        {"items": [{"key": f"{n}", "verdict": "right"} for n in range(101)]},
    ),
    (
        {"items": [{"key": "k", "verdict": "right", "pointer": "/" + "a" * 499}]},
        {"items": [{"key": "k", "verdict": "right", "pointer": "/" + "a" * 500}]},
    ),
    (
        {"items": [{"key": "k", "verdict": "right", "rank": 0}]},
        {"items": [{"key": "k", "verdict": "right", "rank": -1}]},
    ),
    (
        {"answerMatch": {"how": "contains", "values": ["5"] * 20}},
        {"answerMatch": {"how": "contains", "values": ["5"] * 21}},
    ),
    (
        {"answerMatch": {"how": "contains", "values": ["5"]}},
        {"answerMatch": {"how": "contains", "values": []}},
    ),
    (
        {"answerMatch": {"how": "number", "tolerance": 0}},
        {"answerMatch": {"how": "number", "tolerance": -0.1}},
    ),
    ({"evidence": ["e"] * 20}, {"evidence": ["e"] * 21}),
    ({"evidence": ["e" * 2000]}, {"evidence": ["e" * 2001]}),
    ({"evidence": ["e"]}, {"evidence": [""]}),
    ({"participantId": "p"}, {"participantId": ""}),
    ({"correctorGroupId": "g"}, {"correctorGroupId": ""}),
    ({"runId": "r"}, {"runId": ""}),
]


@pytest.mark.parametrize(("last", "beyond"), EDGES)
def test_the_last_that_is_allowed_is_taken_and_the_first_beyond_it_is_not(
    last: dict[str, Any], beyond: dict[str, Any]
) -> None:
    assert judged({**FULL, **last}) == []
    assert len(judged({**FULL, **beyond})) == 1
