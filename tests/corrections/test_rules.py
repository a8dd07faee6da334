"""What a correction may say, and how its faults are named."""

from typing import Any

import pytest

from setright.corrections import NewCorrection, rules
from setright.kernel.errors import InvalidBody, Refusal, UnknownField
from setright.kernel.fields import validate

WRONG_CALL = {"runId": "r", "decisions": "wrong", "shouldCall": [{"tool": "refund"}]}
WRONG_ANSWER = {"runId": "r", "answer": "wrong", "shouldSay": "14 days"}


def faults_of(body: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(Refusal) as caught:
        validate(NewCorrection, body)
    return {fault["pointer"]: fault["fault"] for fault in caught.value.details["faults"]}


def pointers_of(body: dict[str, Any]) -> set[str]:
    return set(faults_of(body))


def with_match(match: Any, args: Any = None) -> dict[str, Any]:
    entry = {
        "tool": "refund",
        "args": {"id": "b-1", "amount": 3, "to": {"name": "x"}} if args is None else args,
    }
    return {**WRONG_CALL, "shouldCall": [{**entry, "match": match}]}


@pytest.mark.parametrize(
    "body",
    [
        {"runId": "r", "decisions": "right"},
        {"runId": "r", "answer": "right"},
        {"runId": "r", "items": [{"key": "a", "verdict": "right"}]},
        WRONG_CALL,
        {**WRONG_CALL, "shouldCall": None, "mustNotCall": ["cancel"]},
        {**WRONG_CALL, "callsMatch": "exactly", "callsOrder": "as-listed"},
        WRONG_ANSWER,
        {"runId": "r", "answer": "wrong", "why": "it is rude"},
        {**WRONG_ANSWER, "answerMatch": {"how": "contains", "in": "messages", "values": ["14"]}},
        {**WRONG_ANSWER, "shouldSay": "1,400", "answerMatch": {"how": "number", "tolerance": 0.5}},
        {**WRONG_ANSWER, "shouldSay": '{"a": 1}', "answerMatch": {"how": "json"}},
        {"runId": "r", "answer": "right", "answerMatch": {"how": "exact"}},
        {"runId": "r", "answer": "wrong", "why": "rude", "answerMatch": {"how": "judge"}},
        {**WRONG_CALL, "evidence": ["https://example.com/policy"], "why": None, "items": None},
    ],
)
def test_what_says_something_whole_is_taken(body: dict[str, Any]) -> None:
    assert isinstance(validate(NewCorrection, body), NewCorrection)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"runId": "r"}, ""),
        ({"runId": "r", "items": []}, ""),
        ({"decisions": "right"}, "/runId"),
        ({"runId": "", "decisions": "right"}, "/runId"),
        ({**WRONG_CALL, "run": {}}, "/run"),
        ({"runId": "r", "decisions": "maybe"}, "/decisions"),
        ({"runId": "r", "decisions": "wrong"}, "/decisions"),
        ({"runId": "r", "decisions": "wrong", "shouldCall": [], "mustNotCall": []}, "/decisions"),
        ({"runId": "r", "decisions": "right", "shouldCall": [{"tool": "a"}]}, "/shouldCall"),
        ({"runId": "r", "answer": "right", "mustNotCall": ["a"]}, "/mustNotCall"),
        ({"runId": "r", "decisions": "right", "callsMatch": "exactly"}, "/callsMatch"),
        ({"runId": "r", "decisions": "right", "callsOrder": "any"}, "/callsOrder"),
        ({**WRONG_CALL, "mustNotCall": ["cancel", "refund"]}, "/mustNotCall/1"),
        ({**WRONG_CALL, "shouldCall": [{"tool": ""}]}, "/shouldCall/0/tool"),
        ({**WRONG_CALL, "shouldCall": [{"tool": "t" * 201}]}, "/shouldCall/0/tool"),
        ({**WRONG_CALL, "shouldCall": [{"tool": "t"}] * 51}, "/shouldCall"),
        ({**WRONG_CALL, "mustNotCall": ["t"] * 51}, "/mustNotCall"),
        ({**WRONG_CALL, "shouldCall": [{"tool": "t", "args": {"a": "x" * 4000}}]}, "/shouldCall/0/args"),
        (
            {**WRONG_CALL, "shouldCall": [{"tool": "t", "args": {str(n): 1 for n in range(101)}}]},
            "/shouldCall/0/args",
        ),
        ({**WRONG_CALL, "callsMatch": "roughly"}, "/callsMatch"),
        ({"runId": "r", "answer": "wrong"}, "/answer"),
        ({"runId": "r", "answer": "wrong", "why": "  "}, "/answer"),
        ({"runId": "r", "answer": "right", "shouldSay": "x"}, "/shouldSay"),
        ({**WRONG_ANSWER, "shouldSay": "x" * 4001}, "/shouldSay"),
        ({**WRONG_ANSWER, "why": "x" * 4001}, "/why"),
        ({**WRONG_CALL, "items": [{"key": "a", "verdict": "right"}] * 2}, "/items/1/key"),
        ({**WRONG_CALL, "items": [{"key": "a", "verdict": "right", "pointer": "a"}]}, "/items/0/pointer"),
        ({**WRONG_CALL, "items": [{"key": "a", "verdict": "right", "pointer": "/~2"}]}, "/items/0/pointer"),
        (
            {**WRONG_CALL, "items": [{"key": "a", "verdict": "right", "pointer": "/" + "a" * 500}]},
            "/items/0/pointer",
        ),
        ({**WRONG_CALL, "items": [{"key": "a", "verdict": "right", "rank": -1}]}, "/items/0/rank"),
        ({**WRONG_CALL, "items": [{"key": "a", "verdict": "right", "rank": True}]}, "/items/0/rank"),
        ({**WRONG_CALL, "items": [{"key": "a", "verdict": "right"}] * 101}, "/items"),
        ({**WRONG_CALL, "participantId": ""}, "/participantId"),
        ({**WRONG_CALL, "correctorGroupId": ""}, "/correctorGroupId"),
        ({**WRONG_CALL, "answerMatch": {"how": "exact"}}, "/answerMatch"),
        ({**WRONG_ANSWER, "answerMatch": {"how": "close"}}, "/answerMatch/how"),
        ({**WRONG_ANSWER, "answerMatch": {"how": "exact", "in": "answer"}}, "/answerMatch/in"),
        ({**WRONG_ANSWER, "answerMatch": {"how": "exact", "values": ["a"]}}, "/answerMatch/values"),
        ({**WRONG_ANSWER, "answerMatch": {"how": "exact", "tolerance": 1}}, "/answerMatch/tolerance"),
        ({**WRONG_ANSWER, "answerMatch": {"how": "json"}}, "/shouldSay"),
        ({**WRONG_ANSWER, "answerMatch": {"how": "number"}}, "/shouldSay"),
        ({"runId": "r", "answer": "wrong", "why": "w", "answerMatch": {"how": "contains"}}, "/answerMatch"),
        ({**WRONG_CALL, "evidence": ["x"] * 21}, "/evidence"),
        ({**WRONG_CALL, "evidence": ["x" * 2001]}, "/evidence/0"),
        ({**WRONG_CALL, "run": None, "runId": None}, "/runId"),
    ],
)
def test_a_fault_is_named_by_its_place(body: dict[str, Any], pointer: str) -> None:
    assert pointer in pointers_of(body)


@pytest.mark.parametrize(
    "match",
    [
        {"id": {"anyOf": ["b-1", 2, None]}},
        {"amount": {"tolerance": 0.5}},
        {"to": {"contains": True}},
        {"id": {"prefix": True}},
        {"missing": {"ignore": True}},
        {"id": {"optional": True}},
        {"id": {"anyOf": ["b-1"], "optional": True}},
        {"/to/name": {"prefix": True}},
    ],
)
def test_a_match_says_how_a_place_is_compared(match: dict[str, Any]) -> None:
    assert validate(NewCorrection, with_match(match)).said()["shouldCall"][0]["match"] == match


@pytest.mark.parametrize(
    ("match", "pointer"),
    [
        ({"id": {}}, "/id"),
        ({"id": {"like": True}}, "/id/like"),
        ({"id": {"prefix": True, "ignore": True}}, "/id"),
        ({"id": {"prefix": False}}, "/id/prefix"),
        ({"id": {"anyOf": []}}, "/id/anyOf"),
        ({"id": {"anyOf": [1] * 51}}, "/id/anyOf"),
        ({"amount": {"tolerance": -1}}, "/amount/tolerance"),
        ({"amount": {"tolerance": True}}, "/amount/tolerance"),
        ({"id": {"tolerance": 1}}, "/id"),
        ({"amount": {"prefix": True}}, "/amount"),
        ({"id": {"contains": True}}, "/id"),
        ({"missing": {"prefix": True}}, "/missing"),
        ({"missing": {"optional": True}}, "/missing"),
        ({"/to/none": {"tolerance": 1}}, "/~1to~1none"),
        ({"/~2": {"ignore": True}}, "/~1~02"),
        ({"id": {"ignore": True}, "/id": {"ignore": True}}, "/~1id"),
        ({"id": "prefix"}, "/id"),
    ],
)
def test_a_match_that_cannot_be_used_is_refused(match: dict[str, Any], pointer: str) -> None:
    assert f"/shouldCall/0/match{pointer}" in pointers_of(with_match(match))


def test_every_fault_of_a_body_is_listed_at_once() -> None:
    body = {"runId": "r", "decisions": "right", "shouldCall": [{"tool": 1}], "answer": "wrong", "extra": 1}
    assert pointers_of(body) == {"/shouldCall", "/shouldCall/0/tool", "/answer", "/extra"}


def test_the_code_is_unknown_field_only_when_nothing_else_is_wrong() -> None:
    with pytest.raises(UnknownField):
        validate(NewCorrection, {**WRONG_CALL, "extra": 1})
    with pytest.raises(InvalidBody):
        validate(NewCorrection, {**WRONG_CALL, "decisions": "right", "extra": 1})


def test_args_that_were_left_out_are_kept_as_an_empty_object() -> None:
    assert validate(NewCorrection, WRONG_CALL).said()["shouldCall"] == [{"tool": "refund", "args": {}}]


def test_null_means_absent() -> None:
    made = validate(NewCorrection, {**WRONG_CALL, "why": None, "answerMatch": None})
    assert "why" not in made.said()
    assert "answerMatch" not in made.said()


def test_only_as_many_entries_are_looked_at_as_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[Any] = []
    monkeypatch.setattr(rules.canonical, "canonical", lambda value: looked_at.append(value) or b"{}")
    body = {
        **WRONG_CALL,
        "shouldCall": [{"tool": f"t{number}", "args": {}} for number in range(1_000)],
        "mustNotCall": ["t0"] * 1_000,
        "items": [{"key": "same", "verdict": "right"}] * 1_000,
    }
    told = faults_of(body)
    assert len(looked_at) == 50
    assert {"/shouldCall", "/mustNotCall", "/items"} <= set(told)
    assert len(told) == 100


@pytest.mark.parametrize("letters", [4_000, 70_000])
def test_arguments_are_too_long_however_long_they_are(letters: int) -> None:
    args = {"a": "x" * letters}
    told = faults_of({**WRONG_CALL, "shouldCall": [{"tool": "t", "args": args, "match": args}]})
    assert set(told) == {"/shouldCall/0/args", "/shouldCall/0/match"}
    assert all("characters of canonical JSON" in fault for fault in told.values())
